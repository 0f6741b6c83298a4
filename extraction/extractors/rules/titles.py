"""What people are by trade and which post they hold: `software engineer`, `head of operations`, `采购经理`."""

from __future__ import annotations

from extraction.extractors.rules.statement import one_of

# --- English -------------------------------------------------------------------------------------------------------

ROLE = (
    r"(?:"
    + one_of(
        """software senior junior primary high middle school graphic civil product project data full-time freelance
        part-time retired mechanical electrical marketing sales research web english math music registered truck
        bus taxi"""
    )
    + r" )*"
    + one_of(
        """engineer teacher nurse doctor lawyer developer programmer designer accountant manager director student
        artist writer journalist chef driver pilot scientist researcher architect consultant analyst salesperson
        salesman photographer musician dentist pharmacist electrician plumber carpenter mechanic farmer librarian
        translator editor professor counsell?or therapist psychologist entrepreneur barista waiter waitress cashier
        veterinarian vet coach trainer social_worker firefighter police_officer secretary receptionist banker
        economist biologist chemist physicist freelancer intern assistant administrator founder ceo cto"""
    )
    + r"(?: (?:manager|director|teacher|nurse|engineer|designer|editor|professor|coach|driver|analyst|assistant))?"
)
# A post is told of by the field it is in: "the purchasing manager" is one, "the happy manager" is none.
_FIELD = one_of(
    """purchasing procurement sourcing sales marketing operations product project program(?:me)? key account accounts
    office store shop branch warehouse logistics supply chain production plant factory manufacturing quality assurance
    control finance financial hr human resources people talent it technical technology engineering software hardware
    data security customer client service services support success relations communications pr legal compliance risk
    regional area country global national general managing executive assistant deputy vice senior junior chief associate
    acting interim art design research development r&d business commercial export import retail event events community
    content digital brand category facilities facility property construction site maintenance night shift restaurant
    hotel kitchen fleet transport training clinical nursing academic admissions investment portfolio fund release test
    qa platform infrastructure network systems? database cloud delivery staff vendor contracts? inventory planning
    policy public media team tech lead principal"""
)
_POST = one_of(
    """manager director officer supervisor coordinator administrator executive buyer controller president treasurer
    superintendent foreman specialist representative planner auditor recruiter secretary engineer developer designer
    architect analyst consultant accountant assistant scientist researcher lead leader head strategist operator
    technician inspector editor nurse teacher producer"""
)
_CHIEF = one_of("ceo cto cfo coo cmo cio ciso cpo cro chro vp svp evp")
_NO_FIELD = one_of(
    "the_(?:table|class|family|household|house|line|queue|pack|film) this that these my his her your a an it"
)
_NAME_OF_FIELD = r"(?!(?:at|for|in|here|now|and|since|with|on|who|there)\b)[a-z][\w&-]*"
TITLE = (
    rf"(?:(?:(?:{_FIELD} )?(?:head|director|vice president|manager|chief)|[es]?vp) of (?!{_NO_FIELD}\b)(?:the )?"
    rf"{_NAME_OF_FIELD}(?: (?:and |& )?{_NAME_OF_FIELD}){{0,2}}?"
    rf"|(?:{_FIELD}(?: and | & | |-)){{1,4}}{_POST}"
    rf"|(?:product|shop|store|business|restaurant|hotel) owner|{_CHIEF}|manager|director|(?:co-?)?founder)"
)
# Not "the manager who called" and "the manager's assistant".
TITLE_END = (
    r"(?=\s*(?:$|[.,;:!?)–—]|\b(?:at|for|from|here|now|since|with|there|in|on the|on our|and (?:I|we|my|our|am|have|"
    r"work|live))\b|of (?:the )?(?-i:[A-Z])))"
)

# --- Chinese -------------------------------------------------------------------------------------------------------

_ZH_TRADE = one_of(
    """工程师 老师 教师 护士 医生 律师 程序员 设计师 会计 经理 总监 大学生 学生 研究生 博士生 画家 作家 记者
    厨师 司机 飞行员 科学家 研究员 建筑师 顾问 分析师 销售员? 摄影师 音乐家 牙医 药剂师 电工 农民 翻译 编辑
    教授 咨询师 心理医生 创业者 职业者 教练 社工 警察 消防员 秘书 前台 公务员 实习生 助理 创始人 讲师 健身教练
    公司职员 职员 上班族 家庭主妇 总经理 主管 主任 组长 店长 厂长 部长 院长 校长 园长 科长 处长 局长 董事长 总裁
    总工程师 专员 业务员 采购员 质检员 仓管员 首席[一-龥]{2}官 CEO CTO CFO COO CMO CIO HRD? 总监助理 总裁助理"""
)
_ZH_FIELD = one_of(
    """软件 高级 初级 小学 中学 高中 初中 大学 平面 产品 项目 数据 自由 退休 全职 语文 数学 英语 音乐 美术 体育
    前端 后端 室内 建筑 机械 电气 销售 市场 研究 外科 内科 采购 运营 财务 人事 行政 技术 仓储 仓库 物流 供应链
    生产 质量 品质 品控 客户 客服 大客户 渠道 区域 大区 全国 品牌 公关 法务 风控 投资 战略 商务 招商 门店 信息 IT 算法
    测试 运维 架构 研发 工程 工厂 车间 培训 招聘 人力资源 营销 商品 外贸 跨境 海外 国内 媒体 内容 活动 安全 维修
    售后 售前 业务 资深 中级 首席 助理 执行 常务 代理 副 部门? 中心"""
)
ZH_TITLE = f"(?:{_ZH_FIELD}*{_ZH_TRADE}|{_ZH_FIELD}+负责人)"
# Where somebody holds a post: 北风公司的采购经理.
ZH_EMPLOYER = r"(?:[^，,。的]{0,12}?(?:公司|集团|部门?|厂|店|中心|银行|医院|学校|大学|团队|科技|[A-Za-z]{2,16})的?)"
