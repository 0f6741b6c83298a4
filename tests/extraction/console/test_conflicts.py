"""Settling a conflict in the console: both sides in view, five outcomes, and a document that moves on meanwhile."""

from __future__ import annotations

import html
import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from extraction.models import Confirmation, Proposal
from tests.extraction.console.story import MAY, approve, make_member, make_topic, tell
from topics.changes import Actor
from topics.models import Fact, Space, Topic
from topics.services.merging import merge_topics
from topics.services.statements import edit_fact

HTMX = {"HTTP_HX_REQUEST": "true"}


def resolve(client: Client, proposal: Proposal, outcome: str, *, htmx: bool = False, **data: str) -> Any:
    seen = {"seen_version": str(proposal.conflict.fact.version)}
    address = f"/review/conflicts/{proposal.pk}/resolve/"
    return client.post(address, seen | {"outcome": outcome} | data, **(HTMX if htmx else {}))


def held(status: str = "active") -> list[str]:
    return sorted(Fact.objects.filter(status=status, attribute="budget").values_list("value", flat=True))


def test_both_sides_are_shown_with_what_differs(desk: Client, contested: Proposal) -> None:
    page = desk.get(f"/review/conflicts/{contested.pk}/").content.decode()
    assert "<del>84,000</del>" in page
    assert "60,000</ins>" in page
    assert page.count("<mark>") >= 3
    assert "the values differ" in page


def test_words_that_a_person_has_edited_are_not_put_into_the_mouth_of_the_speaker(
    desk: Client, reviewer: User, contested: Proposal
) -> None:
    fact = contested.conflict.fact
    assert said_by(desk, contested) == ["Said by: Zhang Wei", "Last changed by: setup", "Said by: Zhang Wei"]
    edit_fact(fact=fact, actor=Actor.person(reviewer), changes={"text": "Our budget is 90,000 euros."})
    assert said_by(desk, contested) == ["Edited by: lin", "Said by: Zhang Wei"]
    fact.refresh_from_db()
    edit_fact(fact=fact, actor=Actor(label="mei"), changes={"scope": "Shanghai only"})
    assert said_by(desk, contested) == ["Edited by: lin", "Last changed by: mei", "Said by: Zhang Wei"]


def test_neither_are_those_that_a_merge_brought_beside_others(
    desk: Client, reviewer: User, space: Space, topic: Topic, facts: list[Proposal]
) -> None:
    other = make_topic(space, "Acme Corp")
    approve(space, facts[0], *tell(space, "Our budget is 60,000 euros a year.", subject="Acme Corp"))
    for fact, value in zip(Fact.objects.order_by("pk"), ("70000", "80000"), strict=True):
        changes = {"text": f"Our budget is {value} euros.", "attribute": fact.attribute, "value": value}
        edit_fact(fact=fact, actor=Actor.person(reviewer), changes=changes)
    survivor, other = Topic.objects.get(pk=topic.pk), Topic.objects.get(pk=other.pk)
    merge_topics(space=space, survivor=survivor, others=[other], actor=Actor.person(reviewer))
    edited = [line for line in said_by(desk, Proposal.objects.get(is_held=True)) if not line.startswith("Last")]
    assert edited == ["Edited by: lin", "Edited by: lin"]


def said_by(desk: Client, proposal: Proposal) -> list[str]:
    """Whose the two statements of a conflict are, as its page says."""
    page = desk.get(f"/review/conflicts/{proposal.pk}/").content.decode()
    return [f"{label}: {who}" for label, who in re.findall(r"<dt>(\w+(?: \w+)? by)</dt><dd>([^,<]*)", page)]


@pytest.mark.parametrize(
    ("outcome", "data", "active", "gone"),
    [
        ("replace", {}, ["60000"], {"superseded": ["84000"]}),
        ("keep", {}, ["84000"], {}),
        ("both", {"valid_until": "2026-06-30"}, ["60000", "84000"], {}),
        ("both", {"scope": "Shanghai only"}, ["60000", "84000"], {}),
        ("neither", {}, [], {"retracted": ["84000"]}),
        ("ask", {"question": "Which budget holds?"}, ["84000"], {}),
    ],
)
def test_each_outcome(
    desk: Client,
    contested: Proposal,
    outcome: str,
    data: dict[str, str],
    active: list[str],
    gone: dict[str, list[str]],
) -> None:
    response = resolve(desk, contested, outcome, **data)
    assert response.status_code == 302
    assert held() == active
    for status, values in gone.items():
        assert held(status) == values


def test_both_with_a_day_ends_what_is_held_on_that_day(desk: Client, contested: Proposal) -> None:
    resolve(desk, contested, "both", valid_until="2026-06-30")
    old = Fact.objects.get(value="84000")
    assert old.valid_until is not None
    assert old.valid_until.isoformat().startswith("2026-06-30T15:59:59")  # the end of the day in Shanghai


def test_an_end_before_it_was_said_is_refused_at_the_field(desk: Client, contested: Proposal) -> None:
    response = resolve(desk, contested, "both", htmx=True, valid_until="2020-01-01")
    page = response.content.decode()
    assert response.status_code == 422
    field = page.partition('name="valid_until"')[2].partition("</div>")[0]
    assert "It was said to hold on" in field
    assert 'value="2020-01-01"' in page
    assert held() == ["84000"]


@pytest.mark.parametrize("changed", [False, True])
def test_only_what_somebody_typed_is_given_back_to_copy(
    desk: Client, space: Space, contested: Proposal, changed: bool
) -> None:
    """The question that the page had filled in was typed by nobody, even when it would read differently by now."""
    page = desk.get(f"/review/conflicts/{contested.pk}/").content.decode()
    shown = html.unescape(re.findall(r'name="initial-question" value="([^"]*)"', page)[0])
    other = Client()
    other.force_login(make_member(space, "maya"))
    resolve(other, contested, "replace")
    data = {"initial-question": shown, "question": "Is it really so?" if changed else shown}
    answer = resolve(desk, contested, "ask", **data)
    assert answer.status_code == 409
    assert ("Is it really so?" in answer.content.decode()) is changed
    assert ("What you typed was not saved." in answer.content.decode()) is changed


def test_both_without_day_or_scope_is_refused_and_keeps_what_was_typed(desk: Client, contested: Proposal) -> None:
    response = resolve(desk, contested, "both", htmx=True, reason="typed by hand")
    page = response.content.decode()
    assert response.status_code == 422
    assert "Say until when the held statement was true" in page
    assert "typed by hand" in page
    assert held() == ["84000"]


def test_no_outcome_is_refused(desk: Client, contested: Proposal) -> None:
    response = resolve(desk, contested, "")
    assert response.status_code == 422
    assert "Choose one of the five outcomes." in response.content.decode()


@pytest.mark.parametrize(
    ("outcome", "field"), [("", "id_outcome"), ("both", "id_valid_until")], ids=["nothing chosen", "a date missing"]
)
def test_a_refusal_stands_above_what_was_submitted_and_leads_to_the_field(
    desk: Client, contested: Proposal, outcome: str, field: str
) -> None:
    page = resolve(desk, contested, outcome, valid_until="x").content.decode()
    alert = re.search(r'<div [^>]*role="alert" tabindex="-1" autofocus>.*?</ul>', page, re.DOTALL)
    assert alert is not None
    assert f'<a href="#{field}">' in alert[0]
    assert f'id="{field}"' in page
    assert alert.end() < page.index('id="held-title"')
    assert 'class="callout bad"' not in page[alert.end() :]


def test_a_question_rests_under_snoozed_and_can_be_taken_back(desk: Client, contested: Proposal) -> None:
    resolve(desk, contested, "ask", question="Which budget holds?")
    page = desk.get("/review/snoozed/").content.decode()
    assert "Which budget holds?" in page
    assert Confirmation.objects.get().status == "open"
    change = contested.decisions.get().change_set
    desk.post("/review/undo/", {"change_set": str(change.pk)})
    assert Confirmation.objects.get().status == "cancelled"
    assert contested.text in desk.get("/review/conflicts/").content.decode()


def test_a_conflict_can_be_snoozed(desk: Client, contested: Proposal) -> None:
    desk.post(f"/review/conflicts/{contested.pk}/decide/", {"decision": "snooze", "until": "tomorrow"})
    assert contested.text in desk.get("/review/snoozed/").content.decode()
    assert "Nothing waits here" in desk.get("/review/conflicts/").content.decode()


def test_what_has_changed_meanwhile_is_never_overwritten(desk: Client, reviewer: User, contested: Proposal) -> None:
    seen = contested.conflict.fact.version
    edit_fact(
        fact=contested.conflict.fact, actor=Actor.person(reviewer), changes={"text": "Our budget is 90,000 euros."}
    )
    response = desk.post(
        f"/review/conflicts/{contested.pk}/resolve/", {"outcome": "replace", "seen_version": seen}, **HTMX
    )
    page = response.content.decode()
    assert response.status_code == 409
    assert "has changed in the meantime" in page
    assert "What is held has changed since this conflict was found." in page
    assert re.search("<del>[^<]*90,000", page)
    contested.refresh_from_db()
    assert contested.status == "pending"


def test_a_second_click_resolves_once(desk: Client, contested: Proposal) -> None:
    first = resolve(desk, contested, "replace", htmx=True)
    second = resolve(desk, contested, "replace", htmx=True)
    assert (first.status_code, second.status_code) == (200, 200)
    assert contested.decisions.count() == 1


def test_somebody_else_who_was_faster_is_named(desk: Client, space: Space, contested: Proposal) -> None:
    faster = Client()
    faster.force_login(make_member(space, "maya"))
    resolve(faster, contested, "keep")
    response = resolve(desk, contested, "replace", htmx=True)
    assert response.status_code == 409
    assert "Decided already by maya." in response.content.decode()
    assert held() == ["84000"]


def test_an_item_without_conflict_cannot_be_resolved(desk: Client, facts: list[Proposal]) -> None:
    response = desk.post(f"/review/facts/{facts[0].pk}/resolve/", {"outcome": "keep", "seen_version": "1"})
    assert response.status_code == 404


@pytest.fixture
def older(space: Space, facts: list[Proposal]) -> Proposal:
    """A proposal that contradicts an approved fact and was said the day before."""
    approve(space, facts[0])
    (found,) = tell(
        space, "Our budget is 60,000 euros a year.", subject="Acme renewal", said_at=MAY - timedelta(days=1)
    )
    return found


def test_one_that_was_said_before_what_is_held_says_so(desk: Client, older: Proposal) -> None:
    page = desk.get(f"/review/conflicts/{older.pk}/").content.decode()
    assert "This was said before what is held." in page
    assert 'value="keep" aria-keyshortcuts="2" checked' in page
    assert "It was not true then either: reject it" in page
    row = page.split(f'data-id="{older.pk}"')[1].split("</a>")[0]
    assert "Older" in row


def test_one_that_is_newer_says_nothing_of_the_kind(desk: Client, contested: Proposal) -> None:
    page = desk.get(f"/review/conflicts/{contested.pk}/").content.decode()
    assert "This was said before" not in page
    assert "It was not true then either" not in page
    assert not re.search(r'name="outcome"[^>]* checked', page)


@pytest.mark.parametrize(("data", "gone"), [({}, ["60000"]), ({"never_true": "on"}, [])])
def test_an_older_one_is_kept_as_what_was_true_before_or_rejected(
    desk: Client, older: Proposal, data: dict[str, str], gone: list[str]
) -> None:
    resolve(desk, older, "keep", **data)
    assert (held(), held("superseded")) == (["84000"], gone)


def test_many_are_kept_as_what_was_true_before(desk: Client, older: Proposal) -> None:
    shown = desk.post("/review/conflicts/bulk/", {"decision": "keep", "ids": [str(older.pk)]})
    assert "What was said before what is held stays as what was true then" in shown.content.decode()
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', shown.content.decode()))
    done = desk.post("/review/conflicts/bulk/", fields, follow=True)
    assert "Kept as what was true before" in done.content.decode()
    assert (held(), held("superseded")) == (["84000"], ["60000"])


def test_what_is_denied_is_said_to_be_so(desk: Client, contested: Proposal) -> None:
    says = "It says that this is not so."
    assert says not in desk.get(f"/review/conflicts/{contested.pk}/").content.decode()
    Proposal.objects.filter(pk=contested.pk).update(negated=True)
    assert desk.get(f"/review/conflicts/{contested.pk}/").content.decode().count(says) == 1
    edit_fact(fact=contested.conflict.fact, actor=Actor(label="mei"), changes={"negated": True})
    assert desk.get(f"/review/conflicts/{contested.pk}/").content.decode().count(says) == 2


def test_what_is_in_conflict_does_not_count_as_a_fact_to_review(desk: Client, contested: Proposal) -> None:
    waiting = Proposal.objects.filter(status="pending", topic__isnull=False)
    page = desk.get("/topics/").content.decode()
    assert "1 in conflict" in page
    assert f"{waiting.count() - 1} to review" in page


@pytest.mark.parametrize(
    ("outcome", "data", "line"),
    [
        ("replace", {}, "Replaced with: “{new}”"),
        ("keep", {}, "Kept: “{held}”"),
        ("both", {"scope": "Shanghai only"}, "Kept both: “{held}” and “{new}”"),
        ("neither", {}, "Kept neither: “{held}” nor “{new}”"),
        ("ask", {}, "Asked about: “{new}”"),
    ],
)
def test_the_last_decision_says_what_was_done_with_which_of_the_two(
    desk: Client, contested: Proposal, outcome: str, data: dict[str, str], line: str
) -> None:
    texts = {"held": contested.conflict.fact.text, "new": contested.text}
    resolve(desk, contested, outcome, **data)
    assert last_line(desk) == line.format(**texts)
    assert f"Undo the last decision: {line.format(**texts)}" in desk.get("/review/facts/").content.decode()


def test_the_last_decision_quotes_what_was_kept_as_it_was_then(
    desk: Client, reviewer: User, contested: Proposal
) -> None:
    fact = contested.conflict.fact
    edit_fact(fact=fact, actor=Actor.person(reviewer), changes={"text": "Our budget is 90,000 euros."})
    fact.refresh_from_db()
    resolve(desk, contested, "keep", seen_version=str(fact.version))
    edit_fact(fact=fact, actor=Actor.person(reviewer), changes={"text": "Our budget is 95,000 euros."})
    assert last_line(desk) == "Kept: “Our budget is 90,000 euros.”"


def last_line(desk: Client) -> str:
    page = desk.get("/review/facts/").content.decode()
    found = re.search(r'id="last">\s*<span[^>]*>([^<]*)</span>', page)
    return found[1] if found else ""
