"""A proposal is decided on the document as it is now: what changed since is shown, nothing is overwritten unseen."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from extraction.models import Conflict, Proposal
from extraction.services.bulk import decide_many
from extraction.services.decisions import decide_proposals
from extraction.services.resolving import resolve_conflict
from tests.extraction.console.story import approve, tell
from topics.changes import Actor
from topics.errors import Stale
from topics.models import Fact, Space, Topic
from topics.services.spaces import create_api_key
from topics.services.statements import add_fact, edit_fact, supersede_fact
from topics.services.topics import archive_topic, update_topic

SOMEBODY = Actor(label="somebody")


def plain(page: Any) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", page.content.decode()))


def seen_in(page: Any) -> dict[str, str]:
    """What the page says that the reviewer has seen."""
    return dict(re.findall(r'name="(seen_version|seen_fact)" value="([^"]+)"', page.content.decode()))


def status_of(proposal: Proposal) -> str:
    return Proposal.objects.get(pk=proposal.pk).status


@pytest.fixture
def summary(space: Space, topic: Topic) -> Proposal:
    """A new summary, proposed before somebody wrote another one."""
    update_topic(topic=topic, actor=SOMEBODY, summary="Acme renews in June.")
    topic.refresh_from_db()
    return Proposal.objects.create(
        space=space,
        kind="summary",
        topic=topic,
        text="Acme renews in July.",
        fingerprint="summary",
        base_version=topic.document_version,
    )


@pytest.fixture
def archive(space: Space, topic: Topic) -> Proposal:
    topic.refresh_from_db()
    return Proposal.objects.create(
        space=space, kind="archive", topic=topic, fingerprint="archive", base_version=topic.document_version
    )


def test_what_changed_since_stands_beside_the_proposal(desk: Client, topic: Topic, facts: list[Proposal]) -> None:
    address = f"/review/facts/{facts[1].pk}/"
    assert "The topic has changed since this was proposed." not in plain(desk.get(address))
    office = add_fact(topic=topic, actor=SOMEBODY, text="The office is in Lyon.")
    seats = add_fact(topic=topic, actor=SOMEBODY, text="There are 40 seats.", attribute=facts[1].attribute)
    assert edit_fact(fact=office, actor=SOMEBODY, changes={"text": "The office is in Paris."})
    page = desk.get(address)
    text = plain(page)
    assert "The topic has changed since this was proposed." in text
    assert "Added: The office is in Paris." in text
    assert f"Added: {seats.text}" in text
    assert '<details class="callout' in page.content.decode()


def test_what_changed_and_went_is_told_with_the_words_of_then(
    desk: Client, space: Space, topic: Topic, facts: list[Proposal]
) -> None:
    approve(space, facts[0], facts[1])
    later = tell(space, "Our office is in Lyon.", subject="Acme renewal")[0]
    budget, option = Fact.objects.order_by("pk")
    edit_fact(fact=budget, actor=SOMEBODY, changes={"text": "Our budget is 90,000 euros a year."})
    new = add_fact(topic=topic, actor=SOMEBODY, text="We go with option B.")
    supersede_fact(fact=option, by=new, actor=SOMEBODY)
    text = plain(desk.get(f"/review/facts/{later.pk}/"))
    assert "Our budget is Removed: 84,000Added: 90,000 euros a year." in text
    assert f"Removed: {option.text}" in text
    assert "Added: We go with option B." in text


def test_a_summary_does_not_take_the_place_of_one_that_nobody_saw(
    desk: Client, topic: Topic, summary: Proposal
) -> None:
    address = f"/review/facts/{summary.pk}/"
    page = desk.get(address)
    assert "Acme renews in Removed: JuneAdded: July." in plain(page)
    update_topic(topic=topic, actor=SOMEBODY, summary="Acme renews in May.")
    sent = {"decision": "approve"} | seen_in(page)
    refused = desk.post(f"{address}decide/", sent)
    assert refused.status_code == 409
    text = plain(refused)
    assert "Look at it again, then decide." in text
    assert "Its summary: Acme renews in Removed: JuneAdded: May." in text
    assert "Acme renews in Removed: MayAdded: July." in text
    topic.refresh_from_db()
    assert topic.summary == "Acme renews in May."
    desk.post(f"{address}decide/", {"decision": "approve"} | seen_in(refused))
    topic.refresh_from_db()
    assert topic.summary == "Acme renews in July."


def test_an_edited_summary_is_refused_with_what_was_typed(desk: Client, topic: Topic, summary: Proposal) -> None:
    address = f"/review/facts/{summary.pk}/"
    seen = seen_in(desk.get(f"{address}edit/"))
    update_topic(topic=topic, actor=SOMEBODY, summary="Acme renews in May.")
    refused = desk.post(f"{address}decide/", {"decision": "edit", "text": "Acme renews soon."} | seen)
    assert refused.status_code == 409
    assert "Acme renews soon.</textarea>" in refused.content.decode()
    desk.post(f"{address}decide/", {"decision": "edit", "text": "Acme renews soon."} | seen_in(refused))
    topic.refresh_from_db()
    assert topic.summary == "Acme renews soon."


def test_many_at_once_leave_what_is_stale(
    space: Space, topic: Topic, reviewer: Any, summary: Proposal, archive: Proposal, facts: list[Proposal]
) -> None:
    update_topic(topic=topic, actor=SOMEBODY, summary="Acme renews in May.")
    ids = [summary.pk, archive.pk, facts[2].pk]
    bulk = decide_many(space=space, actor=Actor.person(reviewer), ids=ids, decision="approve")
    assert [(i.status, i.code) for i in bulk.items.all()] == [("error", "stale"), ("error", "stale"), ("approved", "")]
    topic.refresh_from_db()
    assert (topic.summary, topic.status) == ("Acme renews in May.", "active")
    rejected = decide_many(space=space, actor=Actor.person(reviewer), ids=ids[:2], decision="reject")
    assert [i.status for i in rejected.items.all()] == ["rejected", "rejected"]


def test_a_summary_is_not_stale_because_a_fact_was_added(
    space: Space, topic: Topic, summary: Proposal, archive: Proposal
) -> None:
    add_fact(topic=topic, actor=SOMEBODY, text="The office is in Lyon.")
    results = decide_proposals(space=space, actor=SOMEBODY, ids=[archive.pk, summary.pk], decision="approve").results
    assert [(r.status, r.code) for r in results] == [("error", "stale"), ("approved", "")]


def test_the_api_tells_what_is_stale_and_takes_the_version_that_was_seen(
    client: Client, space: Space, topic: Topic, summary: Proposal
) -> None:
    update_topic(topic=topic, actor=SOMEBODY, summary="Acme renews in May.")
    topic.refresh_from_db()
    key = create_api_key(space=space, scopes=["review"])[1]

    def decide(**more: Any) -> dict[str, Any]:
        body = {"ids": [str(summary.pk)], "decision": "approve"} | more
        headers = {"Authorization": f"Bearer {key}"}
        sent = client.post("/api/v1/proposals/decide", body, content_type="application/json", headers=headers)
        result: dict[str, Any] = sent.json()["results"][0]
        return result

    assert decide()["code"] == "stale"
    assert decide(seen_version=topic.document_version - 1)["code"] == "stale"
    assert decide(seen_version=topic.document_version)["status"] == "approved"


@pytest.fixture
def overtaken(topic: Topic, contested: Proposal) -> Fact:
    """The fact that took the place of the one which a proposal contradicts."""
    held = contested.conflict.fact
    new = add_fact(topic=topic, actor=SOMEBODY, text="Our budget is 70,000 euros a year.")
    supersede_fact(fact=held, by=new, actor=SOMEBODY)
    return new


def test_a_conflict_is_compared_with_what_stands_now(desk: Client, contested: Proposal, overtaken: Fact) -> None:
    address = f"/review/conflicts/{contested.pk}/"
    page = desk.get(address)
    text = plain(page)
    assert "What is held has changed since this conflict was found." in text
    assert "Our budget is Removed: 84,000Added: 70,000 euros a year." in text
    assert seen_in(page) == {"seen_version": str(overtaken.version), "seen_fact": str(overtaken.pk)}
    old = {"outcome": "replace", "seen_version": "1", "seen_fact": str(contested.conflict.fact_id)}
    assert desk.post(f"{address}resolve/", old).status_code == 409
    assert desk.post(f"{address}resolve/", {"outcome": "neither"} | seen_in(page)).status_code == 302
    overtaken.refresh_from_db()
    assert overtaken.status == "retracted"


def test_a_decision_on_the_fact_that_was_overtaken_is_refused(contested: Proposal, overtaken: Fact) -> None:
    conflict = Conflict.objects.get(proposal=contested)
    with pytest.raises(Stale):
        resolve_conflict(conflict=conflict, actor=SOMEBODY, outcome="replace", seen_version=overtaken.version)
    assert status_of(contested) == "pending"
    seen = {"seen_version": overtaken.version, "seen_fact": overtaken.pk}
    resolve_conflict(conflict=conflict, actor=SOMEBODY, outcome="replace", **seen)
    overtaken.refresh_from_db()
    assert overtaken.status == "superseded"


def test_the_api_settles_nothing_that_moved_on_unseen(
    client: Client, space: Space, contested: Proposal, overtaken: Fact
) -> None:
    key = create_api_key(space=space, scopes=["review"])[1]
    path = f"/api/v1/conflicts/{contested.conflict.pk}"
    headers = {"Authorization": f"Bearer {key}"}
    body = {"outcome": "replace"}
    blind = client.post(f"{path}/resolve", body, content_type="application/json", headers=headers)
    assert blind.status_code == 412
    shown = client.get(path, headers=headers)
    assert shown.json()["held"]["id"] == str(overtaken.pk)
    headers["If-Match"] = shown["ETag"]
    seeing = client.post(f"{path}/resolve", body, content_type="application/json", headers=headers)
    assert seeing.status_code == 200
    overtaken.refresh_from_db()
    assert overtaken.status == "superseded"


def test_an_archived_topic_is_told_to_whoever_looks(desk: Client, topic: Topic, archive: Proposal) -> None:
    page = desk.get(f"/review/facts/{archive.pk}/")
    add_fact(topic=topic, actor=SOMEBODY, text="The office is in Lyon.")
    refused = desk.post(f"/review/facts/{archive.pk}/decide/", {"decision": "approve"} | seen_in(page))
    assert refused.status_code == 409
    assert "Added: The office is in Lyon." in plain(refused)
    archive_topic(topic=topic, actor=SOMEBODY)
    assert status_of(archive) == "pending"
