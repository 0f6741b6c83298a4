"""What is used and what took its place are statements that last, and the old thing is no attribute."""

import pytest

from .reading import only, read, topic

CUSTOMER = topic("Nordwind", kind="customer")


@pytest.mark.parametrize("subject", [None, CUSTOMER])
@pytest.mark.parametrize(
    "text",
    [
        "We switched from Slack to Teams.",
        "We moved from MySQL to PostgreSQL last month.",
        "We replaced Slack with Teams in May.",
        "Our team has switched from Jira to Linear.",
        "我们从Slack换成了Teams。",
        "我们从MySQL迁移到了PostgreSQL。",
        "我们上个月用Teams取代了Slack。",
        "公司从钉钉切换到飞书。",
    ],
)
def test_a_switch_is_a_decision_that_can_be_compared(text: str, subject: None) -> None:
    found = only(text, subject=subject)
    assert (found.kind, found.attribute, found.negated) == ("decision", "", False)


@pytest.mark.parametrize("subject", [None, CUSTOMER])
@pytest.mark.parametrize("text", ["We use Slack.", "We run on AWS.", "我们用Slack。", "我们目前使用MySQL。"])
def test_what_is_used_is_kept(text: str, subject: None) -> None:
    assert (only(text, subject=subject).kind, only(text, subject=subject).certainty) == ("fact", "confirmed")


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("We use MySQL as our database.", "database", "MySQL"),
        ("We changed our database from MySQL to PostgreSQL.", "database", "PostgreSQL"),
        ("我们用MySQL做数据库。", "数据库", "MySQL"),
        ("我们数据库从MySQL换成了PostgreSQL。", "数据库", "PostgreSQL"),
    ],
)
def test_what_it_serves_as_is_an_attribute(text: str, attribute: str, value: str) -> None:
    found = only(text, subject=CUSTOMER)
    assert (found.attribute, found.value) == (attribute, value)


def test_what_is_named_for_its_opposite_denies_nothing() -> None:
    assert not only("We use Teams now, not Slack.", subject=CUSTOMER).negated
    assert only("We do not use Slack.", subject=CUSTOMER).negated


def test_where_people_move_is_their_residence() -> None:
    assert only("I moved from Berlin to Hamburg.").attribute == "residence"
    assert [f.value for f in read("We moved the sofa from the hall to the Garden.") if f.value] == []
