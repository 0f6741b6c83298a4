"""What stands in a chat completion, however its server deviates from the format."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from inference.errors import CutOff, Refused, Unreadable

WORDS_LIMIT = 1000  # of the endpoint's own words in an error
TOKENS_LIMIT = 2_000_000_000  # what the column holds; a count beyond it is none
_THINKING = re.compile(r"\s*<(think|thinking|thought|reasoning)>", re.I)
# Servers whose prompt ends with the opening tag return only the closing one, alone on its line.
_ORPHAN = re.compile(r"^[ \t]*</(think|thinking|thought|reasoning)>[ \t]*$", re.I | re.M)


@dataclass(frozen=True, slots=True)
class Completion:
    """`text` is the answer as it came, thinking included; tokens are None where the server gives no sane number."""

    text: str
    finish_reason: str
    refusal: str
    has_tool_calls: bool
    prompt_tokens: int | None
    completion_tokens: int | None

    @property
    def is_cut_off(self) -> bool:
        return self.finish_reason in ("length", "max_tokens")

    def judge(self) -> None:
        """Raise Refused, CutOff or Unreadable where there is no text to read."""
        if self.finish_reason == "content_filter":
            raise Refused(_("A content filter of the endpoint withheld the answer."))
        if without_thinking(self.text).strip():
            return
        if self.refusal:
            raise Refused(_("The model declined to answer."), detail=self.refusal)
        if self.is_cut_off:
            raise CutOff(_("The answer does not fit into the allowed length."))
        if self.has_tool_calls:
            raise Unreadable(_("The model called a tool instead of answering."))
        raise Unreadable(_("The model's answer is empty."))


def parse_object(content: bytes) -> dict[str, Any]:
    """The JSON object in the body of an answer. Raises Unreadable."""
    try:
        data = json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        data = None
    if isinstance(data, dict):
        return data
    raise not_the_api(content[:WORDS_LIMIT].decode("utf-8", "replace"))


def not_the_api(words: str = "") -> Unreadable:
    """The error for an answer that no OpenAI-compatible endpoint would give; `words` are the endpoint's."""
    return Unreadable(
        _("The endpoint did not answer in the form of the OpenAI API. Is the address right?"), detail=words
    )


class StreamedParts:
    """The chunks of a stream put together."""

    def __init__(self) -> None:
        self.has_begun = False
        self.has_usage = False
        self._texts: list[str] = []
        self._refusals: list[str] = []
        self._finish_reason = ""
        self._has_tool_calls = False
        self._tokens: tuple[int | None, int | None] = (None, None)

    def add(self, chunk: Completion) -> str:
        """Take the chunk in; its text."""
        self.has_begun = True
        self._texts.append(chunk.text)
        self._refusals.append(chunk.refusal)
        self._finish_reason = chunk.finish_reason or self._finish_reason
        self._has_tool_calls = self._has_tool_calls or chunk.has_tool_calls
        if chunk.completion_tokens is not None:
            self.has_usage = True
            self._tokens = (chunk.prompt_tokens, chunk.completion_tokens)
        return chunk.text

    def whole(self) -> Completion:
        return Completion(
            "".join(self._texts), self._finish_reason, "".join(self._refusals), self._has_tool_calls, *self._tokens
        )


def read_completion(data: dict[str, Any]) -> Completion:
    """A `chat.completion`, or a `chat.completion.chunk` of a stream, as a Completion. Raises Unreadable."""
    choices, usage = data.get("choices"), data.get("usage")
    choice = choices[0] if isinstance(choices, list) and choices else {}
    if not isinstance(choice, dict) or not (isinstance(choices, list) or isinstance(usage, dict)):
        raise not_the_api(str(data)[:WORDS_LIMIT])
    message = choice.get("message") or choice.get("delta") or {}
    message = message if isinstance(message, dict) else {}
    usage = usage if isinstance(usage, dict) else {}
    return Completion(
        text=_text_of(message.get("content")),
        finish_reason=str(choice.get("finish_reason") or ""),
        refusal=_text_of(message.get("refusal")),
        has_tool_calls=bool(message.get("tool_calls") or message.get("function_call")),
        prompt_tokens=_count(usage.get("prompt_tokens")),
        completion_tokens=_count(usage.get("completion_tokens")),
    )


def without_thinking(text: str) -> str:
    """The text after the sections in which a model thinks aloud. One that never ends leaves nothing.

    Only sections at the beginning count: further on, such a tag may belong to somebody's words.
    """
    while opening := _THINKING.match(text):
        closing = re.compile(rf"</{opening[1]}>", re.I).search(text, opening.end())
        if closing is None:
            return ""
        text = text[closing.end() :]
    orphan = _ORPHAN.search(text)
    return text[orphan.end() :] if orphan and not _THINKING.search(text, 0, orphan.start()) else text


class ThinkingFilter:
    """`without_thinking` for a text that arrives in pieces, except that a closing tag alone is not recognised."""

    def __init__(self) -> None:
        self._held = ""  # what may still turn out to be thinking
        self._is_answering = False

    def feed(self, piece: str) -> str:
        """The part of what has arrived that is certain to belong to the answer."""
        if self._is_answering:
            return piece
        self._held += piece
        while opening := _THINKING.match(self._held):
            closing = re.compile(rf"</{opening[1]}>\s*", re.I).search(self._held, opening.end())
            if closing is None:
                return ""
            self._held = self._held[closing.end() :]
        if _may_become_tag(self._held):
            return ""
        self._is_answering = True
        return self.flush()

    def flush(self) -> str:
        """What is left at the end of the stream; nothing if it ended while the model was thinking."""
        rest, self._held = self._held, ""
        return "" if _THINKING.match(rest) else rest


def _may_become_tag(text: str) -> bool:
    start = text.lstrip().lower()
    tags = ("<think>", "<thinking>", "<thought>", "<reasoning>")
    return any(tag.startswith(start) for tag in tags)


def _text_of(content: Any) -> str:
    """The text of a content, which some servers send as a list of parts."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(str(part.get("text") or "") for part in content if isinstance(part, dict))
    return ""


def _count(value: Any) -> int | None:
    return value if type(value) is int and 0 <= value <= TOKENS_LIMIT else None
