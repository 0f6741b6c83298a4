"""What somebody says of a change sets the value that holds from then on, or ends the one that held."""

from datetime import datetime

import pytest

from .reading import SHANGHAI, only, read


@pytest.mark.parametrize(
    ("text", "attribute", "value", "negated"),
    [
        ("I moved from Berlin to Hamburg last month.", "residence", "Hamburg", False),
        ("My wife and I just moved to Hamburg.", "residence", "Hamburg", False),
        ("My sister lives in Leeds.", "sister residence", "Leeds", False),
        ("I left Siemens and joined Bosch.", "employer", "Bosch", False),
        ("I quit Siemens to work at Bosch.", "employer", "Bosch", False),
        ("I started a new job at Bosch.", "employer", "Bosch", False),
        ("I quit my job at Siemens.", "employer", "Siemens", True),
        ("I was laid off by Siemens.", "employer", "Siemens", True),
        ("I became a teacher last year.", "occupation", "teacher", False),
        ("I got married in June.", "marital status", "married", False),
        ("I got divorced last year.", "marital status", "divorced", False),
        ("I turned 35 yesterday.", "age", "35", False),
        ("My favorite band has changed to Oasis.", "favourite band", "Oasis", False),
        ("I bought my favorite BBQ sauce, Red Cow, again.", "favourite bbq sauce", "Red Cow", False),
        ("I have a new boss, Maria.", "supervisor", "Maria", False),
        ("我从北京搬到了上海。", "居住地", "上海", False),
        ("我上个月搬去上海了。", "居住地", "上海", False),
        ("我们全家搬到上海了。", "居住地", "上海", False),
        ("我从华为跳槽到小米了。", "工作单位", "小米", False),
        ("我从华为离职了。", "工作单位", "华为", True),
        ("我辞掉了华为的工作。", "工作单位", "华为", True),
        ("我现在当老师了。", "职业", "老师", False),
        ("我六月结婚了。", "婚姻状况", "已婚", False),
        ("我去年离婚了。", "婚姻状况", "离异", False),
        ("我昨天满35岁了。", "年龄", "35", False),
        ("我现在最喜欢的颜色是绿色。", "最喜欢的颜色", "绿色", False),
        ("我最喜欢的颜色变成了绿色。", "最喜欢的颜色", "绿色", False),
        ("我换了新老板，叫李明。", "主管", "李明", False),
        ("我的老板是王强。", "主管", "王强", False),
        ("我现在体重75公斤。", "体重", "75", False),
    ],
)
def test_a_change_in_a_life(text: str, attribute: str, value: str, negated: bool) -> None:
    finding = only(text)
    assert (finding.attribute, finding.value, finding.negated) == (attribute, value, negated)
    assert finding.text == finding.quotes[0].text == text


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("Bob Stone took over as project manager.", "project manager", "Bob Stone"),
        ("Bob Stone is our new project manager.", "project manager", "Bob Stone"),
        ("Bob Stone replaces Ann Lee as project manager.", "project manager", "Bob Stone"),
        ("李娜接任项目经理。", "项目经理", "李娜"),
        ("李娜是新的项目经理。", "项目经理", "李娜"),
        ("我们团队扩大到8个人了。", "人数", "8"),
        ("The service has a daily quota of 1,200 calls.", "daily quota", "1200"),
    ],
)
def test_a_change_on_a_project_is_told_of_the_project(text: str, attribute: str, value: str) -> None:
    finding = only(text, subject="Nordwind")
    assert (finding.attribute, finding.value, finding.topic.name) == (attribute, value, "Nordwind")


@pytest.mark.parametrize(
    ("text", "since"),
    [
        ("I got married in June 2023.", datetime(2023, 6, 1, tzinfo=SHANGHAI)),
        ("我2023年6月离婚了。", datetime(2023, 6, 1, tzinfo=SHANGHAI)),
        ("I moved from Berlin to Hamburg on 3 May.", datetime(2024, 5, 3, tzinfo=SHANGHAI)),
    ],
)
def test_it_holds_from_the_day_of_the_change(text: str, since: datetime) -> None:
    assert [finding.valid_from for finding in read(text)] == [since]


@pytest.mark.parametrize(
    "text",
    [
        "I got married 20 years ago.",
        "I got married when I was 20.",
        "I left Berlin and joined the Facebook group.",
        "I got engaged in a debate about trees.",
        "We moved to Slack.",
        "It is now our plan to go there.",
        "She is our new manager.",
        "We got a new supplier, I think.",
        "My brother lives in the same building.",
        "I bought a box with a weight of 2 kg.",
        "我跟你说他结婚了。",
        "今天是新的时间。",
        "我家猫体重5公斤。",
        "My friend got married in June.",
        "My friend lives in Leeds.",
        "We moved the sofa from the hall to the Garden.",
        "我朋友六月结婚了。",
        "我以前当老师。",
        "我把书从北京搬到上海。",
        "他从华为离职了。",
        "我想搬到上海。",
    ],
)
def test_what_is_no_change_of_the_speakers_own_sets_nothing(text: str) -> None:
    assert [(f.attribute, f.value) for f in read(text) if f.value] == []


@pytest.mark.parametrize(
    ("text", "certain"),
    [
        (
            "I'm thinking of a smoothie on Saturday, since I've been to the gym four times a week.",
            "I've been to the gym four times a week.",
        ),
        ("我打算周末奖励自己，因为我现在每周去健身房四次。", "我现在每周去健身房四次。"),
        ("因为我现在每周去健身房四次，所以我打算周末奖励自己一下。", "我现在每周去健身房四次"),
    ],
)
def test_the_reason_for_a_plan_is_no_plan(text: str, certain: str) -> None:
    assert [f.text for f in read(text) if f.certainty == "confirmed"] == [certain]
    assert len(read(text)) == 2
