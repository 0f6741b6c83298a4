"""Minutes of meetings in which nothing was decided leave no trace, however long they are."""

import pytest

from .reading import only, read, topic

CUSTOMER = topic("Nordwind", kind="customer")


@pytest.mark.parametrize("subject", [None, CUSTOMER])
@pytest.mark.parametrize(
    "line",
    [
        "Item {n}: we talked about parking space {n}, nothing was decided.",
        "We discussed the offer of supplier {n} at {n},000 euros; nothing was decided.",
        "{n}. Parking space {n} - no decision.",
        "Item {n}: raising the price to {n} euros, nothing decided.",
        "On 3 May we discussed offer {n}. No decision was taken.",
        "The team debated option {n} in Room {n} and did not reach a conclusion.",
        "We reviewed offer {n} from Bosch, without a decision.",
        "We had a meeting about order {n} where nothing was decided.",
        "第{n}项：讨论了{n}号车位，什么都没决定。",
        "我们讨论了供应商{n}的{n}万元报价，没有作出任何决定。",
        "议题{n}：是否把价格提高到{n}元，没有决定。",
        "5月3日我们讨论了方案{n}。没有结论。",
        "会上提到了订单{n}，未达成一致。",
        "我们研究了{n}号方案，没有定下来。",
    ],
)
def test_what_was_only_talked_of_is_not_kept(line: str, subject: None) -> None:
    assert read("\n".join(line.format(n=n) for n in range(1, 151)), subject=subject) == []


def test_what_was_decided_in_between_is_kept() -> None:
    lines = [f"Item {n}: we talked about parking space {n}, nothing was decided." for n in range(1, 60)]
    lines[20:20] = ["Item 21: we decided to use PostgreSQL."]
    assert [f.kind for f in read("\n".join(lines), subject=CUSTOMER)] == ["decision"]
    lines = [f"第{n}项：讨论了{n}号车位，没有决定。" for n in range(1, 60)]
    lines[20:20] = ["我们决定用PostgreSQL。"]
    assert [f.kind for f in read("\n".join(lines), subject=CUSTOMER)] == ["decision"]


@pytest.mark.parametrize(
    "text",
    [
        "Our budget is 50,000 euros. That is not final yet.",
        "We talked about Lisbon, and we might open an office there in May, but nothing is decided.",
        "The meeting is on 3 May at 10:00. It is not final yet.",
        "预算是5万元。这还没最后定。",
        "会议定在5月30日。还没最后定。",
        "我们讨论了里斯本，可能5月在那里开办事处，还没决定。",
    ],
)
def test_what_may_come_of_it_is_tentative(text: str) -> None:
    assert only(text, subject=CUSTOMER).certainty == "tentative"


@pytest.mark.parametrize(
    "text",
    [
        "We decided to use PostgreSQL. Nothing was decided about the venue.",
        "We decided to hire Anna Lee. Nothing else was decided.",
        "我们决定用PostgreSQL。其他的还没定。",
    ],
)
def test_a_decision_stays_one_where_something_else_is_open(text: str) -> None:
    found = only(text, subject=CUSTOMER)
    assert (found.kind, found.certainty) == ("decision", "confirmed")


def test_a_denied_agreement_is_no_decision() -> None:
    for text in ("讨论了停车位问题，未达成一致。", "双方没有达成共识。", "No agreement was reached with Bosch."):
        assert [f for f in read(text, subject=CUSTOMER) if f.kind == "decision"] == []
