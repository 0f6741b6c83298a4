"""The topic of somebody whom another system knows by an id: a user, an agent or a run."""

from __future__ import annotations

import hashlib

from topics.changes import Actor
from topics.errors import NameTaken
from topics.models import Alias, Space, Topic
from topics.selectors.topics import resolve_topic
from topics.services.topics import create_topic
from topics.text.names import name_key


def owner_topic(space: Space, owner: str) -> Topic | None:
    """The topic that has exactly this id as a name: `user-1` and `User 1` are two people, though as names alike."""
    for name in _names(owner):
        alias = Alias.objects.filter(space=space, key=name_key(name), name=name).select_related("topic").first()
        if alias is not None:
            return alias.topic
    return None


def ensure_owner_topic(*, space: Space, actor: Actor, owner: str) -> Topic:
    """The topic of the owner, made where there is none. Raises InvalidInput for an id that cannot be a name."""
    for name in _names(owner):
        standing = owner_topic(space, owner)
        if standing is not None:
            return standing
        try:
            return create_topic(space=space, actor=actor, name=name, kind=Topic.Kind.PERSON)
        except NameTaken:  # by one that is written in another way, or a moment ago by another request
            continue
    standing = owner_topic(space, owner)
    if standing is None:
        raise AssertionError("a name with a digest of the id is free, or the owner's own")
    return standing


def name_for_owner(space: Space, owner: str) -> str:
    """The name under which to propose the topic of an owner who has none, such that no two owners share it.

    It is the id itself where that is how a name is compared, and nothing else answers to it.
    """
    plain, exact = _names(owner)
    return plain if plain == name_key(plain) and resolve_topic(space, plain) is None else exact


def _names(owner: str) -> tuple[str, str]:
    return owner, f"{owner[:180]} #{hashlib.sha256(owner.encode()).hexdigest()[:10]}"
