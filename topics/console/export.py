"""The activity as a table for spreadsheet programs."""

from __future__ import annotations

import csv
from collections.abc import Iterator

from django.db.models import QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from topics.console.labels import action_label, actor_name, headline
from topics.models import ChangeSet
from topics.selectors.activity import in_batches
from topics.selectors.history import Change, delta, full_changes

BATCH = 200
BYTE_ORDER_MARK = "\ufeff"  # without it spreadsheet programs take UTF-8 for the system's own encoding
# What spreadsheet programs take for the beginning of a formula, in both widths.
FORMULA_STARTS = tuple("=+-@|%＝＋－＠")


class _Line:
    """Gives back what the csv writer writes."""

    def write(self, text: str) -> str:
        return text


def as_csv(changes: QuerySet[ChangeSet]) -> Iterator[str]:
    """The change sets as CSV with a head line (RFC 4180, UTF-8 with a byte order mark), read bit by bit.

    Words and times are in the language and the zone that are active now, not when the rest is read.
    """
    language, zone = translation.get_language(), timezone.get_current_timezone()
    head = [
        _("Time"),
        _("Who"),
        _("Sort of actor"),
        _("Change"),
        _("Statement"),
        _("Reason"),
        _("Topics"),
        _("Added"),
        _("Removed"),
        _("Undone by"),
        _("Id of the change"),
        _("Id of the request"),
    ]
    return _lines(changes, head, language, zone)


def _lines(changes: QuerySet[ChangeSet], head: list[str], language: str | None, zone: object) -> Iterator[str]:
    write = csv.writer(_Line()).writerow
    yield BYTE_ORDER_MARK + str(write(head))
    for batch in in_batches(changes, BATCH):
        with translation.override(language), timezone.override(zone):  # type: ignore[arg-type]
            found = full_changes(batch, most=1)
            lines = [str(write([inert(cell) for cell in _cells(change)])) for change in found]
        yield "".join(lines)


def inert(text: str) -> str:
    """The text so that no spreadsheet program calculates it: with an apostrophe before what begins like a formula."""
    return f"'{text}" if text.lstrip().startswith(FORMULA_STARTS) or text[:1] in ("\t", "\r", "\n") else text


def _cells(found: Change) -> list[str]:
    change, rows = found.change_set, found.rows
    sort = _("Person") if change.actor_user_id else _("Program") if change.actor_key_id else _("Software")
    counts = delta(rows)
    return [
        timezone.localtime(change.at).isoformat(timespec="seconds"),
        actor_name(change.actor_label),
        sort,
        action_label(change.action),
        headline(found),
        change.reason,
        "; ".join(version.topic.name for version in change.documents.all()),
        str(counts.came),
        str(counts.went),
        ", ".join(actor_name(undo.actor_label) for undo in change.undone_by.all()),
        str(change.pk),
        change.request_id,
    ]
