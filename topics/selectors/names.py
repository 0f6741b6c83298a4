"""Which topics a text names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import Prefetch

from topics.models import Alias, Space, Topic
from topics.text.names import match_keys, name_key

READABLE = (Topic.Status.ACTIVE, Topic.Status.ARCHIVED)


def topics_named_in(
    space: Space, texts: Sequence[str], names: Iterable[str] = (), *, also: Iterable[Topic] = ()
) -> list[Topic]:
    """Topics of the space of which a name may stand in one of `texts`, or is one of `names` (with or without a title).

    A superset: names are looked for in the folded text, without regard to where words end; who reads the text decides.
    Topics come with their aliases loaded. One query for the names and two for the topics, whatever the text.
    """
    folded = "\n".join(name_key(line) for text in texts for line in text.splitlines())
    exact = {key for name in names for key in match_keys(name)}
    wanted: set[Any] = {topic.pk for topic in also}
    for key, topic_id in Alias.objects.filter(space=space).values_list("key", "topic_id").iterator(chunk_size=5000):
        if key in exact or (len(key) > 1 and key in folded):
            wanted.add(topic_id)
    aliases = Prefetch("aliases", Alias.objects.order_by("-is_name", "id"))
    return list(Topic.objects.filter(pk__in=wanted, status__in=READABLE).prefetch_related(aliases))
