"""Reading the memory: from a question to the block of text that an agent puts into its prompt. No model takes part.

The order of work: read the question (terms, names, dates), take candidates from the index, score them, fill the
budget by worth per token, and write the block.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from datetime import datetime
from uuid import UUID

from django.utils import timezone

from topics.models import Fact, Passage, Space
from topics.models.statement import Origin
from topics.retrieval.answer import MemoryAnswer
from topics.retrieval.columns import inert, line_cost
from topics.retrieval.context import MARKER_TOKENS, Sheet, assemble, block_overhead
from topics.retrieval.items import FIELDS, Item, held_statement_items, statement_items, turn_items
from topics.retrieval.pack import Packer
from topics.retrieval.question import Question, read_question
from topics.retrieval.view import View

# Of statements, this many of the most worth are looked at closely.
MOST_STATEMENTS = 300


def query_memory(
    *,
    space: Space,
    question: str,
    max_tokens: int = 1500,
    include_archived: bool = False,
    as_of: datetime | None = None,
    topic_ids: Sequence[UUID] | None = None,
    now: datetime | None = None,
) -> MemoryAnswer:
    """What the space remembers about a question, within `max_tokens` tokens (o200k_base).

    What is shown follows `space.source_turns`. `as_of` answers from what was held at that moment; `topic_ids` narrows
    the answer to these topics; `now` is what relative dates in the question refer to (without it they are left alone).
    Nothing relevant, or a budget too small for any line, gives an empty answer. Reads only.
    """
    asked = read_question(space, question, now)
    if not asked.terms and not asked.periods:
        return MemoryAnswer(question, max_tokens)
    view = View(
        space=space,
        now=now or timezone.now(),
        as_of=as_of,
        include_archived=include_archived,
        topic_ids=None if topic_ids is None else tuple(topic_ids),
    )
    packer = Packer(max_tokens - block_overhead(space), _header_cost)
    if space.source_turns == Space.SourceTurns.ALL:
        items = turn_items(view, asked) + _readable(view, asked, _beside_turns(view, asked))
    else:
        items = _readable(view, asked, _statements(view, asked))
    for item in items:
        item.cost += MARKER_TOKENS
    packer.fill_fairly(sorted(items, key=lambda item: -item.value), [topic.pk for topic in asked.topics])
    if space.source_turns == Space.SourceTurns.APPROVED:
        packer.fill(_source_turns(view, packer.chosen))
    return assemble(view, asked, packer.chosen, Sheet(view, packer.chosen), max_tokens)


def _statements(view: View, asked: Question) -> list[Item]:
    return held_statement_items(view, asked) if view.as_of else statement_items(view, asked, view.statements())


def _beside_turns(view: View, asked: Question) -> list[Item]:
    """The statements that no turn which may be shown makes as they are held."""
    if not view.as_of:
        return statement_items(view, asked, view.statements_beside_turns())
    items = held_statement_items(view, asked)
    sheet = Sheet(view, items)
    messages = {e.message_id for found in sheet.evidence.values() for e in found}
    shown = set(view.turns().filter(message_id__in=messages).values_list("message_id", flat=True))

    def stands_alone(item: Item) -> bool:
        statement = sheet.statements[item.statement_id]  # type: ignore[index]
        is_corrected = isinstance(statement, Fact) and statement.corrected_at is not None
        sources = {e.message_id for e in sheet.evidence.get(statement.pk, ())}
        return is_corrected or statement.origin != Origin.EXTRACTED or not sources & shown

    return [item for item in items if stands_alone(item)]


def _readable(view: View, asked: Question, items: list[Item]) -> list[Item]:
    """The items with the cost of the line they will have; superseded facts only for a question about the past."""
    best = sorted(items, key=lambda item: -item.value)[:MOST_STATEMENTS]
    sheet, readable = Sheet(view, best), []
    for item in best:
        line = sheet.line(item)
        if line is None or (_is_superseded(line.statements) and not asked.asks_for_the_past):
            continue
        item.cost = line_cost(line.body)
        item.topics = {sheet.topics[statement.topic_id].pk for statement in line.statements}
        readable.append(item)
    return readable


def _is_superseded(statements: Sequence[object]) -> bool:
    return any(isinstance(s, Fact) and s.status == Fact.Status.SUPERSEDED for s in statements)


def _source_turns(view: View, chosen: Sequence[Item]) -> list[Item]:
    """The turns behind the chosen statements, in the order of these, as far as they say more than the statement."""
    sheet = Sheet(view, chosen)
    evidence = [
        (item, e)
        for item in chosen
        for e in sheet.evidence.get(item.statement_id, ())  # type: ignore[arg-type]
    ]
    passages = list(view.turns().filter(message_id__in={e.message_id for _, e in evidence}))
    turns: dict[int, Item] = {}
    for item, e in evidence:
        statement = sheet.statements[item.statement_id]  # type: ignore[index]
        for passage in passages:
            said = inert(e.message.content[passage.start : passage.end])
            holds = passage.message_id == e.message_id and passage.start <= e.start and e.end <= passage.end
            if holds and said != inert(statement.text):
                turns.setdefault(passage.pk, _turn_item(passage, item))
    return list(turns.values())


def _turn_item(passage: Passage, of: Item) -> Item:
    row = {name: getattr(passage, name) for name in FIELDS}
    return Item(row, of.score, passage.line_tokens + MARKER_TOKENS, set(of.topics))


def _header_cost(item: Item) -> tuple[Hashable, int]:
    if item.row["message_id"]:
        return item.row["day"], DAY_HEADER_TOKENS
    return item.row["topic_id"], TOPIC_HEADER_TOKENS


DAY_HEADER_TOKENS = line_cost("[2024-05-03]")
# A topic's header is short; what a long name costs beyond this is found when the block is counted.
TOPIC_HEADER_TOKENS = 8
