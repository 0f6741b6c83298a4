"""Deciding many with one act: what it would do is shown first, each gets a result, and one undo takes all back."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from extraction.models import BulkDecision, Conflict, Job, Proposal, ProposalQuote
from extraction.services import bulk_parts
from extraction.services.bulk import decide_many, undo_many
from extraction.services.jobs import run_job
from tests.extraction.console.story import MAY, approve, make_member, tell
from topics.changes import Actor
from topics.errors import InvalidInput, WrongState
from topics.models import ChangeSet, Fact, Membership, Space
from topics.services.statements import edit_fact

HTMX: Any = {"headers": {"HX-Request": "true"}}


def statuses(proposals: list[Proposal]) -> list[str]:
    found = dict(Proposal.objects.values_list("pk", "status"))
    return [found[p.pk] for p in proposals]


def hidden(page: Any) -> dict[str, str]:
    """The fields of the form that confirms."""
    form = page.content.decode().partition('id="preview"')[2].partition("</form>")[0]
    fields = dict(re.findall(r'<input type="hidden" name="([a-z_]+)" value="([^"]*)"', form))
    del fields["csrfmiddlewaretoken"]
    return fields


def plain(page: Any) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page.content.decode()))


@pytest.mark.parametrize("extra", [{}, HTMX])
def test_ticked_items_are_shown_first_then_decided_as_one_change_with_a_result_each(
    desk: Client, space: Space, facts: list[Proposal], extra: dict[str, Any]
) -> None:
    ticked = {"decision": "approve", "ids": [str(p.pk) for p in facts]}
    shown = desk.post("/review/facts/bulk/?q=e", ticked, **extra)
    assert "Approve 3 items?" in plain(shown)
    assert statuses(facts) == ["pending"] * 3

    approve(space, facts[0])  # by somebody else, in the meantime
    sent = hidden(shown) | {"reason": "Checked"}
    address = f"/review/facts/bulk/{sent['token']}/?q=e"
    for _click in range(2):  # a double click decides once
        done = desk.post("/review/facts/bulk/?q=e", sent, **extra)
        assert (done["HX-Redirect"] if extra else done["Location"]) == address
    assert ChangeSet.objects.filter(action="approve_proposals", reason="Checked").count() == 1
    page = plain(desk.get(address))
    assert "2 items decided" in page
    assert "1 item was not decided." in page
    assert "Decided already by setup." in page
    refused = plain(desk.get(f"{address}&only=refused"))
    assert facts[0].text in refused
    assert f"{facts[1].text} Approved" not in refused
    assert statuses(facts) == ["approved"] * 3

    assert "2 items undone" in plain(desk.post(address, follow=True))
    assert statuses(facts) == ["approved", "pending", "pending"]
    assert "was undone already" in plain(desk.post(address, follow=True))


def test_the_last_decision_of_the_session_may_be_a_bulk_one(desk: Client, facts: list[Proposal]) -> None:
    shown = desk.post("/review/facts/bulk/", {"decision": "reject", "ids": [str(p.pk) for p in facts[:2]]})
    desk.post("/review/facts/bulk/", hidden(shown))
    page = desk.get("/review/facts/").content.decode()
    change = re.search(r'name="change_set" value="([^"]+)"', page)
    assert change is not None
    desk.post("/review/undo/", {"change_set": change[1]})
    assert statuses(facts) == ["pending"] * 3


def test_all_that_match_are_those_that_were_counted(desk: Client, space: Space, facts: list[Proposal]) -> None:
    shown = desk.post("/review/facts/bulk/?q=a", {"decision": "approve", "scope": "all"})
    assert "Approve 3 items?" in plain(shown)
    late = tell(space, "Our office is at the lake.", subject="Acme renewal")
    other = Proposal.objects.create(space=space, kind="fact", topic=facts[0].topic, text="Xyz.", fingerprint="x")
    done = desk.post("/review/facts/bulk/?q=a", hidden(shown), follow=True)
    assert "3 items decided" in plain(done)
    assert statuses([*facts, *late, other]) == ["approved"] * 3 + ["pending"] * 2


def test_what_would_not_be_decided_is_told_before(
    desk: Client, space: Space, facts: list[Proposal], new_topic: Proposal
) -> None:
    client = Client()
    client.force_login(make_member(space, "maya"))
    client.get(f"/review/facts/{facts[1].pk}/")
    later = MAY + timedelta(days=1)
    rival = tell(space, "Our budget is now 60,000 euros a year.", subject="Acme renewal", said_at=later)[0]
    everything = {"decision": "approve", "scope": "all"}
    page = plain(desk.post("/review/facts/bulk/", everything))
    assert "1 of them will not be approved" in page
    matching = Proposal.objects.filter(status="pending").exclude(kind="topic")
    assert f"Approve {matching.count() - 1} items?" in page
    shown = re.findall(r"(?:Fact|Timeline entry|Alias) (\d+)", page.partition("items?")[2].partition("will not")[0])
    assert sum(map(int, shown)) == matching.count() - 1  # the kinds add up to it
    assert f"“{rival.text}” Another statement of this selection gives a different value:" in page
    assert "Somebody else has 1 of them in hand." in page

    approve(space, facts[0])
    page = plain(desk.post("/review/facts/bulk/", everything))
    assert f"“{rival.text}” This contradicts what is held: “{facts[0].text}”" in page
    assert not hasattr(Proposal.objects.get(pk=rival.pk), "conflict")  # looking opens none

    rejected = plain(desk.post("/review/topics/bulk/", {"decision": "reject", "scope": "all"}))
    assert "The 2 statements that wait for proposed topics are rejected with them." in rejected
    gone = {"decision": "approve", "ids": [str(facts[0].pk), str(facts[1].pk)]}
    assert "1 ticked item is no longer in this tab." in plain(desk.post("/review/facts/bulk/", gone))


def test_many_are_snoozed_until_a_day_that_is_to_come(desk: Client, facts: list[Proposal]) -> None:
    shown = desk.post("/review/facts/bulk/", {"decision": "snooze", "scope": "all"})
    sent = hidden(shown)
    past = desk.post("/review/facts/bulk/", sent | {"until": "day", "day": "2020-01-01"})
    assert past.status_code == 422
    assert "Choose a time in the future." in plain(past)
    desk.post("/review/facts/bulk/", hidden(past) | {"until": "week"})
    assert statuses(facts) == ["snoozed"] * 3


@pytest.mark.parametrize(
    "data", [{}, {"decision": "approve"}, {"decision": "explode", "scope": "all"}, {"ids": "nonsense"}]
)
def test_a_form_without_items_or_decision_does_nothing(
    desk: Client, facts: list[Proposal], data: dict[str, str]
) -> None:
    page = desk.post("/review/facts/bulk/", data, follow=True)
    assert "Tick the items to decide first." in page.content.decode()
    assert statuses(facts) == ["pending"] * 3


def test_the_address_leads_back_to_the_queue(desk: Client, facts: list[Proposal]) -> None:
    assert desk.get("/review/facts/bulk/?q=a")["Location"] == "/review/facts/?q=a"
    assert desk.get("/review/facts/bulk/01890000-0000-7000-8000-000000000000/").status_code == 404


def test_a_viewer_looks_at_results_and_decides_nothing(space: Space, reviewer: User, facts: list[Proposal]) -> None:
    ids = [p.pk for p in facts]
    bulk = decide_many(space=space, actor=Actor.person(reviewer), ids=ids, decision="approve")
    client = Client()
    client.force_login(make_member(space, "vera", Membership.Role.VIEWER))
    address = f"/review/facts/bulk/{bulk.pk}/"
    assert "Undo all of it" not in client.get(address).content.decode()
    assert client.post(address).status_code == 403
    assert client.post("/review/facts/bulk/", {"decision": "reject", "scope": "all"}).status_code == 403
    assert statuses(facts) == ["approved"] * 3


@pytest.fixture
def many(space: Space, reviewer: User, facts: list[Proposal], monkeypatch: pytest.MonkeyPatch) -> BulkDecision:
    """Seven statements, of which one is decided already, to be approved in parts of three."""
    monkeypatch.setattr(bulk_parts, "PART", 3)
    monkeypatch.setattr("extraction.services.bulk.PART", 3)
    topic, quote = facts[0].topic, facts[0].quotes.get()
    for n in range(4):
        more = Proposal.objects.create(
            space=space, kind="fact", topic=topic, text=f"Statement {n}.", fact_kind="fact", fingerprint=str(n)
        )
        ProposalQuote.objects.create(proposal=more, message=quote.message, start=quote.start, end=quote.end)
    approve(space, facts[0])
    ids = Proposal.objects.order_by("pk").values_list("pk", flat=True)
    bulk = decide_many(space=space, actor=Actor.person(reviewer), ids=list(ids), decision="approve", reason="All")
    assert bulk.job is not None
    return bulk


@pytest.mark.django_db(transaction=True)
def test_many_are_decided_and_undone_part_by_part_with_progress(
    desk: Client, many: BulkDecision, reviewer: User
) -> None:
    address = f"/review/facts/bulk/{many.pk}/"
    asks: Any = {"headers": {"HX-Request": "true", "HX-Target": "bulk-result"}}
    assert "0 of 7 items decided so far" in plain(desk.get(address))
    assert "0 of 7 items decided so far" in plain(desk.get(address, **asks))
    with pytest.raises(WrongState):
        undo_many(bulk=many, actor=Actor.person(reviewer))

    assert many.job is not None
    assert run_job(many.job.pk, worker="test")
    assert desk.get(address, **asks)["HX-Redirect"] == address
    page = plain(desk.get(address))
    assert 'name="change_set"' not in desk.get("/review/facts/").content.decode()  # a key would take back a part only
    assert "6 items decided" in page
    assert "1 item was not decided." in page
    assert ChangeSet.objects.filter(reason="All").count() == 3
    assert Fact.objects.filter(text__startswith="Statement").count() == 4

    # Something later builds on the last part: it stays and says why, the others are taken back.
    fact = Fact.objects.get(text="Statement 3.")
    edit_fact(fact=fact, actor=Actor(label="somebody"), changes={"text": "Statement three."})
    assert "0 of 6 items undone so far" in plain(desk.post(address, follow=True))
    many.refresh_from_db()
    assert many.job is not None
    assert run_job(many.job.pk, worker="test")
    page = plain(desk.get(address))
    assert "5 items undone" in page
    assert "1 item was not undone, because something later builds on it." in page
    assert "“Statement 3.” was changed later." in page
    assert Proposal.objects.filter(status="pending").count() == 5


@pytest.mark.django_db(transaction=True)
def test_one_that_stopped_says_so_and_goes_on_where_it_stopped(desk: Client, many: BulkDecision) -> None:
    assert many.job is not None
    Job.objects.filter(pk=many.job.pk).update(status="failed", error="The disk was full.")
    address = f"/review/facts/bulk/{many.pk}/"
    assert "This stopped before its end. What is decided stays decided. The disk was full." in plain(desk.get(address))
    assert desk.post(f"/jobs/{many.job.pk}/retry/", {"next": address})["Location"] == address
    assert run_job(many.job.pk, worker="test")
    assert "6 items decided" in plain(desk.get(address))


def test_only_what_is_there_is_decided(space: Space, reviewer: User, facts: list[Proposal]) -> None:
    actor = Actor.person(reviewer)
    strange = UUID("01890000-0000-7000-8000-000000000000")
    past = timezone.now() - timedelta(hours=1)
    with pytest.raises(InvalidInput):
        decide_many(space=space, actor=actor, ids=[strange], decision="approve")
    with pytest.raises(InvalidInput):
        decide_many(space=space, actor=actor, ids=[facts[0].pk], decision="snooze", snooze_until=past)
    with pytest.raises(ValueError, match="person"):
        decide_many(space=space, actor=Actor(label="a program"), ids=[facts[0].pk], decision="approve")
    bulk = decide_many(space=space, actor=actor, ids=[strange, facts[0].pk, facts[0].pk], decision="approve")
    assert [item.status for item in bulk.items.all()] == ["approved"]


def test_one_that_cannot_be_decided_does_not_stop_the_others(
    space: Space, reviewer: User, facts: list[Proposal]
) -> None:
    bare = Proposal.objects.create(space=space, kind="fact", topic=facts[0].topic, text="Bare.", fingerprint="bare")
    ids = [facts[0].pk, bare.pk, facts[1].pk]
    bulk = decide_many(space=space, actor=Actor.person(reviewer), ids=ids, decision="approve")
    assert [item.status for item in bulk.items.all()] == ["approved", "error", "approved"]
    assert "No fact without evidence" in bulk.items.get(proposal=bare).message
    assert statuses([bare]) == ["pending"]


@pytest.mark.parametrize(
    ("decision", "title", "outcome", "told"),
    [
        ("keep", "Keep what is held in 2 conflicts?", "keep", "Rejected"),
        ("ask", "Ask the customers about 2 conflicts?", "ask", "Asked"),
    ],
)
def test_conflicts_are_settled_together_where_one_outcome_fits_all(
    desk: Client, space: Space, contested: Proposal, decision: str, title: str, outcome: str, told: str
) -> None:
    other = tell(space, "Our budget is now 70,000 euros a year.", subject="Acme renewal")[0]
    page = desk.get("/review/conflicts/").content.decode()
    assert page.count('type="checkbox" name="ids"') == 2
    assert 'name="decision" value="approve"' not in page

    shown = desk.post("/review/conflicts/bulk/", {"decision": decision, "ids": [str(contested.pk), str(other.pk)]})
    assert title in plain(shown)
    done = desk.post("/review/conflicts/bulk/", hidden(shown), follow=True)
    assert "2 items decided" in plain(done)
    assert f"{contested.text} {told}" in plain(done)
    assert outcomes(contested, other) == [outcome] * 2
    assert Fact.objects.get(status="active", attribute="budget").value == "84000"

    bulk = BulkDecision.objects.get()
    assert "2 items undone" in plain(desk.post(f"/review/conflicts/bulk/{bulk.pk}/", follow=True))
    assert outcomes(contested, other) == [""] * 2
    assert statuses([contested, other]) == ["pending"] * 2


def outcomes(*proposals: Proposal) -> list[str]:
    return [Conflict.objects.get(proposal=proposal).outcome for proposal in proposals]


@pytest.mark.parametrize("decision", ["ask", "keep"])
def test_what_is_in_no_conflict_is_not_settled(
    space: Space, reviewer: User, facts: list[Proposal], decision: str
) -> None:
    bulk = decide_many(space=space, actor=Actor.person(reviewer), ids=[facts[0].pk], decision=decision)
    assert [(item.status, item.code) for item in bulk.items.all()] == [("error", "resolved")]


def test_what_is_ticked_stays_ticked_when_the_preview_is_left(desk: Client, facts: list[Proposal]) -> None:
    ticked = [str(p.pk) for p in facts[:2]]
    shown = desk.post("/review/facts/bulk/", {"decision": "approve", "ids": ticked})
    assert ticks(shown) == set(ticked)
    left = desk.post("/review/facts/bulk/", hidden(shown) | {"cancel": "1"})
    assert ticks(left) == set(ticked)
    assert "Approve 2 items?" not in plain(left)
    assert statuses(facts) == ["pending"] * 3

    part = desk.post("/review/facts/bulk/", {"decision": "approve", "ids": ticked}, **HTMX)
    assert b"queue-row" not in part.content  # the list, and what is ticked in it, stays as it is
    left = desk.post("/review/facts/bulk/", hidden(part) | {"cancel": "1"}, **HTMX)
    assert b"queue-row" not in left.content
    assert facts[2].text in plain(left)


def ticks(page: Any) -> set[str]:
    return set(re.findall(r'name="ids" value="([^"]+)" form="bulk" checked', page.content.decode()))
