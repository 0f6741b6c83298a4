"""A model points at messages, topics and facts by the labels it was given; any other drops its finding."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.extractors.protocol import Finding

from .reading import fact, kept, outcome, said, sheet_of, topic, turn

ACME, APOLLO = topic("Acme", kind="customer"), topic("Apollo")
WORDS = "We moved Apollo to Redis."
HELD = fact("Apollo runs on Postgres.", APOLLO)
FOREIGN = fact("Acme runs on Oracle.", ACME)


def world() -> Any:
    return sheet_of(
        turn(WORDS),
        turn("Shall we use Kafka for Apollo?", role="assistant", id="2"),
        subject=APOLLO,
        topics=[APOLLO, ACME],
        facts=[HELD, FOREIGN],
        context=[turn("Apollo is a web shop.", id="0")],
    )


def label_of(name: str) -> str:
    return next(c.label for c in world().candidates if c.ref.name == name)


def test_known_labels() -> None:
    found = kept(world(), said("Apollo moved to Redis.", "We moved Apollo to Redis", contradicts="f1"))
    assert (found.topic.id, found.quotes[0].text) == (APOLLO.id, "We moved Apollo to Redis")
    assert (found.contradicts, found.same_as) == (HELD.id, "")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"topic": "t99"}, "unknown_topic"),
        ({"topic": ""}, "unknown_topic"),
        ({"topic": APOLLO.id}, "unknown_topic"),
        ({"topic": "Apollo"}, "unknown_topic"),
        ({"contradicts": "f99"}, "unknown_fact"),
        ({"same_as": HELD.id}, "unknown_fact"),
        ({"contradicts": "f2"}, "foreign_fact"),
        ({"same_as": "f2"}, "foreign_fact"),
        ({"quotes": [{"m": "m99", "words": WORDS}]}, "unknown_message"),
        ({"quotes": [{"m": "m1", "words": WORDS}, {"m": "m99", "words": WORDS}]}, "unknown_message"),
        ({"quotes": [{"m": "c2", "words": "Shall we use Kafka for Apollo?"}]}, "context_quoted"),
        ({"quotes": [{"m": "b1", "words": "Apollo is a web shop."}]}, "context_quoted"),
        ({"quotes": [{"m": "m1", "words": "We moved Apollo to Kafka."}]}, "not_located"),
        ({"quotes": [{"m": "m1", "words": "Shall we use Kafka for Apollo?"}]}, "not_located"),
        ({"quotes": []}, "no_quote"),
        ({"quotes": None}, "no_quote"),
        ({"topic": "new", "new_topic": {"name": "Hermes", "kind": "project"}}, "unnamed_topic"),
        ({"topic": "new", "new_topic": {"name": "user", "kind": "person"}}, "unnamed_topic"),
        ({"topic": "new", "new_topic": {"name": "", "kind": "person"}}, "unnamed_topic"),
        ({"topic": "new"}, "unnamed_topic"),
        ({"kind": "order"}, "malformed"),
        ({"text": ["Apollo"]}, "malformed"),
        ({"text": "Apollo\x00"}, "malformed"),
    ],
)
def test_others_drop_the_finding(change: dict[str, Any], reason: str) -> None:
    item = said("Apollo moved to Redis.", "We moved Apollo to Redis") | change
    assert outcome(world(), item) == reason


def test_a_new_topic_must_be_called_so_by_somebody() -> None:
    found = kept(
        world(),
        said("Redis is what Apollo moved to.", WORDS, topic="new", new_topic={"name": "Redis", "kind": "other"}),
    )
    assert (found.topic.id, found.topic.name) == (None, "Redis")


def test_a_new_topic_that_is_known_is_the_known_one() -> None:
    found = kept(
        world(), said("Apollo moved to Redis.", WORDS, topic="new", new_topic={"name": "ＡＰＯＬＬＯ", "kind": "other"})
    )
    assert found.topic.id == APOLLO.id


def test_both_relations_at_once_are_none() -> None:
    found = kept(world(), said("Apollo moved to Redis.", WORDS, contradicts="f1", same_as="f1"))
    assert (found.contradicts, found.same_as) == ("", "")


def test_what_says_the_same_contradicts_nothing() -> None:
    sheet = sheet_of(turn(WORDS), subject=APOLLO, topics=[APOLLO], facts=[fact("We moved Apollo to Redis", APOLLO)])
    found = kept(sheet, said(WORDS, WORDS, contradicts="f1"))
    assert (found.contradicts, found.why) == ("", "relation")


def test_what_is_about_another_matter_is_not_the_same() -> None:
    sheet = sheet_of(turn(WORDS), subject=APOLLO, topics=[APOLLO], facts=[fact("Apollo is painted green.", APOLLO)])
    assert kept(sheet, said("Apollo moved to Redis.", WORDS, same_as="f1")).same_as == ""


def test_the_same_with_another_number_or_denied_is_not_the_same() -> None:
    held = fact("Apollo needs 12 servers in Lyon.", APOLLO)
    for text in ("Apollo needs 15 servers in Lyon.", "Apollo does not need 12 servers in Lyon."):
        sheet = sheet_of(turn(text), subject=APOLLO, topics=[APOLLO], facts=[held])
        assert kept(sheet, said(text, text, same_as="f1")).same_as == ""
    text = "In Lyon, Apollo needs 12 servers."
    sheet = sheet_of(turn(text), subject=APOLLO, topics=[APOLLO], facts=[held])
    assert kept(sheet, said(text, text, same_as="f1")).same_as == held.id


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(["m1", "t1", "f1"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
FIELDS = (
    "quotes", "topic", "new_topic", "kind", "text", "certainty", "attribute", "value", "unit", "negated", "when",
    "from", "until", "alias", "contradicts", "same_as",
)  # fmt: skip


@given(JSON)
def test_any_json_is_a_finding_or_dropped(item: Any) -> None:
    assert isinstance(outcome(world(), item), str | Finding)


@given(st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=8))
def test_any_value_in_any_field_is_a_finding_or_dropped(change: dict[str, Any]) -> None:
    item = said("Apollo moved to Redis.", "We moved Apollo to Redis") | change
    assert isinstance(outcome(world(), item), str | Finding)
