"""A statement goes to the topic that it names: by a part of the name, while it is only proposed, or to each of two."""

from __future__ import annotations

from collections import defaultdict

import pytest

from extraction.models import Proposal
from extraction.services.intake import record_messages
from extraction.services.reading import prepare_reading
from tests.extraction.filing.helpers import decide
from tests.topics.services.helpers import make_topic
from topics.changes import Actor
from topics.models import Fact, Space
from topics.services.conversations import MessageInput
from topics.services.spaces import update_space

pytestmark = pytest.mark.django_db


def hear(space: Space, *texts: str, conversation: str = "c1", subject: str = "") -> None:
    """What Mia says, one message after the other, each read before the next."""
    for text in texts:
        sent = MessageInput(role="user", content=text, name="Mia")
        job = record_messages(space=space, conversation=conversation, messages=[sent], subject=subject).job
        assert job is not None
        prepare_reading(job)()


def proposed(space: Space) -> dict[str, list[str]]:
    """The statements that wait, by the name of the topic that they are proposed for."""
    found: dict[str, list[str]] = defaultdict(list)
    rows = Proposal.objects.filter(space=space, status="pending").exclude(kind="topic").order_by("pk")
    for proposal in rows.select_related("topic", "new_topic"):
        found[proposal.topic.name if proposal.topic else proposal.new_topic.topic_name].append(proposal.text)  # type: ignore[union-attr]
    return dict(found)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Wren Ltd", "Wren wants a discount."),
        ("Wren GmbH & Co. KG", "Wren's budget is $5,000."),
        ("Silver Birch Inc.", "Silver Birch needs weekly reports."),
        ("上海蓝鲸科技有限公司", "蓝鲸科技要求打折。"),
        ("上海蓝鲸科技有限公司", "上海蓝鲸科技的预算是5万元。"),
        ("蓝鲸科技（上海）有限公司", "藍鯨科技要求打折。"),
    ],
)
def test_a_company_may_be_called_by_a_part_of_its_name(space: Space, person: Actor, name: str, text: str) -> None:
    make_topic(space, person, name, kind="customer")
    hear(space, text)
    assert proposed(space) == {name: [text]}


def test_what_a_conversation_is_about_is_named_like_any_other(space: Space, person: Actor) -> None:
    make_topic(space, person, "Harbor Foods Ltd", kind="customer")
    text = "Harbor Foods and Wren both need a discount."
    hear(space, text, subject="Wren GmbH")
    assert proposed(space) == {"Harbor Foods Ltd": [text], "Wren GmbH": [text]}


def test_a_company_may_be_called_by_its_full_name_in_chinese(space: Space, person: Actor) -> None:
    make_topic(space, person, "上海蓝鲸科技有限公司", kind="customer")
    hear(space, "上海蓝鲸科技有限公司的预算是5万元。")
    assert list(proposed(space)) == ["上海蓝鲸科技有限公司"]


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (("Wren Ltd", "Wren GmbH"), "Wren's budget is $5,000."),
        (("Wren Ltd", "Wren Hotel"), "Wren's budget is $5,000."),
        (("Wren Ltd", "Christopher Wren"), "Wren's budget is $5,000."),
        (("上海蓝鲸科技有限公司", "北京蓝鲸科技有限公司"), "蓝鲸科技的预算是5万元。"),
        (("上海蓝鲸科技有限公司", "蓝鲸科技大厦项目"), "蓝鲸科技的预算是5万元。"),
    ],
)
def test_a_part_that_may_mean_another_is_nobodys(
    space: Space, person: Actor, names: tuple[str, str], text: str
) -> None:
    for name in names:
        make_topic(space, person, name, kind="customer")
    hear(space, text)
    assert list(proposed(space)) == ["Mia"]


def test_a_part_that_may_mean_what_is_only_proposed_is_nobodys(space: Space, person: Actor) -> None:
    make_topic(space, person, "Wren Ltd", kind="customer")
    hear(space, "We have 38 drivers.", conversation="other", subject="Wren Hotel")
    hear(space, "Wren's budget is $5,000.")
    assert proposed(space)["Mia"] == ["Wren's budget is $5,000."]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Global Ltd", "Global sales are $5,000."),
        ("Delivery GmbH", "Delivery costs $50."),
        ("Budget Ltd", "Budget is $5,000."),
        ("Wren Ltd", "The wren population is 5,000."),
        ("Wren Ltd", "Wren Street is closed until 5 May 2030."),
        ("Wren Ltd", "Jenny Wren works at the bank and has two kids."),
        ("Global Logistics Ltd", "Global Logistics costs are $5,000."),
        ("金融科技有限公司", "金融科技的预算是5万元。"),
        ("上海蓝鲸科技有限公司", "蓝鲸科技论坛的预算是5万元。"),
        ("北京学习有限公司", "学习的预算是5万元。"),
        ("上海蓝鲸科技有限公司", "蓝鲸科技园的预算是5万元。"),
        ("上海有限公司", "上海的预算是5万元。"),
    ],
)
def test_an_ordinary_word_is_no_company(space: Space, person: Actor, name: str, text: str) -> None:
    make_topic(space, person, name, kind="customer")
    hear(space, text)
    assert name not in proposed(space)


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        ("Acme", "Acme's budget is $50k."),
        ("远航物流", "远航物流的预算是5万元。"),
        ("Wren Ltd", "Wren wants a discount."),
    ],
)
def test_what_names_a_proposed_topic_waits_with_it(space: Space, person: Actor, subject: str, text: str) -> None:
    hear(space, "We have 38 drivers.", conversation="of the customer", subject=subject)
    hear(space, text, conversation="another")
    assert proposed(space) == {subject: ["We have 38 drivers.", text]}
    decide(person, *Proposal.objects.filter(space=space).order_by("pk"))
    assert set(Fact.objects.filter(space=space).values_list("topic__name", flat=True)) == {subject}


def test_a_topic_that_stands_goes_before_a_proposed_one_of_its_name(space: Space, person: Actor) -> None:
    hear(space, "We have 38 drivers.", conversation="of the customer", subject="Acme")
    make_topic(space, person, "Acme", kind="customer")
    hear(space, "Acme's budget is $50k.", conversation="another")
    filed = Proposal.objects.get(space=space, text="Acme's budget is $50k.")
    assert filed.topic is not None


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Acme and Wren Ltd both want delivery on Friday.", ["Acme", "Wren Ltd"]),
        ("Acme, Wren Ltd and 远航物流 want weekly reports.", ["Acme", "Wren Ltd", "远航物流"]),
        ("Acme和远航物流都要求周五交货。", ["Acme", "远航物流"]),
        ("远航物流、Wren以及Acme的预算都是5万元。", ["远航物流", "Wren Ltd", "Acme"]),
    ],
)
def test_what_is_said_of_several_reaches_each(space: Space, person: Actor, text: str, names: list[str]) -> None:
    for name in ("Acme", "Wren Ltd", "远航物流"):
        make_topic(space, person, name, kind="customer")
    hear(space, text)
    assert proposed(space) == {name: [text] for name in names}
    quotes = {q for p in Proposal.objects.filter(space=space) for q in p.quotes.values_list("message", "start", "end")}
    assert len(quotes) == 1


def test_what_was_said_of_several_is_proposed_once(space: Space, person: Actor) -> None:
    for name in ("Acme", "Wren Ltd"):
        make_topic(space, person, name, kind="customer")
    hear(space, "Acme and Wren Ltd both want delivery on Friday.", "Acme and Wren Ltd both want delivery on Friday.")
    assert {name: len(texts) for name, texts in proposed(space).items()} == {"Acme": 1, "Wren Ltd": 1}


def test_all_that_a_sentence_tells_of_several_reaches_each(space: Space, person: Actor) -> None:
    for name in ("Acme", "Wren Ltd"):
        make_topic(space, person, name, kind="customer")
    hear(space, "Acme and Wren have a budget of $50k and want weekly reports.")
    told = ["Acme and Wren have a budget of $50k", "Acme and Wren want weekly reports."]
    assert proposed(space) == {"Acme": told, "Wren Ltd": told}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Acme or Wren Ltd wants weekly reports.", 1),
        ("Acme needs a quote from Wren Ltd.", 1),
        ("Acme需要Wren Ltd的报价。", 1),
    ],
)
def test_who_is_only_mentioned_beside_is_not_told_of(space: Space, person: Actor, text: str, names: int) -> None:
    for name in ("Acme", "Wren Ltd"):
        make_topic(space, person, name, kind="customer")
    hear(space, text)
    assert len(proposed(space)) == names


def test_a_value_put_right_is_put_right_for_each(space: Space, person: Actor) -> None:
    for name in ("Acme", "Wren Ltd"):
        make_topic(space, person, name, kind="customer")
    hear(space, "Acme and Wren Ltd have a budget of $50k. Sorry, $60k.")
    rows = Proposal.objects.filter(space=space).values_list("topic__name", "value")
    assert set(rows) == {("Acme", "60000"), ("Wren Ltd", "60000")}


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("Acme's budget is 50k.", "Sorry, I meant 60k."),
        ("Acme's budget is 50k.", "Sorry, my mistake, the budget is 60k."),
        ("Acme的预算是5万元。", "抱歉，我说错了，是6万元。"),
        ("Acme的预算是5万元。", "我记错了，预算是6万元。"),
    ],
)
def test_what_is_put_right_in_the_next_message_replaces_it(space: Space, person: Actor, first: str, then: str) -> None:
    make_topic(space, person, "Acme", kind="customer")
    update_space(space=space, changes={"review_policy": "automatic", "conflict_policy": "newest"})
    hear(space, first, then)
    facts = Fact.objects.filter(space=space).order_by("pk").values_list("topic__name", "value", "status")
    assert list(facts) == [("Acme", "50000", "superseded"), ("Acme", "60000", "active")]


@pytest.mark.parametrize(
    ("text", "later", "stays"),
    [
        ("I live in Lyon and I'm allergic to peanuts.", "I moved to Paris.", "I'm allergic to peanuts."),
        ("我住在里昂，对花生过敏。", "我搬到巴黎了。", "对花生过敏。"),
    ],
)
def test_what_else_was_said_stays_when_a_value_is_replaced(space: Space, text: str, later: str, stays: str) -> None:
    update_space(space=space, changes={"review_policy": "automatic", "conflict_policy": "newest"})
    hear(space, text, later)
    active = Fact.objects.filter(space=space, status="active").order_by("pk")
    assert list(active.values_list("text", flat=True)) == [stays, later]
