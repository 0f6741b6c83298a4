"""The candidates of a question: turns and statements with their score, before it is known which of them fit."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from topics.models import Message, Passage
from topics.retrieval.columns import COLUMNS, inert, line_cost, own_terms, prefix_of, turn_line
from topics.retrieval.cuts import Span, overlaps, visible
from topics.retrieval.dates import proximity
from topics.retrieval.engine import CANDIDATES, Among, Statistics, among, candidates, statistics_of_kinds, terms_of
from topics.retrieval.index import statement_rows
from topics.retrieval.meaning import NEAREST, Asked, Meaning
from topics.retrieval.question import MOST_TERMS, Question
from topics.retrieval.score import BY_MEANING, BY_WORDS, Row, score_rows
from topics.retrieval.view import View
from topics.selectors.vectors import Kind

# A block of more than CANDIDATES times so many tokens holds so many lines that more candidates are worth their time.
TOKENS_FOR_CANDIDATE = 8
# Rows of a period that the question names are candidates whatever they say, this many at most.
OF_PERIOD = 100
# The turns about a topic are candidates whatever they say when only the topic is named, for this many topics at most.
OF_TOPIC, MOST_TOPICS = 40, 5
# The column that says whose vector a row has.
VECTOR_OF: dict[Kind, str] = {"message": "message_id", "fact": "fact_id"}

FIELDS = (
    "pk", "message_id", "fact_id", "entry_id", "topic_id", "conversation_id", "position", "part", "start", "end", "day",
    "speaker", "n_terms", "n_all", "line_tokens", "message__external_id", "message__role", "conversation__external_id",
    "conversation__subject", *COLUMNS,
)  # fmt: skip


@dataclass(slots=True)
class Item:
    """A turn (or a passage of it) or a statement that may go into the block.

    `cost` is in tokens, of the line alone. `topics` are those the item tells about, `cuts` the words of its message
    that may not be shown. `by_words`: whether it was found by its words or its date, not only by what it means.
    `subject` is the name of the topic that a turn's conversation is about, "" for none.
    """

    row: dict[str, Any]
    score: float
    cost: int
    topics: set[UUID] = field(default_factory=set)
    cuts: Sequence[Span] = ()
    by_words: bool = True
    subject: str = ""

    @property
    def value(self) -> float:
        """The score is a log-odds, so this orders by worth per token."""
        return self.score - math.log(max(self.cost, 1))

    @property
    def statement_id(self) -> UUID | None:
        found: UUID | None = self.row["fact_id"] or self.row["entry_id"]
        return found


@dataclass(frozen=True)
class Search:
    """A question to a space. `asked`: the question as a vector, where there are vectors; `most`: how many rows found by
    their words are scored, of each kind; `kinds`: what is searched, statements (True), messages (False) or both."""

    view: View
    question: Question
    asked: Asked | None
    most: int
    kinds: Sequence[bool]

    @cached_property
    def statistics(self) -> dict[bool, Statistics]:
        """Of each kind, for the terms of the question: of a long one for the rarest."""
        space_id = self.view.space.pk
        terms = {kind: terms_of(space_id, self.question.terms, statements=kind) for kind in self.kinds}
        return {kind: stats.of_rarest(MOST_TERMS) for kind, stats in statistics_of_kinds(space_id, terms).items()}

    @cached_property
    def occurring_terms(self) -> set[str]:
        """The terms of the question that occur in what is searched, without prefix."""
        return {
            term.removeprefix(prefix_of(self.view.space.pk, statements=kind))
            for kind, stats in self.statistics.items()
            for term in stats.frequencies
        }


def candidates_for(max_tokens: int) -> int:
    """How many rows to score for a block of so many tokens: several times those that fit."""
    return max(CANDIDATES, max_tokens // TOKENS_FOR_CANDIDATE)


def turn_items(search: Search) -> list[Item]:
    """The turns that answer the question, scored."""
    view, question, stats = search.view, search.question, search.statistics[False]
    rows, meaning = _candidate_rows(search, view.turns(), statements=False)
    cuts = _cuts(view, rows)
    rows = _without_cuts(view, question, rows, cuts)
    about = _topics_of(view, question, rows)
    speaker = question.named_speaker({row["speaker"] for row in rows})
    scores = _scores(rows, stats, question, meaning, [row["speaker"] == speaker for row in rows])
    subjects = subjects_of(view, rows)
    return [
        Item(
            row,
            score,
            row["line_tokens"],
            about.get(row["message_id"], set()),
            cuts.get(row["message_id"], ()),
            row["by_words"],
            subjects.get(row["conversation__subject"], ""),
        )
        for row, score in zip(rows, scores, strict=True)
    ]


def _topics_of(view: View, question: Question, rows: Sequence[dict[str, Any]]) -> dict[UUID, set[UUID]]:
    """Message id → the topics that it tells about, where the question names topics: of one topic it is enough to know
    the subjects of the conversations."""
    if not question.topics:
        return {}
    if len(question.topics) > 1:
        about = view.topics_behind({row["message_id"] for row in rows})
        speakers = question.topics_of_speakers({row["speaker"] for row in rows})
        return {row["message_id"]: about[row["message_id"]] | speakers.get(row["speaker"], set()) for row in rows}
    about = view.topics_behind({row["message_id"] for row in rows if not row["conversation__subject"]})
    return about | {row["message_id"]: {subject} for row in rows if (subject := row["conversation__subject"])}


def subjects_of(view: View, rows: Iterable[dict[str, Any]]) -> dict[UUID, str]:
    """Topic id → its name, for the subjects of the conversations that these turns stand in."""
    return view.subject_names({row["conversation__subject"] for row in rows} - {None})


def _cuts(view: View, rows: Sequence[dict[str, Any]]) -> dict[UUID, list[Span]]:
    """Message id → the words in it that may not be shown.

    What is cut from a message is cut from its copies, unless a statement stands there that was taken from the copy.
    """
    cuts = view.cuts_in({row["message_id"] for row in rows})
    alike: dict[tuple[Any, ...], set[UUID]] = defaultdict(set)
    for row in rows if cuts else ():
        alike[row["speaker"], row["part"], row["own"]].add(row["message_id"])
    copies = {pk for same in alike.values() if same & cuts.keys() for pk in same} - cuts.keys()
    if not copies:
        return cuts
    said = dict(among(Message.objects, "pk", copies | cuts.keys()).values_list("pk", "content"))
    speakers = {row["message_id"]: row["speaker"] for row in rows}
    of_words: dict[tuple[str, str], list[Span]] = defaultdict(list)
    for pk, spans in cuts.items():
        of_words[speakers[pk], said[pk]] += spans
    standing = view.quotes_in(copies)
    shared = {
        pk: [
            span
            for span in of_words.get((speakers[pk], said[pk]), ())
            if not overlaps(span, [(quote.start, quote.end) for quote in standing.get(pk, ())])
        ]
        for pk in copies
    }
    return cuts | {pk: spans for pk, spans in shared.items() if spans}


def _without_cuts(
    view: View, question: Question, rows: list[dict[str, Any]], cuts: dict[UUID, list[Span]]
) -> list[dict[str, Any]]:
    """The rows as they may be shown; those of which nothing is left that answers the question are left out."""
    contents = dict(among(Message.objects, "pk", cuts).values_list("pk", "content"))
    strong = set(terms_of(view.space.pk, question.strong_terms, statements=False))
    found = []
    for row in rows:
        spans = cuts.get(row["message_id"], ())
        if not overlaps((row["start"], row["end"]), spans):
            found.append(row)
        elif words := visible(contents[row["message_id"]], row["start"], row["end"], spans):
            _rewrite(view, row, words)
            if terms_in(row) & strong or _in_period(question, row["day"]):
                found.append(row)
    return found


def _rewrite(view: View, row: dict[str, Any], words: str) -> None:
    own = own_terms(prefix_of(view.space.pk, statements=False), words)
    n_terms = len(own.split())
    row["n_all"] += n_terms - row["n_terms"]
    cost = line_cost(turn_line(row["speaker"], words))
    # The vector is of the words that are gone as well.
    row |= {"own": own, "n_terms": n_terms, "line_tokens": cost, "has_vector": False}


def without_copies(items: Sequence[Item]) -> list[Item]:
    """The items, the best first, without turns in which the same speaker says the same again about the same subject."""
    alike = Counter((item.row["speaker"], item.row["own"]) for item in items if item.row["message_id"])
    perhaps = [item for item in items if alike[item.row["speaker"], item.row["own"]] > 1 and item.row["message_id"]]
    messages = {item.row["message_id"] for item in perhaps}
    contents = dict(among(Message.objects, "pk", messages).values_list("pk", "content"))
    said: set[tuple[str, str, str]] = set()
    copies: set[int] = set()
    for item in perhaps:
        row = item.row
        key = (item.subject, row["speaker"], inert(contents[row["message_id"]][row["start"] : row["end"]]))
        if key in said:
            copies.add(id(item))
        said.add(key)
    return [item for item in items if id(item) not in copies]


def statement_items(search: Search) -> list[Item]:
    """The facts and timeline entries that stand now and answer the question, scored."""
    rows, meaning = _candidate_rows(search, search.view.statements(), statements=True)
    return _scored_statements(rows, search.statistics[True], search.question, meaning)


def items_beside_turns(search: Search) -> list[Item]:
    """The statements that answer the question and that no turn which may be shown makes in the words in which they are
    held, scored: out of those that answer it best. Others answer it no better than the turns that make these."""
    view = search.view
    rows, meaning = _candidate_rows(search, view.statements_beside_turns(), statements=True, out_of=view.statements())
    return _scored_statements(rows, search.statistics[True], search.question, meaning)


def held_statement_items(search: Search) -> list[Item]:
    """The same for what was held at `view.as_of`: the index has what did not change since, the rest is analysed now."""
    view, question, stats = search.view, search.question, search.statistics[True]
    rows, meaning = _candidate_rows(search, view.statements_unchanged(), statements=True)
    changed = _rows_as_they_were(view)
    strong = set(terms_of(view.space.pk, question.strong_terms, statements=True))
    answering = [row for row in changed if terms_in(row) & strong or _in_period(question, row["day"])]
    return _scored_statements([*rows, *answering], _with_rows(stats, changed, strong), question, meaning)


def _rows_as_they_were(view: View) -> list[dict[str, Any]]:
    statements = view.held_and_changed()
    evidence = view.first_evidence([statement.pk for statement in statements])
    passages = statement_rows(view.space, statements, evidence)
    of_now = {"has_vector": False, "by_words": True}
    return [{name: getattr(passage, name, None) for name in FIELDS} | of_now for passage in passages]


def _with_rows(stats: Statistics, rows: Sequence[dict[str, Any]], terms: set[str]) -> Statistics:
    """The statistics of the index and of these rows together."""
    if not rows:
        return stats
    frequencies = Counter(stats.frequencies)
    frequencies.update(term for row in rows for term in terms_in(row) & terms)
    count = stats.rows + len(rows)
    length = stats.mean_length * stats.rows + sum(row["n_all"] for row in rows)
    return Statistics(count, length / count or 1.0, dict(frequencies))


def _scored_statements(
    rows: list[dict[str, Any]], stats: Statistics, question: Question, meaning: Meaning | None
) -> list[Item]:
    named, speaker = question.topic_ids(), question.named_speaker({row["speaker"] for row in rows})
    is_named = [row["topic_id"] in named or row["speaker"] == speaker for row in rows]
    scores = _scores(rows, stats, question, meaning, is_named)
    return [
        Item(row, score, row["line_tokens"], {row["topic_id"]}, by_words=row["by_words"])
        for row, score in zip(rows, scores, strict=True)
    ]


def _candidate_rows(
    search: Search, visible: QuerySet[Passage], *, statements: bool, out_of: QuerySet[Passage] | None = None
) -> tuple[list[dict[str, Any]], Meaning | None]:
    """The rows of `visible` that may answer the question. `out_of`: rows of which `visible` are a few, perhaps none;
    they are looked for only among the first of these, since to tell them apart takes long."""
    view, question, stats = search.view, search.question, search.statistics[statements]
    strong = terms_of(view.space.pk, question.strong_terms, statements=statements)
    by_words = candidates(visible, strong, stats, fields=FIELDS, most=search.most, only_likeliest=out_of is not None)
    by_words |= _rows_of_periods(visible, question, out_of)
    if not statements:
        by_words |= _rows_of_topics(view, question, stats)
    meaning = None
    by_meaning: dict[int, dict[str, Any]] = {}
    if search.asked:
        meaning = search.asked.about("fact" if statements else "message", {row["speaker"] for row in by_words.values()})
        by_meaning = _rows_by_meaning(visible, meaning, by_words)
    rows = [row | {"has_vector": True, "by_words": True} for row in by_words.values()]
    rows += [row | {"has_vector": True, "by_words": False} for row in by_meaning.values()]
    return sorted(rows, key=lambda row: row["pk"]), meaning


def _by_key(rows: QuerySet[Passage]) -> dict[int, dict[str, Any]]:
    return {row["pk"]: row for row in rows.values(*FIELDS)}


def _rows_by_meaning(
    visible: QuerySet[Passage], meaning: Meaning | None, by_words: dict[int, Any]
) -> dict[int, dict[str, Any]]:
    near = meaning.nearest(has_words=bool(by_words)) if meaning else []
    if not meaning or not near:
        return {}
    places = {pk: place for place, pk in enumerate(near)}
    column = VECTOR_OF[meaning.kind]
    rows = visible.filter(Among(column, near)).values_list("pk", column, "part")
    # Of a long message many rows have the vector of the whole.
    ranked = sorted(rows, key=lambda row: (row[2], places[row[1]], row[0]))
    keys = [pk for pk, _of, _part in ranked[:NEAREST] if pk not in by_words]
    return _by_key(among(visible, "pk", keys))


def _rows_of_periods(
    visible: QuerySet[Passage], question: Question, out_of: QuerySet[Passage] | None
) -> dict[int, dict[str, Any]]:
    days = Q()
    for period in question.periods:
        if period.names_days:
            days |= Q(day__range=(period.first, period.last_echo))
    if not days:
        return {}
    if out_of is not None:
        first = out_of.filter(days).order_by("day", "pk").values_list("pk", flat=True)[:OF_PERIOD]
        visible = visible.filter(Among("pk", first))
    return _by_key(visible.filter(days).order_by("day", "pk")[:OF_PERIOD])


def _rows_of_topics(view: View, question: Question, stats: Statistics) -> dict[int, dict[str, Any]]:
    """The latest turns about each topic that is named, where that is all there is to go by: "compare A and B".

    Few turns name what they are about. Statements need none of this: they are found by the names of their topic.
    """
    wanted = terms_of(view.space.pk, question.matter_terms, statements=False)
    if stats.idf.keys() & set(wanted):
        return {}
    found: dict[int, dict[str, Any]] = {}
    for topic in question.topics[:MOST_TOPICS]:
        turns = view.turns_about(topic.pk).order_by("-day", "-pk")
        found |= _by_key(turns[:OF_TOPIC])
    return found


def _in_period(question: Question, day: int | None) -> bool:
    return day is not None and any(p.first <= day <= p.last_echo for p in question.periods if p.names_days)


def _scores(
    rows: Sequence[dict[str, Any]],
    stats: Statistics,
    question: Question,
    meaning: Meaning | None,
    is_named: Sequence[Any],
) -> list[float]:
    outstanding = [0.0] * len(rows)
    replies_count_less = not question.asks_what_was_told
    if meaning:
        column = VECTOR_OF[meaning.kind]
        ids = [row[column] if row["has_vector"] else None for row in rows]
        outstanding = meaning.of(ids, [row["by_words"] for row in rows])
    return score_rows(
        [
            Row(
                session=(row["conversation_id"] or row["topic_id"], row["day"]),
                columns=[row[name] for name in COLUMNS],
                n_terms=row["n_terms"],
                n_all=row["n_all"],
                is_named=bool(named),
                is_reply=replies_count_less and row["message__role"] == Message.Role.ASSISTANT,
                date_proximity=proximity(question.periods, row["day"]),
                meaning=far_out,
            )
            for row, named, far_out in zip(rows, is_named, outstanding, strict=True)
        ],
        stats,
        BY_MEANING if meaning else BY_WORDS,
    )


def terms_in(row: dict[str, Any]) -> set[str]:
    """The terms of a row with their prefix, those of its neighbours and names too."""
    return {term for name in COLUMNS for term in row[name].split()}
