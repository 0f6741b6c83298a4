"""The one door to chat models: whoever needs one asks `chat_model` and speaks to the `ChatModel` it returns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol
from uuid import UUID

from inference.models import Purpose

Role = Literal["system", "user", "assistant"]


class Space(Protocol):
    """What is needed of a space, whose model belongs to another app."""

    pk: Any
    time_zone: str


@dataclass(frozen=True, slots=True)
class ChatMessage:
    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class JsonSchema:
    """The form of an answer. `schema` is a JSON Schema whose root is an object or an array; `name` is an identifier.

    It is sent as strict if it may be: every object closed (`additionalProperties` false) and all properties required.
    """

    name: str
    schema: dict[str, Any]


@dataclass(frozen=True, slots=True)
class JsonAnswer:
    """`data` has the root's type and required keys; everything deeper is still to be checked. Texts are unaltered."""

    data: Any
    call: UUID


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the endpoint counted them, else as the o200k_base tokenizer does. `call` is the ModelCall's id."""

    prompt_tokens: int
    completion_tokens: int
    call: UUID


@dataclass(frozen=True, slots=True)
class TextAnswer:
    text: str
    prompt_tokens: int
    completion_tokens: int
    call: UUID


def chat_model(space: Space, *, job: UUID | None = None, reference: str = "") -> ChatModel | None:
    """The chat model of the space, or None where none is configured.

    `job` and `reference` (what it is about, for example the conversation's id) are noted with each call.
    """
    raise NotImplementedError


class ChatModel:
    """A chat model at an OpenAI-compatible endpoint, with the space's budget. `name` is the model's.

    No method may be called inside a transaction (RuntimeError): a call takes seconds, and its row must stay whatever
    becomes of the caller. All raise the errors of `inference.errors`.
    """

    name: str

    def answer_json(
        self, *, purpose: Purpose, messages: Sequence[ChatMessage], schema: JsonSchema, max_tokens: int = 2000
    ) -> JsonAnswer:
        """Ask for JSON of the given form."""
        raise NotImplementedError

    def answer_text(self, *, purpose: Purpose, messages: Sequence[ChatMessage], max_tokens: int = 2000) -> TextAnswer:
        """Ask for text."""
        raise NotImplementedError

    def stream_text(
        self, *, purpose: Purpose, messages: Sequence[ChatMessage], max_tokens: int = 2000
    ) -> Iterator[str | Usage]:
        """Ask for text and yield its pieces as they arrive; the last item is the Usage."""
        raise NotImplementedError
