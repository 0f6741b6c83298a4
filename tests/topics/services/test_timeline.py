"""Timeline entries: what happened, dated as exactly as it was said."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from tests.topics.services.helpers import say, span
from topics.changes import Actor
from topics.errors import Duplicate, InvalidInput, Stale, WrongState
from topics.models import ChangeSet, Space, TimelineEntry, Topic
from topics.services.statements import EntryDraft, add_entry, commit_entries, edit_entry, retract_entry

MAY = datetime(2024, 5, 1, tzinfo=UTC)
NAIVE = datetime(2024, 5, 1)


def commit(space: Space, topic: Topic, text: str, happened_at: datetime = MAY, **values: Any) -> TimelineEntry:
    draft = EntryDraft(topic=topic, text=text, happened_at=happened_at, spans=[span(say(space, text))], **values)
    return commit_entries(space=space, actor=Actor(label="test extractor"), drafts=[draft])[0]


def test_the_same_event_again_adds_evidence_and_another_day_is_another_event(space: Space, topic: Topic) -> None:
    first = commit(space, topic, "The team met.")
    beijing = timezone(timedelta(hours=8))
    assert commit(space, topic, "the team met", MAY.astimezone(beijing)).pk == first.pk
    assert first.evidence.count() == 2
    assert commit(space, topic, "The team met.", MAY + timedelta(days=1)).pk != first.pk
    assert commit(space, topic, "The team met.", precision="month").pk != first.pk


def test_an_extracted_event_needs_its_words(space: Space, topic: Topic, person: Actor) -> None:
    with pytest.raises(InvalidInput):
        commit_entries(
            space=space, actor=person, drafts=[EntryDraft(topic=topic, text="The team met.", happened_at=MAY)]
        )
    assert not TimelineEntry.objects.exists()


def test_an_event_written_by_hand(topic: Topic, person: Actor) -> None:
    entry = add_entry(topic=topic, actor=person, text="Founded.", happened_at=MAY, precision="year")
    assert (entry.precision, entry.origin) == ("year", "person")
    with pytest.raises(Duplicate):
        add_entry(topic=topic, actor=person, text="founded", happened_at=MAY, precision="year")


@pytest.mark.parametrize(
    "bad",
    [
        {"text": ""},
        {"text": None},
        {"happened_at": None},
        {"happened_at": NAIVE},
        {"happened_at": "2024-05-01"},
        {"precision": "second"},
        {"precision": None},
        {"certainty": "sure"},
        {"kind": "fact"},
    ],
)
def test_bad_values_are_refused_and_change_nothing(
    space: Space, topic: Topic, person: Actor, bad: dict[str, Any]
) -> None:
    entry = commit(space, topic, "The team met.")
    with pytest.raises(InvalidInput):
        edit_entry(entry=entry, actor=person, changes=bad)
    with pytest.raises(InvalidInput):
        add_entry(topic=topic, actor=person, **({"text": "Founded.", "happened_at": MAY} | bad))
    assert TimelineEntry.objects.get().version == 1


def test_an_event_written_by_hand_needs_a_date(topic: Topic, person: Actor) -> None:
    with pytest.raises(InvalidInput) as refused:
        add_entry(topic=topic, actor=person, text="Founded.")
    assert "happened_at" in refused.value.details["fields"]


def test_edit_and_retract(space: Space, topic: Topic, person: Actor) -> None:
    entry = commit(space, topic, "The team met.")
    other = commit(space, topic, "The team parted.")
    edited = edit_entry(entry=entry, actor=person, changes={"happened_at": MAY + timedelta(days=1)})
    assert edited.happened_at == MAY + timedelta(days=1)
    with pytest.raises(Stale):
        edit_entry(entry=entry, actor=person, changes={"text": "x"}, expected_version=1)
    with pytest.raises(Duplicate):
        edit_entry(entry=other, actor=person, changes={"text": "The team met.", "happened_at": MAY + timedelta(days=1)})
    retract_entry(entry=entry, actor=person)
    with pytest.raises(WrongState):
        edit_entry(entry=entry, actor=person, changes={"text": "x"})
    assert commit(space, topic, "The team met.", MAY + timedelta(days=1)).pk != entry.pk


def test_an_edit_that_changes_nothing_writes_nothing(space: Space, topic: Topic, person: Actor) -> None:
    entry = commit(space, topic, "The team met.")
    before = ChangeSet.objects.count()
    edit_entry(entry=entry, actor=person, changes={"text": "The team met."})
    assert ChangeSet.objects.count() == before
    assert TimelineEntry.history.count() == 1
