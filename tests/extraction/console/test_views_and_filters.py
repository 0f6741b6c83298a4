"""Filters by age, conversation and extractor, the order by priority, and views of the queue kept under a name."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from extraction.models import Proposal, SavedView
from extraction.selectors.proposals import QueueFilter
from extraction.services import saved_views
from tests.extraction.console.story import make_member, tell
from topics.errors import InvalidInput
from topics.models import Conversation, Membership, Space


def listed(page: Any) -> list[str]:
    return re.findall(r'<span class="statement"[^>]*>([^<]+)</span>', page.content.decode())


def test_filters_by_age_conversation_and_extractor(desk: Client, space: Space, facts: list[Proposal]) -> None:
    budget, option, pilot = facts
    now = timezone.now()
    Proposal.objects.filter(pk=budget.pk).update(created_at=now - timedelta(days=9))
    Proposal.objects.filter(pk=option.pk).update(created_at=now - timedelta(days=3), extractor="llm")
    office = tell(space, "Our office is in Lyon.", subject="Acme renewal")[0]
    second = Conversation.objects.get(external_id="call-2")
    for query, found in (
        ({"age": "day"}, [office, pilot]),
        ({"age": "week"}, [office, pilot, option]),
        ({"age": "older"}, [budget]),
        ({"conversation": str(second.pk)}, [office]),
        ({"extractor": "llm"}, [option]),
        ({"age": "century", "extractor": "magic", "conversation": "x", "sort": "odd"}, [office, pilot, option, budget]),
    ):
        assert listed(desk.get("/review/facts/", query)) == [p.text for p in found], query
    page = desk.get("/review/facts/", {"q": "zebra", "age": "older", "conversation": second.pk, "extractor": "rules"})
    assert "“zebra”, Older than 7 days, call-2, Found by rules." in page.content.decode()
    assert "a conversation" in desk.get("/review/topics/", {"conversation": office.pk}).content.decode()


def test_what_is_urgent_comes_first_and_minor_things_last(
    desk: Client, facts: list[Proposal], contested: Proposal
) -> None:
    _budget, option, pilot = facts
    office, guess = [
        Proposal.objects.create(
            space=option.space, kind="fact", topic=option.topic, text=text, fingerprint=text, certainty=certainty
        )
        for text, certainty in (("The office is in Lyon.", "confirmed"), ("Maybe a second office.", "tentative"))
    ]
    Proposal.objects.filter(pk=pilot.pk).update(created_at=timezone.now() - timedelta(days=8))
    page = desk.get("/review/facts/?sort=priority")
    order = [pilot, option, office, guess]
    assert listed(page) == [p.text for p in order]
    assert page.content.decode().count("High priority") == 2  # in the list and beside the open item
    assert "High priority" in desk.get("/review/conflicts/").content.decode()
    assert "Low priority" in page.content.decode()
    for number, proposal in enumerate(order):
        item = desk.get(f"/review/facts/{proposal.pk}/?sort=priority").content.decode()
        assert f"{number + 1} of 4" in item
        following = re.search(r'href="/review/facts/([\w-]+)/\?sort=priority"[^>]*aria-keyshortcuts="J"', item)
        assert (following[1] if following else None) == (str(order[number + 1].pk) if number < 3 else None)
    # An item that is out of view is placed by the database, in the same order.
    Proposal.objects.bulk_create(
        Proposal(space=option.space, kind="fact", topic=option.topic, text=f"S{n}.", fingerprint=str(n))
        for n in range(60)
    )
    item = desk.get(f"/review/facts/{guess.pk}/?sort=priority").content.decode()
    assert "64 of 64" in item
    before = re.search(r'href="/review/facts/([\w-]+)/\?sort=priority"[^>]*aria-keyshortcuts="K"', item)
    assert before is not None
    assert Proposal.objects.get(pk=before[1]).text == "S59."


def test_a_view_is_kept_opened_and_deleted(desk: Client, space: Space, facts: list[Proposal]) -> None:
    here = "/review/facts/?q=a&kind=decision&sort=priority"
    kept = desk.post("/review/views/", {"name": "  Acme   decisions ", "next": here}, follow=True)
    assert kept.redirect_chain[-1][0] == here
    page = kept.content.decode()
    assert "The view “Acme decisions” is kept." in page
    assert f'href="{here.replace("&", "&amp;")}" aria-current="page">Acme decisions</a>' in page
    desk.post("/review/views/", {"name": "Acme decisions", "next": "/review/mine/?age=day"})
    view = SavedView.objects.get()
    assert (view.tab, view.query) == ("mine", "age=day")
    gone = desk.post(f"/review/views/{view.pk}/delete/", {"next": "/review/mine/?age=day"}, follow=True)
    assert "The view “Acme decisions” is deleted." in gone.content.decode()
    assert not SavedView.objects.exists()


def test_a_view_is_a_persons_own(desk: Client, space: Space, reviewer: User) -> None:
    vera = make_member(space, "vera", Membership.Role.VIEWER)
    other = Client()
    other.force_login(vera)
    other.post("/review/views/", {"name": "Vera's", "next": "/review/topics/"})
    view = SavedView.objects.get(user=vera)
    assert "Vera" not in desk.get("/review/topics/").content.decode()
    assert desk.post(f"/review/views/{view.pk}/delete/").status_code == 404
    assert SavedView.objects.filter(pk=view.pk).exists()


@pytest.mark.parametrize("name", ["", "   ", "x" * 61])
def test_a_view_needs_a_name(desk: Client, name: str) -> None:
    page = desk.post("/review/views/", {"name": name, "next": "https://example.org/"}, follow=True)
    assert "Give the view a name of at most 60 characters." in page.content.decode()
    assert page.redirect_chain[-1][0] == "/review/facts/"
    assert not SavedView.objects.exists()


def test_nobody_keeps_views_without_end(space: Space, reviewer: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saved_views, "MOST_VIEWS", 1)
    chosen = QueueFilter.read("facts", {})
    saved_views.save_view(space=space, user=reviewer, name="one", chosen=chosen)
    saved_views.save_view(space=space, user=reviewer, name="one", chosen=chosen)
    with pytest.raises(InvalidInput):
        saved_views.save_view(space=space, user=reviewer, name="two", chosen=chosen)


def test_a_filter_that_finds_nothing_leads_to_the_tabs_in_which_it_does(
    desk: Client, contested: Proposal, new_topic: Proposal
) -> None:
    page = desk.get("/review/topics/?q=60,000").content.decode()
    empty = page.partition("Nothing matches")[2]
    assert "Other tabs hold something that fits:" in empty
    assert '<a class="btn" href="/review/conflicts/?q=60%2C000">Conflicts: 1</a>' in empty
    assert "Facts: " not in empty
    facts = desk.get("/review/conflicts/?q=option").content.decode().partition("Nothing matches")[2]
    assert '<a class="btn" href="/review/facts/?q=option">Facts: 1</a>' in facts
    assert "Conflicts: " not in facts


def test_a_filter_that_finds_nothing_anywhere_says_so(desk: Client, facts: list[Proposal]) -> None:
    page = desk.get("/review/facts/?q=zebra").content.decode()
    assert "No other tab holds anything that fits." in page
    assert "Other tabs hold" not in page
