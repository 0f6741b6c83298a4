"""Each value that a sentence sets is a fact of its own, with the words that set it as its quote."""

import pytest

from .reading import only, read, topic

CUSTOMER = topic("Nordwind", kind="customer")


@pytest.mark.parametrize("subject", [None, CUSTOMER])
@pytest.mark.parametrize(
    ("text", "values"),
    [
        (
            "我们今年的预算是50万元，合同到期日是2026年12月31日。",
            [
                ("预算", "500000", "我们今年的预算是50万元"),
                ("合同到期日", "2026-12-31", "合同到期日是2026年12月31日。"),
            ],
        ),
        (
            "项目负责人是李强，他的邮箱是li.qiang@example.com。",
            [
                ("负责人", "李强", "项目负责人是李强"),
                ("负责人邮箱", "li.qiang@example.com", "他的邮箱是li.qiang@example.com。"),
            ],
        ),
        (
            "联系人是王敏，电话是13800138000。",
            [("联系人", "王敏", "联系人是王敏"), ("联系人电话", "13800138000", "电话是13800138000。")],
        ),
        (
            "我住在上海，我的电话是13800138000。",
            [("居住地", "上海", "我住在上海"), ("电话", "13800138000", "我的电话是13800138000。")],
        ),
        (
            "数据库是PostgreSQL，月租金是3000元。",
            [("数据库", "PostgreSQL", "数据库是PostgreSQL"), ("房租", "3000", "月租金是3000元。")],
        ),
        (
            "Our budget is 50,000 euros and the contract ends on 31 December 2026.",
            [
                ("budget", "50000", "Our budget is 50,000 euros"),
                ("contract end date", "2026-12-31", "the contract ends on 31 December 2026."),
            ],
        ),
        (
            "The project manager is Tom Baker and his email is tom@example.com.",
            [
                ("project manager", "Tom Baker", "The project manager is Tom Baker"),
                ("project manager email", "tom@example.com", "his email is tom@example.com."),
            ],
        ),
        (
            "I live in Leeds and I work at Siemens.",
            [("residence", "Leeds", "I live in Leeds"), ("employer", "Siemens", "I work at Siemens.")],
        ),
        (
            "I live at 8 Canal Road, Leeds, and my email is tom@example.com.",
            [
                ("address", "8 Canal Road, Leeds", "I live at 8 Canal Road, Leeds"),
                ("email", "tom@example.com", "my email is tom@example.com."),
            ],
        ),
        (
            "The budget is 50,000 euros, which is less than before, and the deadline is 3 June.",
            [
                ("budget", "50000", "The budget is 50,000 euros, which is less than before"),
                ("deadline", "2024-06-03", "the deadline is 3 June."),
            ],
        ),
    ],
)
def test_each_value_is_a_fact(text: str, values: list[tuple[str, str, str]], subject: None) -> None:
    found = read(text, subject=subject)
    assert [(f.attribute, f.value, f.quotes[0].text) for f in found] == values


def test_a_preference_beside_two_values_stays_one() -> None:
    found = read("我喜欢吃虾，我住在北京，我的电话是13800138000。")
    assert [(f.kind, f.attribute) for f in found] == [("preference", ""), ("fact", "居住地"), ("number", "电话")]


@pytest.mark.parametrize(
    "text",
    [
        "Maybe the budget is 50,000 euros, and the deadline is 3 June.",
        "The budget is 50,000 euros and the deadline is 3 June, but nothing is final.",
        "也许预算是50万元，合同到期日是2026年12月31日。",
    ],
)
def test_a_doubt_about_all_of_it_makes_no_value_settled(text: str) -> None:
    assert only(text, subject=CUSTOMER).certainty == "tentative"


@pytest.mark.parametrize(
    "text",
    [
        "He said the budget is 50,000 euros, and the deadline is 3 June.",
        "If the budget were 50,000 euros, the deadline would be 3 June.",
        "他说预算是50万元，合同到期日是2026年12月31日。",
        "如果预算是50万元，合同到期日就是2026年12月31日。",
    ],
)
def test_what_is_not_told_as_true_sets_no_values(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("合同到期日延到2027年6月30日。", "合同到期日", "2027-06-30"),
        ("合同2026年12月31日到期。", "合同到期日", "2026-12-31"),
        ("合同延长到2027年6月30日。", "合同到期日", "2027-06-30"),
        ("我的签证2026年3月5日到期。", "签证到期日", "2026-03-05"),
        ("保险有效期到2026年3月5日。", "保险到期日", "2026-03-05"),
        ("The contract has been extended to 30 June 2027.", "contract end date", "2027-06-30"),
        ("Our lease expires on 30 June 2027.", "lease end date", "2027-06-30"),
        ("My visa is valid until 3 June 2026.", "visa end date", "2026-06-03"),
        ("The contract runs until 30 June 2027.", "contract end date", "2027-06-30"),
        ("The insurance ends on 1 July 2026.", "insurance end date", "2026-07-01"),
    ],
)
def test_the_day_on_which_something_ends_is_a_value(text: str, attribute: str, value: str) -> None:
    found = only(text, subject=CUSTOMER)
    assert (found.kind, found.attribute, found.value) == ("fact", attribute, value)


@pytest.mark.parametrize(
    "text",
    [
        "The contract was signed on 3 June.",
        "Our policy is to test on Fridays.",
        "The passport was lost on 3 May.",
        "合同是5月签的。",
        "合同5月3日寄出了。",
    ],
)
def test_another_day_of_a_contract_is_not_its_end(text: str) -> None:
    assert all("end date" not in f.attribute and "到期日" not in f.attribute for f in read(text, subject=CUSTOMER))
