"""The memory in LangChain: a retriever, tools, a chat history, and middleware for agents. The extra is `langchain`.

Everything here takes the blocking `Client`; LangChain's asynchronous methods run it in threads, which it is safe in.
https://reference.langchain.com/python/langchain
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, NotRequired

from infini_client import tools as words
from infini_client.errors import NotFound
from infini_client.extras import needs
from infini_client.hooks import NOT_STORED, OUTAGES, log
from infini_client.passages import passages
from infini_client.sync import Client
from infini_client.types import Message, StoredMessage

with needs("langchain"):
    from langchain.agents.middleware import AgentMiddleware, AgentState, ModelRequest
    from langchain.agents.middleware.types import PrivateStateAttr
    from langchain_core.callbacks import CallbackManagerForRetrieverRun
    from langchain_core.chat_history import BaseChatMessageHistory
    from langchain_core.documents import Document
    from langchain_core.messages import (
        AIMessage,
        BaseMessage,
        HumanMessage,
        SystemMessage,
        message_to_dict,
        messages_from_dict,
    )
    from langchain_core.retrievers import BaseRetriever
    from langchain_core.runnables.config import run_in_executor
    from langchain_core.tools import BaseTool, StructuredTool
    from langgraph.runtime import Runtime
    from pydantic import Field

__all__ = ["InfiniChatMessageHistory", "InfiniMiddleware", "InfiniRetriever", "memory_tools"]


class InfiniRetriever(BaseRetriever):
    """What is remembered about a question: a document for each statement, with its topic and sources as metadata.

    The best comes first, whatever its topic. `k` is how many at most, `max_tokens` what they may cost together, in the
    block that the server would make of them.
    """

    memory: Client
    k: int | None = Field(default=None, ge=1)
    max_tokens: int = Field(default=1500, ge=1)
    topics: Sequence[str] | None = None
    as_of: datetime | None = None

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, k: int | None = None
    ) -> list[Document]:
        found = self.memory.recall(query, max_tokens=self.max_tokens, topics=self.topics, as_of=self.as_of)
        chosen = passages(found)[: k or self.k]
        return [Document(id=p.id or None, page_content=p.text, metadata=p.metadata()) for p in chosen]


def memory_tools(memory: Client, *, conversation: str = "langchain", max_tokens: int = 1500) -> list[BaseTool]:
    """Tools to search the memory, read a document, record a statement (kept in `conversation`) and see its questions.

    Leave out those that your agent should not have: they are named search_memory, read_document, record_statement and
    list_questions.
    """

    def search_memory(question: Annotated[str, Field(description="What you want to know, as a question")]) -> str:
        return words.told(memory.recall(question, max_tokens=max_tokens))

    def read_document(topic: Annotated[str, Field(description="Any of the topic's names")]) -> str:
        for found in memory.topics(alias=topic):
            return memory.markdown(found.id)
        return words.unknown(topic)

    def record_statement(
        topic: Annotated[str, Field(description="What it is about: a topic's name, known or new")],
        statement: Annotated[str, Field(description="One complete sentence, in the language in which it was said")],
        kind: Literal["fact", "preference", "decision", "status"] = "fact",
    ) -> str:
        return words.filed(memory.record(topic, statement, kind=kind, conversation=conversation))

    def list_questions() -> str:
        return words.asked(list(memory.confirmations(status="open")))

    described = {
        search_memory: words.SEARCH,
        read_document: words.READ,
        record_statement: words.RECORD,
        list_questions: words.QUESTIONS,
    }
    return [StructuredTool.from_function(tool, description=text) for tool, text in described.items()]


class _RememberingState(AgentState[Any]):
    infini_context: NotRequired[Annotated[str, PrivateStateAttr]]  # type: ignore[valid-type,unused-ignore]


class InfiniMiddleware(AgentMiddleware[_RememberingState, Any, Any]):
    """For `create_agent`: recalls before the agent begins, and stores the turn when it has answered.

    What is remembered about the user's message joins the system message of every call of the model in this turn; it is
    not kept in the agent's messages. Where the memory does not answer, the agent goes on without it, and the log
    `infini_client` says so.
    """

    state_schema = _RememberingState

    def __init__(
        self,
        memory: Client,
        *,
        conversation: str | None = None,
        max_tokens: int = 1500,
        name: str | None = None,
        subject: str | None = None,
        store: bool = True,
    ) -> None:
        """Without a `conversation` it is the agent's `thread_id`. `name` is the user's, where messages have none.

        `subject` is the topic (name or id) that the conversation is mainly about. With `store` False it only recalls.
        """
        super().__init__()
        self.memory = memory
        self.conversation = conversation
        self.max_tokens = max_tokens
        self.user = name
        self.subject = subject
        self.store = store

    def before_agent(self, state: _RememberingState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Recall. Raises ValueError where there is no conversation to store the turn in, before anything is done."""
        if self.store:
            self._conversation(runtime)
        question = "\n".join(message.text for message in _asked(state["messages"])).strip()
        context = ""
        if question:
            try:
                context = self.memory.recall(question, max_tokens=self.max_tokens).context
            except OUTAGES as error:
                log.warning("The memory does not answer; the model is asked without it. %s", error)
        return {"infini_context": context}

    async def abefore_agent(self, state: _RememberingState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        recalled: dict[str, Any] | None = await run_in_executor(None, self.before_agent, state, runtime)
        return recalled

    def wrap_model_call(self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Any]) -> Any:
        return handler(_with_context(request))

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[Any]]
    ) -> Any:
        return await handler(_with_context(request))

    def after_agent(self, state: _RememberingState, runtime: Runtime[Any]) -> None:
        if self.store and (said := self._turn(state["messages"])):
            conversation = self._conversation(runtime)
            try:
                self.memory.store(conversation, said, subject=self.subject)
            except OUTAGES as error:
                log.warning(NOT_STORED, conversation, error)

    async def aafter_agent(self, state: _RememberingState, runtime: Runtime[Any]) -> None:
        await run_in_executor(None, self.after_agent, state, runtime)

    def _conversation(self, runtime: Runtime[Any]) -> str:
        info = runtime.execution_info
        found = self.conversation or (info.thread_id if info else None)
        if not found:
            raise ValueError("Name a conversation, or give the agent a checkpointer and call it with a thread_id.")
        return str(found)

    def _turn(self, messages: Sequence[BaseMessage]) -> list[Message]:
        """What the user said, and the agent's last words."""
        last = messages[-1] if messages else None
        reply = [last] if isinstance(last, AIMessage) else []
        return [_plain(message, self.user) for message in [*_asked(messages), *reply] if message.text.strip()]


class InfiniChatMessageHistory(BaseChatMessageHistory):
    """A chat history that is a conversation of the memory, which learns from it as it grows.

    What a prompt needs comes back as it was added: text, names, ids, calls of tools and their results; what else a
    provider noted about a message does not. Clearing is noted at the end of the conversation: the history is empty from
    then on, while what was said stays with the memory, where people retract what is wrong.
    """

    def __init__(self, memory: Client, conversation: str, *, subject: str | None = None) -> None:
        """`subject` is the topic (name or id) that the conversation is mainly about."""
        super().__init__()
        self.memory = memory
        self.conversation = conversation
        self.subject = subject

    @property
    def messages(self) -> list[BaseMessage]:  # type: ignore[override,unused-ignore]
        """All messages since the history was last cleared."""
        found: list[BaseMessage] = []
        try:
            for message in self.memory.messages(self.conversation):
                _replay(found, message)
        except NotFound:
            return []
        return found

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Store the messages. One that has its id from before is stored once; with another text, Conflict is raised."""
        self._store(stored for message in messages for stored in _stored(message))

    def clear(self) -> None:
        """Begin anew."""
        self._store([_note({"history": "clear"})])

    def _store(self, messages: Iterable[Message]) -> None:
        found = list(messages)
        if found:
            self.memory.store(self.conversation, found, subject=self.subject)


# The ids of what a history stores beside plain messages: the words of one that has more to it, and that one itself.
_WORDS, _NOTE = "words-", "note-"
_ROLES = {"human": "user", "ai": "assistant", "system": "system"}


def _asked(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """What the user said last: several messages, where nobody answered in between."""
    found: list[BaseMessage] = []
    for message in reversed(messages):
        if isinstance(message, HumanMessage):
            found.insert(0, message)
        elif found:
            break
    return found


def _with_context(request: ModelRequest[Any]) -> ModelRequest[Any]:
    context = request.state.get("infini_context")
    if not context:
        return request
    system = request.system_message
    if system is None:
        return request.override(system_message=SystemMessage(context))
    content: Any = system.content
    joined = f"{content}\n\n{context}" if isinstance(content, str) else [*content, {"type": "text", "text": context}]
    return request.override(system_message=system.model_copy(update={"content": joined}))


def _plain(message: BaseMessage, name: str | None = None) -> Message:
    who = message.name or (name if isinstance(message, HumanMessage) else None)
    return Message(message.text, _ROLES[message.type], message.id or str(uuid.uuid4()), who, datetime.now(UTC))


def _stored(message: BaseMessage) -> list[Message]:
    """How a message is stored: as words where it is no more than that, else as JSON, after its words if it has any."""
    has_calls = isinstance(message, AIMessage) and (message.tool_calls or message.invalid_tool_calls)
    if message.type in _ROLES and isinstance(message.content, str) and message.content.strip() and not has_calls:
        return [_plain(message)]
    said = []
    if message.type in _ROLES and message.text.strip():
        spoken = _plain(message)
        said = [Message(spoken.content, spoken.role, f"{_WORDS}{spoken.id}", spoken.name, spoken.said_at)]
    return [*said, _note({"history": "message", "message": message_to_dict(message)}, message.id)]


def _note(content: dict[str, Any], id: str | None = None) -> Message:
    # The role `tool`: nobody looks for statements in it.
    text = json.dumps(content, ensure_ascii=False)
    return Message(text, "tool", f"{_NOTE}{id or uuid.uuid4()}", said_at=datetime.now(UTC))


def _replay(found: list[BaseMessage], message: StoredMessage) -> None:
    """Do to the history what a stored message stands for. Messages of others who talked here count as said."""
    if message.role == "tool":
        note = _read_note(message)
        if note.get("history") == "clear":
            found.clear()
        elif note.get("history") == "message":
            found += messages_from_dict([note["message"]])
    elif not message.id.startswith(_WORDS):
        kind = {"user": HumanMessage, "assistant": AIMessage, "system": SystemMessage}[message.role]
        found.append(kind(content=message.content, name=message.name or None, id=message.id))


def _read_note(message: StoredMessage) -> dict[str, Any]:
    """What `_note` wrote; empty for a message that others stored."""
    try:
        note = json.loads(message.content) if message.id.startswith(_NOTE) else None
    except ValueError:
        return {}
    return note if isinstance(note, dict) else {}
