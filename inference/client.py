"""The one door to chat models: whoever needs one asks `chat_model` and speaks to the `ChatModel` it returns."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal
from uuid import UUID

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from inference.calls import Call
from inference.completion import (
    Completion,
    StreamedParts,
    ThinkingFilter,
    parse_object,
    read_completion,
    without_thinking,
)
from inference.endpoints import Endpoint, Space, chat_endpoint
from inference.errors import CutOff, InferenceError, Unavailable, Unreadable
from inference.ledger import Occasion, Record
from inference.models import Purpose
from inference.reader import NoJson, UnclosedJson, read_json
from inference.tokens import estimate_tokens
from inference.traits import (
    NO_JSON_OBJECT,
    NO_JSON_SCHEMA,
    NO_MAX_COMPLETION_TOKENS,
    NO_MAX_TOKENS,
    NO_STREAM_OPTIONS,
    NO_TEMPERATURE,
    Body,
    fit_messages,
)

Role = Literal["system", "user", "assistant"]


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

    def as_parameter(self) -> dict[str, Any]:
        return {"name": self.name, "schema": self.schema, "strict": _is_closed(self.schema)}


@dataclass(frozen=True, slots=True)
class JsonAnswer:
    """`data` has the root's type and required keys; everything deeper is still to be checked. Texts are unaltered."""

    data: Any
    call: UUID


@dataclass(frozen=True, slots=True)
class TextAnswer:
    """Tokens are as the endpoint counted them, else as the o200k_base tokenizer does. `call` is the ModelCall's id."""

    text: str
    prompt_tokens: int
    completion_tokens: int
    call: UUID


@dataclass(frozen=True, slots=True)
class Usage:
    """The last item of a stream: tokens and call as in TextAnswer, and whether the length limit ended the text."""

    prompt_tokens: int
    completion_tokens: int
    call: UUID
    is_cut_off: bool = False


def chat_model(space: Space, *, job: UUID | None = None, reference: str = "") -> ChatModel | None:
    """The chat model of the space, or None where none is configured.

    `job` and `reference` (what it is about, for example the conversation's id) are noted with each call.
    """
    endpoint = chat_endpoint(space)
    return ChatModel(space, endpoint, job=job, reference=reference) if endpoint else None


class ChatModel:
    """A chat model at an OpenAI-compatible endpoint, within the space's budget. `name` is the model's.

    No method may be called inside a transaction (RuntimeError): a call takes seconds, and its row must stay whatever
    becomes of the caller. All raise the errors of `inference.errors`.
    """

    def __init__(self, space: Space, endpoint: Endpoint, *, job: UUID | None = None, reference: str = "") -> None:
        self.name = endpoint.model
        self._space = space
        self._endpoint = endpoint
        self._job = job
        self._reference = reference

    def answer_json(
        self, *, purpose: Purpose, messages: Sequence[ChatMessage], schema: JsonSchema, max_tokens: int = 2000
    ) -> JsonAnswer:
        """Ask for JSON of the given form. A model that gives none the first time is asked once more.

        Raises CutOff where the JSON does not end, Unreadable where there is none.
        """

        def build(traits: Collection[str], is_second: bool) -> Body:
            asked = with_instruction(messages, in_words(schema)) if NO_JSON_SCHEMA in traits else messages
            body = self._body(asked, max_tokens, traits)
            # The first answer is to be the likeliest; the second must not be the same.
            if NO_TEMPERATURE not in traits and not is_second:
                body["temperature"] = 0
            if NO_JSON_SCHEMA not in traits:
                body["response_format"] = {"type": "json_schema", "json_schema": schema.as_parameter()}
            elif NO_JSON_OBJECT not in traits and schema.schema.get("type") == "object":
                body["response_format"] = {"type": "json_object"}
            return body

        call = self._call(purpose, messages, max_tokens, build)

        def exchange(body: Body, record: Record) -> JsonAnswer:
            completion = self._complete(call, body, record)
            try:
                data = read_json(completion.text, schema.schema)
            except NoJson as problem:
                if completion.is_cut_off or isinstance(problem, UnclosedJson):
                    message = _("The answer does not fit into the allowed length.")
                    raise CutOff(message, partial=completion.text) from None
                raise Unreadable(_("The model did not answer in the form it was asked for.")) from None
            return JsonAnswer(data, record.call)

        return call.run(exchange)

    def answer_text(self, *, purpose: Purpose, messages: Sequence[ChatMessage], max_tokens: int = 2000) -> TextAnswer:
        """Ask for text. Raises CutOff, with what there is, where it does not fit into `max_tokens`."""
        call = self._call(purpose, messages, max_tokens, partial(self._text_body, messages, max_tokens))

        def exchange(body: Body, record: Record) -> TextAnswer:
            completion = self._complete(call, body, record)
            text = without_thinking(completion.text).strip()
            if completion.is_cut_off:
                raise CutOff(_("The answer does not fit into the allowed length."), partial=text)
            return TextAnswer(text, record.prompt_tokens or 0, record.completion_tokens or 0, record.call)

        return call.run(exchange)

    def stream_text(
        self, *, purpose: Purpose, messages: Sequence[ChatMessage], max_tokens: int = 2000
    ) -> Iterator[str | Usage]:
        """Ask for text and yield its pieces as they arrive; the last item is the Usage.

        Until the first piece a failing endpoint is asked again, as elsewhere; after it the error is raised.
        """

        def build(traits: Collection[str], is_second: bool) -> Body:
            body = self._text_body(messages, max_tokens, traits, is_second)
            return body if NO_STREAM_OPTIONS in traits else body | {"stream_options": {"include_usage": True}}

        call = self._call(purpose, messages, max_tokens, build)
        has_begun = False
        while True:
            body = call.body()
            try:
                with call.record(body) as record:
                    for piece in self._pieces(call, body, record):
                        has_begun = True
                        yield piece
                return
            except InferenceError as error:
                if has_begun:
                    raise
                call.prepare_next(error, body)

    # ------------------------------------------------------------------------------------------------- inside

    def _call(
        self,
        purpose: Purpose,
        messages: Sequence[ChatMessage],
        max_tokens: int,
        build: Callable[[Collection[str], bool], Body],
    ) -> Call:
        estimate = estimate_tokens(message.content for message in messages) + max_tokens
        return Call(Occasion(self._space, purpose, self._job, self._reference), self._endpoint, build, estimate)

    def _body(self, messages: Sequence[ChatMessage], max_tokens: int, traits: Collection[str]) -> Body:
        plain = [{"role": message.role, "content": _sendable(message.content)} for message in messages]
        body: Body = {"model": self.name, "messages": fit_messages(plain, traits)}
        if NO_MAX_TOKENS not in traits:
            body["max_tokens"] = max_tokens
        elif NO_MAX_COMPLETION_TOKENS not in traits:
            body["max_completion_tokens"] = max_tokens
        return body

    def _text_body(
        self, messages: Sequence[ChatMessage], max_tokens: int, traits: Collection[str], is_second: bool
    ) -> Body:
        return self._body(messages, max_tokens, traits)

    def _complete(self, call: Call, body: Body, record: Record) -> Completion:
        """One exchange, up to an answer that has text."""
        from inference.transport import post

        content = post(self._endpoint, "chat", body)
        call.note_accepted()
        completion = read_completion(parse_object(content))
        _note(record, completion, body)
        completion.judge()
        return completion

    def _pieces(self, call: Call, body: Body, record: Record) -> Iterator[str | Usage]:
        """The pieces of one streamed exchange, thinking left out, and its Usage."""
        from inference.transport import post_for_events

        thinking = ThinkingFilter()
        parts = StreamedParts()
        try:
            for event in post_for_events(self._endpoint, body):
                call.note_accepted()
                if piece := thinking.feed(parts.add(read_completion(event))):
                    yield piece
        finally:
            if parts.has_begun:
                _note(record, parts.whole(), body)
        whole = parts.whole()
        whole.judge()
        if not whole.finish_reason and not parts.has_usage:
            raise Unavailable(format_lazy(_("The model at {host} broke its answer off."), host=self._endpoint.host))
        if rest := thinking.flush():
            yield rest
        yield Usage(record.prompt_tokens or 0, record.completion_tokens or 0, record.call, whole.is_cut_off)


def _is_closed(schema: Any) -> bool:
    if isinstance(schema, list):
        return all(map(_is_closed, schema))
    if not isinstance(schema, dict):
        return True
    if schema.get("type") == "object" or "properties" in schema:
        properties = schema.get("properties", {})
        if schema.get("additionalProperties") is not False or set(properties) != set(schema.get("required", ())):
            return False
        return all(map(_is_closed, properties.values()))
    return all(_is_closed(part) for name, part in schema.items() if name not in ("enum", "const"))


def in_words(schema: JsonSchema) -> str:
    """The wanted form as an instruction, for models that cannot be given it as a parameter."""
    text = json.dumps(schema.schema, ensure_ascii=False)
    return f"Answer with JSON that fits this JSON Schema, and with nothing else:\n{text}"


def with_instruction(messages: Sequence[ChatMessage], text: str) -> list[ChatMessage]:
    """The messages with `text` at the end of the first system message; some models allow one only, and only first."""
    rest = list(messages)
    first = rest.pop(0).content if rest and rest[0].role == "system" else ""
    return [ChatMessage("system", f"{first}\n\n{text}".strip()), *rest]


def _note(record: Record, completion: Completion, body: Body) -> None:
    """What the call used and answered; where the endpoint does not count tokens, they are counted here."""
    record.answer = completion.text or completion.refusal
    record.prompt_tokens, record.completion_tokens = completion.prompt_tokens, completion.completion_tokens
    if record.prompt_tokens is None:
        record.prompt_tokens = estimate_tokens(message["content"] for message in body["messages"])
    if record.completion_tokens is None:
        record.completion_tokens = estimate_tokens([completion.text])


def _sendable(text: str) -> str:
    """The text with lone surrogates, which UTF-8 does not have, replaced."""
    return text.encode("utf-8", "replace").decode("utf-8")
