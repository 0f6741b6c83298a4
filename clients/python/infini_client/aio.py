"""The asynchronous client. `sync.py` is made from this file by `python make_sync.py`; change this one."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from datetime import datetime
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx

from infini_client import types as t
from infini_client.errors import ConnectionFailed, JobFailed, WaitedTooLong
from infini_client.requests import (
    PAGE_SIZE,
    Request,
    batches,
    body_of,
    checked,
    connection,
    delete,
    get,
    next_cursor,
    next_page,
    patch,
    post,
    recorded,
    with_values,
)
from infini_client.retries import Retries, is_temporary, retry_after

T = TypeVar("T")


class AsyncClient:
    """The memory of one space. Use it as a context manager, or call `aclose` when you are done.

    `base_url` and `api_key` may come from INFINI_URL and INFINI_API_KEY; `timeout` is in seconds. Times must be aware.
    Every method raises `ApiError` (one class for each kind of answer) or `ConnectionFailed`, after the `retries`.
    """

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        timeout: float = 30.0,
        retries: Retries | None = None,
        language: str | None = None,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        """`language` is that of error texts ("en", "zh-hans"); `http` may be given, for a proxy or a certificate."""
        self._address, self._headers = connection(base_url, api_key)
        if language:
            self._headers["Accept-Language"] = language
        self._retries = retries or Retries()
        self._owns_http = http is None
        self._http = http or httpx.AsyncClient(timeout=timeout)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections, unless `http` was given."""
        if self._owns_http:
            await self._http.aclose()

    # ---------------------------------------------------------------------------------- the two calls of an agent

    async def recall(
        self,
        question: str,
        *,
        max_tokens: int | None = None,
        topics: Sequence[str] | None = None,
        include_archived: bool | None = None,
        as_of: datetime | None = None,
        format: str | None = None,
    ) -> t.Recall:
        """What is remembered about the question, as a context block of at most `max_tokens` tokens.

        `topics` (ids) narrows it down; `as_of` answers from what was held at that moment.
        """
        body = with_values(
            q=question,
            max_tokens=max_tokens,
            topics=",".join(topics) if topics else None,
            include_archived=include_archived,
            as_of=as_of,
            format=format,
        )
        # By POST, for a question may be longer than an address; it changes nothing, so any answer will do.
        return t.read(t.Recall, await self._json(post("memory", "query", body=body)))

    async def store(
        self,
        conversation: str,
        messages: Iterable[t.Message | Mapping[str, Any]],
        *,
        subject: str | None = None,
        idempotency_key: str | None = None,
    ) -> list[t.Accepted]:
        """Store what was said; the server reads it in the background.

        One result for each call that the server's limits (500 messages, 1 MiB) made necessary. `subject` is the topic
        that the conversation is mainly about, by name or id. With an `idempotency_key`, doing it again does nothing.
        """
        accepted = []
        for number, portion in enumerate(batches(messages)):
            body = with_values(messages=portion, subject=subject)
            key = f"{idempotency_key}-{number}" if idempotency_key and number else idempotency_key
            request = post("conversations", conversation, "messages", body=body, idempotency_key=key)
            accepted.append(t.read(t.Accepted, await self._json(request)))
        return accepted

    def messages(self, conversation: str) -> AsyncIterator[t.StoredMessage]:
        """What is stored of a conversation, in the order of its arrival. Raises NotFound for one that has not begun."""
        return self._each(t.StoredMessage, get("conversations", conversation, "messages", page_size=PAGE_SIZE))

    async def read_now(self, conversation: str) -> str | None:
        """Let what was stored be read without waiting for more or for a silence; the job, None where all is read."""
        job: str | None = (await self._json(post("conversations", conversation, "extract")))["job"]
        return job

    # ------------------------------------------------------------------------------------------------------- jobs

    async def job(self, job: str) -> t.Job:
        return t.read(t.Job, await self._json(get("jobs", job)))

    async def retry_job(self, job: str) -> t.Job:
        """Let a failed job try again."""
        return t.read(t.Job, await self._json(post("jobs", job, "retry")))

    async def wait_for(self, job: str, *, timeout: float = 60.0) -> t.Job:
        """Wait until the job has ended well. Raises JobFailed, or WaitedTooLong after `timeout` seconds."""
        end = time.monotonic() + timeout
        pause = 0.05
        while True:
            found = await self.job(job)
            if found.status == "failed":
                raise JobFailed(found)
            if found.is_over:
                return found
            if time.monotonic() + pause > end:
                raise WaitedTooLong(f"Job {job} is still {found.status} after {timeout:g} seconds.")
            await asyncio.sleep(pause)
            pause = min(1.0, pause * 1.5)

    # ------------------------------------------------------------------------------------------------- own findings

    async def extract(
        self,
        *,
        messages: Iterable[t.Message | Mapping[str, Any]] | None = None,
        text: str | None = None,
        topics: Sequence[str] | None = None,
    ) -> dict[str, Any]:
        """What would be taken out of the messages, or the text; nothing is stored. The shape is what `update` takes."""
        given = [m for portion in batches(messages) for m in portion] if messages is not None else None
        body = with_values(messages=given, text=text, topics=list(topics) if topics else None)
        found: dict[str, Any] = await self._json(post("memory", "extract", body=body))
        return found

    async def update(
        self, conversation: str, extractions: Sequence[Mapping[str, Any]], *, idempotency_key: str | None = None
    ) -> t.Updated:
        """Bring findings of your own. Every quote must stand in its message, word for word."""
        body = {"conversation": conversation, "extractions": list(extractions)}
        return t.read(t.Updated, await self._json(post("memory", "update", body=body, idempotency_key=idempotency_key)))

    async def record(
        self,
        topic: str,
        *statements: str,
        kind: str = "fact",
        conversation: str = "records",
        by: str | None = None,
        contradicts: Mapping[str, str] | None = None,
    ) -> t.Updated:
        """File statements about a topic, given by name or id, word for word and under the space's review policy.

        `kind` is fact, preference, decision or status; `by` says who stated it; `contradicts` names for a statement the
        fact (id) that it is meant to replace, which stays until the conflict is settled. The words are kept as messages
        of `conversation` that nobody reads for more.
        """
        messages, extraction = recorded(topic, statements, kind=kind, by=by, contradicts=contradicts or {})
        await self.store(conversation, messages)
        return await self.update(conversation, [extraction])

    # --------------------------------------------------------------------------------------------------- documents

    def topics(
        self, *, q: str | None = None, alias: str | None = None, kind: str | None = None, status: str | None = None
    ) -> AsyncIterator[t.Topic]:
        """The topics, all pages. `alias` finds one by any of its names, in any writing; `q` searches."""
        return self._each(t.Topic, get("topics", q=q, alias=alias, kind=kind, status=status))

    async def page_of_topics(
        self, cursor: str | None = None, *, size: int = 50, q: str | None = None
    ) -> tuple[list[t.Topic], str | None]:
        """At most 200 topics, and the cursor of those after them, None at the end.

        Raises NotFound for a cursor that no page gave.
        """
        page = await self._json(get("topics", cursor=cursor, page_size=size, q=q))
        return [t.read(t.Topic, item) for item in page["results"]], next_cursor(page)

    async def topic(self, topic: str) -> t.Topic:
        return await self._one(t.Topic, get("topics", topic))

    async def document(self, topic: str, *, as_of: datetime | None = None) -> t.Document:
        """The whole document, as it is now or was at `as_of`."""
        return await self._one(t.Document, get("topics", topic, "document", **with_values(as_of=as_of)))

    async def markdown(self, topic: str, *, as_of: datetime | None = None) -> str:
        """The whole document as Markdown."""
        request = get("topics", topic, "document", **with_values(as_of=as_of, format="markdown"))
        return (await self._response(request)).text

    def facts(self, topic: str, *, kind: str | None = None, status: str | None = None) -> AsyncIterator[t.Fact]:
        return self._each(t.Fact, get("topics", topic, "facts", kind=kind, status=status))

    async def fact(self, fact: str) -> t.Fact:
        return await self._one(t.Fact, get("facts", fact))

    def timeline(self, topic: str) -> AsyncIterator[t.Entry]:
        return self._each(t.Entry, get("topics", topic, "timeline"))

    async def entry(self, entry: str) -> t.Entry:
        return await self._one(t.Entry, get("timeline", entry))

    def aliases(self, topic: str) -> AsyncIterator[t.Alias]:
        return self._each(t.Alias, get("topics", topic, "aliases"))

    async def alias(self, alias: str) -> t.Alias:
        return await self._one(t.Alias, get("aliases", alias))

    # ---------------------------------------------------------------------------------------------------- maintain

    async def create_topic(
        self,
        name: str,
        *,
        kind: str | None = None,
        summary: str | None = None,
        aliases: Sequence[str] | None = None,
        reason: str | None = None,
    ) -> t.Topic:
        """Raises Conflict (`name_taken`) where a topic answers to that name already."""
        names = list(aliases) if aliases else None
        body = with_values(name=name, kind=kind, summary=summary, aliases=names, reason=reason)
        return await self._one(t.Topic, post("topics", body=body))

    async def change_topic(self, topic: t.Topic, **changes: Any) -> t.Topic:
        """Change `name`, `kind` or `summary`, with a `reason`. Raises Stale where somebody else changed it."""
        return await self._one(t.Topic, patch("topics", topic.id, body=changes, if_match=topic.etag))

    async def archive_topic(self, topic: str, *, reason: str = "") -> t.Topic:
        return await self._one(t.Topic, post("topics", topic, "archive", body={"reason": reason}))

    async def restore_topic(self, topic: str, *, reason: str = "") -> t.Topic:
        return await self._one(t.Topic, post("topics", topic, "restore", body={"reason": reason}))

    async def delete_topic(self, topic: t.Topic) -> None:
        await self._json(delete("topics", topic.id, if_match=topic.etag))

    async def add_fact(self, topic: str, text: str, **fields: Any) -> t.Fact:
        """Add a statement: `kind`, `attribute`, `value`, `unit`, `certainty`, `valid_from`, `valid_until`, `reason`…"""
        return await self._one(t.Fact, post("topics", topic, "facts", body=with_values(text=text, **fields)))

    async def change_fact(self, fact: t.Fact, **changes: Any) -> t.Fact:
        """Raises Stale where somebody else changed it. Another `text` alone drops attribute, value and unit."""
        return await self._one(t.Fact, patch("facts", fact.id, body=changes, if_match=fact.etag))

    async def retract_fact(self, fact: str, *, reason: str = "") -> t.Fact:
        return await self._one(t.Fact, post("facts", fact, "retract", body={"reason": reason}))

    async def add_entry(self, topic: str, text: str, happened_at: datetime, **fields: Any) -> t.Entry:
        body = with_values(text=text, happened_at=happened_at, **fields)
        return await self._one(t.Entry, post("topics", topic, "timeline", body=body))

    async def change_entry(self, entry: t.Entry, **changes: Any) -> t.Entry:
        """Change `text`, `happened_at`, `precision` or `certainty`. Raises Stale where somebody else changed it."""
        return await self._one(t.Entry, patch("timeline", entry.id, body=changes, if_match=entry.etag))

    async def retract_entry(self, entry: str, *, reason: str = "") -> t.Entry:
        return await self._one(t.Entry, post("timeline", entry, "retract", body={"reason": reason}))

    async def add_alias(self, topic: str, name: str, *, reason: str = "") -> t.Alias:
        return await self._one(t.Alias, post("topics", topic, "aliases", body={"name": name, "reason": reason}))

    async def remove_alias(self, alias: t.Alias) -> None:
        await self._json(delete("aliases", alias.id, if_match=alias.etag))

    def change_sets(self) -> AsyncIterator[t.ChangeSet]:
        """Every act on the documents, newest first."""
        return self._each(t.ChangeSet, get("change-sets"))

    async def change_set(self, change_set: str) -> t.ChangeSet:
        """One act, with the rows that it changed in `changes`."""
        return await self._one(t.ChangeSet, get("change-sets", change_set))

    async def undo(self, change_set: str, *, reason: str = "") -> t.ChangeSet:
        """Take a change set back, as a whole. Raises Conflict (`undo_blocked`) where something builds on it."""
        return await self._one(t.ChangeSet, post("change-sets", change_set, "undo", body={"reason": reason}))

    async def revert(self, change_set: str, row: str, *, reason: str = "") -> t.ChangeSet:
        """Put one row of a change set back: `row` is the id of one of its `changes`. What needs it goes along.

        Raises Conflict: `undo_blocked` where something builds on it, `whole_only` for what is undone as a whole.
        """
        body = {"row": row, "reason": reason}
        return await self._one(t.ChangeSet, post("change-sets", change_set, "revert", body=body))

    # ------------------------------------------------------------------------------------------------------- state

    def state(
        self,
        topic: str,
        *,
        prefix: str | None = None,
        after: str | None = None,
        before: str | None = None,
        order: str | None = None,
        values: bool = False,
        page_size: int = PAGE_SIZE,
    ) -> AsyncIterator[t.StateEntry]:
        """What a workflow keeps with a topic: keys that begin with `prefix`, above `after` and below `before`.

        `order` is key, -key, created or -created. With `values` the values come along.
        """
        asked = {"prefix": prefix, "after": after, "before": before, "order": order, "page_size": page_size}
        return self._each(t.StateEntry, get("topics", topic, "state", values=str(values).lower(), **asked))

    async def state_value(self, topic: str, key: str) -> tuple[Any, str]:
        """The value under a key, and its ETag. Raises NotFound where nothing is kept."""
        response = await self._response(get("topics", topic, "state", key))
        if not response.is_success:
            checked(response)
        return response.json(), response.headers.get("etag", "")

    async def write_state(self, topic: str, puts: Sequence[t.Put] = (), removals: Sequence[str] = ()) -> t.StateWritten:
        """Keep and free values, all or none: at most 500 each, and 1 MiB. Raises Stale where a put does not hold.

        The error's body names those in `keys`. Nothing is written then.
        """
        body = {"puts": [put.as_json() for put in puts], "removals": list(removals)}
        return t.read(t.StateWritten, await self._json(post("topics", topic, "state", body=body)))

    async def clear_state(self, topic: str, *, prefix: str) -> int:
        """Free every key that begins with `prefix`; how many there were."""
        removed: int = (await self._json(delete("topics", topic, "state", if_match="*", prefix=prefix)))["removed"]
        return removed

    # ------------------------------------------------------------------------------------------------------ review

    def proposals(
        self,
        *,
        status: str | None = "pending",
        kind: str | None = None,
        topic: str | None = None,
        conflict: bool | None = None,
    ) -> AsyncIterator[t.Proposal]:
        """What waits for a decision (or had one: see `status`)."""
        contradicts = None if conflict is None else str(conflict).lower()
        request = get("proposals", status=status, kind=kind, topic=topic, conflict=contradicts)
        return self._each(t.Proposal, request)

    async def decide(
        self,
        decision: str,
        ids: Sequence[str] | None = None,
        *,
        filter: Mapping[str, Any] | None = None,
        reason: str | None = None,
        edits: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
    ) -> t.Decisions:
        """Approve or reject proposals: a result for each, one change set for all."""
        chosen = list(ids) if ids is not None else None
        body = with_values(decision=decision, ids=chosen, filter=filter, reason=reason, edits=edits)
        request = post("proposals", "decide", body=body, idempotency_key=idempotency_key)
        return t.read(t.Decisions, await self._json(request))

    def conflicts(self, *, status: str | None = None) -> AsyncIterator[t.HeldConflict]:
        return self._each(t.HeldConflict, get("conflicts", status=status))

    async def resolve(self, conflict: str, outcome: str, **details: Any) -> t.Resolved:
        """Settle a conflict: replace, keep (what is older stays as what was true before, unless `never_true`), both
        (`valid_until` or `scope`), neither, or ask (`question`)."""
        body = with_values(outcome=outcome, **details)
        return t.read(t.Resolved, await self._json(post("conflicts", conflict, "resolve", body=body)))

    def confirmations(self, *, status: str | None = None) -> AsyncIterator[t.Confirmation]:
        """Questions to put to the user: those that are `open`, or were `answered` or `cancelled`."""
        return self._each(t.Confirmation, get("confirmations", status=status))

    async def confirmation(self, confirmation: str) -> t.Confirmation:
        """One question; `status` says whether it still needs an answer. Raises NotFound."""
        return t.read(t.Confirmation, await self._json(get("confirmations", confirmation)))

    async def answer(
        self, confirmation: str, answer: str, *, message: str | None = None, conversation: str | None = None
    ) -> t.Answered:
        """What the user said to the question: yes, no or other; `message` is the id of the message that says so."""
        body = with_values(answer=answer, message=message, conversation=conversation)
        return t.read(t.Answered, await self._json(post("confirmations", confirmation, "answer", body=body)))

    # ---------------------------------------------------------------------------------------------------- webhooks

    def webhooks(self) -> AsyncIterator[t.Webhook]:
        """Who is told what waits and what was decided. All that is about webhooks needs the scope `admin`."""
        return self._each(t.Webhook, get("webhooks"))

    async def webhook(self, webhook: str) -> t.Webhook:
        return await self._one(t.Webhook, get("webhooks", webhook))

    async def create_webhook(self, url: str, events: Sequence[str]) -> t.Webhook:
        """Tell `url` of `events`, such as review.waiting. Its `secret` is in this answer and never again.

        Raises Invalid for an address that is not public or https, Conflict (`too_many`) above 20.
        """
        return await self._one(t.Webhook, post("webhooks", body={"url": url, "events": list(events)}))

    async def change_webhook(self, webhook: t.Webhook, **changes: Any) -> t.Webhook:
        """Change `url`, `events` or `enabled`. Raises Stale where somebody else changed it."""
        return await self._one(t.Webhook, patch("webhooks", webhook.id, body=changes, if_match=webhook.etag))

    async def delete_webhook(self, webhook: t.Webhook) -> None:
        await self._json(delete("webhooks", webhook.id, if_match=webhook.etag))

    async def renew_webhook_secret(self, webhook: str) -> t.Webhook:
        """Give it a new `secret`, which this answer alone has; the former one signs nothing any more."""
        return await self._one(t.Webhook, post("webhooks", webhook, "secret"))

    async def test_webhook(self, webhook: str) -> t.Delivery:
        """Queue a delivery that tells nothing. Raises Conflict where the webhook is disabled."""
        return await self._one(t.Delivery, post("webhooks", webhook, "test"))

    def deliveries(self, webhook: str) -> AsyncIterator[t.Delivery]:
        """What it was told, newest first."""
        return self._each(t.Delivery, get("webhooks", webhook, "deliveries"))

    async def redeliver(self, webhook: str, delivery: str) -> t.Delivery:
        """Deliver the same once more, under the same `event_id`."""
        return await self._one(t.Delivery, post("webhooks", webhook, "deliveries", delivery, "retry"))

    # ------------------------------------------------------------------------------------------------------ inside

    async def _one(self, kind: type[T], request: Request) -> T:
        response = await self._response(request)
        return t.read(kind, checked(response), response.headers.get("etag", ""))

    async def _each(self, kind: type[T], first: Request) -> AsyncIterator[T]:
        request: Request | None = first
        while request is not None:
            page = await self._json(request)
            for item in page["results"]:
                yield t.read(kind, item)
            request = next_page(page)

    async def _json(self, request: Request) -> Any:
        return checked(await self._response(request))

    async def _response(self, request: Request) -> httpx.Response:
        """The response to a request, good or not, after the retries. Raises ConnectionFailed where there is none."""
        attempt = 0
        while True:
            attempt += 1
            pause: float | None = None
            try:
                response = await self._http.request(
                    request.method,
                    self._address + request.path,
                    params=request.params or None,
                    json=request.body,
                    headers=self._headers | request.headers(),
                )
            except httpx.TransportError as error:
                if request.may_repeat or isinstance(error, httpx.ConnectError):
                    pause = self._retries.pause(attempt, None)
                if pause is None:
                    raise ConnectionFailed(
                        f"{self._address} does not answer: {error or type(error).__name__}"
                    ) from error
            else:
                if response.is_success or not is_temporary(response.status_code, body_of(response)):
                    return response
                # 429 was refused before anything was done, so that any request may be repeated.
                if request.may_repeat or response.status_code == 429:
                    pause = self._retries.pause(attempt, retry_after(response.headers))
                if pause is None:
                    return response
            await asyncio.sleep(pause)
