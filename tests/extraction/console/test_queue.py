"""The review queue: what is in which tab, filters kept in the address, order, and who may see it."""

from __future__ import annotations

import html
import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from extraction.models import Proposal
from tests.extraction.console.story import approve, make_member, make_space, make_topic, tell
from topics.models import Membership, Message, Space, Topic
from topics.services.spaces import create_api_key


def listed(page: Any) -> list[str]:
    """The statements in the list, from top to bottom."""
    return re.findall(r'<span class="statement"[^>]*>([^<]+)</span>', page.content.decode())


def counts(page: Any) -> dict[str, int]:
    return {
        label.strip(): int(n)
        for label, n in re.findall(r">([^<>]+?) <span class=\"count\">(\d+)</span></a>", page.content.decode())
    }


def test_each_proposal_is_in_one_tab(desk: Client, contested: Proposal, new_topic: Proposal) -> None:
    assert counts(desk.get("/review/facts/")) == {
        "Conflicts": 1,
        "Facts": 4,
        "New topics": 1,
        "Duplicates": 0,
        "Mine": 1,
        "Snoozed": 0,
    }
    assert listed(desk.get("/review/conflicts/")) == [contested.text]
    assert listed(desk.get("/review/topics/")) == ["Nora Lind"]
    assert contested.text not in listed(desk.get("/review/facts/"))


def test_the_start_opens_the_first_tab_that_holds_something(desk: Client, facts: list[Proposal]) -> None:
    assert desk.get("/review/")["Location"] == "/review/facts/"


def test_the_start_keeps_the_topic(desk: Client, topic: Topic, contested: Proposal) -> None:
    assert desk.get(f"/review/?topic={topic.pk}")["Location"] == f"/review/conflicts/?topic={topic.pk}"


def test_facts_come_newest_first_and_the_order_can_be_turned(desk: Client, facts: list[Proposal]) -> None:
    texts = [p.text for p in facts]
    assert listed(desk.get("/review/facts/")) == texts[::-1]
    assert listed(desk.get("/review/facts/?sort=old")) == texts


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"q": "option"}, ["We decided to go with option A."]),
        ({"q": "OPTION decided"}, ["We decided to go with option A."]),
        ({"kind": "number"}, ["Our budget is 84,000 euros a year."]),
        ({"kind": "timeline"}, ["The pilot went live on 1 April."]),
        ({"certainty": "tentative"}, []),
        ({"q": '"* AND (%_\0'}, []),
        ({"kind": "nonsense", "q": "pilot"}, ["The pilot went live on 1 April."]),
    ],
)
def test_filters_narrow_the_list(desk: Client, facts: list[Proposal], query: dict[str, str], found: list[str]) -> None:
    assert listed(desk.get("/review/facts/", query)) == found


def test_two_han_characters_are_found(desk: Client, space: Space) -> None:
    make_topic(space, "智能家居项目")
    tell(space, "我们的预算是20万元。", "我们决定采用方案A。", subject="智能家居项目", speaker="林晓")
    assert listed(desk.get("/review/facts/", {"q": "预算"})) == ["我们的预算是20万元。"]


def test_filters_stay_in_every_address_of_the_item(desk: Client, facts: list[Proposal]) -> None:
    page = desk.get("/review/facts/?q=a&kind=decision").content.decode()
    assert f"/review/facts/{facts[1].pk}/?q=a&amp;kind=decision" in page
    assert f"/review/facts/{facts[1].pk}/decide/?q=a&amp;kind=decision" in page


def test_no_match_names_the_filters(desk: Client, topic: Topic, facts: list[Proposal]) -> None:
    page = desk.get("/review/facts/", {"q": "zebra", "topic": str(topic.pk), "certainty": "planned"}).content.decode()
    assert "No item fits these filters: “zebra”, Acme renewal, Planned." in page


def test_the_first_run_shows_three_steps(desk: Client) -> None:
    page = desk.get("/review/facts/").content.decode()
    assert "Three steps to the first memory" in page


def test_the_first_run_shows_a_call_that_works(desk: Client, space: Space) -> None:
    page = html.unescape(desk.get("/review/facts/").content.decode())
    path = re.search(r"curl http://testserver(\S+)", page)
    body = re.search(r"-d '([^']+)'", page)
    assert path is not None
    assert body is not None
    key = create_api_key(space=space, scopes=["write"])[1]
    sent = Client().post(path[1], body[1], content_type="application/json", headers={"Authorization": f"Bearer {key}"})
    assert sent.status_code == 202
    assert Message.objects.get().content == "Our budget is 20,000 euros."


def test_an_empty_queue_says_that_everything_is_decided(desk: Client, space: Space, facts: list[Proposal]) -> None:
    approve(space, *facts)
    page = desk.get("/review/facts/").content.decode()
    assert "Everything is decided" in page


def test_a_snooze_that_has_passed_waits_again(desk: Client, facts: list[Proposal]) -> None:
    in_an_hour = timezone.now() + timedelta(hours=1)
    Proposal.objects.filter(pk=facts[0].pk).update(status="snoozed", snoozed_until=in_an_hour)
    assert counts(desk.get("/review/facts/"))["Snoozed"] == 1
    Proposal.objects.filter(pk=facts[0].pk).update(snoozed_until=timezone.now() - timedelta(minutes=1))
    assert counts(desk.get("/review/facts/")) == {
        "Conflicts": 0,
        "Facts": 3,
        "New topics": 0,
        "Duplicates": 0,
        "Mine": 1,
        "Snoozed": 0,
    }


@pytest.mark.parametrize("sort", ["new", "old", "priority"])
def test_more_rows_are_shown_on_request(desk: Client, space: Space, topic: Topic, sort: str) -> None:
    Proposal.objects.bulk_create(
        Proposal(space=space, kind="fact", topic=topic, text=f"Statement {n}.", fingerprint=str(n)) for n in range(120)
    )
    first = desk.get(f"/review/facts/?sort={sort}")
    seen = listed(first)
    assert len(seen) == 50
    address = more_address(first)
    Proposal.objects.filter(text=seen[-1]).update(status="rejected")  # by somebody else: nothing is left out for it
    part = desk.get(address, headers={"HX-Request": "true", "HX-Target": "queue-more"})
    assert len(listed(part)) == 50
    assert b"<html" not in part.content
    assert b'id="item"' not in part.content
    assert "From the beginning" in desk.get(address).content.decode()
    assert listed(desk.get(address)) == listed(part)
    last = desk.get(more_address(part))
    assert more_address(last) == ""
    assert sorted(seen + listed(part) + listed(last)) == sorted(f"Statement {n}." for n in range(120))


def more_address(page: Any) -> str:
    """Where the rows after those of the page are."""
    found = re.search(r'id="queue-more"><a class="btn small" href="([^"]+)"', page.content.decode())
    return html.unescape(found[1]) if found else ""


@pytest.mark.parametrize("query", ["after=1", "rows=-5", "rows=²", "rows=99999999999999999999"])
def test_a_silly_place_to_go_on_from_is_no_error(desk: Client, facts: list[Proposal], query: str) -> None:
    assert len(listed(desk.get(f"/review/facts/?{query}"))) == 3


def test_the_item_that_begins_a_part_of_the_list_has_its_place_and_neighbours(
    desk: Client, facts: list[Proposal]
) -> None:
    page = desk.get(f"/review/facts/{facts[1].pk}/?after={facts[2].pk}&rows=1").content.decode()
    assert "2 of 3" in page
    assert (
        f'href="/review/facts/{facts[2].pk}/" hx-get="/review/facts/{facts[2].pk}/" hx-push-url="true" aria-k' in page
    )


@pytest.mark.parametrize("tab", ["conflicts", "facts", "topics", "mine", "snoozed"])
def test_a_page_takes_at_most_twenty_queries(
    desk: Client, contested: Proposal, new_topic: Proposal, facts: list[Proposal], tab: str
) -> None:
    Proposal.objects.filter(pk=facts[1].pk).update(status="snoozed", snoozed_until=timezone.now() + timedelta(hours=1))
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert desk.get(f"/review/{tab}/?q=a").status_code == 200
    assert len(queries) <= 20


def test_the_same_statement_said_again_is_one_item_with_both_sources(
    desk: Client, space: Space, facts: list[Proposal]
) -> None:
    assert tell(space, "Our budget is 84,000 euros a year.", subject="Acme renewal") == []
    assert len(listed(desk.get("/review/facts/"))) == 3
    page = desk.get(f"/review/facts/{facts[0].pk}/").content.decode()
    assert page.count("<mark>Our budget is 84,000 euros a year.</mark>") == 2


def test_an_unknown_tab_and_an_unknown_item_are_not_found(desk: Client, facts: list[Proposal]) -> None:
    assert desk.get("/review/nonsense/").status_code == 404
    assert desk.get("/review/facts/01890000-0000-7000-8000-000000000000/").status_code == 404


def test_items_of_another_space_are_not_found(desk: Client) -> None:
    other = make_space("other")
    make_topic(other, "Secret project")
    hidden = tell(other, "Our budget is 1,000 euros.", subject="Secret project")[0]
    assert "1,000" not in desk.get("/review/facts/").content.decode()
    for path in ("", "edit/"):
        assert desk.get(f"/review/facts/{hidden.pk}/{path}").status_code == 404
    for path, data in (("decide/", {"decision": "approve"}), ("resolve/", {"outcome": "keep"})):
        assert desk.post(f"/review/facts/{hidden.pk}/{path}", data).status_code == 404
    hidden.refresh_from_db()
    assert hidden.status == "pending"


def test_a_viewer_looks_and_cannot_decide(client: Client, space: Space, facts: list[Proposal]) -> None:
    client.force_login(make_member(space, "vera", Membership.Role.VIEWER))
    page = client.get(f"/review/facts/{facts[0].pk}/")
    assert "lets you read, but not decide" in page.content.decode()
    assert "Approve" not in re.sub(r'(?s)<section class="dialog.*', "", page.content.decode())
    assert client.post(f"/review/facts/{facts[0].pk}/decide/", {"decision": "approve"}).status_code == 403
    facts[0].refresh_from_db()
    assert facts[0].status == "pending"


def test_the_text_of_a_proposal_is_never_markup(desk: Client, space: Space, topic: Topic, reviewer: User) -> None:
    tell(space, "Our budget is <script>alert(1)</script> 84,000 euros.", subject="Acme renewal")
    Proposal.objects.create(space=space, kind="fact", topic=topic, text="<img src=x onerror=alert(1)>", fingerprint="x")
    page = desk.get("/review/facts/").content.decode()
    assert "<script>alert" not in page
    assert "<img" not in page
    assert "&lt;img src=x" in page
