"""Chat: read the memory, ask the model, file the turn.

    turn = open_turn(space=space, asked=asked)           # the user's message is stored, whatever comes of the rest
    reply = ask(turn)                                     # or stream(turn)
    answered = file_reply(turn=turn, reply=reply)

A turn is one job: the message waits in it for the reply, so that both are read together. A reply that does not come, or
breaks off, is not filed: the conversation holds only what was said to its end. What arrived of it stands in the row of
the call. The message is then read without it, and may be sent again (with its id) for another try.
"""

from __future__ import annotations

import uuid
from collections.abc import Generator
from dataclasses import dataclass, field

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from extraction.models import Confirmation, Job
from extraction.selectors.questions import questions_about
from extraction.services.chat_prompt import build_prompt, recent_turns, repeats_memory
from extraction.services.gathering import end_waiting, enqueue_extraction
from inference.client import ChatMessage, ChatModel, Usage, chat_model
from inference.errors import (
    BudgetSpent,
    CutOff,
    EndpointRejected,
    InferenceError,
    Refused,
    Unavailable,
    Unreadable,
)
from inference.models import ModelCall, Purpose
from topics.errors import MemoryRefusal, WrongState
from topics.models import Message, Space
from topics.retrieval.answer import Citation, MemoryAnswer
from topics.retrieval.query import query_memory
from topics.services.conversations import CONTENT_LIMIT, MessageInput, store_messages
from topics.text.clean import clean_name, storable_text
from topics.text.echoes import markers_in

# Characters of a message, and of a system prompt. Rare characters have four tokens each, and the tokenizer takes
# 200,000 at once.
TEXT_LIMIT = 40_000
MEMORY_TOKENS, REPLY_TOKENS = 1500, 2000
# Seconds that a caller is asked to wait where the endpoint does not say how long.
PAUSE = 10.0

_CODES: dict[type[InferenceError], str] = {
    BudgetSpent: "budget_spent",
    Unavailable: "model_unavailable",
    Refused: "model_refused",
    CutOff: "model_cut_off",
    Unreadable: "model_unreadable",
    EndpointRejected: "model_rejected",
}


class NoModel(MemoryRefusal):
    """No model is configured for the space. Nothing was stored."""

    status = 503
    code = "no_model"


class ReplyFailed(MemoryRefusal):
    """The message is stored, but the model did not answer: 503 where it may later, 502 where it answered badly.

    `details` name the message and the job that reads it.
    """

    def __init__(self, error: InferenceError, turn: OpenTurn) -> None:
        code = next(code for kind, code in _CODES.items() if isinstance(error, kind))
        super().__init__(str(error), code=code, details=turn.ids())
        self.status = 503 if isinstance(error, BudgetSpent | Unavailable) else 502
        if error.retry:
            self.retry_after = PAUSE if error.retry_after is None else error.retry_after


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a caller sends. `max_tokens` limits the reply, `memory_tokens` the context block; `id` is the message's."""

    conversation: str
    message: str
    id: str = ""
    name: str = ""
    subject: str = ""
    system: str = ""
    max_tokens: int = REPLY_TOKENS
    memory_tokens: int = MEMORY_TOKENS


@dataclass(frozen=True, slots=True)
class OpenTurn:
    """A message that is stored and waits for its reply, with what the model will be told."""

    space: Space
    message: Message
    job: Job
    memory: MemoryAnswer
    questions: list[Confirmation]
    model: ChatModel
    prompt: list[ChatMessage]
    max_tokens: int

    def ids(self) -> dict[str, str]:
        return {"message": self.message.external_id, "job": str(self.job.pk)}


@dataclass(frozen=True, slots=True)
class Reply:
    """A whole reply; `is_cut_off` says that it reached the limit of its length."""

    text: str
    prompt_tokens: int
    completion_tokens: int
    is_cut_off: bool = False


@dataclass(frozen=True, slots=True)
class Answered:
    """A turn that is filed. `citations` are those of the memory that the reply uses; `unknown_markers` it made up."""

    reply: Message
    job: Job
    citations: list[Citation] = field(default_factory=list)
    unknown_markers: list[str] = field(default_factory=list)


def open_turn(*, space: Space, asked: Asked) -> OpenTurn:
    """Store the user's message and read the memory for it.

    Raises NoModel (nothing is stored then), WrongState for a message that has its reply already, and as
    `topics.services.conversations.store_messages`.
    """
    storable_text(asked.message, field="message", limit=TEXT_LIMIT)
    storable_text(asked.system, field="system", limit=TEXT_LIMIT, blank=True)
    storable_text(asked.id, field="id", limit=200, blank=True)
    if asked.name:
        clean_name(asked.name, field="name")
    model = chat_model(space, reference=asked.conversation)
    if model is None:
        raise NoModel(_("No model is configured."))
    message, job = _store(space, asked)
    now = timezone.now()
    earlier = recent_turns(message)
    memory = query_memory(
        space=space,
        question=asked.message,
        max_tokens=asked.memory_tokens,
        now=now,
        leave_out=[message.pk, *(turn.pk for turn in earlier)],
    )
    questions = questions_about(space, memory)
    prompt = build_prompt(
        space=space,
        system=asked.system,
        memory=memory,
        questions=questions,
        earlier=earlier,
        message=message,
        now=now,
    )
    return OpenTurn(space, message, job, memory, questions, model, prompt, asked.max_tokens)


def _store(space: Space, asked: Asked) -> tuple[Message, Job]:
    sent = MessageInput(role=Message.Role.USER, content=asked.message, id=asked.id, name=asked.name)
    with transaction.atomic():
        stored = store_messages(space=space, conversation=asked.conversation, messages=[sent], subject=asked.subject)
        if stored.messages:
            [message] = stored.messages
            job = enqueue_extraction(
                space=space, conversation=stored.conversation, messages=stored.messages, awaits_reply=True
            )
            return message, job
    [message] = stored.duplicates
    reply = stored.conversation.messages.filter(external_id=_reply_id(message)).first()
    if reply is not None:
        raise WrongState(
            _("This message has its reply already."), code="answered", details={"reply": reply.external_id}
        )
    return message, message.outcome.job


def ask(turn: OpenTurn) -> Reply:
    """The model's reply to the turn. Must not be called inside a transaction. Raises ReplyFailed."""
    try:
        answer = turn.model.answer_text(purpose=Purpose.CHAT, messages=turn.prompt, max_tokens=turn.max_tokens)
        return Reply(_storable(answer.text), answer.prompt_tokens, answer.completion_tokens)
    except CutOff as error:
        if error.partial and error.call:
            call = ModelCall.objects.get(pk=error.call)
            tokens = (call.prompt_tokens or 0, call.completion_tokens or 0)
            return Reply(_storable(error.partial), *tokens, is_cut_off=True)
        raise _failed(turn, error) from error
    except InferenceError as error:
        raise _failed(turn, error) from error


def stream(turn: OpenTurn) -> Generator[str | Reply, None, None]:
    """The pieces of the reply as they arrive, and at last the whole Reply.

    Closing it ends the call. Must not be used inside a transaction. Raises ReplyFailed, also after some pieces.
    """
    pieces: list[str] = []
    length = 0
    items = turn.model.stream_text(purpose=Purpose.CHAT, messages=turn.prompt, max_tokens=turn.max_tokens)
    try:
        for item in items:
            if isinstance(item, Usage):
                yield Reply("".join(pieces), item.prompt_tokens, item.completion_tokens, item.is_cut_off)
                continue
            piece = _storable(item)
            length += len(piece)
            if length > CONTENT_LIMIT:  # an endpoint that ignores the limit
                raise CutOff(_("The answer does not fit into the allowed length."))
            pieces.append(piece)
            yield piece
    except InferenceError as error:
        raise _failed(turn, error) from error
    except GeneratorExit:
        items.close()  # type: ignore[attr-defined]
        end_waiting(job=turn.job)
        raise


def _failed(turn: OpenTurn, error: InferenceError) -> ReplyFailed:
    """There will be no reply: let the message be read without it. The error to raise."""
    end_waiting(job=turn.job)
    return ReplyFailed(error, turn)


def file_reply(*, turn: OpenTurn, reply: Reply) -> Answered:
    """Store the reply and queue the turn for reading.

    Raises MessageConflict where another reply to the message was filed meanwhile.
    """
    sent = MessageInput(
        role=Message.Role.ASSISTANT,
        content=reply.text,
        id=_reply_id(turn.message),
        repeats_memory=repeats_memory(reply.text, turn.memory),
    )
    conversation = turn.message.conversation
    with transaction.atomic():
        stored = store_messages(space=turn.space, conversation=conversation.external_id, messages=[sent])
        if stored.messages:
            job = enqueue_extraction(space=turn.space, conversation=conversation, messages=stored.messages)
        else:
            job = stored.duplicates[0].outcome.job
    [filed] = stored.messages or stored.duplicates
    used = markers_in(reply.text)
    known = {citation.marker for citation in turn.memory.citations}
    return Answered(
        filed,
        job,
        citations=[citation for citation in turn.memory.citations if citation.marker in used],
        unknown_markers=[marker for marker in used if marker not in known],
    )


def _reply_id(message: Message) -> str:
    """The id of the reply to a message: always the same, so that no message can have two."""
    return uuid.uuid5(message.pk, "reply").hex


def _storable(text: str) -> str:
    """A model's words with what no database can hold (NUL, lone surrogates) replaced."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode("utf-8")
