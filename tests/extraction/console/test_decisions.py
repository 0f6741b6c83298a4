"""Deciding in the console: each decision by a plain form and by htmx, the next item, undo, and what can go wrong."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from extraction.models import Proposal
from extraction.services.decisions import decide_proposals
from tests.extraction.console.story import approve, make_member, make_topic, tell
from topics.changes import Actor
from topics.models import ChangeSet, Fact, Space, Topic
from topics.services.reverting import revert_row
from topics.services.topics import add_alias, delete_topic

HTMX = {"HTTP_HX_REQUEST": "true"}


def decide(client: Client, proposal: Proposal, *, htmx: bool = False, tab: str = "facts", **data: str) -> Any:
    address = f"/review/{tab}/{proposal.pk}/decide/"
    return client.post(address, data, **(HTMX if htmx else {}))


def status_of(proposal: Proposal) -> str:
    proposal.refresh_from_db()
    return proposal.status


def opened(response: Any) -> str:
    """The id of the item that an answer to htmx shows; empty when it shows none."""
    found = re.search(r'<article class="detail" id="item" data-id="([^"]*)"', response.content.decode())
    assert found is not None
    return found[1]


def test_approving_commits_the_fact_and_goes_to_the_next_item(
    desk: Client, facts: list[Proposal], topic: Topic
) -> None:
    response = decide(desk, facts[1], decision="approve")
    assert response.status_code == 302
    assert response["Location"] == f"/review/facts/{facts[0].pk}/"
    assert [f.text for f in Fact.objects.filter(topic=topic)] == [facts[1].text]
    assert ChangeSet.objects.latest("pk").actor_label == "lin"


def test_after_the_last_item_of_the_list_comes_the_one_before(desk: Client, facts: list[Proposal]) -> None:
    response = decide(desk, facts[0], decision="approve")
    assert response["Location"] == f"/review/facts/{facts[1].pk}/"


def test_after_the_very_last_item_comes_the_empty_queue(desk: Client, facts: list[Proposal]) -> None:
    for proposal in facts:
        response = decide(desk, proposal, decision="approve")
    assert response["Location"] == "/review/facts/"


def test_htmx_gets_the_next_item_with_all_that_changed_around_it(desk: Client, facts: list[Proposal]) -> None:
    response = decide(desk, facts[2], htmx=True, decision="approve")
    page = response.content.decode()
    assert opened(response) == str(facts[1].pk)
    assert response["HX-Push-Url"] == f"/review/facts/{facts[1].pk}/"
    assert "<html" not in page
    for part in ('id="queue" hx-swap-oob', 'id="queue-tabs"', 'id="waiting"', 'id="toasts" hx-swap-oob'):
        assert part in page
    assert facts[2].text not in re.sub(r"(?s)<article.*?</article>", "", page)
    assert "Approved." in page


def test_rejecting_keeps_the_reason(desk: Client, facts: list[Proposal]) -> None:
    decide(desk, facts[0], decision="reject", reason="Nobody said this")
    assert status_of(facts[0]) == "rejected"
    page = desk.get(f"/review/facts/{facts[0].pk}/").content.decode()
    assert "Nobody said this" in page
    assert "by lin" in page


@pytest.mark.parametrize(
    ("choice", "until"),
    [
        ({"until": "tomorrow"}, datetime(2026, 5, 15, 1, 0, tzinfo=UTC)),
        ({"until": "week"}, datetime(2026, 5, 18, 1, 0, tzinfo=UTC)),
        ({"until": "day", "day": "2026-06-30"}, datetime(2026, 6, 30, 1, 0, tzinfo=UTC)),
    ],
)
def test_a_snooze_ends_at_nine_in_the_zone_of_the_space(
    desk: Client, facts: list[Proposal], choice: dict[str, str], until: datetime
) -> None:
    with time_machine.travel(datetime(2026, 5, 14, 12, 0, tzinfo=UTC), tick=False):
        decide(desk, facts[0], decision="snooze", **choice)
    facts[0].refresh_from_db()
    assert (facts[0].status, facts[0].snoozed_until) == ("snoozed", until)


@pytest.mark.parametrize(
    "choice", [{}, {"until": "day"}, {"until": "day", "day": "30.6."}, {"until": "day", "day": "2020-01-01"}]
)
def test_a_snooze_without_a_day_to_come_is_refused(desk: Client, facts: list[Proposal], choice: dict[str, str]) -> None:
    response = decide(desk, facts[0], decision="snooze", **choice)
    assert response.status_code == 422
    assert "Choose a time in the future." in response.content.decode()
    assert status_of(facts[0]) == "pending"


def test_an_unknown_decision_changes_nothing(desk: Client, facts: list[Proposal]) -> None:
    assert decide(desk, facts[0], decision="explode").status_code == 422
    assert status_of(facts[0]) == "pending"


# --------------------------------------------------------------------------------------------------------- editing


def edit_data(proposal: Proposal, **changes: str) -> dict[str, str]:
    return {
        "decision": "edit",
        "text": proposal.text,
        "topic": "Acme renewal",
        "kind": proposal.fact_kind,
        "certainty": proposal.certainty,
        "attribute": proposal.attribute,
        "value": proposal.value,
        "unit": proposal.unit,
    } | changes


def test_what_was_edited_is_committed_with_its_evidence(desk: Client, facts: list[Proposal], topic: Topic) -> None:
    changes = {"text": "The budget is 84,000 euros.", "certainty": "planned", "valid_until": "2026-12-31"}
    assert desk.get(f"/review/facts/{facts[0].pk}/edit/").status_code == 200
    decide(desk, facts[0], **edit_data(facts[0], **changes))
    fact = Fact.objects.get(topic=topic)
    assert (fact.text, fact.certainty, fact.value) == ("The budget is 84,000 euros.", "planned", "84000")
    assert timezone.localtime(fact.valid_until, timezone.get_fixed_timezone(480)).date().isoformat() == "2026-12-31"
    assert [e.quote for e in fact.evidence.all()] == ["Our budget is 84,000 euros a year."]


def test_saving_without_a_change_is_an_approval(desk: Client, facts: list[Proposal], topic: Topic) -> None:
    decide(desk, facts[0], **edit_data(facts[0]))
    fact = Fact.objects.get(topic=topic)
    assert (fact.text, fact.corrected_at) == (facts[0].text, None)


def test_a_fact_can_be_put_under_another_topic_by_any_of_its_names(
    desk: Client, space: Space, facts: list[Proposal]
) -> None:
    other = make_topic(space, "Northgate pilot")
    decide(desk, facts[0], **edit_data(facts[0], topic="northgate  PILOT"))
    assert Fact.objects.get().topic == other


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"text": ""}, "This field is required."),
        ({"topic": "No such topic"}, "There is no such topic."),
        ({"kind": "nonsense"}, "Select a valid choice."),
        ({"valid_from": "2026-13-01"}, "Enter a valid date."),
    ],
)
@pytest.mark.parametrize("htmx", [False, True])
def test_a_mistake_keeps_what_was_typed(
    desk: Client, facts: list[Proposal], changes: dict[str, str], complaint: str, htmx: bool
) -> None:
    data = edit_data(facts[0], attribute="typed by hand") | changes
    response = decide(desk, facts[0], htmx=htmx, **data)
    page = response.content.decode()
    assert response.status_code == 422
    assert complaint in page
    assert 'value="typed by hand"' in page
    assert status_of(facts[0]) == "pending"


@pytest.mark.parametrize(
    ("text", "value"), [("The budget is 85,500 euros.", "85500"), ("The budget is what we agreed on.", "")]
)
def test_the_value_follows_the_text_that_was_edited(
    desk: Client, facts: list[Proposal], topic: Topic, text: str, value: str
) -> None:
    decide(desk, facts[0], **edit_data(facts[0], text=text))
    fact = Fact.objects.get(topic=topic)
    assert (fact.text, fact.value, bool(fact.attribute)) == (text, value, bool(value))


def test_a_statement_cannot_end_before_it_begins(desk: Client, facts: list[Proposal]) -> None:
    data = edit_data(facts[0], valid_from="2026-06-02", valid_until="2026-06-01")
    response = decide(desk, facts[0], **data)
    page = response.content.decode()
    assert response.status_code == 409
    assert "It cannot end before it begins." in page
    assert 'value="2026-06-02"' in page


def test_an_edit_that_contradicts_what_is_held_keeps_what_was_typed(
    desk: Client, space: Space, facts: list[Proposal]
) -> None:
    approve(space, facts[0])
    later = facts[1]
    data = edit_data(later, text="Budget: 70,000 euros a year.", attribute="budget", value="70000", unit="EUR/year")
    response = decide(desk, later, htmx=True, **data)
    page = response.content.decode()
    assert response.status_code == 409
    assert "This contradicts what is held" in page
    assert "Budget: 70,000 euros a year." in page
    assert Fact.objects.count() == 1


def test_an_entry_keeps_the_precision_that_is_typed(desk: Client, facts: list[Proposal]) -> None:
    decide(
        desk,
        facts[2],
        decision="edit",
        text="The pilot went live.",
        topic="Acme renewal",
        happened="2026年4月",
        certainty="confirmed",
    )
    facts[2].refresh_from_db()
    assert facts[2].entry is not None
    assert facts[2].entry.precision == "month"
    page = desk.get(f"/review/facts/{facts[2].pk}/").content.decode()
    assert facts[2].status == "approved"
    assert "Save and approve" not in page


def test_editing_a_decided_item_shows_the_item(desk: Client, space: Space, facts: list[Proposal]) -> None:
    approve(space, facts[0])
    assert desk.get(f"/review/facts/{facts[0].pk}/edit/").status_code == 302


# ------------------------------------------------------------------------------------------- twice, and two people


def test_a_double_click_decides_once_and_not_the_next_item(desk: Client, facts: list[Proposal]) -> None:
    first = decide(desk, facts[2], htmx=True, decision="approve")
    second = decide(desk, facts[2], htmx=True, decision="approve")
    assert (first.status_code, second.status_code) == (200, 200)
    assert opened(first) == opened(second) == str(facts[1].pk)
    assert status_of(facts[1]) == "pending"
    assert Fact.objects.count() + facts[2].topic.timeline.count() == 1


def test_the_item_comes_back_with_the_name_of_who_was_faster(desk: Client, space: Space, facts: list[Proposal]) -> None:
    maya = make_member(space, "maya")
    decide_proposals(space=space, actor=Actor.person(maya), ids=[facts[0].pk], decision="reject")
    response = decide(desk, facts[0], htmx=True, decision="approve")
    assert response.status_code == 409
    assert opened(response) == str(facts[0].pk)
    assert "Decided already by maya." in response.content.decode()
    assert status_of(facts[0]) == "rejected"
    assert Fact.objects.count() == 0


@pytest.mark.parametrize("htmx", [False, True])
def test_what_was_typed_is_shown_again_when_somebody_was_faster(
    desk: Client, space: Space, facts: list[Proposal], htmx: bool
) -> None:
    maya = make_member(space, "maya")
    decide_proposals(space=space, actor=Actor.person(maya), ids=[facts[0].pk], decision="reject")
    changes = {"text": "The budget is 84,000 euros, VAT <included>.", "certainty": "planned"}
    response = decide(desk, facts[0], htmx=htmx, **edit_data(facts[0], **changes))
    page = response.content.decode()
    assert response.status_code == 409
    assert "Decided already by maya." in page
    assert '<dd class="prose">The budget is 84,000 euros, VAT &lt;included&gt;.</dd>' in page
    assert '<dd class="prose">Planned</dd>' in page


def test_the_address_of_a_form_leads_to_its_item(desk: Client, contested: Proposal) -> None:
    for verb in ("decide", "resolve"):
        response = desk.get(f"/review/conflicts/{contested.pk}/{verb}/?q=budget")
        assert response["Location"] == f"/review/conflicts/{contested.pk}/?q=budget"


def test_an_item_whose_topic_was_deleted_says_so(desk: Client, topic: Topic, facts: list[Proposal]) -> None:
    delete_topic(topic=topic, actor=Actor(label="setup"))
    page = desk.get("/review/facts/").content.decode()
    assert page.count("Topic deleted") == len(facts)
    assert "The topic was deleted. Choose another topic." in page


def test_without_htmx_too(desk: Client, space: Space, facts: list[Proposal]) -> None:
    maya = make_member(space, "maya")
    decide_proposals(space=space, actor=Actor.person(maya), ids=[facts[0].pk], decision="approve")
    response = decide(desk, facts[0], decision="reject")
    assert response.status_code == 409
    assert "Decided already by maya." in response.content.decode()
    assert status_of(facts[0]) == "approved"


def test_the_next_item_is_one_that_still_waits(desk: Client, space: Space, facts: list[Proposal]) -> None:
    approve(space, facts[1])
    assert opened(decide(desk, facts[2], htmx=True, decision="approve")) == str(facts[0].pk)


def test_approving_what_has_come_to_contradict_the_document_opens_the_conflict(
    desk: Client, space: Space, facts: list[Proposal]
) -> None:
    later = tell(space, "Our budget is now 60,000 euros a year.", subject="Acme renewal")[0]
    approve(space, facts[0])
    response = decide(desk, later, htmx=True, decision="approve")
    page = response.content.decode()
    assert response.status_code == 409
    assert "This contradicts what is held" in page
    assert 'name="outcome"' in page
    assert status_of(later) == "pending"


@pytest.mark.parametrize("htmx", [True, False])
def test_the_list_in_which_a_conflict_came_up_goes_on_once_it_is_settled(
    desk: Client, space: Space, facts: list[Proposal], htmx: bool
) -> None:
    later = tell(space, "Our budget is now 60,000 euros a year.", subject="Acme renewal")[0]
    approve(space, facts[0])
    here = f"/review/facts/{later.pk}/"
    extra: Any = HTMX | {"HTTP_HX_CURRENT_URL": f"http://testserver{here}?q=a&sort=old"} if htmx else {}
    page = desk.post(f"{here}decide/?q=a&sort=old", {"decision": "approve"}, **extra).content.decode()
    form = page.partition('id="resolve"')[2].partition("</form>")[0]
    action = re.search(r'action="([^"]+)"', form)
    assert action is not None
    seen = dict(re.findall(r'name="(seen_[a-z]+)" value="([^"]+)"', form))
    response = desk.post(action[1].replace("&amp;", "&"), seen | {"outcome": "keep"}, **extra)
    assert response["HX-Push-Url" if htmx else "Location"] == f"/review/facts/{facts[2].pk}/?q=a&sort=old"
    if htmx:
        assert "Conflict resolved." in response.content.decode()
        assert f'data-id="{facts[2].pk}"' in response.content.decode()


# ------------------------------------------------------------------------------------------------------------ undo


def last_change(client: Client) -> str:
    found = re.search(r'name="change_set" value="([^"]+)"', client.get("/review/facts/").content.decode())
    assert found is not None
    return found[1]


def test_the_last_decision_is_named_beside_its_undo(desk: Client, facts: list[Proposal]) -> None:
    decide(desk, facts[1], decision="approve")
    shown = re.search(r'<span title="([^"]*)">([^<]*)</span>', desk.get("/review/facts/").content.decode())
    assert shown is not None
    assert shown[2] == f"Approved: “{facts[1].text}”"
    assert "<" not in shown[1]


@pytest.mark.parametrize("decision", ["approve", "reject", "snooze"])
@pytest.mark.parametrize("htmx", [False, True])
def test_the_last_decision_can_be_undone(desk: Client, facts: list[Proposal], decision: str, htmx: bool) -> None:
    decide(desk, facts[1], decision=decision, until="tomorrow")
    assert status_of(facts[1]) != "pending"
    response = desk.post("/review/undo/", {"change_set": last_change(desk)}, **(HTMX if htmx else {}))
    assert status_of(facts[1]) == "pending"
    assert Fact.objects.filter(status="active").count() == 0
    if htmx:
        assert opened(response) == str(facts[1].pk)
    else:
        assert response["Location"] == f"/review/facts/{facts[1].pk}/"


def test_the_address_of_undo_leads_to_the_queue(desk: Client, facts: list[Proposal]) -> None:
    assert desk.get("/review/undo/")["Location"] == "/review/"


def test_undo_goes_back_step_by_step(desk: Client, facts: list[Proposal]) -> None:
    for proposal in facts:
        decide(desk, proposal, decision="approve")
    for proposal in reversed(facts):
        desk.post("/review/undo/", {"change_set": last_change(desk)})
        assert status_of(proposal) == "pending"
    assert 'name="change_set"' not in desk.get("/review/facts/").content.decode()


def test_undo_lists_what_later_built_on_it(desk: Client, reviewer: User, facts: list[Proposal]) -> None:
    from topics.services.statements import edit_fact

    decide(desk, facts[0], decision="approve")
    change = last_change(desk)
    edit_fact(fact=Fact.objects.get(), actor=Actor.person(reviewer), changes={"text": "Another wording."})
    response = desk.post("/review/undo/", {"change_set": change}, **HTMX)
    page = response.content.decode()
    assert response.status_code == 409
    assert "was changed later" in page
    assert f'href="/topics/{facts[0].topic_id}/history/"' in page
    assert status_of(facts[0]) == "approved"


def test_the_decision_of_somebody_else_is_not_mine_to_undo(desk: Client, space: Space, facts: list[Proposal]) -> None:
    maya = make_member(space, "maya")
    done = decide_proposals(space=space, actor=Actor.person(maya), ids=[facts[0].pk], decision="approve")
    assert done.change_set is not None
    assert 'name="change_set"' not in desk.get("/review/facts/").content.decode()
    assert desk.post("/review/undo/", {"change_set": str(done.change_set.pk)}).status_code == 404
    assert desk.post("/review/undo/", {"change_set": "nonsense"}).status_code == 404
    assert status_of(facts[0]) == "approved"


def test_yesterdays_decision_is_not_offered_for_undo(desk: Client, facts: list[Proposal]) -> None:
    decide(desk, facts[0], decision="approve")
    ChangeSet.objects.update(at=timezone.now() - timedelta(days=1))
    assert 'name="change_set"' not in desk.get("/review/facts/").content.decode()


def test_undo_opens_the_statement_that_was_decided_not_the_topic_made_with_it(
    desk: Client, new_topic: Proposal
) -> None:
    statement = new_topic.dependents.first()
    assert statement is not None
    decide(desk, statement, decision="approve")
    page = desk.get("/review/facts/").content.decode()
    assert f"Undo the last decision: Approved: “{statement.text}”" in page
    response = desk.post("/review/undo/", {"change_set": last_change(desk)})
    assert response["Location"] == f"/review/facts/{statement.pk}/"


def test_undo_goes_back_to_the_queue_and_the_filters_of_the_decision(desk: Client, facts: list[Proposal]) -> None:
    desk.post(f"/review/facts/{facts[0].pk}/decide/?q=budget&sort=old", {"decision": "approve"})
    change = last_change(desk)
    here = {"HTTP_HX_CURRENT_URL": "http://testserver/review/facts/?q=budget&sort=old#item"}
    elsewhere = {"HTTP_HX_CURRENT_URL": "http://testserver/review/topics/"}
    assert desk.post("/review/undo/", {"change_set": change}, **HTMX, **here)["HX-Push-Url"] == (
        f"/review/facts/{facts[0].pk}/?q=budget&sort=old"
    )
    desk.post(f"/review/facts/{facts[0].pk}/decide/?q=budget&sort=old", {"decision": "approve"})
    response = desk.post("/review/undo/", {"change_set": last_change(desk)}, **HTMX, **elsewhere)
    assert response["HX-Redirect"] == f"/review/facts/{facts[0].pk}/?q=budget&sort=old"


def test_undo_leaves_filters_that_the_item_does_not_fit(desk: Client, facts: list[Proposal]) -> None:
    desk.post(f"/review/facts/{facts[0].pk}/decide/?q=pilot", {"decision": "approve"})
    response = desk.post("/review/undo/", {"change_set": last_change(desk)})
    assert response["Location"] == f"/review/facts/{facts[0].pk}/"


def test_a_refused_decision_offers_no_older_one_for_undo(desk: Client, space: Space, facts: list[Proposal]) -> None:
    decide(desk, facts[0], decision="approve")
    maya = make_member(space, "maya")
    decide_proposals(space=space, actor=Actor.person(maya), ids=[facts[1].pk], decision="reject")
    response = decide(desk, facts[1], htmx=True, decision="approve")
    assert response.status_code == 409
    assert 'name="change_set"' not in response.content.decode()
    assert f"Approved: “{facts[0].text}”" in desk.get("/review/facts/").content.decode()


def test_what_was_decided_in_another_session_can_be_undone_for_an_hour(
    desk: Client, reviewer: User, facts: list[Proposal]
) -> None:
    other = Client()
    other.force_login(reviewer)
    decide(other, facts[0], decision="approve")
    decide(other, facts[1], decision="reject")
    for proposal in (facts[1], facts[0]):
        desk.post("/review/undo/", {"change_set": last_change(desk)})
        assert status_of(proposal) == "pending"
    assert 'name="change_set"' not in desk.get("/review/facts/").content.decode()
    decide(other, facts[0], decision="approve")
    ChangeSet.objects.update(at=timezone.now() - timedelta(minutes=61))
    assert 'name="change_set"' not in desk.get("/review/facts/").content.decode()
    assert last_change(other)


def test_undo_of_another_session_stays_in_the_queue_in_view_where_the_item_belongs_there(
    desk: Client, reviewer: User, facts: list[Proposal]
) -> None:
    for address, path in (
        ("/review/facts/?q=budget", f"/review/facts/{facts[0].pk}/?q=budget"),
        ("/review/facts/?q=pilot", f"/review/facts/{facts[0].pk}/"),
        ("/review/conflicts/", f"/review/facts/{facts[0].pk}/"),
    ):
        other = Client()
        other.force_login(reviewer)
        decide(other, facts[0], decision="approve")
        here = {"HTTP_HX_CURRENT_URL": f"http://testserver{address}"}
        response = desk.post("/review/undo/", {"change_set": last_change(desk)}, **HTMX, **here)
        assert path in (response.get("HX-Push-Url"), response.get("HX-Redirect"))


def test_undo_of_another_session_opens_what_was_decided_of_several(
    desk: Client, reviewer: User, new_topic: Proposal
) -> None:
    statement = new_topic.dependents.first()
    assert statement is not None
    other = Client()
    other.force_login(reviewer)
    decide(other, statement, decision="approve")
    response = desk.post("/review/undo/", {"change_set": last_change(desk)})
    assert response["Location"] == f"/review/facts/{statement.pk}/"
    decide(other, new_topic, tab="topics", decision="approve_all")
    response = desk.post("/review/undo/", {"change_set": last_change(desk)})
    assert response["Location"] == f"/review/topics/{new_topic.pk}/"


def test_what_was_done_elsewhere_than_in_the_queue_is_not_offered_for_undo(
    desk: Client, reviewer: User, space: Space, facts: list[Proposal]
) -> None:
    actor = Actor.person(reviewer)
    done = decide_proposals(space=space, actor=Actor(label="setup"), ids=[p.pk for p in facts[:2]], decision="approve")
    assert done.change_set is not None
    fact = Proposal.objects.get(pk=facts[0].pk).fact
    assert fact is not None
    revert_row(change=done.change_set, pk=fact.pk, actor=actor)
    assert status_of(facts[0]) == "pending"
    assert 'name="change_set"' not in desk.get("/review/facts/").content.decode()


# ------------------------------------------------------------------------------------------------------ new topics


def test_a_topic_is_created_under_the_name_that_was_typed(desk: Client, new_topic: Proposal) -> None:
    decide(desk, new_topic, tab="topics", decision="edit", topic_name="Nora Lind (Acme)", topic_kind="customer")
    topic = Topic.objects.get(name="Nora Lind (Acme)")
    assert topic.kind == "customer"
    assert [status_of(p) for p in new_topic.dependents.all()] == ["pending", "pending"]


def test_a_name_that_stands_already_is_told_before_and_after(desk: Client, space: Space, new_topic: Proposal) -> None:
    riverside = make_topic(space, "Riverside")
    add_alias(topic=riverside, actor=Actor(label="setup"), name="The river house")
    response = decide(
        desk, new_topic, htmx=True, tab="topics", decision="edit", topic_name="the River House", topic_kind="project"
    )
    assert "Goes into the existing topic “Riverside”." in response.content.decode()
    desk.post("/review/undo/", {"change_set": last_change(desk)})
    assert "There is a topic with this name already" not in desk.get(f"/review/topics/{new_topic.pk}/").content.decode()
    add_alias(topic=riverside, actor=Actor(label="setup"), name="Nora Lind")
    page = desk.get(f"/review/topics/{new_topic.pk}/").content.decode()
    assert "There is a topic with this name already: approving goes into “Riverside”." in page


def test_a_topic_is_created_with_all_its_statements_as_one_change(desk: Client, new_topic: Proposal) -> None:
    response = decide(desk, new_topic, htmx=True, tab="topics", decision="approve_all")
    assert "Topic created with 2 statements." in response.content.decode()
    assert Topic.objects.get(name="Nora Lind").facts.count() == 2
    desk.post("/review/undo/", {"change_set": last_change(desk)})
    assert status_of(new_topic) == "pending"
    assert {status_of(p) for p in new_topic.dependents.all()} == {"pending"}


def test_rejecting_a_topic_says_its_reach_and_takes_the_statements_along(desk: Client, new_topic: Proposal) -> None:
    page = desk.get(f"/review/topics/{new_topic.pk}/").content.decode()
    assert "The 2 statements that wait for it are rejected too." in page
    decide(desk, new_topic, tab="topics", decision="reject")
    assert {status_of(p) for p in new_topic.dependents.all()} == {"rejected"}
