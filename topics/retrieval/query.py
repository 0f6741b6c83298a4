"""Reading the memory: from a question to the block of text that an agent puts into its prompt. No model takes part.

The order of work: read the question (terms, names, dates, and its vector where the space has an embedder), take
candidates from the index, score them, fill the budget by worth per token, and write the block.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils import timezone

from topics.models import Space
from topics.retrieval.about import is_about_the_unknown, without_other_parties
from topics.retrieval.answer import MemoryAnswer
from topics.retrieval.columns import inert, line_cost, turn_header, turn_line
from topics.retrieval.context import assemble, block_overhead
from topics.retrieval.cuts import visible
from topics.retrieval.engine import among
from topics.retrieval.items import (
    FIELDS,
    Item,
    Search,
    candidates_for,
    held_statement_items,
    items_beside_turns,
    statement_items,
    subjects_of,
    turn_items,
    without_copies,
)
from topics.retrieval.meaning import read_meaning
from topics.retrieval.pack import Packer, in_order, named_first
from topics.retrieval.question import read_question
from topics.retrieval.view import Quote, View, is_reworded
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
    leave_out: Sequence[UUID] = (),
) -> MemoryAnswer:
    """What the space remembers about a question, within `max_tokens` tokens (o200k_base).

    What is shown follows `space.source_turns`. `as_of` answers from what was held at that moment; `topic_ids` narrows
    the answer to these topics; `now` is what relative dates in the question refer to (without it they are left alone);
    `leave_out` are messages whose turns the asker has before him anyway.
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
        leave_out=tuple(leave_out),
    )
    packer = Packer(max_tokens - block_overhead(space), _header_cost)
    kinds = (False, True) if shows_turns(space) else (True,)
    search = Search(view, asked, read_meaning(space, asked), candidates_for(max_tokens), kinds)
    items = turn_items(search) + _beside_turns(search) if shows_turns(space) else _statements(search)
    if is_about_the_unknown(search, items):
        return MemoryAnswer(question, max_tokens)
    ranked = without_copies(in_order(without_other_parties(view, asked, items)))
    named = [topic.pk for topic in asked.topics]
    packer.fill_fairly(named_first(ranked, named, packer.left // 2), named)
    if space.source_turns == Space.SourceTurns.APPROVED and packer.chosen:
        packer.fill(_quoted_words(view, packer.chosen))
    return assemble(view, asked, packer.chosen, max_tokens)


def shows_turns(space: Space) -> bool:
    """Whether turns are what is ranked, rather than statements."""
    return space.source_turns == Space.SourceTurns.ALL


def _statements(search: Search) -> list[Item]:
    return held_statement_items(search) if search.view.as_of else statement_items(search)


def _beside_turns(search: Search) -> list[Item]:
    """The statements that no turn which may be shown makes in the words in which they are held."""
    if not search.view.as_of:
        return items_beside_turns(search)
    items = held_statement_items(search)
    words = Words(search.view, [item.statement_id for item in items if item.statement_id])

    def stands_in_a_turn(pk: UUID | None) -> bool:
        return any(inert(words.statements[quote.statement_id].text) in said for quote, _, said in words.behind(pk))

    return [item for item in items if not stands_in_a_turn(item.statement_id)]


def _quoted_words(view: View, chosen: Sequence[Item]) -> list[Item]:
    """The quoted words behind the chosen statements, and no others, where an extractor put them in words of its own."""
    words = Words(view, [item.statement_id for item in chosen if item.statement_id])
    found: dict[tuple[str, str, str], Item] = {}
    for item in chosen:
        for quote, row, said in words.behind(item.statement_id):
            statement = words.statements[quote.statement_id]
            text = inert(statement.text)
            if is_reworded(statement) or text in said or said in text:
                continue
            cost = line_cost(turn_line(row["speaker"], said))
            cut = row | {"start": quote.start, "end": quote.end, "line_tokens": cost}
            subject = words.subjects.get(row["conversation__subject"], "")
            cuts = words.cuts.get(quote.message_id, ())
            found.setdefault(
                (subject, row["speaker"], said),
                Item(cut, item.score, cost, set(item.topics), cuts, subject=subject),
            )
    return list(found.values())


class Words:
    """The words behind statements, as far as they may be shown."""

    def __init__(self, view: View, statement_ids: Sequence[UUID]) -> None:
        self.statements = view.statements_held(statement_ids)
        self._quotes = view.quotes_of(statement_ids)
        messages = {quote.message_id for found in self._quotes.values() for quote in found}
        self.cuts = view.cuts_in(messages)
        self._rows: dict[UUID, list[dict[str, Any]]] = defaultdict(list)
        rows = list(among(view.turns(), "message_id", messages).values(*FIELDS, "message__content"))
        self.subjects = subjects_of(view, rows)
        for row in rows:
            self._rows[row["message_id"]].append(row)

    def behind(self, statement_id: UUID | None) -> Iterator[tuple[Quote, dict[str, Any], str]]:
        """Each quote of a statement, the row of the turn that it begins in, and its words without what is cut."""
        for quote in self._quotes.get(statement_id, ()) if statement_id in self.statements else ():
            for row in self._rows[quote.message_id]:
                if row["start"] <= quote.start < row["end"]:
                    cuts = self.cuts.get(quote.message_id, ())
                    said = visible(row["message__content"], quote.start, quote.end, cuts)
                    if said:
                        yield quote, row, inert(said)


def _header_cost(item: Item) -> tuple[Hashable, int]:
    if item.row["message_id"]:
        header = turn_header(item.row["day"], item.subject)
        return header, count_tokens(f"{header}\n") if item.subject else DAY_HEADER_TOKENS
    return item.row["topic_id"], TOPIC_HEADER_TOKENS


DAY_HEADER_TOKENS = count_tokens("[2024-05-03]\n")
# A topic's header is short; what a long name costs beyond this is found when the block is counted.
TOPIC_HEADER_TOKENS = 8
