"""How a proposal reads in the queue."""

from __future__ import annotations

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from extraction.console.forms import topic_name_of
from extraction.models import Conflict, Proposal, ProposalQuote
from extraction.selectors.proposals import cut
from topics.models import Evidence, Message
from topics.templatetags.console import fact_kind, icon

register = template.Library()

SYMBOLS = {
    Proposal.Kind.TOPIC: "topic",
    Proposal.Kind.TIMELINE: "timeline",
    Proposal.Kind.ALIAS: "tag",
    Proposal.Kind.SUMMARY: "fact",
    Proposal.Kind.ARCHIVE: "archive",
    Proposal.Kind.MERGE: "merge",
}
SPEAKERS = {Message.Role.USER: "customer", Message.Role.ASSISTANT: "agent"}

BESIDE = 160  # characters
# `Verdict.why` of extraction.services.reconcile, in words.
REASONS = {
    "value": gettext_lazy("Both give a value, and the values differ."),
    "certainty": gettext_lazy("Both say the same, but not with the same certainty."),
    "negation": gettext_lazy("One says that the other is not so."),
    "stated": gettext_lazy("What was said names the statement that it contradicts."),
}

register.filter("topic_name", topic_name_of)


@register.filter
def conflict_reason(conflict: Conflict) -> str:
    """Why the two sides cannot both stand; empty when it was not noted."""
    return str(REASONS.get(conflict.why, ""))


@register.filter
def claim(proposal: Proposal) -> str:
    """What the proposal says, in one line."""
    if proposal.kind == Proposal.Kind.TOPIC:
        return proposal.topic_name
    if proposal.kind == Proposal.Kind.ALIAS:
        return _("%(topic)s is also called %(alias)s") % {"topic": topic_name_of(proposal), "alias": proposal.alias}
    if proposal.kind == Proposal.Kind.ARCHIVE:
        return _("Archive %(topic)s") % {"topic": topic_name_of(proposal)}
    return proposal.text


@register.simple_tag
def proposal_kind(proposal: Proposal) -> SafeString:
    """The kind of a proposal as a badge; of a fact, what kind of fact."""
    if proposal.kind == Proposal.Kind.FACT and proposal.fact_kind:
        return fact_kind(proposal.fact_kind)
    symbol = SYMBOLS.get(Proposal.Kind(proposal.kind), "fact")
    return format_html('<span class="badge">{}{}</span>', icon(symbol), proposal.get_kind_display())


@register.filter
def in_its_turn(span: ProposalQuote | Evidence) -> list[tuple[bool, str]]:
    """The quoted words (marked) with a little of their message on either side."""
    text = span.message.content
    first, last = max(span.start - BESIDE, 0), min(span.end + BESIDE, len(text))
    pieces = cut(text[first:last], [(span.start - first, span.end - first)])
    return [(False, "…")] * (first > 0) + pieces + [(False, "…")] * (last < len(text))


@register.filter
def speaker_class(message: Message) -> str:
    """The look of a speaker's avatar."""
    return SPEAKERS.get(Message.Role(message.role), "")
