"""Which standing topic a proposed one may be: by a name that is written almost alike."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.dispatch import receiver
from rapidfuzz import fuzz, process

from extraction.models import Proposal
from extraction.selectors.proposals import OPEN
from topics.models import Alias, ChangeSet, Space, Topic
from topics.signals import documents_changed
from topics.text.analyse import fold
from topics.text.names import name_key, untitled

# Percent of `rapidfuzz.fuzz.ratio` from which two names may mean the same.
ALIKE = 88
# Shorter names differ by a letter and mean something else: Ann and Anna, 王芳 and 王方.
LEAST_LETTERS = 5


def resembling_topic(space: Space, name: str) -> Topic | None:
    """The topic one of whose names is written almost like this one, or is the same but for a title or the word order.

    Never one with another number in it: phase 2 is not phase 1.
    """
    if not _is_long_enough(name):
        return None
    wanted = _comparable(name)
    rows = Alias.objects.filter(space=space, topic__status__in=(Topic.Status.ACTIVE, Topic.Status.ARCHIVED))
    names = {pk: alias for pk, alias in rows.values_list("pk", "name") if _digits(alias) == _digits(name)}
    best = process.extractOne(wanted, names, processor=_comparable, scorer=fuzz.ratio, score_cutoff=ALIKE)
    if best is None:
        best = process.extractOne(_in_order(name), names, processor=_in_order, scorer=fuzz.ratio, score_cutoff=ALIKE)
    return rows.select_related("topic").get(pk=best[2]).topic if best else None


@receiver(documents_changed, dispatch_uid="extraction.notice_new_names")
def notice_new_names(sender: Any, change_set: ChangeSet, topics: Collection[Any], **kwargs: Any) -> None:
    """Say of the proposed topics that wait which may be one that has just got a name: when they were filed there was
    none like them."""
    named = Alias.history.filter(change_set=change_set, history_type="+").values("id")
    names = Alias.objects.filter(id__in=named, topic__status=Topic.Status.ACTIVE).values_list("name", "topic")
    fresh = [(name, topic) for name, topic in names if _is_long_enough(name)]
    if not fresh:
        return
    waiting = Proposal.objects.filter(space=change_set.space, kind=Proposal.Kind.TOPIC, status__in=OPEN, resembles=None)
    proposed = {pk: name for pk, name in waiting.values_list("pk", "topic_name") if _is_long_enough(name)}
    for name, topic in fresh if proposed else ():
        alike = {pk: other for pk, other in proposed.items() if _digits(other) == _digits(name)}
        found = {
            pk
            for written in (_comparable, _in_order)
            for _name, _likeness, pk in process.extract(
                written(name), alike, processor=written, scorer=fuzz.ratio, score_cutoff=ALIKE, limit=None
            )
        }
        Proposal.objects.filter(pk__in=found).update(resembles=topic)
        proposed = {pk: other for pk, other in proposed.items() if pk not in found}


def _is_long_enough(name: str) -> bool:
    return len(_comparable(name)) >= LEAST_LETTERS


def _comparable(name: str) -> str:
    return name_key(untitled(name))


def _in_order(name: str) -> str:
    """The words (of Chinese: the characters) of a name in one order, whatever theirs."""
    words = fold(untitled(name)).split()
    return " ".join(sorted(words)) if len(words) > 1 else "".join(sorted(_comparable(name)))


def _digits(name: str) -> str:
    return "".join(c for c in fold(name) if c.isdigit() or c in "一二三四五六七八九十")
