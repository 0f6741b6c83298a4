"""A document as Markdown, for prompts, exports and people."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _
from django.utils.translation import override

from topics.models import Fact, TimelineEntry
from topics.models.statement import Certainty
from topics.selectors.documents import Document, DocumentConflict, Line, Source

# What would begin a heading, a link, a tag or code of its own: stored words stay words.
_MARKUP = re.compile(r"([\\`*_\[\]<>#|])")
_DATES = {
    TimelineEntry.Precision.YEAR: "%Y",
    TimelineEntry.Precision.MONTH: "%Y-%m",
    TimelineEntry.Precision.DAY: "%Y-%m-%d",
    TimelineEntry.Precision.MINUTE: "%Y-%m-%d %H:%M",
}


def as_markdown(found: Document) -> str:
    """Name, other names, summary, facts by kind, timeline and what was superseded, each line with its sources.

    Headings are in the language of the space, dates in its time zone.
    """
    space = found.topic.space
    with override(space.language):
        return "\n".join(_lines(found, ZoneInfo(space.time_zone))) + "\n"


def _lines(found: Document, zone: ZoneInfo) -> Iterator[str]:
    yield f"# {_inert(found.topic.name)}"
    if found.aliases:
        yield ""
        yield _("Also known as: %(names)s") % {"names": ", ".join(_inert(alias.name) for alias in found.aliases)}
    if found.topic.summary:
        yield ""
        yield _inert(found.topic.summary)
    for kind, facts in found.facts_by_kind():
        yield from _section(str(kind.label), [_fact(line, zone) for line in facts])
    timeline = [
        f"{_day(line.row.happened_at, line.row.precision, zone)}: {_said(line, zone)}" for line in found.timeline
    ]
    yield from _section(_("Timeline"), timeline)
    yield from _section(_("Superseded"), [_fact(line, zone) for line in found.superseded])
    yield from _section(_("Open conflicts"), [_conflict(row, zone) for row in found.open_conflicts])
    yield from _section(_("Past conflicts"), [_conflict(row, zone) for row in found.past_conflicts])


def _section(title: str, items: list[str]) -> Iterator[str]:
    if items:
        yield from ("", f"## {title}", "")
        yield from (f"- {item}" for item in items)


def _fact(line: Line[Fact], zone: ZoneInfo) -> str:
    fact = line.row
    marks = [_("disputed")] if line.is_disputed else []
    if fact.scope:
        marks.append(_inert(fact.scope))
    if fact.valid_from:
        marks.append(_("from %(day)s") % {"day": _day(fact.valid_from, TimelineEntry.Precision.DAY, zone)})
    if fact.valid_until:
        marks.append(_("until %(day)s") % {"day": _day(fact.valid_until, TimelineEntry.Precision.DAY, zone)})
    return _said(line, zone, marks)


def _said(line: Line[Fact] | Line[TimelineEntry], zone: ZoneInfo, marks: list[str] | None = None) -> str:
    certainty = Certainty(line.row.certainty)
    all_marks = ([] if certainty == Certainty.CONFIRMED else [str(certainty.label).lower()]) + (marks or [])
    if line.edit:
        day = _day(line.edit.at, TimelineEntry.Precision.DAY, zone)
        all_marks.append(_("edited by %(name)s, %(day)s") % {"name": _inert(line.edit.by), "day": day})
    words = _inert(line.row.text)
    if all_marks:
        words += f" ({', '.join(all_marks)})"
    return " ".join([words, *(_source(source) for source in line.sources)])


def _conflict(row: DocumentConflict, zone: ZoneInfo) -> str:
    said = _("“%(held)s” is contradicted by “%(claim)s”") % {"held": _inert(row.fact.text), "claim": _inert(row.claim)}
    day = TimelineEntry.Precision.DAY
    marks = [_("said %(day)s") % {"day": _day(row.said_at, day, zone)}] if row.said_at else []
    if row.settled_at:
        marks += [row.outcome_label, _inert(row.settled_by), _day(row.settled_at, day, zone)]
    return f"{said} ({', '.join(mark for mark in marks if mark)})"


def _source(source: Source) -> str:
    return _inert(f"〔{source.conversation} {source.message}〕")


def _day(moment: datetime, precision: str, zone: ZoneInfo) -> str:
    return moment.astimezone(zone).strftime(_DATES[TimelineEntry.Precision(precision)])


def _inert(text: str) -> str:
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))
