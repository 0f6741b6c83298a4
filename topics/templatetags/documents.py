"""What the pages of documents and their history share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django import template
from django.utils import formats, timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from topics.console import labels
from topics.models import Alias, ChangeSet, Topic
from topics.models.statement import Certainty
from topics.selectors import history
from topics.selectors.history import FieldChange, RowChange
from topics.selectors.merges import way_of
from topics.templatetags.console import amount, as_exact_as
from topics.text.diff import word_diff

register = template.Library()
register.filter(labels.actor_name)
register.simple_tag(labels.headline)

# The likelihood of a pair of duplicates, from which on it is called so.
VERY_LIKELY, LIKELY = 0.95, 0.75


@register.filter
def other_names(topic: Topic) -> list[Alias]:
    """The aliases of a topic without its own name."""
    return [alias for alias in topic.aliases.all() if not alias.is_name]


@register.inclusion_tag("topics/came_here.html", takes_context=True)
def came_here(context: dict[str, Any]) -> dict[str, Any]:
    """The merges that lead from the topic that the address names to the one in view, where these are not the same."""
    request, topic = context["request"], context["topic"]
    asked = request.resolver_match.kwargs.get("pk")
    return {"way": way_of(request.space, asked) if asked not in (None, topic.pk) else []}


@register.filter
def action_label(change_set: ChangeSet) -> str:
    return labels.action_label(change_set.action)


@register.filter
def done_to(change: Any) -> str:
    """What a change (topics.selectors.history.Change) did, in the singular where it decided one thing alone."""
    return labels.action_label(change.change_set.action, change.decisions.count)


@register.filter
def verb_label(row: RowChange) -> str:
    return labels.verb_label(row)


@register.filter
def type_label(row: RowChange) -> str:
    """What sort of thing a row is: for a fact its kind."""
    if row.type == "fact":
        return str(dict(_choices(row, "kind"))[row.values["kind"]])
    return {"topic": _("Topic"), "alias": _("Alias"), "timelineentry": _("Timeline entry")}[row.type]


@register.filter
def field_label(field: FieldChange) -> str:
    return str(labels.FIELDS[field.name])


@register.filter
def kind_label(kind: str) -> str:
    """The kind of a topic, in words."""
    return str(Topic.Kind(kind).label)


@register.filter
def likelihood(score: float) -> str:
    """The certainty under which the likelihood of a pair is shown: the same shapes, other words."""
    return (
        Certainty.CONFIRMED if score >= VERY_LIKELY else Certainty.PLANNED if score >= LIKELY else Certainty.TENTATIVE
    )


@register.filter
def likelihood_label(score: float) -> str:
    return _("Very likely") if score >= VERY_LIKELY else _("Likely") if score >= LIKELY else _("Possible")


@register.filter
def reason_label(reason: Mapping[str, Any]) -> str:
    """What speaks for or against a pair (an item of `DuplicatePair.reasons`), in words."""
    if reason["code"] == "shared_facts":
        count = int(reason["values"][0])
        return ngettext("%(count)d fact in common", "%(count)d facts in common", count) % {"count": count}
    return str(labels.REASONS.get(reason["code"], reason["code"]))


@register.filter
def reason_values(reason: Mapping[str, Any]) -> str:
    """What a reason is about, after its label."""
    values = reason["values"][1:] if reason["code"] == "shared_facts" else reason["values"]
    if reason["code"] == "other_kind":
        values = [str(dict(Topic.Kind.choices).get(value, value)) for value in values]
    return " · ".join(value for value in values if value)


@register.filter
def can_be_reverted(row: RowChange, change_set: ChangeSet) -> bool:
    """Whether the row may be put back without the rest of its change set, as far as that is seen at a glance."""
    return change_set.action != "merge_topics" and (row.type != "topic" or row.verb == "changed")


@register.filter
def delta(rows: Sequence[RowChange]) -> history.Delta:
    return history.delta(rows)


@register.filter
def details(row: RowChange) -> list[FieldChange]:
    """The columns that changed; of what is new, those that the line above them does not tell already.

    A unit stands with its value.
    """
    told = {"unit"} if any(field.name == "value" for field in row.fields) else set()
    if row.verb not in ("added", "restored"):
        return [field for field in row.fields if field.name not in told]
    told |= {"text", "name", "kind", "precision"} if row.type != "topic" else {"name"}
    usual = FieldChange("certainty", None, Certainty.CONFIRMED.value)
    return [field for field in row.fields if field.name not in told and field != usual]


@register.simple_tag
def field_change(row: RowChange, field: FieldChange) -> SafeString:
    """The old and the new value of a column, in one line, with what differs marked."""
    old, new = _shown(row, field, field.old, is_old=True), _shown(row, field, field.new, is_old=False)
    if field.name in ("text", "summary", "name") and old and new:
        return inline_diff(old, new)
    pieces = [("remove", old), ("add", new)] if row.verb != "added" else [("same", new)]
    return _pieces([piece for piece in pieces if piece[1]])


@register.simple_tag
def inline_diff(old: str, new: str) -> SafeString:
    """Both texts in one, with what went and what came marked and spoken."""
    return _pieces(word_diff(old, new))


def _pieces(pieces: Sequence[tuple[str, str]]) -> SafeString:
    return format_html_join("", "{}", ((_piece(operation, text),) for operation, text in pieces))


def _piece(operation: str, text: str) -> SafeString | str:
    if operation == "same":
        return text
    tag, spoken = ("ins", _("Added: ")) if operation == "add" else ("del", _("Removed: "))
    return format_html(SafeString(f'<{tag}><span class="visually-hidden">{{}}</span>{{}}</{tag}>'), spoken, text)


def _shown(row: RowChange, field: FieldChange, value: Any, *, is_old: bool) -> str:
    """A value as people read it."""
    if value is None or value == "":
        return ""
    if field.name == "happened_at":
        return as_exact_as(value, _beside(row, "precision", is_old=is_old))
    if field.name == "value":
        return amount(value, _beside(row, "unit", is_old=is_old))
    if isinstance(value, datetime):
        return formats.date_format(timezone.localtime(value), "DATE_FORMAT")
    if isinstance(value, bool):
        return _("Yes") if value else _("No")
    return str(dict(_choices(row, field.name)).get(value, value))


def _beside(row: RowChange, name: str, *, is_old: bool) -> str:
    """What another column held on that side of the change."""
    for field in row.fields:
        if field.name == name and is_old and field.old is not None:
            return str(field.old)
    return str(row.values[name])


def _choices(row: RowChange, name: str) -> Sequence[tuple[Any, Any]]:
    column: Any = row.model._meta.get_field(name)
    return column.flatchoices or []
