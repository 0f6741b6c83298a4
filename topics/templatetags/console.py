"""What the console's templates share: icons, labels, dates as exact as they are, and the language of a text."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any

from django import template
from django.templatetags.static import static
from django.urls import reverse
from django.utils import formats, timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from topics.models import Fact, TimelineEntry
from topics.models.statement import Certainty
from topics.text.diff import word_diff

register = template.Library()

HAN = re.compile("[\u3400-\u9fff]")
LATIN_WORD = re.compile("[A-Za-z]{2,}")
PRECISION_FORMATS = {
    TimelineEntry.Precision.YEAR: "Y",
    TimelineEntry.Precision.MONTH: "YEAR_MONTH_FORMAT",
    TimelineEntry.Precision.DAY: "DATE_FORMAT",
    TimelineEntry.Precision.MINUTE: "DATETIME_FORMAT",
}


@register.simple_tag
def icon(name: str) -> SafeString:
    """One of the symbols in static/icons.svg. Decorative: a word stands beside it, or the control has a label."""
    return format_html(
        '<svg class="icon" aria-hidden="true"><use href="{}#i-{}"></use></svg>', static("icons.svg"), name
    )


@register.simple_tag
def certainty(level: str) -> SafeString:
    """How certain a statement is, as shape and word."""
    return format_html(
        '<span class="certainty" data-level="{}">{}{}</span>', level, icon(level), Certainty(level).label
    )


@register.simple_tag
def fact_kind(kind: str) -> SafeString:
    """The kind of a fact, as a badge."""
    return format_html('<span class="badge">{}{}</span>', icon(kind), Fact.Kind(kind).label)


@register.simple_tag(takes_context=True)
def nav_link(context: dict[str, Any], view_name: str, symbol: str, label: str) -> SafeString:
    """A link of the sidebar, marked when the page in view lies at or below it."""
    address = reverse(view_name)
    current = format_html(' aria-current="page"') if context["request"].path.startswith(address) else ""
    return format_html('<a class="nav-link" href="{}"{}>{}{}</a>', address, current, icon(symbol), label)


@register.filter
def initials(name: str) -> str:
    """Up to two letters for an avatar: the last two characters of a Chinese name, the first of two words elsewhere."""
    if HAN.search(name):
        return "".join(HAN.findall(name))[-2:]
    words = re.findall(r"\w+", name)
    return "".join(word[0] for word in (words[:1] + words[1:][-1:])).upper() or "?"


@register.filter
def content_language(text: str) -> SafeString:
    """A lang attribute for text whose language differs from the page's, else nothing."""
    has_han = bool(HAN.search(text))
    is_chinese_page = (get_language() or "").startswith("zh")
    if has_han and not is_chinese_page:
        return format_html(' lang="zh-Hans"')
    if not has_han and is_chinese_page and LATIN_WORD.search(text):
        return format_html(' lang="en"')
    return SafeString("")


@register.filter
def as_exact_as(moment: datetime, precision: str) -> SafeString:
    """A time with no more detail than its precision holds: "2024", "May 2024", "14 May 2024", "14 May 2024, 10:41"."""
    local = timezone.localtime(moment)
    shown = formats.date_format(local, PRECISION_FORMATS[TimelineEntry.Precision(precision)])
    return format_html('<time datetime="{}">{}</time>', local.isoformat(), shown)


@register.filter
def ago(moment: datetime) -> SafeString:
    """How long ago, up to a day; then the date. The exact time is in the title."""
    local = timezone.localtime(moment)
    passed = timezone.now() - moment
    minutes = int(passed.total_seconds() // 60)
    if minutes < 1:
        shown = _("just now")
    elif minutes < 60:
        shown = ngettext("%(count)d min ago", "%(count)d min ago", minutes) % {"count": minutes}
    elif passed < timedelta(days=1):
        shown = ngettext("%(count)d h ago", "%(count)d h ago", minutes // 60) % {"count": minutes // 60}
    else:
        this_year = local.year == timezone.localtime().year
        shown = formats.date_format(local, "MONTH_DAY_FORMAT" if this_year else "DATE_FORMAT")
    exact = formats.date_format(local, "DATETIME_FORMAT")
    return format_html('<time datetime="{}" title="{}">{}</time>', local.isoformat(), exact, shown)


@register.filter
def old_words(old: str, new: str) -> SafeString:
    """The old text of a change, with what is gone marked."""
    return _marked(word_diff(old, new), "remove", "del")


@register.filter
def new_words(new: str, old: str) -> SafeString:
    """The new text of a change, with what has come marked."""
    return _marked(word_diff(old, new), "add", "ins")


def _marked(pieces: Any, operation: str, tag: str) -> SafeString:
    element = SafeString(f"<{tag}>{{}}</{tag}>")
    shown = [
        (format_html(element, text) if op == operation else text,) for op, text in pieces if op in ("same", operation)
    ]
    return format_html_join("", "{}", shown)
