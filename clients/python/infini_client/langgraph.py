"""The memory's state API in LangGraph: a `BaseStore` and a checkpointer. The extra is `langgraph`.

Both keep what they are given, exactly, as the workflow state of one topic. It is the program's own: nobody reviews it.
What a conversation should teach the memory goes through the hooks or `infini_client.langchain`.
They take the blocking `Client`; LangGraph's asynchronous methods run it in threads, which it is safe in.
https://reference.langchain.com/python/langgraph
"""

from __future__ import annotations

import asyncio
import base64
import json
import math
import re
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from typing import Any

from infini_client.errors import Conflict, Stale
from infini_client.extras import needs
from infini_client.requests import PAGE_SIZE
from infini_client.sync import Client
from infini_client.types import Put, StateEntry

with needs("langgraph"):
    from langchain_core.runnables import RunnableConfig
    from langgraph.checkpoint.base import (
        WRITES_IDX_MAP,
        BaseCheckpointSaver,
        ChannelVersions,
        Checkpoint,
        CheckpointMetadata,
        CheckpointTuple,
        get_checkpoint_id,
        get_checkpoint_metadata,
        writes_sort_key,
    )
    from langgraph.checkpoint.serde.base import SerializerProtocol
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        Item,
        ListNamespacesOp,
        MatchCondition,
        Op,
        PutOp,
        Result,
        SearchItem,
        SearchOp,
        validate_op_namespace,
    )

__all__ = ["InfiniSaver", "InfiniStore"]

# The server's limits for one write: 500 keys, 1 MiB, and 256 KiB for a value.
PUTS_A_CALL = 500
BYTES_A_CALL = 900_000
BYTES_A_VALUE = 240_000

Namespace = tuple[str, ...]
Puts = list[Put]  # for a class that has a method `list`


class _State:
    """The state of one topic, which is made when it is first needed."""

    def __init__(self, memory: Client, topic: str) -> None:
        self.memory = memory
        self.name = topic
        self._id = ""

    @property
    def topic(self) -> str:
        """The topic's id."""
        if not self._id:
            self._id = self._find() or self._make()
        return self._id

    def _find(self) -> str:
        return next((topic.id for topic in self.memory.topics(alias=self.name)), "")

    def _make(self) -> str:
        try:
            return self.memory.create_topic(self.name, reason="LangGraph keeps its state here").id
        except Conflict:  # another process was faster
            return self._find()

    def entries(self, prefix: str, *, order: str = "key", values: bool = True, **options: Any) -> Iterator[StateEntry]:
        return self.memory.state(self.topic, prefix=prefix, order=order, values=values, **options)

    def entry(self, key: str) -> StateEntry | None:
        # Of all keys that begin with this one, it is the first.
        found = next(self.entries(key, page_size=1), None)
        return found if found is not None and found.key == key else None

    def write(self, puts: Sequence[Put] = (), removals: Sequence[str] = ()) -> None:
        """In as many calls as the limits ask for, the puts in their order; each call does all or nothing."""
        for portion in _portions(puts):
            self.memory.write_state(self.topic, portion)
        for start in range(0, len(removals), PUTS_A_CALL):
            self.memory.write_state(self.topic, removals=removals[start : start + PUTS_A_CALL])

    def clear(self, prefix: str) -> None:
        self.memory.clear_state(self.topic, prefix=prefix)


class InfiniStore(BaseStore):
    """A `BaseStore` whose items are JSON under keys of a topic's state.

    Items are found by namespace and by `filter` (values, or $eq, $ne, $gt, $gte, $lt, $lte), in the order in which they
    were made. With a `query` those that share words with it come first, by BM25 over all text of the value, in English
    and Chinese alike; their `score` says how much, and 0 that they share none. Such a search, and one with a filter,
    reads every item of its namespace. There are no embeddings, so `index` is not looked at, and no TTL.
    """

    def __init__(self, memory: Client, *, topic: str = "LangGraph") -> None:
        """`topic` names the topic that holds the items; a key with `write` makes it when it is first needed."""
        self._state = _State(memory, topic)

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Do the operations: first what reads, then what writes, of which the last for each key counts."""
        operations = list(ops)
        for op in operations:
            validate_op_namespace(op)
        results: list[Result] = []
        written: dict[str, PutOp] = {}
        for op in operations:
            if isinstance(op, GetOp):
                results.append(self._get(op))
            elif isinstance(op, SearchOp):
                results.append(self._search(op))
            elif isinstance(op, ListNamespacesOp):
                results.append(self._namespaces(op))
            elif isinstance(op, PutOp):
                written[_item_key(op.namespace, op.key)] = op
                results.append(None)
            else:
                raise ValueError(f"There is no operation {type(op).__name__}.")
        puts = [Put(key, op.value) for key, op in written.items() if op.value is not None]
        self._state.write(puts, [key for key, op in written.items() if op.value is None])
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        return await asyncio.to_thread(self.batch, list(ops))

    def _get(self, op: GetOp) -> Item | None:
        entry = self._state.entry(_item_key(op.namespace, op.key))
        return Item(**_fields(entry)) if entry is not None and isinstance(entry.value, dict) else None

    def _search(self, op: SearchOp) -> list[SearchItem]:
        wanted = None if op.filter or op.query else op.offset + op.limit
        size = min(PAGE_SIZE, wanted or PAGE_SIZE)
        found: list[StateEntry] = []
        for entry in self._state.entries(_prefix(op.namespace_prefix), order="created", page_size=size):
            if isinstance(entry.value, dict) and _matches(entry.value, op.filter or {}):
                found.append(entry)
            if len(found) == wanted:
                break
        chosen = slice(op.offset, op.offset + op.limit)
        if not op.query:
            return [SearchItem(**_fields(entry)) for entry in found[chosen]]
        scores = _scores(op.query, [_text(entry.value) for entry in found])
        scored = sorted(zip(scores, found, strict=True), key=lambda pair: -pair[0])
        return [SearchItem(**_fields(entry), score=score) for score, entry in scored[chosen]]

    def _namespaces(self, op: ListNamespacesOp) -> list[Namespace]:
        conditions = op.match_conditions or ()
        prefix = next((_prefix(c.path) for c in conditions if c.match_type == "prefix" and "*" not in c.path), "store/")
        found = {_namespace_and_key(entry.key)[0] for entry in self._state.entries(prefix, values=False)}
        chosen = {namespace[: op.max_depth] for namespace in found if all(_fits(c, namespace) for c in conditions)}
        return sorted(chosen)[op.offset : op.offset + op.limit]


class InfiniSaver(BaseCheckpointSaver[int]):
    """A checkpointer whose checkpoints and writes are values of a topic's state.

    Threads survive the process, go on at any machine that has the key, and support time travel, copying and pruning. A
    checkpoint is complete when it can be found: what is too large for one value is written before it, in parts.
    """

    def __init__(self, memory: Client, *, topic: str = "LangGraph", serde: SerializerProtocol | None = None) -> None:
        """`topic` names the topic that holds the threads; a key with `write` makes it when it is first needed."""
        super().__init__(serde=serde)
        self._state = _State(memory, topic)

    # ------------------------------------------------------------------------------------------------------ reading

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        thread, namespace = _place(config)
        checkpoint_id = get_checkpoint_id(config)
        if checkpoint_id:
            entry = self._state.entry(_path("checkpoints", thread, namespace, checkpoint_id))
        else:
            latest = self._state.entries(_path("checkpoints", thread, namespace, ""), order="-key", page_size=1)
            entry = next(latest, None)
        return None if entry is None else self._tuple(entry)

    def list(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        """Newest first in each namespace. `filter` compares values of the metadata."""
        only = get_checkpoint_id(config) if config else None
        end = get_checkpoint_id(before) if before else None
        count = 0
        size = PAGE_SIZE if limit is None or filter else max(1, min(PAGE_SIZE, limit))
        for entry in self._state.entries(_range(config), order="-key", page_size=size):
            if limit is not None and count >= limit:
                return
            checkpoint_id = _parts_of(entry.key)[-1]
            if (only and checkpoint_id != only) or (end and checkpoint_id >= end):
                continue
            found = self._tuple(entry, filter)
            if found is not None:
                count += 1
                yield found

    def _tuple(self, entry: StateEntry, filter: Mapping[str, Any] | None = None) -> CheckpointTuple | None:
        """The checkpoint; None where its metadata are not those that `filter` asks for."""
        thread, namespace, checkpoint_id = _parts_of(entry.key)
        checkpoint, metadata = self._unpacked(entry.value, entry.key)
        if any(metadata.get(name) != value for name, value in (filter or {}).items()):
            return None
        parent = entry.value["parent"]
        return CheckpointTuple(
            config=_config(thread, namespace, checkpoint_id),
            checkpoint=checkpoint,
            metadata=metadata,
            parent_config=_config(thread, namespace, parent) if parent else None,
            pending_writes=self._writes(thread, namespace, checkpoint_id),
        )

    def _writes(self, thread: str, namespace: str, checkpoint_id: str) -> Sequence[tuple[str, str, Any]]:
        found = list(self._state.entries(_path("writes", thread, namespace, checkpoint_id, "")))
        found.sort(key=lambda e: writes_sort_key(e.value["path"], e.value["task"], e.value["index"]))
        return [(e.value["task"], e.value["channel"], self._unpacked(e.value, e.key)) for e in found]

    # ------------------------------------------------------------------------------------------------------ writing

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        thread, namespace = _place(config)
        key = _path("checkpoints", thread, namespace, checkpoint["id"])
        parent = config["configurable"].get("checkpoint_id")
        content = (checkpoint, get_checkpoint_metadata(config, metadata))
        self._state.write(self._packed(key, content, {"parent": parent}))
        return _config(thread, namespace, checkpoint["id"])

    def put_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Store what a task wrote. A write that is there already stays, but for errors, interrupts and the like."""
        thread, namespace = _place(config)
        place = ("writes", thread, namespace, config["configurable"]["checkpoint_id"], task_id)
        for_good: Puts = []
        for position, (channel, value) in enumerate(writes):
            index = WRITES_IDX_MAP.get(channel, position)
            about = {"task": task_id, "path": task_path, "channel": channel, "index": index}
            puts = self._packed(_path(*place, f"{index:+05d}"), value, about)
            if index < 0:
                self._state.write(puts)
            else:
                self._state.write(puts[:-1])
                for_good.append(Put(puts[-1].key, puts[-1].value, only_new=True))
        self._add(for_good)

    def _add(self, puts: Sequence[Put]) -> None:
        """Write those whose keys are free."""
        for portion in _portions(puts):
            left = portion
            while left:
                try:
                    self._state.memory.write_state(self._state.topic, left)
                    break
                except Stale as error:
                    taken = set(error.body.get("keys", ()))
                    left = [put for put in left if put.key not in taken]

    # ----------------------------------------------------------------------------------------------------- removing

    def delete_thread(self, thread_id: str) -> None:
        for tree in _TREES:
            self._state.clear(_path(tree, thread_id, ""))

    def delete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Delete the checkpoints that these runs made. This reads every thread."""
        runs = set(run_ids)
        for entry in [*self._state.entries("checkpoints/")] if runs else ():
            if self._unpacked(entry.value, entry.key)[1].get("run_id") in runs:
                self._delete(entry.key)

    def copy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy a thread with all its checkpoints and writes; those become visible last."""
        for tree in reversed(_TREES):
            old, new = _path(tree, source_thread_id, ""), _path(tree, target_thread_id, "")
            self._state.write([Put(new + e.key.removeprefix(old), e.value) for e in self._state.entries(old)])

    def prune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Keep the latest checkpoint of each namespace, or with "delete" none.

        With delta channels, the ancestors that the latest one is rebuilt from are kept as well.
        """
        if strategy not in ("keep_latest", "delete"):
            raise ValueError(f"There is no strategy {strategy!r}: it is keep_latest or delete.")
        for thread in thread_ids:
            if strategy == "delete":
                self.delete_thread(thread)
                continue
            kept: dict[str, set[str]] = {}
            for entry in [*self._state.entries(_path("checkpoints", thread, ""), order="-key")]:
                _, namespace, checkpoint_id = _parts_of(entry.key)
                if namespace not in kept:
                    kept[namespace] = self._needed(entry)
                if checkpoint_id not in kept[namespace]:
                    self._delete(entry.key)

    def _needed(self, entry: StateEntry | None) -> set[str]:
        """The ids of a checkpoint and of the ancestors without which its delta channels could not be rebuilt."""
        found: set[str] = set()
        missing: set[str] | None = None
        while entry is not None:
            thread, namespace, checkpoint_id = _parts_of(entry.key)
            found.add(checkpoint_id)
            checkpoint, metadata = self._unpacked(entry.value, entry.key)
            if missing is None:
                missing = set(metadata.get("counters_since_delta_snapshot") or ())
            missing -= set(checkpoint["channel_values"])
            parent = entry.value["parent"]
            entry = self._state.entry(_path("checkpoints", thread, namespace, parent)) if missing and parent else None
        return found

    def _delete(self, key: str) -> None:
        """Delete a checkpoint with its writes, and the parts of both."""
        place = key.removeprefix("checkpoints/")
        self._state.write(removals=[key])
        for prefix in (f"writes/{place}/", f"parts/checkpoints/{place}/", f"parts/writes/{place}/"):
            self._state.clear(prefix)

    # ----------------------------------------------------------------------------------------------- in other words

    def _packed(self, key: str, content: Any, about: Mapping[str, Any]) -> Puts:
        """The puts that store something under a key, that of the key itself as the last one."""
        kind, data = self.serde.dumps_typed(content)
        text = base64.b64encode(data).decode()
        pieces = [text[start : start + BYTES_A_VALUE] for start in range(0, len(text), BYTES_A_VALUE)]
        if len(pieces) <= 1:
            return [Put(key, {**about, "type": kind, "data": text})]
        parts = [Put(f"parts/{key}/{number:06}", piece) for number, piece in enumerate(pieces)]
        return [*parts, Put(key, {**about, "type": kind, "parts": len(parts)})]

    def _unpacked(self, value: Mapping[str, Any], key: str) -> Any:
        text = value.get("data")
        if text is None:
            text = "".join(part.value for part in self._state.entries(f"parts/{key}/"))
        return self.serde.loads_typed((value["type"], base64.b64decode(text)))

    # ------------------------------------------------------------------------------------------------- asynchronous

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        return await asyncio.to_thread(self.get_tuple, config)

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        found = self.list(config, filter=filter, before=before, limit=limit)
        while (item := await asyncio.to_thread(next, found, None)) is not None:
            yield item

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        return await asyncio.to_thread(self.put, config, checkpoint, metadata, new_versions)

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        await asyncio.to_thread(self.put_writes, config, writes, task_id, task_path)

    async def adelete_thread(self, thread_id: str) -> None:
        await asyncio.to_thread(self.delete_thread, thread_id)

    async def adelete_for_runs(self, run_ids: Sequence[str]) -> None:
        await asyncio.to_thread(self.delete_for_runs, run_ids)

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        await asyncio.to_thread(self.copy_thread, source_thread_id, target_thread_id)

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        await asyncio.to_thread(self.prune, thread_ids, strategy=strategy)


# --------------------------------------------------------------------------------------------------------------- keys

# Where the saver keeps what; a thread is deleted in this order, and copied in the other.
_TREES = ("checkpoints", "writes", "parts/checkpoints", "parts/writes")
_SPECIAL = re.compile(r"[%/\x00-\x1f]")
_ESCAPED = re.compile(r"%([0-9A-F]{2})")


def _escaped(part: str) -> str:
    return _SPECIAL.sub(lambda found: f"%{ord(found[0]):02X}", part)


def _plain(part: str) -> str:
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), part)


def _path(tree: str, *parts: str) -> str:
    """A key: the parts, in which a slash is escaped, with slashes between them. An empty last part makes a prefix."""
    return "/".join((tree, *(_escaped(str(part)) for part in parts)))


def _parts_of(key: str) -> list[str]:
    return [_plain(part) for part in key.split("/")[1:]]


def _prefix(namespace: Sequence[str]) -> str:
    return _path("store", *namespace, "")


def _item_key(namespace: Namespace, key: str) -> str:
    return _path("store", *namespace, key)


def _namespace_and_key(key: str) -> tuple[Namespace, str]:
    *namespace, last = _parts_of(key)
    return tuple(namespace), last


def _fields(entry: StateEntry) -> dict[str, Any]:
    namespace, key = _namespace_and_key(entry.key)
    times = {"created_at": entry.created_at, "updated_at": entry.updated_at}
    return {"namespace": namespace, "key": key, "value": entry.value, **times}


def _place(config: RunnableConfig) -> tuple[str, str]:
    """The thread and the namespace that a config names."""
    named = config["configurable"]
    return str(named["thread_id"]), named.get("checkpoint_ns", "")


def _range(config: RunnableConfig | None) -> str:
    """The prefix of the checkpoints that a config names: all, those of a thread, or of one of its namespaces."""
    if config is None:
        return "checkpoints/"
    named = config["configurable"]
    namespace = named.get("checkpoint_ns")
    return _path("checkpoints", named["thread_id"], *([] if namespace is None else [namespace]), "")


def _config(thread: str, namespace: str, checkpoint_id: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread, "checkpoint_ns": namespace, "checkpoint_id": checkpoint_id}}


def _portions(puts: Sequence[Put]) -> list[list[Put]]:
    """The puts in as many calls as the server's limits ask for."""
    portions: list[list[Put]] = []
    size = 0
    for put in puts:
        length = len(json.dumps(put.as_json(), ensure_ascii=False).encode("utf-8", "replace")) + 2
        if not portions or len(portions[-1]) == PUTS_A_CALL or size + length > BYTES_A_CALL:
            portions.append([])
            size = 0
        portions[-1].append(put)
        size += length
    return portions


# ------------------------------------------------------------------------------------------------------ what is sought


def _matches(value: Any, wanted: Any) -> bool:
    """Whether a value is what a filter asks for: equal, part by part, or as its operators say."""
    if isinstance(wanted, Mapping):
        if any(name.startswith("$") for name in wanted):
            return all(_holds(value, operator, operand) for operator, operand in wanted.items())
        return isinstance(value, Mapping) and all(_matches(value.get(name), part) for name, part in wanted.items())
    if isinstance(wanted, (list, tuple)):
        is_list = isinstance(value, list) and len(value) == len(wanted)
        return is_list and all(_matches(part, other) for part, other in zip(value, wanted, strict=True))
    return bool(value == wanted)


def _holds(value: Any, operator: str, operand: Any) -> bool:
    if operator == "$eq":
        return bool(value == operand)
    if operator == "$ne":
        return bool(value != operand)
    if operator not in ("$gt", "$gte", "$lt", "$lte"):
        raise ValueError(f"A filter has no operator {operator!r}.")
    try:
        left, right = float(value), float(operand)
    except (TypeError, ValueError):  # what is no number is neither more nor less
        return False
    return {"$gt": left > right, "$gte": left >= right, "$lt": left < right, "$lte": left <= right}[operator]


def _fits(condition: MatchCondition, namespace: Namespace) -> bool:
    """Whether a namespace begins or ends as the condition says; `*` stands for any label."""
    path = tuple(condition.path)
    if len(namespace) < len(path):
        return False
    part = namespace[: len(path)] if condition.match_type == "prefix" else namespace[len(namespace) - len(path) :]
    return all(wanted in ("*", label) for wanted, label in zip(path, part, strict=True))


_WORD = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+")


def _words(text: str) -> list[str]:
    """Words in lower case; Chinese text by its characters."""
    return _WORD.findall(text.lower())


def _text(value: Any) -> str:
    if isinstance(value, Mapping):
        return " ".join(_text(part) for part in value.values())
    if isinstance(value, list):
        return " ".join(_text(part) for part in value)
    return "" if value is None else str(value)


def _scores(query: str, texts: Sequence[str]) -> list[float]:
    """How much each text says of the query's words: BM25 with the usual k1 = 1.2 and b = 0.75.

    S. Robertson and H. Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009.
    """
    documents = [Counter(_words(text)) for text in texts]
    lengths = [document.total() for document in documents]
    average = sum(lengths) / len(lengths) if any(lengths) else 1.0
    scores = [0.0] * len(documents)
    for word in set(_words(query)):
        holding = sum(word in document for document in documents)
        rarity = math.log(1 + (len(documents) - holding + 0.5) / (holding + 0.5))
        for number, document in enumerate(documents):
            if count := document[word]:
                scores[number] += rarity * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * lengths[number] / average))
    return scores
