"""JSON out of a model's answer, whatever stands around it.

Fences, prose, thinking, a byte order mark and trailing commas are looked past. What is inside a string of the JSON is
never touched, however much it looks like one of these: it may be somebody's words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from inference.completion import without_thinking

# Strings are passed over whole; a lone quotation mark at last is a string that does not end.
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[\[\]{},"]', re.S)
_OPENING = re.compile(r"[\[{]")
# What follows a bracket in JSON. In prose it is mostly something else.
_BEGINS_JSON = re.compile(r'\[\s*[\[{"\]\d-]|\[\s*(true|false|null)|\{\s*["}]|[\[{]\s*$')
_END_OF_THINKING = re.compile(r"</(think|thinking|thought|reasoning)>", re.I)
_TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "number": (int, float),
    "integer": int,
    "boolean": bool,
}
# Each bracket may be the beginning, and looking for its end may lead through the whole text. After as many characters
# as this many times the text's own length there is no answer in it.
PASSES = 30


class NoJson(ValueError):
    """No JSON of the wanted form stands in the text."""


class UnclosedJson(NoJson):
    """The text ends in the middle of JSON."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    start: int
    end: int | None  # None: the text ends before it does
    value: Any = None
    is_valid: bool = False


def read_json(text: str, schema: Mapping[str, Any]) -> Any:
    """The last JSON value in `text` that has the form of the root of `schema`: its type and, in an object, its keys.

    Where the root is an object with one list, the list alone will do, and so will its items one by one; where it is a
    list, an item alone or an object around the list. What lies deeper is not checked. Raises UnclosedJson or NoJson.
    """
    text = without_thinking(text.removeprefix("\ufeff"))
    found = _Found()
    position = 0
    for candidate in _candidates(text):
        if _END_OF_THINKING.search(text, position, candidate.start):
            found = _Found()
        position = candidate.end if candidate.is_valid and candidate.end else candidate.start
        if candidate.is_valid:
            found.add(candidate, schema)
        elif candidate.end is not None:
            found.broken_until = max(found.broken_until, candidate.end)
        elif _BEGINS_JSON.match(text, candidate.start):
            found.is_unclosed = True
    if found.roots or found.lists:
        return (found.roots or found.lists)[-1]
    if found.items:
        key = _only_list(schema)
        return {key: found.items} if key else found.items
    raise UnclosedJson if found.is_unclosed else NoJson


@dataclass(slots=True)
class _Found:
    """What fits so far. Inside JSON that is cut off or broken, a list or an item must not pass for the whole."""

    roots: list[Any] = field(default_factory=list)
    lists: list[Any] = field(default_factory=list)
    items: list[Any] = field(default_factory=list)
    is_unclosed: bool = False
    broken_until: int = 0

    def add(self, candidate: _Candidate, schema: Mapping[str, Any]) -> None:
        key, item, value = _only_list(schema), _item_schema(schema), candidate.value
        if schema.get("type") != "array" and _fits(value, schema):
            self.roots.append(_with_list(value, key, item) if key else value)
        if self.is_unclosed or candidate.start < self.broken_until or item is None:
            return
        value = _unwrapped(value, schema)
        if isinstance(value, list) and all(_fits(each, item) for each in value):
            self.lists.append({key: value} if key else value)
        elif isinstance(value, dict) and value and item.get("type") == "object" and _fits(value, item):
            self.items.append(value)


def _candidates(text: str) -> Iterator[_Candidate]:
    """Every stretch that may be a JSON value, from left to right, none inside another that could be read."""
    position, left = 0, PASSES * len(text)
    while left > 0 and (opening := _OPENING.search(text, position)):
        candidate = _read_at(text, opening.start())
        yield candidate
        left -= (candidate.end or len(text)) - opening.start()
        position = candidate.end if candidate.is_valid and candidate.end else opening.start() + 1


def _read_at(text: str, start: int) -> _Candidate:
    depth, last, comma = 0, start, -1
    pieces: list[str] = []
    for token in _TOKEN.finditer(text, start):
        mark = token[0]
        if mark == '"':
            break
        if mark in "]}":
            depth -= 1
            if comma >= 0 and not text[comma + 1 : token.start()].strip():
                pieces.append(text[last:comma])
                last = comma + 1
        elif mark in "[{":
            depth += 1
        comma = token.start() if mark == "," else -1
        if depth == 0:
            pieces.append(text[last : token.end()])
            return _parsed("".join(pieces), start, token.end())
    return _Candidate(start, None)


def _parsed(source: str, start: int, end: int) -> _Candidate:
    try:
        # Models write line breaks into strings as they are: not strict.
        value = json.loads(source, strict=False, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return _Candidate(start, end)
    return _Candidate(start, end, value, is_valid=True)


def _refuse_constant(name: str) -> None:
    raise ValueError(name)  # NaN and Infinity are no JSON


# -------------------------------------------------------------------------------------------------------- the root


def _with_list(value: dict[str, Any], key: str, item: Mapping[str, Any] | None) -> dict[str, Any]:
    """The object with a list at `key`, where the model put an item alone there, or null for none."""
    held = value.get(key)
    if held is None:
        return value | {key: []}
    return value | {key: [held]} if item and isinstance(held, dict) and _fits(held, item) else value


def _unwrapped(value: Any, schema: Mapping[str, Any]) -> Any:
    """The list that a model put into an object where a list was wanted."""
    is_wrapping = schema.get("type") == "array" and isinstance(value, dict) and len(value) == 1
    (inner,) = value.values() if is_wrapping else (None,)
    return inner if isinstance(inner, list) else value


def _fits(value: Any, schema: Mapping[str, Any]) -> bool:
    kind = schema.get("type")
    if isinstance(kind, str) and not isinstance(value, _TYPES.get(kind, object)):
        return False
    return not isinstance(value, dict) or all(name in value for name in schema.get("required", ()))


def _only_list(schema: Mapping[str, Any]) -> str:
    """The key of the one list that an object is about; empty if there is more to it, or no object."""
    properties = schema.get("properties", {})
    lists = [name for name, part in properties.items() if part.get("type") == "array"]
    return lists[0] if len(lists) == 1 and set(schema.get("required", ())) <= set(lists) else ""


def _item_schema(schema: Mapping[str, Any]) -> Mapping[str, Any] | None:
    key = _only_list(schema)
    holder = schema["properties"][key] if key else schema
    items = holder.get("items")
    return items if isinstance(items, Mapping) else None
