"""Two statements beside each other: what differs is marked, unless they share next to nothing."""

from topics.templatetags.console import new_words, old_words, thousands

OLD = "Their budget is now 55,000 euros."
NEW = "Their budget is now 65,000 euros."


def test_each_side_marks_what_is_its_own() -> None:
    assert old_words(OLD, NEW) == "Their budget is now <del>55,000</del> euros."
    assert new_words(NEW, OLD) == "Their budget is now <ins>65,000</ins> euros."


def test_sentences_that_share_next_to_nothing_stand_unmarked() -> None:
    old, new = "We agreed on option A, the hosted edition.", "They want B & everything in <their> own data centre."
    assert old_words(old, new) == old
    assert new_words(new, old) == "They want B &amp; everything in &lt;their&gt; own data centre."


def test_a_count_has_its_thousands_apart() -> None:
    assert [thousands(number) for number in (0, 999, 10_676, None)] == ["0", "999", "10,676", ""]
