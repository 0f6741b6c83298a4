"""Where long messages are cut."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from topics.retrieval.passages import PASSAGE_TOKENS, split_passages
from topics.text.tokens import count_tokens


def test_a_short_message_is_one_passage_without_its_white_space() -> None:
    assert split_passages("  Hello there.\n") == [(2, 14)]


def test_a_blank_message_has_no_passage() -> None:
    assert split_passages("") == split_passages(" \n\t " * 2000) == []


def test_a_long_message_is_cut_at_sentence_ends() -> None:
    sentence = "The blue house at the end of the road was sold again in the spring. "
    content = sentence * 60
    passages = split_passages(content)
    assert len(passages) > 3
    for start, end in passages:
        assert content[start:end].startswith("The blue")
        assert content[start:end].endswith("spring.")
        assert count_tokens(content[start:end]) <= PASSAGE_TOKENS


def test_a_long_chinese_message_is_cut_at_sentence_ends() -> None:
    content = "项目的预算在春天又增加了一次，大家都很高兴。" * 60
    for start, end in split_passages(content):
        assert content[start:end].startswith("项目")
        assert content[start:end].endswith("。")


@given(st.text(alphabet="ab .!。字\n ", max_size=3000))
def test_nothing_but_white_space_lies_between_passages(content: str) -> None:
    at = 0
    for start, end in split_passages(content):
        assert start < end
        assert not content[at:start].strip()
        at = end
    assert not content[at:].strip()


def test_a_run_without_any_end_is_cut_all_the_same() -> None:
    passages = split_passages("字" * 20_000)
    assert max(end - start for start, end in passages) <= 400
    assert passages[-1][1] == 20_000
