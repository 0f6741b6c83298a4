"""The suggestions of duplicates: found in the background, remembered as dismissed, gone when they are merged."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.topics.services.helpers import hold, make_space, make_topic
from topics.changes import Actor
from topics.models import DuplicatePair, DuplicateSearch, Space, Topic
from topics.selectors.duplicates import duplicate_pairs
from topics.services.duplicates import dismiss_pair, reopen_pair, search_duplicates, search_where_due
from topics.services.merging import merge_topics
from topics.services.statements import add_fact
from topics.services.topics import add_alias, archive_topic, delete_topic, remove_alias, update_topic
from topics.services.undo import undo_change_set


@pytest.fixture
def pair(space: Space, topic: Topic, person: Actor) -> DuplicatePair:
    """Acme and Acme Corp."""
    make_topic(space, person, "Acme Corp")
    make_topic(space, person, "Globex")
    search_duplicates(space=space)
    return duplicate_pairs(space).get()


def suggested(space: Space) -> list[set[str]]:
    return [{pair.first.name, pair.second.name} for pair in duplicate_pairs(space)]


def test_a_pair_is_suggested_with_its_reasons(space: Space, topic: Topic, person: Actor) -> None:
    other = make_topic(space, person, "Acme Corp")
    for member in (topic, other):
        hold(member, "The office is in Leeds.")
        add_fact(topic=member, actor=person, text=f"Phone of {member.name}.", attribute="phone", value="010-62345678")
    assert search_duplicates(space=space) == 1
    pair = duplicate_pairs(space).get()
    assert {pair.first, pair.second} == {topic, other}
    reasons = {reason["code"]: reason["values"] for reason in pair.reasons}
    assert sorted(reasons["same_name"]) == ["Acme", "Acme Corp"]
    assert reasons["same_phone"] == ["062345678"]
    assert reasons["shared_facts"] == ["1", "The office is in Leeds."]
    assert pair.score > 0.99


def test_only_what_changed_is_compared_again(pair: DuplicatePair, space: Space, person: Actor) -> None:
    DuplicatePair.objects.filter(pk=pair.pk).update(score=0.123)
    DuplicateSearch.objects.update(searched_until=timezone.now())
    make_topic(space, person, "Globex Ltd")
    search_duplicates(space=space)
    assert suggested(space) == [{"Globex", "Globex Ltd"}, {"Acme", "Acme Corp"}]
    assert DuplicatePair.objects.get(pk=pair.pk).score == 0.123
    search_duplicates(space=space, everything=True)
    assert DuplicatePair.objects.get(pk=pair.pk).score > 0.5


def test_a_pair_goes_when_nothing_speaks_for_it_any_more(pair: DuplicatePair, space: Space, person: Actor) -> None:
    other = Topic.objects.get(name="Acme Corp")
    update_topic(topic=other, actor=person, name="Wholly different")
    remove_alias(alias=other.aliases.get(name="Acme Corp"), actor=person)
    search_duplicates(space=space)
    assert suggested(space) == []


def test_a_dismissal_is_remembered_until_a_name_changes(
    pair: DuplicatePair, space: Space, topic: Topic, person: Actor
) -> None:
    dismissed = dismiss_pair(pair=pair, actor=person)
    assert dismissed.dismissed_by == "mei"
    search_duplicates(space=space, everything=True)
    add_fact(topic=topic, actor=person, text="The office is in Leeds.")
    search_duplicates(space=space)
    assert (suggested(space), list(duplicate_pairs(space, dismissed=True))) == ([], [pair])
    add_alias(topic=topic, actor=person, name="Acme Holding")
    search_duplicates(space=space)
    assert suggested(space) == [{"Acme", "Acme Corp"}]


def test_a_dismissal_can_be_taken_back(pair: DuplicatePair, space: Space, person: Actor) -> None:
    reopen_pair(pair=dismiss_pair(pair=pair, actor=person))
    assert suggested(space) == [{"Acme", "Acme Corp"}]


def test_a_merge_takes_the_pair_away_and_its_undo_brings_it_back(
    pair: DuplicatePair, space: Space, person: Actor
) -> None:
    _plan, change = merge_topics(space=space, survivor=pair.first, others=[pair.second], actor=person)
    search_duplicates(space=space)
    assert suggested(space) == []
    undo_change_set(change=change, actor=person)
    search_duplicates(space=space)
    assert suggested(space) == [{"Acme", "Acme Corp"}]


def test_archived_topics_count_and_deleted_ones_do_not(pair: DuplicatePair, space: Space, person: Actor) -> None:
    archive_topic(topic=pair.first, actor=person)
    assert len(suggested(space)) == 1
    delete_topic(topic=pair.second, actor=person)
    assert suggested(space) == []


def test_only_spaces_that_changed_are_searched(pair: DuplicatePair, space: Space, person: Actor) -> None:
    long_ago = timezone.now() - timedelta(hours=1)
    DuplicateSearch.objects.update(searched_until=long_ago)
    Topic.objects.advance_documents([], long_ago)
    assert search_where_due() == 1
    DuplicateSearch.objects.update(searched_until=timezone.now() + timedelta(seconds=1))
    assert search_where_due() == 0


def test_one_process_at_a_time_searches_a_space(pair: DuplicatePair, space: Space) -> None:
    DuplicateSearch.objects.update(running_since=timezone.now())
    assert search_duplicates(space=space) is None
    DuplicateSearch.objects.update(running_since=timezone.now() - timedelta(hours=1))
    assert search_duplicates(space=space) == 1
    assert DuplicateSearch.objects.get().running_since is None


def test_spaces_are_never_compared_with_each_other(pair: DuplicatePair, space: Space, person: Actor) -> None:
    elsewhere = make_space("elsewhere")
    make_topic(elsewhere, person, "ACME Inc")
    assert search_duplicates(space=elsewhere) == 0


def test_the_number_of_queries_does_not_grow(space: Space, person: Actor, django_assert_max_num_queries: Any) -> None:
    for n in range(30):
        make_topic(space, person, f"Zanzibar{n} Acme")
        make_topic(space, person, f"Acme Zanzibar{n}")
    with django_assert_max_num_queries(25):
        assert search_duplicates(space=space) == 30
