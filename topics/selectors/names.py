"""Which topics a text names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Prefetch, Q

from topics.models import Alias, Space, Topic
from topics.text.names import match_keys, name_key
from topics.text.short_names import short_keys, short_names

MayName = Callable[[str, str], bool]

READABLE = (Topic.Status.ACTIVE, Topic.Status.ARCHIVED)


def topics_named_in(
    space: Space, may_name: MayName, *, also: Iterable[Topic] = (), like: Iterable[str] = ()
) -> list[Topic]:
    """Topics of the space that may be named in what `may_name` was made of (`mentioned_in`).

    Of a company also one that is called so for short, and then all that have these words, or those of `like`, in their
    name. A superset: names are looked for in the folded text, without regard to where words end; who reads the text
    decides. Topics come with their aliases loaded. One query for the names, one more if there is a short one, and
    two for the topics, whatever the text.
    """
    wanted: set[Any] = {topic.pk for topic in also}
    shortened = set(like)
    aliases = Alias.objects.filter(space=space)
    for key, name, topic_id in aliases.values_list("key", "name", "topic_id").iterator(chunk_size=5000):
        if may_name(key, name):
            wanted.add(topic_id)
            shortened |= {short for short in short_keys([name]) if may_name(short, "")}
    if shortened:  # who reads the text must see all that it may mean
        alike = reduce(or_, (Q(key__contains=short) for short in shortened))
        wanted.update(aliases.filter(alike).values_list("topic_id", flat=True))
    loaded = Prefetch("aliases", Alias.objects.order_by("-is_name", "id"))
    return list(Topic.objects.filter(pk__in=wanted, status__in=READABLE).prefetch_related(loaded))


def mentioned_in(texts: Sequence[str], names: Iterable[str] = ()) -> MayName:
    """Tells of the key of a name, and of the name as it is written, whether it, or what it is for short, may stand in
    one of the texts or is one of `names` (with or without a title)."""
    folded = "\n".join(name_key(line) for text in texts for line in text.splitlines())
    exact = {key for name in names for key in match_keys(name)}

    def may_name(key: str, name: str) -> bool:
        if key in exact or (len(key) > 1 and key in folded):
            return True
        return any(name_key(short) in folded for short in short_names(name))

    return may_name
