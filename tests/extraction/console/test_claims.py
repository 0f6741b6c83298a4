"""Opening an item takes it in hand: others see who has it, may take it over, and may decide it all the same."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from extraction.models import Proposal, ReviewClaim, ReviewLook
from extraction.services.claims import LEASE, claim_proposal, release_claim
from tests.extraction.console.story import approve, make_member
from topics.models import Membership, Space

HTMX: Any = {"headers": {"HX-Request": "true"}}


@pytest.fixture
def maya(space: Space) -> User:
    user = make_member(space, "maya")
    user.first_name, user.last_name = "Maya", "Ortiz"
    user.save()
    return user


@pytest.fixture
def other_desk(maya: User) -> Client:
    client = Client()
    client.force_login(maya)
    return client


def holder(proposal: Proposal) -> str:
    return ReviewClaim.objects.get(proposal=proposal).user.get_username()


def run_out(proposal: Proposal) -> None:
    ReviewClaim.objects.filter(proposal=proposal).update(until=timezone.now() - timedelta(seconds=1))


def test_the_first_to_ask_has_it_until_it_runs_out(facts: list[Proposal], reviewer: User, maya: User) -> None:
    def ask(user: User, *, take_over: bool = False) -> ReviewClaim:
        claim = claim_proposal(proposal=Proposal.objects.get(pk=facts[0].pk), user=user, take_over=take_over)
        assert claim is not None
        return claim

    first = ask(reviewer)
    assert timezone.now() < first.until <= timezone.now() + LEASE
    assert (ask(maya).user, ask(maya).until) == (reviewer, first.until)
    assert ask(reviewer).until > first.until

    run_out(facts[0])
    assert ask(maya).user == maya
    assert ask(reviewer).user == maya
    assert ask(reviewer, take_over=True).user == reviewer
    release_claim(proposal=facts[0], user=maya)
    assert holder(facts[0]) == "lin"
    release_claim(proposal=facts[0], user=reviewer)
    assert not ReviewClaim.objects.exists()


def test_what_is_decided_is_in_nobodys_hands(space: Space, facts: list[Proposal], reviewer: User) -> None:
    approve(space, facts[0])
    facts[0].refresh_from_db()
    assert claim_proposal(proposal=facts[0], user=reviewer) is None
    assert not ReviewClaim.objects.exists()


def test_opening_an_item_takes_it_in_hand_and_others_see_who_has_it(
    desk: Client, other_desk: Client, facts: list[Proposal]
) -> None:
    address = f"/review/facts/{facts[0].pk}/"
    assert "In your hands" in other_desk.get(address).content.decode()
    assert holder(facts[0]) == "maya"
    page = desk.get(address).content.decode()
    assert "Maya Ortiz is reviewing this." in page
    assert "Take over" in page
    assert holder(facts[0]) == "maya"
    assert "Maya Ortiz is reviewing" in desk.get(f"/review/facts/{facts[1].pk}/").content.decode()


def test_a_viewer_takes_nothing_in_hand(client: Client, space: Space, facts: list[Proposal]) -> None:
    client.force_login(make_member(space, "vera", Membership.Role.VIEWER))
    client.get(f"/review/facts/{facts[0].pk}/")
    assert client.post(f"/review/facts/{facts[0].pk}/claim/").status_code == 403
    assert not ReviewClaim.objects.exists()
    assert not ReviewLook.objects.exists()


@pytest.mark.parametrize("extra", [{}, HTMX])
def test_it_can_be_taken_over(desk: Client, other_desk: Client, facts: list[Proposal], extra: dict[str, Any]) -> None:
    address = f"/review/facts/{facts[0].pk}/"
    other_desk.get(address)
    desk.post(f"{address}claim/", {"act": "take"}, **extra)
    assert holder(facts[0]) == "lin"
    # The page that lost it hears so with its next sign of life, and does not take it back.
    renewed = other_desk.post(f"{address}claim/", **HTMX).content.decode()
    assert "lin is reviewing this." in renewed
    assert holder(facts[0]) == "lin"


def test_it_can_be_given_back(desk: Client, facts: list[Proposal]) -> None:
    address = f"/review/facts/{facts[2].pk}/"
    desk.get(address)
    response = desk.post(f"{address}claim/", {"act": "release"})
    assert response["Location"] == f"/review/facts/{facts[1].pk}/"
    assert not ReviewClaim.objects.filter(proposal=facts[2]).exists()


def test_a_sign_of_life_keeps_the_claim_and_brings_the_counts(
    desk: Client, space: Space, facts: list[Proposal]
) -> None:
    address = f"/review/facts/{facts[0].pk}/"
    desk.get(address)
    before = ReviewClaim.objects.get(proposal=facts[0]).until
    approve(space, facts[2])
    part = desk.post(f"{address}claim/?kind=number", **HTMX).content.decode()
    assert ReviewClaim.objects.get(proposal=facts[0]).until > before
    assert re.search(r'Facts <span class="count">2</span>', part)
    assert "claim/?kind=number" in part
    assert desk.get(f"{address}claim/")["Location"] == address


def test_a_sign_of_life_tells_that_somebody_else_decided(desk: Client, space: Space, facts: list[Proposal]) -> None:
    address = f"/review/facts/{facts[0].pk}/"
    desk.get(address)
    approve(space, facts[0])
    part = desk.post(f"{address}claim/", **HTMX).content.decode()
    assert "Approved by setup" in re.sub(r"\s+", " ", part)


def test_who_else_looks_is_named_while_they_do(desk: Client, other_desk: Client, facts: list[Proposal]) -> None:
    address = f"/review/facts/{facts[0].pk}/"
    desk.get(address)
    other_desk.get(address)
    assert "Also looking: Maya Ortiz" in desk.get(address).content.decode()
    assert "Also looking" not in other_desk.get(address).content.decode()  # that lin has it says so already
    ReviewLook.objects.update(at=timezone.now() - timedelta(minutes=3))
    assert "Also looking" not in desk.get(address).content.decode()


def test_deciding_what_somebody_else_has_in_hand_warns_and_is_done(
    desk: Client, other_desk: Client, facts: list[Proposal], contested: Proposal
) -> None:
    for tab, proposal, act, data, done in (
        ("facts", facts[1], "decide", {"decision": "approve"}, "Approved."),
        ("conflicts", contested, "resolve", {"outcome": "keep", "seen_version": "1"}, "Conflict resolved."),
    ):
        other_desk.get(f"/review/{tab}/{proposal.pk}/")
        response = desk.post(f"/review/{tab}/{proposal.pk}/{act}/", data, follow=True)
        assert f"{done} Maya Ortiz had it in hand." in response.content.decode()
        proposal.refresh_from_db()
        assert not proposal.is_open


def test_the_decision_that_was_beaten_names_the_winner(
    desk: Client, other_desk: Client, facts: list[Proposal], contested: Proposal
) -> None:
    for tab, proposal, act, data in (
        ("facts", facts[1], "decide", {"decision": "approve"}),
        ("conflicts", contested, "resolve", {"outcome": "keep", "seen_version": "1"}),
    ):
        address = f"/review/{tab}/{proposal.pk}/{act}/"
        desk.get(f"/review/{tab}/{proposal.pk}/")
        assert other_desk.post(address, data).status_code == 302
        late = desk.post(address, data)
        assert late.status_code == 409
        assert "Decided already by Maya Ortiz." in late.content.decode()


def test_the_next_item_is_one_that_nobody_else_has(desk: Client, other_desk: Client, facts: list[Proposal]) -> None:
    other_desk.get(f"/review/facts/{facts[1].pk}/")
    response = desk.post(f"/review/facts/{facts[2].pk}/decide/", {"decision": "approve"})
    assert response["Location"] == f"/review/facts/{facts[0].pk}/"
    response = desk.post(f"/review/facts/{facts[0].pk}/decide/", {"decision": "approve"})
    assert response["Location"] == f"/review/facts/{facts[1].pk}/"


def test_mine_holds_what_is_in_my_hands_and_waits(
    desk: Client, other_desk: Client, space: Space, facts: list[Proposal], contested: Proposal
) -> None:
    other_desk.get(f"/review/facts/{facts[2].pk}/")
    for address in (f"/review/facts/{facts[1].pk}/", f"/review/conflicts/{contested.pk}/"):
        desk.get(address)
    page = desk.get("/review/mine/").content.decode()
    assert re.findall(r'<span class="statement"[^>]*>([^<]+)</span>', page) == [contested.text, facts[1].text]
    assert 'Mine <span class="count">2</span>' in page
    approve(space, facts[1])
    run_out(contested)
    assert "Nothing waits here." in desk.get("/review/mine/").content.decode()
