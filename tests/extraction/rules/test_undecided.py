"""What is only considered is tentative at most and never a decision."""

import pytest

from .reading import only, read, topic

CUSTOMER = topic("Nordwind", kind="customer")


@pytest.mark.parametrize("subject", [None, CUSTOMER])
@pytest.mark.parametrize(
    "text",
    [
        "Maybe we will open an office in Lisbon next spring, but nothing is decided.",
        "Perhaps we will open an office in Lisbon, nothing is decided yet.",
        "We might move to Berlin in June, but we have not decided yet.",
        "We may switch to PostgreSQL, no decision has been made.",
        "We have not decided yet, but perhaps we will open an office in Lisbon.",
        "I might join the choir, though I haven't made up my mind.",
        "We will probably go with option B; it's not final yet.",
        "We've probably settled on option B.",
        "也许我们会搬到上海，不过还没有决定。",
        "我们可能会搬到上海，什么都还没决定。",
        "可能下个月换成微信支付，还没定。",
        "供应商可能会换成海风公司，还没最后决定。",
        "可能我们会搬家，还没想好。",
        "还没决定，不过我们可能会搬家。",
        "公司或许会在里斯本开办事处，目前什么都没定。",
    ],
)
def test_what_may_yet_be_decided_is_no_decision(text: str, subject: None) -> None:
    found = only(text, subject=subject)
    assert (found.kind != "decision", found.certainty) == (True, "tentative")


@pytest.mark.parametrize(
    "text",
    [
        "We haven't decided whether to move to Leeds.",
        "It has not been decided where the new office will be.",
        "Nothing has been agreed about the office in Lisbon.",
        "我们还没有决定是否搬家。",
        "新办公室的地址还没确定。",
        "我们尚未决定换不换供应商。",
    ],
)
def test_a_question_that_is_open_is_not_settled(text: str) -> None:
    found = read(text, subject=CUSTOMER)
    assert all(f.kind != "decision" and f.certainty == "tentative" for f in found), found


@pytest.mark.parametrize(
    "text",
    [
        "We decided to move to Leeds, but nothing is decided about the date.",
        "We decided in May to use Postgres.",
        "The board has approved the budget.",
        "We went with option B, although the venue is not final.",
        "我们决定用方案B。",
        "经过考虑我们决定改用微信。",
        "我们决定搬家，不过日期还没定。",
        "再三考虑后我们选用了方案B。",
        "供应商已经换成了海风公司。",
    ],
)
def test_what_is_decided_stays_so_where_something_else_is_open(text: str) -> None:
    found = only(text, subject=CUSTOMER)
    assert (found.kind, found.certainty) == ("decision", "confirmed")


@pytest.mark.parametrize(
    ("text", "certainty"),
    [
        ("Our budget is 50,000 euros, but that is not final yet.", "tentative"),
        ("预算大概是50万，不过还没最后定。", "tentative"),
        ("The launch is on 3 June, but the venue is not final.", "planned"),
        ("婚礼定在6月，场地还没定。", "planned"),
        ("还没想好，因为我们的预算是50万元。", "confirmed"),
        ("I like tea, but I haven't decided what to order.", "confirmed"),
    ],
)
def test_a_clause_that_leaves_all_open_makes_the_sentence_tentative(text: str, certainty: str) -> None:
    assert only(text, subject=CUSTOMER).certainty == certainty


def test_what_may_be_changed_names_the_thing_alone() -> None:
    assert only("供应商可能会换成海风公司。", subject=CUSTOMER).attribute == "供应商"
