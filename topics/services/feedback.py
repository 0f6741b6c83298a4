"""Taking in what agents say of the answers that they got."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from topics.changes import Actor
from topics.errors import InvalidInput, NotFound
from topics.models import ApiKey, Fact, Feedback, Objection, TimelineEntry, Topic
from topics.queries import is_query_id
from topics.text.clean import storable_text

COMMENT_LIMIT = 2000
SAID = ("verdict", "relevance", "satisfaction", "comment")


def give_feedback(
    *,
    key: ApiKey,
    query_id: UUID,
    verdict: str = "",
    relevance: int | None = None,
    satisfaction: int | None = None,
    variant: str = "",
    comment: str = "",
    citations: Sequence[Mapping[str, Any]] = (),
) -> Feedback:
    """Keep what a caller says of an answer. The statements that it cites as wrong are marked for people.

    `citations` are those of the answer, as the API gave them: `fact` or `entry` names the statement, if there is one.
    Raises NotFound for an answer that the space did not give, InvalidInput when nothing is said, or for a statement
    that is not in the space.
    """
    storable_text(comment, field="comment", limit=COMMENT_LIMIT, blank=True)
    if not verdict and relevance is None and satisfaction is None and not comment.strip():
        problem = _("Say something: a verdict, a rating or a comment.")
        raise InvalidInput(problem, fields={"verdict": [problem]})
    if not is_query_id(query_id, key.space):
        problem = _("There is no answer with this id.")
        raise NotFound(problem, details={"fields": {"query_id": [problem]}})
    statements = _statements(key, citations)
    with transaction.atomic():
        feedback = Feedback.objects.create(
            space=key.space,
            api_key=key,
            query_id=query_id,
            verdict=verdict,
            relevance=relevance,
            satisfaction=satisfaction,
            variant=variant,
            comment=comment,
            citations=[{name: str(v) for name, v in row.items() if v is not None} for row in citations],
        )
        if verdict == Feedback.Verdict.WRONG:
            _object(feedback, statements)
    return feedback


def dismiss_objection(*, objection: Objection, actor: Actor) -> None:
    """The statement is right as it stands. The same words are not marked again."""
    Objection.objects.filter(pk=objection.pk, dismissed_at=None).update(
        dismissed_at=timezone.now(), dismissed_by=actor.label
    )


def _statements(key: ApiKey, citations: Sequence[Mapping[str, Any]]) -> list[Fact | TimelineEntry]:
    found: list[Fact | TimelineEntry] = []
    problems: dict[str, list[str]] = {}
    models: dict[str, Any] = {"fact": Fact, "entry": TimelineEntry}
    for name, model in models.items():
        wanted = {row[name] for row in citations if row.get(name)}
        rows = model.objects.filter(space=key.space, pk__in=wanted).exclude(topic__status=Topic.Status.DELETED)
        held = {row.pk: row for row in rows}
        found += held.values()
        for n, row in enumerate(citations):
            if row.get(name) and row[name] not in held:
                problems[f"citations.{n}.{name}"] = [_("There is nothing with this id.")]
    if problems:
        raise InvalidInput(_("Some fields need mending."), fields=problems)
    return found


def _object(feedback: Feedback, statements: Sequence[Fact | TimelineEntry]) -> None:
    rows = [
        Objection(
            space=feedback.space,
            feedback=feedback,
            fact=row if isinstance(row, Fact) else None,
            entry=row if isinstance(row, TimelineEntry) else None,
            content_key=row.content_key,
        )
        for row in statements
    ]
    Objection.objects.bulk_create(rows, ignore_conflicts=True)
