"""What there is to see, to decide and to ask in the space that `manage.py load_example` leaves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from pytest_django import DjangoDbBlocker

from extraction.example import customer, smart_home
from extraction.models import Conflict, Job, MessageOutcome, Proposal
from topics.models import ApiKey, Fact, Membership, Message, Space
from topics.models.statement import Certainty
from topics.selectors.topics import topic_by_name
from topics.services.spaces import digest_key

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("printed")]


@pytest.fixture(scope="module")
def printed(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[str]:
    """What the command printed. The example is loaded once: what these tests change is rolled back."""
    with django_db_blocker.unblock():
        out = StringIO()
        call_command("load_example", stdout=out)
        yield out.getvalue()
        call_command("flush", verbosity=0, interactive=False)


def test_the_printed_login_and_key_are_the_real_ones(printed: str) -> None:
    password = re.search(r"Password  (\S+)", printed)
    key = re.search(r"API key   (\S+)", printed)
    assert password is not None
    assert key is not None
    assert Client().login(username="demo", password=password[1])
    space = Space.objects.get()
    member = Membership.objects.get(space=space)
    assert (member.user.get_username(), member.role) == ("demo", Membership.Role.ADMIN)
    assert member.user.is_superuser
    row = ApiKey.objects.get(digest=digest_key(key[1]))
    assert row.space == space
    assert sorted(row.scopes) == ["propose", "read"]
    assert f"Authorization: Bearer {key[1]}" in printed
    assert "/api/v1/memory/query" in printed


def test_every_message_is_read_and_every_span_is_found_word_for_word() -> None:
    assert set(Job.objects.values_list("status", flat=True)) == {Job.Status.DONE}
    told = [message for c in (*customer.CONVERSATIONS, *smart_home.CONVERSATIONS) for message in c.messages]
    assert Message.objects.count() == len(told)
    ended = {MessageOutcome.Outcome.EXTRACTED, MessageOutcome.Outcome.NOTHING}
    assert MessageOutcome.objects.filter(outcome__in=ended).count() == len(told)
    for proposal in Proposal.objects.filter(kind=Proposal.Kind.FACT):
        assert proposal.text in [quote.text for quote in proposal.quotes.all()]


@pytest.mark.parametrize("name", [customer.SUBJECT, smart_home.SUBJECT])
def test_each_story_has_a_document_with_history_and_a_changed_decision_that_waits(name: str) -> None:
    topic = topic_by_name(Space.objects.get(), name)
    assert topic is not None
    assert topic.document_version >= 3
    assert topic.facts.filter(status=Fact.Status.ACTIVE).count() >= 3
    replaced = topic.facts.get(status=Fact.Status.SUPERSEDED)
    assert replaced.superseded_by is not None
    assert replaced.superseded_by.status == Fact.Status.ACTIVE
    waiting = Conflict.objects.get(fact__topic=topic, status=Conflict.Status.OPEN)
    assert waiting.proposal.is_open
    assert waiting.fact.attribute == waiting.proposal.attribute
    assert waiting.fact.value != waiting.proposal.value


def test_what_is_tentative_and_what_nobody_reviewed_waits() -> None:
    waiting = Proposal.objects.filter(status=Proposal.Status.PENDING)
    assert waiting.filter(certainty=Certainty.TENTATIVE).exists()
    assert not Fact.objects.filter(certainty=Certainty.TENTATIVE).exists()
    reviewed = {c.id for c in (*customer.CONVERSATIONS, *smart_home.CONVERSATIONS) if c.reviewed}
    settled = waiting.exclude(certainty=Certainty.TENTATIVE)
    assert not settled.filter(message__conversation__external_id__in=reviewed).exists()
    assert waiting.exclude(message__conversation__external_id__in=reviewed).exists()


def proposed() -> str:
    return "\n".join(Proposal.objects.values_list("text", flat=True))


def test_small_talk_and_the_assistants_own_ideas_are_not_proposed() -> None:
    found = proposed()
    for left_out in (
        "lamb and rain",
        "on-premises edition",
        "discount of 15 percent",
        "全屋有线",
        "趴在地板上",
        "讲笑话",
    ):
        assert left_out not in found


def test_remarks_on_weather_and_journeys_are_not_proposed() -> None:
    found = proposed()
    assert not [remark for remark in ("外面真冷", "堵了五个小时", "coffee on board") if remark in found]


def test_a_nickname_is_another_name_of_the_same_topic() -> None:
    space = Space.objects.get()
    for nickname, name in (("Tomek", "Tomasz Zielinski"), ("老王", "王建国"), ("老陈", "陈工")):
        topic = topic_by_name(space, nickname)
        assert topic is not None
        assert topic.name == name
    assert not Proposal.objects.filter(topic_name__in=("Tomek", "老王", "老陈")).exists()


def test_the_changed_budget_stands_and_what_was_spent_is_no_budget() -> None:
    for name, attribute, value in ((customer.SUBJECT, "budget", "55000"), (smart_home.SUBJECT, "预算", "180000")):
        facts = Fact.objects.filter(topic__name=name, status=Fact.Status.ACTIVE)
        assert [fact.value for fact in facts.filter(attribute=attribute)] == [value]
    for spent in ("12,500", "6万8千元"):
        assert Fact.objects.get(text__contains=spent).attribute == ""


def test_a_status_without_a_subject_is_the_projects() -> None:
    for status in ("灯光场景已经全部调试完成。", "已经验收通过，质保期是两年。"):
        topic = Proposal.objects.get(text=status).topic
        assert topic is not None
        assert topic.name == smart_home.SUBJECT
