"""A space as large as one likes, written fast: what the programs beside this one measure on.

The rows are those that the services would have written (a change set for every few facts, history, versions, evidence,
read conversations, approved proposals), but inserted in bulk. Those of the search index are made by the product's own
functions, and pairs of duplicates are found by `search_duplicates`.
Words are invented; how often each occurs follows Zipf's law, as in a language.
"""

from __future__ import annotations

import bisect
import itertools
import os
import random
import sys
import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

ROOT = Path(__file__).resolve().parent.parent
BEGIN = datetime(2023, 1, 2, 8, tzinfo=UTC)
A_SET = 4  # facts of one change set
A_MESSAGE = 2  # facts said in one message
A_CONVERSATION = 20  # messages
QUALITIES = "annual monthly first last planned agreed preferred main second local foreign former".split()
MATTERS = (
    "budget address deadline supplier contact price warehouse carrier invoice holiday meeting discount version "
    "contract delivery manager language currency office phone plan report agreement visit order"
).split()
KINDS = ("person", "customer", "project", "task", "interest", "other")
FACT_KINDS = ("fact", "fact", "fact", "decision", "number", "status", "preference")


@contextmanager
def own_database(url: str, folder: Path, name: str) -> Iterator[str]:
    """The URL of a database of one's own: a file in `folder`, or one on the server of `url`, whose path is ignored.

    The one on the server exists only inside this block.
    """
    if not url:
        yield f"sqlite:///{folder / name}.sqlite3"
        return
    with _server_of(url) as server:
        server.execute(f'CREATE DATABASE "{name}"')
    try:
        yield _at(url, name)
    finally:
        with _server_of(url) as server:
            server.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def kept_database(url: str, folder: Path, name: str) -> str:
    """The URL of a database that stays for a later run, made if it is not there: a file, or one on the server."""
    if not url:
        folder.mkdir(parents=True, exist_ok=True)
        return f"sqlite:///{folder / name}.sqlite3"
    with _server_of(url) as server:
        if not server.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
            server.execute(f'CREATE DATABASE "{name}"')
    return _at(url, name)


def _server_of(url: str) -> Any:
    import psycopg

    return psycopg.connect(_at(url, "postgres"), autocommit=True)


def _at(url: str, name: str) -> str:
    return urlunsplit(urlsplit(url)._replace(path=f"/{name}"))


def set_up_django(database: str, **environment: str) -> None:
    """Settle the environment of this process and its children, and set Django up on a migrated database."""
    os.environ |= {"DJANGO_SETTINGS_MODULE": "infini.settings", "DATABASE_URL": database, "CELERY_BROKER_URL": ""}
    os.environ |= {"INFINI_LOG_LEVEL": "WARNING", **environment}
    sys.path.insert(0, str(ROOT))
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)


# ------------------------------------------------------------------------------------------------------------ words


class Words:
    """Invented words, the n-th of which is n times as rare as the first."""

    def __init__(self, rng: random.Random, count: int = 30_000) -> None:
        self.rng = rng
        syllables = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "or", "el")]
        found: dict[str, None] = {}
        while len(found) < count:
            found["".join(rng.choices(syllables, k=rng.choice((2, 3, 3, 4))))] = None
        self.all = list(found)
        self._sums = list(itertools.accumulate(1 / (rank + 10) for rank in range(count)))

    def some(self, count: int) -> list[str]:
        last = self._sums[-1]
        return [self.all[bisect.bisect(self._sums, self.rng.random() * last)] for _ in range(count)]


@dataclass
class Story:
    """One topic with what is said of it."""

    pk: uuid.UUID
    name: str
    kind: str
    aliases: list[str]
    matters: list[str]
    texts: list[str] = field(default_factory=list)


def stories(words: Words, topics: int, facts: int) -> Iterator[Story]:
    """The topics; every hundredth is another writing of the one before it, every thousandth holds far more facts."""
    from topics.ids import uuid7

    rng, rest = words.rng, facts
    taken: set[str] = set()
    former = ""
    for number in range(topics):
        name = ""
        if number % 100 == 99:
            name = " ".join(reversed(former.split()))
        while not name or name in taken:
            name = " ".join(word.title() for word in rng.sample(words.all, 2))
        taken.add(name)
        former = name
        mean = rest / (topics - number)
        count = round(mean * 10) if number % 1000 == 500 else round(mean * rng.uniform(0.3, 1.7))
        count = rest if number == topics - 1 else min(count, rest)
        rest -= count
        story = Story(uuid7(), name, rng.choice(KINDS), [], [])
        if number % 5 == 0:
            alias = "".join(part[:4] for part in name.split()).lower() + str(number)
            story.aliases.append(alias)
        said: dict[str, str] = {}
        while len(said) < count:
            matter = f"{rng.choice(QUALITIES)} {rng.choice(MATTERS)}"
            middle, end = " ".join(words.some(3)), " ".join(words.some(rng.randrange(2, 9)))
            said[f"The {matter} of {name} is {middle}, as {end} said."] = matter
        story.texts, story.matters = list(said), list(said.values())
        yield story


# ----------------------------------------------------------------------------------------------------------- inserts


def insert(model: Any, rows: Sequence[dict[str, Any]]) -> None:
    """Insert rows given by column. A column that no row names gets its default; keys that count up are left out."""
    from django.db import connection, models

    if not rows:
        return
    fields = [f for f in model._meta.concrete_fields if not (f.primary_key and isinstance(f, models.AutoField))]
    defaults = {f.attname: None if f.has_default() and callable(f.default) else f.get_default() for f in fields}
    defaults |= {f.attname: f.get_default() for f in fields if f.attname in ("summary_sentences", "report", "edits")}
    values_of = {f.attname: [row.get(f.attname, defaults[f.attname]) for row in rows] for f in fields}
    prepared = zip(*(_prepared(f, values_of[f.attname]) for f in fields), strict=True)
    table, columns = model._meta.db_table, ", ".join(f'"{f.column}"' for f in fields)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
                for values in prepared:
                    copy.write_row(values)
        else:
            marks = ", ".join(["?"] * len(fields))
            cursor.cursor.connection.executemany(f"INSERT INTO {table} ({columns}) VALUES ({marks})", prepared)


def _prepared(field: Any, values: list[Any]) -> list[Any]:
    """The values of one column as the database's driver takes them."""
    from django.db import connection, models

    target = field.target_field if field.is_relation else field
    if isinstance(target, models.UUIDField) and connection.vendor == "sqlite":
        return [value and value.hex for value in values]
    if isinstance(target, models.DateTimeField):
        return [connection.ops.adapt_datetimefield_value(value) for value in values]
    if isinstance(target, models.JSONField):
        return [field.get_db_prep_save(value, connection) for value in values]
    return values


@lru_cache
def _history_of(model: Any) -> tuple[Any, frozenset[str]]:
    """The model of its history rows, and their columns. simple_history makes a class whenever it is asked."""
    found = model.history.model
    return found, frozenset(f.attname for f in found._meta.concrete_fields)


@contextmanager
def without_text_index() -> Iterator[None]:
    """Leave PostgreSQL's inverted index to the end: built once it takes a tenth of the time."""
    from django.db import connection

    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT indexname, indexdef FROM pg_indexes WHERE indexdef LIKE '%USING gin (terms)%'")
        found = cursor.fetchall()
        for name, _definition in found:
            cursor.execute(f"DROP INDEX {name}")
    yield
    with connection.cursor() as cursor:
        cursor.execute("SET maintenance_work_mem = '512MB'")
        for _name, definition in found:
            cursor.execute(definition)


def analyse_tables() -> None:
    """What PostgreSQL does by itself in time: statistics for its planner, and visibility for index-only scans."""
    from django.db import connection

    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")


# ------------------------------------------------------------------------------------------------------------ a space


class Filler:
    """Writes stories into a space as one person would have approved them."""

    def __init__(self, space: Any, person: Any, words: Words, *, decided: bool) -> None:
        self.space, self.person, self.words, self.decided = space, person, words, decided
        self.sets = 0
        self.rows: dict[Any, list[dict[str, Any]]] = {}

    def write(self, batch: Sequence[Story]) -> int:
        """Write these topics, their conversations and facts, in one transaction; how many facts."""
        from django.db import transaction

        from topics.models import Evidence, Fact, Passage

        self.rows = {}
        spoken = [conversation for story in batch for conversation in self._tell(story)]
        assert self.rows[Evidence]
        with transaction.atomic():
            for model, rows in self.rows.items():
                insert(model, rows)
            insert(Passage, [vars(row) for row in self._passages(batch, spoken)])
        return len(self.rows[Fact])

    def _passages(self, batch: Sequence[Story], spoken: Sequence[tuple[Any, Any]]) -> Iterator[Any]:
        """The rows of the search index, made as the product makes them, but without reading what is known here."""
        from topics.models import Evidence, Fact, Message
        from topics.retrieval.index import conversation_rows, statement_row

        sources: dict[Any, list[Any]] = {}
        messages: dict[uuid.UUID, Any] = {}
        for conversation, rows in spoken:
            said = [Message(**row) for row in rows]
            for message in said:
                message.conversation, messages[message.pk] = conversation, message
            for passage in conversation_rows(self.space, said, withheld=False):
                sources.setdefault(passage.message_id, []).append(passage)
                yield passage
        names = {story.pk: [story.name, *story.aliases] for story in batch}
        for fact, row in zip(self.rows[Fact], self.rows[Evidence], strict=True):
            evidence = Evidence(**row)
            evidence.message = messages[evidence.message_id]
            yield statement_row(self.space, Fact(**fact), evidence, sources, names[fact["topic_id"]])

    def _add(self, model: Any, **row: Any) -> dict[str, Any]:
        self.rows.setdefault(model, []).append(row)
        return row

    def _change(self, action: str) -> Any:
        from topics.ids import uuid7
        from topics.models import ChangeSet

        self.sets += 1
        at = BEGIN + timedelta(minutes=5 * self.sets)
        return self._add(
            ChangeSet,
            id=uuid7(), space_id=self.space.pk, action=action, reason="", at=at, actor_user_id=self.person.pk,
            actor_label=self.person.get_full_name(), request_id="",
        )  # fmt: skip

    def _track(self, model: Any, row: dict[str, Any], change: Any, kind: str = "+") -> None:
        history, names = _history_of(model)
        copied = {name: value for name, value in row.items() if name in names}
        self._add(
            history,
            **copied, history_date=change["at"], history_type=kind, history_user_id=self.person.pk,
            history_change_reason="", change_set_id=change["id"],
        )  # fmt: skip

    def _tell(self, story: Story) -> Iterator[tuple[Any, list[dict[str, Any]]]]:
        from topics.ids import uuid7
        from topics.models import Alias, DocumentVersion, Fact, Topic
        from topics.text.names import name_key

        change = self._change("create_topic")
        topic = self._add(
            Topic,
            id=story.pk, space_id=self.space.pk, name=story.name, kind=story.kind, summary="", status="active",
            created_at=change["at"], version=1, document_version=1, changed_at=change["at"],
        )  # fmt: skip
        self._track(Topic, topic, change)
        for name in [story.name, *story.aliases]:
            own = {"name": name, "key": name_key(name), "is_name": name == story.name}
            alias = self._add(Alias, id=uuid7(), space_id=self.space.pk, topic_id=story.pk, version=1, **own)
            self._track(Alias, alias, change)
        self._add(DocumentVersion, topic_id=story.pk, change_set_id=change["id"], version=1)
        a_conversation = A_MESSAGE * A_CONVERSATION
        for at in range(0, len(story.texts), a_conversation):
            texts, matters = story.texts[at : at + a_conversation], story.matters[at : at + a_conversation]
            conversation, messages, spans = self._converse(story, texts)
            for first in range(0, len(texts), A_SET):
                change = self._change("approve_proposals")
                topic["document_version"] += 1
                topic["changed_at"] = change["at"]
                self._add(
                    DocumentVersion,
                    topic_id=story.pk,
                    change_set_id=change["id"],
                    version=topic["document_version"],
                )
                for place in range(first, min(first + A_SET, len(texts))):
                    fact = self._fact(story, texts[place], matters[place], change, spans[place])
                    self._track(Fact, fact, change)
            yield conversation, messages

    def _converse(self, story: Story, texts: Sequence[str]) -> tuple[Any, list[dict[str, Any]], list[tuple[Any, ...]]]:
        """A read conversation in which the texts are said: with its messages and where in them each text stands."""
        from extraction.models import Job, MessageOutcome
        from topics.ids import uuid7
        from topics.models import Conversation, Message

        began = BEGIN + timedelta(minutes=5 * self.sets - 60)
        conversation = Conversation(
            id=uuid7(), space_id=self.space.pk, external_id=uuid.uuid4().hex, subject_id=story.pk,
            subject_name=story.name, message_count=-(-len(texts) // A_MESSAGE), created_at=began, last_said_at=began,
        )  # fmt: skip
        self._add(Conversation, **{f.attname: getattr(conversation, f.attname) for f in conversation._meta.fields})
        job = self._add(
            Job,
            id=uuid7(), space_id=self.space.pk, kind="extract", conversation_id=conversation.pk, status="done",
            attempts=1, run_after=began, fence=1, created_at=began, finished_at=began,
        )  # fmt: skip
        messages, spans = [], []
        for position, at in enumerate(range(0, len(texts), A_MESSAGE)):
            said = texts[at : at + A_MESSAGE]
            message = self._add(
                Message,
                id=uuid7(), space_id=self.space.pk, conversation_id=conversation.pk, external_id=uuid.uuid4().hex,
                position=position, role="user", name="Dana", content=" ".join(said),
                said_at=began + timedelta(seconds=30 * position), received_at=began,
            )  # fmt: skip
            messages.append(message)
            self._add(MessageOutcome, message_id=message["id"], job_id=job["id"], outcome="extracted")
            start = 0
            for text in said:
                spans.append((message, start, start + len(text), job["id"]))
                start += len(text) + 1
        return conversation, messages, spans

    def _fact(self, story: Story, text: str, matter: str, change: Any, span: tuple[Any, ...]) -> dict[str, Any]:
        from topics.ids import uuid7
        from topics.models import Evidence, Fact
        from topics.services.statements import content_key
        from topics.text.attributes import fold_attribute

        message, start, end, _job = span
        content = {
            "kind": self.words.rng.choice(FACT_KINDS), "text": text, "attribute": fold_attribute(matter),
            "value": text.partition(" is ")[2].partition(",")[0][:200], "certainty": "confirmed",
        }  # fmt: skip
        fact = self._add(
            Fact,
            id=uuid7(), space_id=self.space.pk, topic_id=story.pk, status="active", speaker="Dana",
            said_at=message["said_at"], origin="extracted", content_key=content_key(text), version=1,
            created_at=change["at"], **content,
        )  # fmt: skip
        self._add(
            Evidence,
            id=uuid7(), fact_id=fact["id"], message_id=message["id"], start=start, end=end, added_by_id=change["id"],
        )  # fmt: skip
        if self.decided:
            self._decide(story, fact, change, span)
        return fact

    def _decide(self, story: Story, fact: dict[str, Any], change: Any, span: tuple[Any, ...]) -> None:
        """The proposal that the fact came from, and its approval."""
        from extraction.models import Decision, Proposal, ProposalQuote
        from topics.ids import uuid7

        message, start, end, job = span
        names = ("text", "attribute", "value", "certainty", "speaker", "said_at", "content_key")
        proposal = self._add(
            Proposal,
            id=uuid7(), space_id=self.space.pk, kind="fact", status="approved", topic_id=story.pk,
            fact_kind=fact["kind"], message_id=message["id"], job_id=job, extractor="rules",
            fingerprint=uuid.uuid4().hex, decided_at=change["at"], decided_by=change["actor_label"],
            fact_id=fact["id"], created_at=message["said_at"], sentences=[], **{name: fact[name] for name in names},
        )  # fmt: skip
        self._add(ProposalQuote, proposal_id=proposal["id"], message_id=message["id"], start=start, end=end)
        self._add(
            Decision,
            proposal_id=proposal["id"], change_set_id=change["id"], before="pending", after="approved", at=change["at"],
        )  # fmt: skip


def fill(space: Any, person: Any, *, topics: int, facts: int, decided: bool = True, seed: int = 1) -> list[Story]:
    """Fill a space: its topics, of which the texts are kept for a hundred alone."""
    words = Words(random.Random(seed))
    filler = Filler(space, person, words, decided=decided)
    kept: list[Story] = []
    batch: list[Story] = []
    with without_text_index():
        for story in stories(words, topics, facts):
            batch.append(story)
            if sum(len(s.texts) for s in batch) > 4000:
                filler.write(batch)
                kept += batch
                batch = []
        if batch:
            filler.write(batch)
            kept += batch
    analyse_tables()
    return kept


def propose(space: Any, told: Sequence[Story], count: int, *, seed: int = 2) -> None:
    """Proposals that wait, each said in a message of its own: one in five contradicts what is held, one in ten is of a
    topic that is itself only proposed, and one in fifty rests."""
    from extraction.models import Conflict, Proposal, ProposalQuote
    from topics.ids import uuid7
    from topics.models import Dispute, Fact, Message
    from topics.services.statements import content_key
    from topics.text.attributes import fold_attribute
    from topics.text.names import name_key

    rng = random.Random(seed)
    words = Words(rng)
    rows: dict[Any, list[dict[str, Any]]] = {}

    def add(model: Any, **row: Any) -> dict[str, Any]:
        rows.setdefault(model, []).append(row)
        return row

    held = {}
    contested = rng.sample(told, min(count // 5, len(told)))
    for fact in Fact.objects.filter(topic__in=[s.pk for s in contested], status="active").order_by("-pk"):
        held[fact.topic_id] = fact
    conversation = None
    spoken: list[tuple[Any, list[dict[str, Any]]]] = []
    now = datetime.now(UTC) - timedelta(days=2)
    for number in range(count):
        if number % A_CONVERSATION == 0:
            conversation, told_in = _waiting_conversation(space, add, now, min(A_CONVERSATION, count - number))
            spoken.append((conversation, told_in))
        story = rng.choice(told)
        fact = None
        if number % 5 == 0 and contested:
            story = contested.pop()
            fact = held.get(story.pk)
        name = " ".join(word.title() for word in rng.sample(words.all, 2)) if number % 10 == 9 else story.name
        matter = fact.attribute if fact else " ".join(words.some(2))
        value = " ".join(words.some(3))
        text = f"The {matter} of {name} is {value}."
        said = now + timedelta(seconds=number)
        message = add(
            Message,
            id=uuid7(), space_id=space.pk, conversation_id=conversation.pk, external_id=uuid.uuid4().hex,
            position=len(told_in), role="user", name="Dana", content=text, said_at=said, received_at=said,
        )  # fmt: skip
        told_in.append(message)
        common = {
            "space_id": space.pk, "status": "pending", "speaker": "Dana", "said_at": said, "message_id": message["id"],
            "extractor": "rules", "certainty": "confirmed", "created_at": said, "sentences": [],
        }  # fmt: skip
        place: dict[str, Any] = {"topic_id": story.pk, "base_version": 1}
        quoted = []
        if number % 10 == 9:
            new = add(
                Proposal,
                id=uuid7(), kind="topic", topic_name=name, topic_kind="project", topic_key=name_key(name),
                fingerprint=uuid.uuid4().hex, **common,
            )  # fmt: skip
            place = {"new_topic_id": new["id"]}
            quoted.append(new)
        if number % 50 == 1:
            common |= {"status": "snoozed", "snoozed_until": datetime.now(UTC) + timedelta(days=3)}
        proposal = add(
            Proposal,
            id=uuid7(), kind="fact", fact_kind="fact", text=text, attribute=fold_attribute(matter), value=value[:200],
            fingerprint=uuid.uuid4().hex, content_key=content_key(text), **common, **place,
        )  # fmt: skip
        quoted.append(proposal)
        for row in quoted:
            add(ProposalQuote, proposal_id=row["id"], message_id=message["id"], start=0, end=len(text))
        if fact is not None:
            dispute = add(
                Dispute, id=uuid7(), fact_id=fact.pk, message_id=message["id"], said_at=said, claim=text, opened_at=said
            )
            add(
                Conflict,
                id=uuid7(), space_id=space.pk, proposal_id=proposal["id"], fact_id=fact.pk, fact_version=fact.version,
                dispute_id=dispute["id"], status="open", created_at=said,
            )  # fmt: skip
    _store(space, rows, spoken)


def _store(space: Any, rows: dict[Any, list[dict[str, Any]]], spoken: Sequence[tuple[Any, Any]]) -> None:
    from django.db import transaction

    from topics.models import Message
    from topics.retrieval.index import index_messages

    with transaction.atomic():
        for model, found in rows.items():
            insert(model, found)
        for conversation, said in spoken:
            messages = [Message(**row) for row in said]
            for message in messages:
                message.conversation = conversation
            index_messages(space, messages, withheld=True)


def _waiting_conversation(space: Any, add: Any, said: datetime, messages: int) -> tuple[Any, list[dict[str, Any]]]:
    from topics.ids import uuid7
    from topics.models import Conversation

    conversation = Conversation(
        id=uuid7(), space_id=space.pk, external_id=uuid.uuid4().hex, message_count=messages, created_at=said,
        last_said_at=said,
    )  # fmt: skip
    add(Conversation, **{f.attname: getattr(conversation, f.attname) for f in conversation._meta.fields})
    return conversation, []


def percentile(values: Iterable[float], share: float) -> float:
    """The smallest value that at least this share of the values does not exceed."""
    ordered = sorted(values)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]
