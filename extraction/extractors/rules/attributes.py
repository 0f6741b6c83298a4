"""The single-valued attribute that a statement tells, whichever way it tells it."""

from __future__ import annotations

from extraction.extractors.rules.changes import find_change
from extraction.extractors.rules.concepts import Attribute
from extraction.extractors.rules.dates import DateMention
from extraction.extractors.rules.hours import find_hours
from extraction.extractors.rules.measures import find_measure
from extraction.extractors.rules.properties import find_property
from extraction.extractors.rules.terms import find_terms


def find_attribute(text: str, dates: list[DateMention], *, chinese: bool, business: bool = False) -> Attribute | None:
    """What is measured, on what terms, what something is, or what changed; None if the text tells none of them.

    `dates` are those that stand in the text; `business`: see `find_change`.
    """
    return (
        find_measure(text, chinese=chinese)
        or find_terms(text, chinese=chinese)
        or find_property(text, dates, chinese=chinese)
        or find_hours(text, chinese=chinese)
        or find_change(text, chinese=chinese, business=business)
    )
