"""What the console's templates share: icons, labels, dates as exact as they are, and the language of a text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Any

from django import template
from django.templatetags.static import static
from django.urls import reverse
from django.utils import formats, timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext_lazy, ngettext, pgettext_lazy
from django.utils.translation import gettext as _

from topics.models import Fact, TimelineEntry
from topics.models.statement import Certainty
from topics.text.diff import Piece, word_diff

register = template.Library()

# The part of the shorter of two texts that must have stayed for their words to be compared.
LEAST_SHARED = 0.25

HAN = re.compile("[\u3400-\u9fff]")
LATIN_WORD = re.compile("[A-Za-z]{2,}")
PRECISION_FORMATS = {
    TimelineEntry.Precision.YEAR: "Y",
    TimelineEntry.Precision.MONTH: "YEAR_MONTH_FORMAT",
    TimelineEntry.Precision.DAY: "DATE_FORMAT",
    TimelineEntry.Precision.MINUTE: "DATETIME_FORMAT",
}

# A digit before the others that is 0 makes a code of them, a telephone number for instance.
PLAIN_NUMBER = re.compile(r"-?(0|[1-9]\d{0,29})(\.\d{1,10})?", re.ASCII)
# Without a unit these may be a year, or digits that count nothing.
YEAR_OR_CODE = re.compile(r"\d{4}|\d{9,}", re.ASCII)
# Units as extractors write them: an ISO 4217 code, and "/year" and the like for a rate.
CURRENCIES = {
    "CNY": pgettext_lazy("currency", "CNY"),
    "EUR": pgettext_lazy("currency", "EUR"),
    "GBP": pgettext_lazy("currency", "GBP"),
    "HKD": pgettext_lazy("currency", "HKD"),
    "JPY": pgettext_lazy("currency", "JPY"),
    "TWD": pgettext_lazy("currency", "TWD"),
    "USD": pgettext_lazy("currency", "USD"),
}
RATES = {
    "year": gettext_lazy("%(amount)s per year"),
    "month": gettext_lazy("%(amount)s per month"),
    "week": gettext_lazy("%(amount)s per week"),
    "day": gettext_lazy("%(amount)s per day"),
    "hour": gettext_lazy("%(amount)s per hour"),
}


@register.simple_tag
def icon(name: str) -> SafeString:
    """One of the symbols in static/icons.svg. Decorative: a word stands beside it, or the control has a label."""
    return _symbol(static("icons.svg"), name)


@lru_cache(maxsize=256)
def _symbol(address: str, name: str) -> SafeString:
    """Written once: a page of the queue shows more than a hundred."""
    return format_html('<svg class="icon" aria-hidden="true"><use href="{}#i-{}"></use></svg>', address, name)


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
    current = SafeString(' aria-current="page"') if context["request"].path.startswith(address) else ""
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
        return SafeString(' lang="zh-Hans"')
    if not has_han and is_chinese_page and LATIN_WORD.search(text):
        return SafeString(' lang="en"')
    return SafeString("")


@register.filter
def amount(value: str, unit: str = "") -> str:
    """A value with its unit: "84,000 EUR per year", "每年8.4万欧元". What is no plain number stays as it is."""
    is_chinese = (get_language() or "").startswith("zh")
    measure, _slash, period = unit.partition("/")
    name = str(CURRENCIES.get(measure, measure))
    is_number = PLAIN_NUMBER.fullmatch(value) and (unit or not YEAR_OR_CODE.fullmatch(value))
    shown = grouped(Decimal(value), is_chinese) if is_number else value
    is_tight = is_chinese and measure in CURRENCIES
    text = f"{shown}{'' if is_tight or measure == '%' else ' '}{name}".strip()
    if period in RATES:
        return str(RATES[period]) % {"amount": text}
    return f"{text}/{period}" if period else text


@register.filter
def thousands(number: int | None) -> str:
    """A count with its thousands apart, in Chinese as well, where the formats of Django leave them together."""
    return "" if number is None else f"{number:,}"


@register.filter
def price(number: Decimal) -> str:
    """A price with the decimals that it has, and no others."""
    return f"{number.normalize():f}"


def grouped(number: Decimal, is_chinese: bool) -> str:
    """Thousands apart; in Chinese, round numbers from ten thousand up counted in 万."""
    if is_chinese and abs(number) >= 10_000 and number % 1_000 == 0:
        return f"{(number / 10_000).normalize():f}万"
    return f"{number:,}"


@register.filter
def as_exact_as(moment: datetime, precision: str) -> SafeString:
    """A time with no more detail than its precision holds: "2024", "May 2024", "14 May 2024", "14 May 2024, 10:41"."""
    return exactly(moment, PRECISION_FORMATS[TimelineEntry.Precision(precision)])


@register.filter
def exactly(moment: datetime, form: str = "DATETIME_FORMAT") -> SafeString:
    """A time in one of the formats of the language, which is not broken over two lines."""
    local = timezone.localtime(moment)
    return format_html('<time datetime="{}">{}</time>', local.isoformat(), formats.date_format(local, form))


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


def _marked(pieces: Sequence[Piece], operation: str, tag: str) -> SafeString:
    """One side of a comparison. Sentences that share next to nothing stand as they are: all would be marked."""
    length = {op: sum(len(text) for other, text in pieces if other == op) for op in ("same", "remove", "add")}
    if length["same"] < LEAST_SHARED * (length["same"] + min(length["remove"], length["add"])):
        return format_html("{}", "".join(text for op, text in pieces if op in ("same", operation)))
    element = SafeString(f"<{tag}>{{}}</{tag}>")
    shown = [
        (format_html(element, text) if op == operation else text,) for op, text in pieces if op in ("same", operation)
    ]
    return format_html_join("", "{}", shown)
