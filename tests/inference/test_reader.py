"""JSON is found whatever stands around it, and what its strings say comes through to the letter."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inference.reader import NoJson, UnclosedJson, read_json
from tests.inference.asking import BLUE, COLOURS

SCHEMA = COLOURS.schema
LIST = {"type": "array", "items": SCHEMA["properties"]["colours"]["items"]}
# Whatever a tolerant reader may mistake for something around the JSON, as a user's words inside it.
TRICKY = st.one_of(
    st.sampled_from(
        [
            "```",
            "```json\n{}\n```",
            "<think>",
            "</think>",
            "a,]",
            ",}",
            "{",
            "}",
            "[1,",
            '"',
            "\\",
            "\n",
            "\ufeff",
            "// x",
        ]
    ),
    st.text(alphabet=st.characters(exclude_categories=["Cs"])),
)
WORDS = st.lists(TRICKY, max_size=6).map("".join)
AROUND = [
    "{}",
    "```json\n{}\n```",
    "```\n{}",
    "Here you are:\n{}\nAnything else?",
    '<think>I {{wonder}} [about] {{"colours": []}}</think>{}',
    'I wonder {{"colours": []}}\n</think>\n{}',
    "\ufeff{}",
    "Sources: [1], [2]. {{Draft}} follows. {} See [3].",
]


@given(
    names=st.lists(WORDS, max_size=4), around=st.sampled_from(AROUND), is_ascii=st.booleans(), has_commas=st.booleans()
)
def test_strings_come_through_to_the_letter(names: list[str], around: str, is_ascii: bool, has_commas: bool) -> None:
    data = {"colours": [{"name": name} for name in names]}
    source = json.dumps(data, ensure_ascii=is_ascii)
    if has_commas and names:
        source = source[: -len("}]}")] + ",},],}"
    assert read_json(around.format(source), SCHEMA) == data


@given(names=st.lists(WORDS, min_size=1, max_size=4), data=st.data())
def test_json_that_is_cut_off_never_passes_for_whole(names: list[str], data: st.DataObject) -> None:
    source = json.dumps({"colours": [{"name": name} for name in names]})
    cut = data.draw(st.integers(min_value=2, max_value=len(source) - 1))
    with pytest.raises(UnclosedJson):
        read_json(source[:cut], SCHEMA)


@given(names=st.lists(WORDS, min_size=1, max_size=4), data=st.data())
def test_a_list_that_is_cut_off_never_passes_for_whole(names: list[str], data: st.DataObject) -> None:
    source = json.dumps([{"name": name} for name in names])
    cut = data.draw(st.integers(min_value=2, max_value=len(source) - 1))
    with pytest.raises((UnclosedJson, NoJson)):
        read_json(source[:cut], LIST)


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(NoJson):
        assert isinstance(read_json(text, SCHEMA)["colours"], list)


@pytest.mark.parametrize(
    "text",
    [
        '[{"name": "blue"}]',
        '{"name": "blue"}',
        '{"colours": {"name": "blue"}}',
        '{"colours": [{"name": "blue"}], "confidence": 1}',
        'Draft: {"colours": []}. No: {"colours": [{"name": "blue"}]}',
        '{"colours": [{"name": "blue"}]} Is [1] right? [] {"name": "red"}',
    ],
)
def test_forms_that_mean_the_same(text: str) -> None:
    found = read_json(text, SCHEMA)
    assert found["colours"] == BLUE["colours"]


def test_items_one_by_one_are_a_list() -> None:
    lines = '{"name": "blue"}\n{"name": "red"}'
    assert read_json(lines, SCHEMA) == {"colours": [{"name": "blue"}, {"name": "red"}]}
    assert read_json(lines, LIST) == [{"name": "blue"}, {"name": "red"}]


@pytest.mark.parametrize("text", ['{"name": "blue"}', '{"colours": [{"name": "blue"}]}', '[{"name": "blue"}]'])
def test_forms_that_mean_the_same_list(text: str) -> None:
    assert read_json(text, LIST) == BLUE["colours"]


def test_null_in_place_of_the_list_is_an_empty_one() -> None:
    assert read_json('{"colours": null}', SCHEMA) == {"colours": []}


def test_line_breaks_in_a_string_are_kept() -> None:
    assert read_json('{"colours": [{"name": "sky\n\tblue"}]}', SCHEMA) == {"colours": [{"name": "sky\n\tblue"}]}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "blue",
        "{}",
        "[1]",
        "null",
        '{"colors": []}',
        '{"colours": [NaN]}',
        "{'colours': []}",
        '{"colours": [{"name": "blue"}, {"name": bl}]}',
        '[{"name": "blue"}, {"name": "red" "x"}]',
    ],
)
def test_what_is_not_the_answer_is_refused(text: str) -> None:
    with pytest.raises(NoJson) as caught:
        read_json(text, SCHEMA)
    assert not isinstance(caught.value, UnclosedJson)


@pytest.mark.parametrize(
    "text", ["[" * 500_000, '{"a":' * 100_000, "{}" * 300_000, '{"colours": [{"x": "' + "[{" * 9999]
)
def test_hostile_texts_do_not_take_for_ever(text: str) -> None:
    with pytest.raises(NoJson):
        read_json(text, SCHEMA)


def test_the_schema_may_ask_for_more_than_a_list() -> None:
    schema: dict[str, Any] = {
        "type": "object",
        "required": ["title", "lines"],
        "properties": {"title": {"type": "string"}, "lines": {"type": "array", "items": {"type": "string"}}},
    }
    assert read_json('{"title": "a", "lines": []}', schema) == {"title": "a", "lines": []}
    with pytest.raises(NoJson):
        read_json('["a"]', schema)
