"""Attributes that hold one value at a time, and all the words in either language that mean the same one."""

from __future__ import annotations

from topics.text.attributes import fold_attribute

# One line a concept: its English key, its Chinese key, then other words for it in either language.
_CONCEPTS = """
name 姓名 名字
residence 居住地 住址
hometown 家乡 老家
employer 工作单位
occupation 职业 profession job 工作 job_title 职位 职务 岗位
age 年龄
birthday 生日
marital_status 婚姻状况
email 邮箱 e-mail email_address 邮件地址 电子邮箱 电邮
phone 电话 telephone mobile phone_number 手机号 手机 电话号码 手机号码 联系电话
wechat 微信号 微信
deadline 截止日期 截止时间 截止 交付日期 交付时间 due_date 期限
budget 预算
price 价格 单价 报价 quote 售价
cost 成本 费用 costs
revenue 营收 turnover 收入 营业额 销售额 sales
salary 工资 月薪 年薪 薪水 薪资 wage pay income
rent 房租 租金 月租 月租金
discount 折扣
headcount 人数 staff team_size 团队规模 employees 员工
address 地址
office_address 办公地址 办公地点 office
headquarters 总部 head_office_address
contact 联系人 contact_person 对接人
owner 负责人
supplier 供应商 vendor
height 身高
weight 体重
database 数据库
option 方案
supervisor 主管 boss manager 上司 老板 领导
target 目标 goal
deposit 押金 定金 订金
area 面积
capacity 容量
version 版本
contract_end_date 合同到期日 合同到期日期 合同到期时间 合同终止日期 contract_expiry contract_expiry_date
opening_hours 营业时间 opening_times business_hours store_hours shop_hours 开放时间
office_hours 办公时间 working_hours 上班时间 工作时间
payment_terms 账期 帐期 payment_term payment_period 付款条件 付款周期 结算周期
invoice_email 发票邮箱 billing_email 开票邮箱 账单邮箱
invoice_address 发票地址 billing_address 账单地址
support_hours 客服时间 服务时间 service_hours
"""
CONCEPT_OF: dict[str, str] = {}
CHINESE_OF: dict[str, str] = {}
for _line in _CONCEPTS.strip().splitlines():
    _words = [word.replace("_", " ") for word in _line.split()]
    CONCEPT_OF |= dict.fromkeys(_words, _words[0])
    CHINESE_OF[_words[0]] = _words[1]


def concept(attribute: str) -> str:
    """One key for an attribute in both languages: `预算` and `Budget` → `budget`; others are folded and kept."""
    folded = fold_attribute(attribute)
    return CONCEPT_OF.get(folded, folded)


def words_for(attribute: str) -> set[str]:
    """Every folded word that means this attribute: for `budget` also `预算`; for an unknown one itself alone."""
    meant = concept(attribute)
    return {word for word, key in CONCEPT_OF.items() if key == meant} | {meant}


# The words by which Chinese counts say nothing of what is counted: 150名 and 150人 are 150. Days are days in both.
_UNITS = dict.fromkeys("名位个人家辆台间套层栋只条座张支所", "") | {
    "天": "day",
    "日": "day",
    "周": "week",
    "星期": "week",
    "个星期": "week",
    "月": "month",
    "个月": "month",
    "工作日": "workday",
    "个工作日": "workday",
    "business days": "workday",
    "working days": "workday",
    "days": "day",
    "weeks": "week",
    "months": "month",
}


def plain_unit(unit: str) -> str:
    """The unit as it is compared, in one way for the words of either language."""
    folded = fold_attribute(unit)
    return _UNITS.get(folded, folded)
