"""Reading the memory: from a question to the block of text that an agent puts into its prompt. No model takes part.

The order of work: read the question (terms, names, dates), take candidates from the index, score them, fill the
budget by worth per token, and write the block.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils import timezone

from topics.models import Fact, Space
from topics.models.statement import Origin
from topics.retrieval.answer import MemoryAnswer
from topics.retrieval.columns import inert
from topics.retrieval.context import assemble, block_overhead
from topics.retrieval.index import Statement
from topics.retrieval.items import FIELDS, Item, held_statement_items, statement_items, turn_items
from topics.retrieval.pack import Packer
from topics.retrieval.question import Question, read_question
from topics.retrieval.view import View
from topics.text.tokens import count_tokens


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
        include_superseded=asked.asks_for_the_past,
        topic_ids=None if topic_ids is None else tuple(topic_ids),
    )
    packer = Packer(max_tokens - block_overhead(space), _header_cost)
    items = turn_items(view, asked) + _beside_turns(view, asked) if shows_turns(space) else _statements(view, asked)
    packer.fill_fairly(sorted(items, key=lambda item: -item.value), [topic.pk for topic in asked.topics])
    if space.source_turns == Space.SourceTurns.APPROVED and packer.chosen:
        packer.fill(_source_turns(view, packer.chosen))
    return assemble(view, asked, packer.chosen, max_tokens)


def shows_turns(space: Space) -> bool:
    """Whether turns are what is ranked, rather than statements."""
    return space.source_turns == Space.SourceTurns.ALL


def _statements(view: View, asked: Question) -> list[Item]:
    return held_statement_items(view, asked) if view.as_of else statement_items(view, asked, view.statements())


def _beside_turns(view: View, asked: Question) -> list[Item]:
    """The statements that no turn which may be shown makes as they are held."""
    if not view.as_of:
        return statement_items(view, asked, view.statements_beside_turns())
    items = held_statement_items(view, asked)
    ids = [item.statement_id for item in items if item.statement_id]
    quotes = view.quotes_of(ids)
    messages = {quote.message_id for found in quotes.values() for quote in found}
    shown = set(view.turns().filter(message_id__in=messages).values_list("message_id", flat=True))

    def stands_alone(statement: Statement) -> bool:
        is_corrected = isinstance(statement, Fact) and statement.corrected_at is not None
        sources = {quote.message_id for quote in quotes.get(statement.pk, ())}
        return is_corrected or statement.origin != Origin.EXTRACTED or not sources & shown

    alone = {pk for pk, statement in view.statements_held(ids).items() if stands_alone(statement)}
    return [item for item in items if item.statement_id in alone]


def _source_turns(view: View, chosen: Sequence[Item]) -> list[Item]:
    """The turns behind the chosen statements, in the order of these, as far as they say more than the statement."""
    ids = [item.statement_id for item in chosen if item.statement_id]
    quotes = view.quotes_of(ids)
    texts = {pk: inert(statement.text) for pk, statement in view.statements_held(ids).items()}
    messages = {quote.message_id for found in quotes.values() for quote in found}
    passages: dict[UUID, list[dict[str, Any]]] = defaultdict(list)
    for row in view.turns().filter(message_id__in=messages).values(*FIELDS, "message__content"):
        passages[row["message_id"]].append(row)
    turns: dict[int, Item] = {}
    for item in chosen:
        for quote in quotes.get(item.statement_id, ()) if item.statement_id else ():
            for row in passages[quote.message_id]:
                said = inert(row["message__content"][row["start"] : row["end"]])
                holds = row["start"] <= quote.start and quote.end <= row["end"]
                if holds and said != texts.get(quote.statement_id):
                    turns.setdefault(row["pk"], Item(row, item.score, row["line_tokens"], set(item.topics)))
    return list(turns.values())


def _header_cost(item: Item) -> tuple[Hashable, int]:
    if item.row["message_id"]:
        return item.row["day"], DAY_HEADER_TOKENS
    return item.row["topic_id"], TOPIC_HEADER_TOKENS


DAY_HEADER_TOKENS = count_tokens("[2024-05-03]\n")
# A topic's header is short; what a long name costs beyond this is found when the block is counted.
TOPIC_HEADER_TOKENS = 8
