"""Questions that agents should put to their users, and what a query says beside its answer."""

from __future__ import annotations

from collections.abc import Callable

from extraction.models import Confirmation
from extraction.selectors.jobs import waiting_messages
from extraction.services.questions import question_for
from topics.models import Fact, Space
from topics.retrieval.answer import MemoryAnswer
from topics.retrieval.columns import inert
from topics.retrieval.context import fenced
from topics.retrieval.marks import phrase
from topics.text.tokens import count_tokens


def questions_about(space: Space, answer: MemoryAnswer) -> list[Confirmation]:
    """Questions that wait for an answer, about the topics of this answer, the oldest first.

    One about a fact that is held no more is left out; one about a fact that was edited since quotes it as it is now.
    """
    if not answer.topics:
        return []
    rows = Confirmation.objects.filter(
        space=space,
        status=Confirmation.Status.OPEN,
        conflict__fact__topic__in=[topic.id for topic in answer.topics],
        conflict__fact__status=Fact.Status.ACTIVE,
    )
    # Nearly always there are none, and to ask for all that a question is made of takes far longer.
    open_ones = list(rows.order_by("pk").values_list("pk", flat=True))
    if not open_ones:
        return []
    questions = list(
        Confirmation.objects.filter(pk__in=open_ones)
        .select_related("conflict__fact", "conflict__proposal__message")
        .order_by("pk")
    )
    for row in questions:
        if row.fact_version not in (None, row.conflict.fact.version):
            row.question = question_for(row.conflict)
    return questions


def answer_in_text(space: Space, ask: Callable[..., MemoryAnswer], max_tokens: int) -> str:
    """What `ask(max_tokens=…)` answers, and after it what to ask the user and how many messages wait to be read.

    All of it keeps within `max_tokens`, of which the notes take half at most: those that do not fit are left out.
    """
    answer = ask(max_tokens=max_tokens)
    notes = _notes(space, answer)
    while notes and count_tokens(fenced(space, notes)) > max_tokens // 2:
        notes.pop()
    if not notes:
        return answer.context
    block = fenced(space, notes)
    cost = count_tokens(f"\n{block}")
    if answer.tokens + cost > max_tokens:
        answer = ask(max_tokens=max_tokens - cost)
    return f"{answer.context}\n{block}" if answer.context else block


def _notes(space: Space, answer: MemoryAnswer) -> list[str]:
    questions = questions_about(space, answer)
    notes = [phrase(space, "question", id=str(row.pk), question=inert(row.question)) for row in questions]
    waiting = waiting_messages(space)
    return notes + ([phrase(space, "waiting", count=str(waiting))] if waiting else [])
