"""Names that a sentence uses as its subject: known topics, and persons or projects that it introduces."""

from __future__ import annotations

import re
from dataclasses import dataclass

import rjieba

from extraction.extractors.protocol import TopicKind
from extraction.extractors.rules.statement import one_of

_SURNAMES = (
    "王李张張刘劉陈陳杨楊赵趙黄黃周吴吳徐孙孫胡朱高林何郭马馬罗羅梁宋郑鄭谢謝韩韓唐冯馮于董萧蕭程曹袁邓鄧许許傅沈曾彭吕呂苏蘇卢盧蒋蔣蔡贾賈丁魏薛叶葉阎閻余潘杜戴夏钟鍾汪田任姜范方石姚谭譚廖"
    "邹鄒熊陆陸郝孔白崔康毛邱秦江史顾顧侯邵孟龙龍万萬段钱錢汤湯尹黎易常武乔喬贺賀赖賴龚龔"
)
# A name in full, where nothing but a name can stand.
ZH_PERSON = rf"[{_SURNAMES}][\u4e00-\u9fff]{{1,2}}"
_ZH_TITLES = r"(?:先生|女士|小姐|太太|老师|教授|博士|医生|经理|总监|主任|总|工|律师|老板)"
_ZH_PERSON_VERB = (
    r"(?:负责|担任|是(?!的|啊|呀|否|不是)|在(?!线|于)|住在|住|说|表示|认为|可以|会(?!议)|将|喜欢|同意|决定|建议|要求|"
    r"希望|想|有|来自|今年|已经|目前|现在|昨天|今天|明天|前天|后天|[上本这下](?:个)?[周月]|刚|提出|"
    r"批准|确认|答应|加入|离职|入职|接手|辞职|"
    r"不再|不|的(?=预算|联系|地址|老家|家乡|职业|爱好|性格|年龄|身高|单位|公司|电话|邮箱|生日|职位|手机|权限|审批|"
    r"额度|地址|办公室|意见|需求))"
)
_ZH_FAMILIAR = rf"[老小][{_SURNAMES.replace('于', '')}]"
_ZH_PERSON = re.compile(
    rf"(?P<name>[{_SURNAMES}](?:{_ZH_TITLES}|[\u4e00-\u9fff]{{1,2}}?)|{_ZH_FAMILIAR}){_ZH_PERSON_VERB}"
)
_ZH_TITLED = re.compile(rf"(?P<surname>[{_SURNAMES}]){_ZH_TITLES}")
_EN_TITLED = re.compile(r"(?:Mr|Mrs|Ms|Dr|Prof)\.? (?P<surname>[A-Z][\w'’-]+)")
_ZH_PROJECT = re.compile(
    r"^(?:我们的?|本|该|这个)?(?P<name>(?:「[^」]{1,20}」|“[^”]{1,20}”|"
    r"《[^》]{1,20}》)?(?:[\u4e00-\u9fffA-Za-z0-9-]{2,14}?)?(?:项目|"
    r"工程|计划))(?=的|是|将|已|预算|需要|由|在|要|有|会|目前|现在|决定|采用|改用|延期|推迟|上线|启动|完成|截止|预计|"
    r"总|共|[，,])"
)
_EN_PROJECT = re.compile(
    r"^(?:The |the |Our |our )?(?P<name>(?!The |Our |My |This |Your )Project [A-Z][\w-]*(?: [A-Z][\w-]*)?|(?!The |Our "
    r"|My |This |Your |A )[A-Z][\w-]*(?: [A-Z][\w-]*)* (?:[Pp]roject|[Pp]rogram(?:me)?|[Ii]nitiative))\b"
)
_EN_PERSON_VERB = one_of(
    """works lives leads owns manages joined left reports handles prefers likes loves wants needs hates can will
    cannot can't won't is_(?:a|an|the|our|now|on|in|from|responsible|leaving|getting)
    has_(?:a|an|two|three|been|left|joined|moved|agreed|approved|signed|asked) said agreed approved decided signed
    asked moved studies speaks plays took_over runs turned graduated approves decides signs(?:_off)? checks pays
    negotiates reviews heads handles coordinates supervises oversees represents supports buys sells teaches thinks knows
    must has_to needs_to should may doesn't does_not isn't hasn't"""
)
_EN_PERSON = re.compile(
    rf"^(?P<name>(?:(?:Mr|Mrs|Ms|Dr|Prof)\.? )?[A-Z][a-z'’-]+(?: [A-Z][a-z'’-]+){{0,2}})(?:'s|’s)? (?=(?:(?:also|now|"
    rf"still|already|just|currently) )?{_EN_PERSON_VERB}\b)"
)
_EN_ROLE = re.compile(
    r"^(?P<name>[A-Z][a-z'’-]+(?: [A-Z][a-z'’-]+){0,2}), (?:the|our|their|my|an?) [\w' -]{2,40}, (?=[a-z])"
)
ORDINARY_WORD = re.compile(
    one_of(
        """the a an my our your his her its their this that these those there here it he she they we you i one some
        many most all both each every any no nobody everyone everybody someone anyone people work life love
        music painting reading cooking running hiking yoga dancing photography travel traveling art nature today
        yesterday tomorrow monday tuesday wednesday thursday friday saturday sunday january february march april
        may june july august september october november december who what which when where how why if marketing
        sales finance engineering legal support hr it management everything nothing something anything dad mom
        mum mother father grandma grandpa god christmas family friends kids customers clients users being doing
        having getting and but so or nor yet as at in on for with from by to of also now then just maybe perhaps
        school college university chinese english french german spanish japanese"""
    ),
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class NewName:
    """A name that a sentence introduces as its subject."""

    name: str
    kind: TopicKind


def introduced_name(text: str, *, chinese: bool, names_seen: frozenset[str]) -> NewName | None:
    """The person or project that the sentence is about, if it calls it by name.

    One capital word at the start of an English sentence is a name only if it is in `names_seen` (used as a name
    elsewhere); two or more are.
    """
    if chinese:
        return _chinese_name(text)
    if project := _EN_PROJECT.match(text):
        return NewName(project["name"], "project")
    if described := _EN_ROLE.match(text):
        return None if ORDINARY_WORD.fullmatch(described["name"].split()[0]) else NewName(described["name"], "person")
    person = _EN_PERSON.match(text)
    if person is None:
        return None
    words = person["name"].split()
    if ORDINARY_WORD.fullmatch(words[0]) or (len(words) == 1 and words[0] not in names_seen):
        return None
    return NewName(person["name"], "person")


def _chinese_name(text: str) -> NewName | None:
    if project := _ZH_PROJECT.match(text):
        name = re.sub(r"[「」“”]", "", project["name"])
        return NewName(name, "project") if len(name) > 2 else None
    person = _ZH_PERSON.match(text)
    if person and (
        bare_surname(person["name"])
        or re.fullmatch(_ZH_FAMILIAR, person["name"])
        or _is_tagged_as_person(text, person["name"])
    ):
        return NewName(person["name"], "person")
    return None


def _is_tagged_as_person(text: str, name: str) -> bool:
    """Whether a tagger takes what starts the text for a person: 毛利率 and 高兴 start with surnames too."""
    word, tag = rjieba.tag(text[:20])[0]
    return word == name and tag.startswith("nr")


def bare_surname(name: str) -> str:
    """The surname of a name that is only surname and title (`张先生` → `张`, `Mr Zhang` → `Zhang`), else ""."""
    match = _ZH_TITLED.fullmatch(name) or _EN_TITLED.fullmatch(name)
    return match["surname"] if match else ""


# Legal forms, trades and what firms call themselves. Latin ones end the name, or stand before & or a comma; what is a
# surname as well (Baker, Miller, Cook, Farmer) is none of them.
_COMPANY = re.compile(
    r"(?i)\b(?:inc|ltd|limited|llc|llp|plc|corp|corporation|gmbh|kg|ohg|co|company|group|holdings?|logistics|bank|labs|systems|"
    r"partners)\b\.?|"
    r"\b(?:bakery|brewery|dental|marine|gym|farms|traders|trading|textiles?|foods|motors|airlines|airways|"
    r"shipping|freight|insurance|hotels?|restaurant|caf[eé]|clinic|pharmacy|pharmaceuticals|consulting|solutions|services|"
    r"technolog(?:y|ies)|software|electronics|industries|manufacturing|construction|engineering|energy|studios?|media|"
    r"ventures|capital|associates|brothers|university|hospital|institute)$|"
    r"(?-i:\b(?:AG|SE|SA|BV|AB|NV)$)|\w ?& ?\w|"
    r"公司|集团|集團|银行|銀行|工厂|工廠|[厂廠]$|"
    r"(?:学院|學院|设计院|設計院|医院|醫院|大学|大學|物流|制造|製造|茶业|茶業|实业|實業|科技|贸易|貿易|餐饮|餐飲|酒店|"
    r"食品|电子|電子|建材|纺织|紡織|服饰|服飾|传媒|傳媒|地产|地產|能源|重工|化工|机械|機械|药业|藥業|证券|證券|保险|保險|"
    r"诊所|診所|事务所|事務所|工作室|健身房)$"
)


def guess_kind(name: str) -> TopicKind:
    """What a topic that is known only by its name probably is."""
    if re.search(r"(?i)\b(?:project|program(?:me)?|initiative)\b|项目$|工程$", name):
        return "project"
    if _COMPANY.search(name):
        return "customer"
    if re.fullmatch(rf"[{_SURNAMES}][\u4e00-\u9fff]{{1,2}}|[A-Z][a-z]+(?: [A-Z][a-z]+){{1,2}}", name):
        return "person"
    return "other"
