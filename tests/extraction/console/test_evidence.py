"""Beside a claim stand the exact words in their turn, two turns either side, and what the topic knows already."""

from __future__ import annotations

import re
from datetime import timedelta

from django.test import Client

from extraction.models import Proposal, ProposalQuote
from extraction.selectors.proposals import cut, excerpts
from tests.extraction.console.story import approve, tell
from topics.models import Space, Topic


def turns_of(proposal: Proposal) -> list[list[int]]:
    spans = list(ProposalQuote.objects.filter(proposal=proposal).select_related("message"))
    return [[turn.message.position for turn in excerpt.turns] for excerpt in excerpts(spans)]


def test_two_turns_stand_on_either_side(facts: list[Proposal]) -> None:
    assert [turns_of(p) for p in facts] == [[[0, 1, 2, 3]], [[1, 2, 3, 4, 5]], [[3, 4, 5]]]


def test_quotes_far_apart_are_two_excerpts_and_near_ones_are_one(space: Space, facts: list[Proposal]) -> None:
    first, last = facts[0], facts[2]
    far = tell(space, *["> Go on."] * 4, "Our office is in Lyon.", subject="Acme renewal")[0]
    for other in (last, far):
        quote = other.quotes.get()
        ProposalQuote.objects.create(proposal=first, message=quote.message, start=quote.start, end=quote.end)
    assert turns_of(first) == [[0, 1, 2, 3, 4, 5], [2, 3, 4]]


def test_the_quoted_words_are_marked(desk: Client, facts: list[Proposal]) -> None:
    page = desk.get(f"/review/facts/{facts[0].pk}/").content.decode()
    assert re.findall(r"<mark>(.*?)</mark>", page) == ["Our budget is 84,000 euros a year."]


def test_spans_may_overlap_or_reach_beyond_the_text() -> None:
    assert cut("预算是20万元。", [(0, 2), (1, 3)]) == [(True, "预算"), (True, "是"), (False, "20万元。")]
    assert cut("short", [(3, 99)]) == [(False, "sho"), (True, "rt")]
    assert cut("short", [(7, 9)]) == [(False, "short")]


def test_times_are_those_of_the_space(desk: Client, facts: list[Proposal]) -> None:
    page = desk.get(f"/review/facts/{facts[0].pk}/").content.decode()
    assert "14 May 2026, 16:01" in page  # 08:01 UTC in Shanghai


def test_a_proposal_without_words_says_so(desk: Client, space: Space, topic: Topic) -> None:
    bare = Proposal.objects.create(space=space, kind="fact", topic=topic, text="Bare.", fingerprint="bare")
    assert "No words of a conversation are attached" in desk.get(f"/review/facts/{bare.pk}/").content.decode()


def test_what_the_topic_knows_stands_beside_it(desk: Client, space: Space, facts: list[Proposal]) -> None:
    page = desk.get(f"/review/facts/{facts[1].pk}/").content.decode()
    assert "this would be its first fact" in page
    approve(space, facts[0])
    page = desk.get(f"/review/facts/{facts[1].pk}/").content.decode()
    assert "Already known in this topic" in page
    assert "Added since" in page
    assert "Open the topic (1 fact)" in page


def test_dates_and_amounts_follow_the_language(desk: Client, facts: list[Proposal]) -> None:
    address = f"/review/facts/{facts[0].pk}/"
    english = desk.get(address).content.decode()
    assert "84,000 EUR per year" in english
    desk.post("/language/", {"language": "zh-hans"})
    chinese = desk.get(address).content.decode()
    assert "每年8.4万欧元" in chinese
    assert "2026年5月14日 16:01" in chinese
    assert '<html lang="zh-Hans"' in chinese
    assert '<h2 class="lead" id="item-title" lang="en">' in chinese


def test_the_page_says_what_found_it_without_its_inner_names(desk: Client, facts: list[Proposal]) -> None:
    Proposal.objects.update(why="日期")
    page = desk.get(f"/review/facts/{facts[0].pk}/").content.decode()
    assert "Found by rules" in page
    assert "日期" not in page
    Proposal.objects.update(extractor="llm", model="gpt-x")
    assert "Found by the model gpt-x" in desk.get(f"/review/facts/{facts[0].pk}/").content.decode()


def test_more_turns_are_a_click_away_until_the_conversation_is_whole(desk: Client, space: Space, topic: Topic) -> None:
    lines = [*["> Go on."] * 15, "Our office is in Lyon.", *["> I see."] * 5]
    office = tell(space, *lines, subject="Acme renewal")[0]
    address = f"/review/facts/{office.pk}/"
    shown = desk.get(f"{address}?q=office").content.decode()
    assert "Turns 14–18 of 21" in shown
    assert f'hx-get="{address}?q=office&amp;turns=12"' in shown
    more = desk.get(f"{address}?q=office&turns=12").content.decode()
    assert "Turns 4–21 of 21" in more
    whole = desk.get(f"{address}?q=office&turns=22").content.decode()
    assert "Turns 1–21 of 21" in whole
    assert "More turns" not in whole
    for silly in ("-3", "x", "99999", "1"):
        assert "Turns 14–18 of 21" in desk.get(f"{address}?turns={silly}").content.decode()


def test_words_that_are_not_in_their_turn_are_said_to_be_missing(
    desk: Client, facts: list[Proposal], contested: Proposal
) -> None:
    sentence = "The quoted words are not in this turn, or not all of them."
    for tab, proposal in (("facts", facts[1]), ("conflicts", contested)):
        address = f"/review/{tab}/{proposal.pk}/"
        assert sentence not in desk.get(address).content.decode()
        quote = proposal.quotes.get()
        ProposalQuote.objects.filter(pk=quote.pk).update(start=quote.end + 5, end=quote.end + 9)
        assert sentence in desk.get(address).content.decode()
    contested.quotes.all().delete()
    page = desk.get(f"/review/conflicts/{contested.pk}/").content.decode()
    assert page.count("No words of a conversation are attached to this.") == 2


def test_the_time_zone_is_named_and_turns_of_another_day_say_so(desk: Client, facts: list[Proposal]) -> None:
    first, *_rest = facts[0].quotes.get().message.conversation.messages.order_by("position")
    type(first).objects.filter(pk=first.pk).update(said_at=first.said_at - timedelta(days=2))
    page = desk.get(f"/review/facts/{facts[0].pk}/").content.decode()
    assert "times in Asia/Shanghai" in page
    assert '">14 May 2026, 16:01</time>' in page
