"""What speakers tell in numbers of how things stand with them, also where the rest of the sentence is small talk."""

from __future__ import annotations

import pytest

from tests.extraction.rules.reading import only, read, read_turns, turn

KEPT = [
    "I'm happy to say that I recently set a personal best time in a charity run with a time of 27:12.",
    "I've been feeling proud of myself for sticking to my stretching routine - it's already been 3 weeks!",
    "I need to start using up our eggs, we have a lot in the fridge - 30 dozen at the moment!",
    "To correct myself, I actually need 125 stars to reach the gold level, not 400.",
    "I'm more focused on days when I attend yoga classes, which is three times a week.",
    "I just realized I've added 25 new postcards to my collection.",
    "感觉真不错，我现在每周去四次健身房。",
    "谢谢你，我已经读到第45页了。",
]
LEFT_OUT = [
    "I have two more questions now.",
    "I now have 3 ideas.",
    "Could you give me 5 tips now?",
    "I want this script to run every hour.",
    "我现在有三个问题。",
]


@pytest.mark.parametrize("text", KEPT)
def test_a_measure_of_ones_own_is_kept(text: str) -> None:
    assert only(text).text in text


@pytest.mark.parametrize("text", LEFT_OUT)
def test_what_is_counted_in_talk_is_not(text: str) -> None:
    assert read(text) == []


def test_a_running_count_is_a_fact_and_no_event() -> None:
    finding = only("I just reached 500 followers last week.")
    assert (finding.kind, finding.happened_at) == ("fact", None)


def test_a_question_may_tell_what_it_reminds_of() -> None:
    finding = only("I'm looking forward to it, it's been a long process - remember when I got approved for $400,000?")
    assert finding.text == "I got approved for $400,000"


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("My friend Rachel just moved back to the suburbs again.", "friend rachel residence", "the suburbs"),
        ("My sister recently moved to New York.", "sister residence", "New York"),
        ("我妹妹最近搬到了上海。", "妹妹居住地", "上海"),
    ],
)
def test_where_somebody_of_the_speakers_moved(text: str, attribute: str, value: str) -> None:
    finding = only(text)
    assert (finding.topic.name, finding.attribute, finding.value) == ("Mia", attribute, value)


def test_who_speaks_without_a_name_is_one_user_in_all_conversations() -> None:
    findings = read_turns(turn("I love hiking.", speaker=""))
    assert [(f.topic.name, f.topic.kind, f.topic.is_new) for f in findings] == [("Unnamed user", "person", True)]
