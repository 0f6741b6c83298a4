"""How a proposal reads in the queue."""

from __future__ import annotations

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from extraction.console.forms import topic_name_of
from extraction.models import BulkItem, Conflict, Decision, Proposal, ProposalQuote, ReviewClaim
from extraction.selectors.decided import held_then
from extraction.selectors.proposals import HIGH, NORMAL, cut, is_lost
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

# `Report.dropped` and `Report.mended` of extraction.extractors.llm, in words.
DROPPED = {
    "malformed": gettext_lazy("not in the form that was asked for"),
    "unknown_topic": gettext_lazy("about a topic that it was not shown"),
    "unnamed_topic": gettext_lazy("about a new topic that nobody names"),
    "unknown_fact": gettext_lazy("set against a statement that it was not shown"),
    "foreign_fact": gettext_lazy("set against a statement of another topic"),
    "unknown_message": gettext_lazy("quoted from a turn that it was not shown"),
    "context_quoted": gettext_lazy("quoted from an earlier turn or from the assistant"),
    "no_quote": gettext_lazy("without a quote"),
    "not_located": gettext_lazy("quoted in words that the turn does not hold"),
    "secret": gettext_lazy("a secret"),
    "unmeant": gettext_lazy("imagined, or said in jest"),
    "question": gettext_lazy("a question"),
    "quoted_speech": gettext_lazy("somebody else's words, or a title"),
    "hearsay": gettext_lazy("what somebody else said"),
    "small_talk": gettext_lazy("small talk"),
    "echo": gettext_lazy("repeated from the instructions"),
    "unsupported": gettext_lazy("not about what the quoted words say"),
    "invented_number": gettext_lazy("with a number that nobody said"),
    "alias": gettext_lazy("a name that the words do not give"),
    "repeated": gettext_lazy("found twice"),
    "not_borne_out": gettext_lazy("not borne out by the quoted words"),
    "unchecked": gettext_lazy("left without a verdict by the check"),
}
MENDED = {
    "trimmed": gettext_lazy("quote cut to what states something"),
    "translated": gettext_lazy("text in another language, replaced by the quoted words"),
    "pronoun": gettext_lazy("text with “I” left in it, replaced by the quoted words"),
    "numbers": gettext_lazy("text with a number from another turn, replaced by the quoted words"),
    "negation": gettext_lazy("text that said the opposite, replaced by the quoted words"),
    "certainty": gettext_lazy("text more settled than the words, replaced by them"),
    "retold": gettext_lazy("text far from the words, replaced by them"),
    "date": gettext_lazy("date that the words do not name, taken off"),
    "value": gettext_lazy("value that the words do not give, taken off"),
    "relation": gettext_lazy("relation to a held statement, taken off"),
    "corrected": gettext_lazy("corrected by the check"),
    "split": gettext_lazy("read in halves, because the answer did not fit"),
    "shortened": gettext_lazy("turn of which only the most telling was asked for"),
}

register.filter("topic_name", topic_name_of)


@register.filter
def drop_reason(reason: str) -> str:
    """Why a finding of a model was not kept."""
    return str(DROPPED.get(reason, reason))


@register.filter
def mended_how(what: str) -> str:
    """In which way a finding of a model was kept, or a turn read."""
    return str(MENDED.get(what, what))


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


@register.filter
def what_was_done(decision: Decision, most: int) -> str:
    """What a decision did with which text, each text with at most `most` characters.

    Of a conflict it quotes what holds by the decision. Needs the annotations of `with_both_sides`.
    """
    texts = {
        "new": Truncator(claim(decision.proposal)).chars(most),
        "held": Truncator(held_then(decision)).chars(most) if decision.conflict_outcome else "",
    }
    outcomes: dict[str, str] = {
        Conflict.Outcome.REPLACE: _("Replaced with: “%(new)s”"),
        Conflict.Outcome.KEEP: _("Kept: “%(held)s”"),
        Conflict.Outcome.BOTH: _("Kept both: “%(held)s” and “%(new)s”"),
        Conflict.Outcome.NEITHER: _("Kept neither: “%(held)s” nor “%(new)s”"),
        Conflict.Outcome.ASK: _("Asked about: “%(new)s”"),
    }
    if decision.conflict_outcome:
        return outcomes[decision.conflict_outcome] % texts
    return _("%(done)s: “%(new)s”") % {"done": decision.get_after_display(), **texts}


@register.simple_tag
def proposal_kind(proposal: Proposal) -> SafeString:
    """The kind of a proposal as a badge; of a fact, what kind of fact."""
    if proposal.kind == Proposal.Kind.FACT and proposal.fact_kind:
        return fact_kind(proposal.fact_kind)
    symbol = SYMBOLS.get(Proposal.Kind(proposal.kind), "fact")
    return format_html('<span class="badge">{}{}</span>', icon(symbol), proposal.get_kind_display())


@register.filter
def became(item: BulkItem) -> str:
    """What a decision made of one of many."""
    if item.code == "asked":
        return _("Asked")
    if item.code == "earlier":
        return _("Kept as what was true before")
    return str(Proposal.Status(item.status).label)


@register.simple_tag
def priority_badge(proposal: Proposal) -> SafeString:
    """The priority of a proposal that has the annotation `priority`; nothing for the usual one."""
    level = getattr(proposal, "priority", NORMAL)
    if level == NORMAL:
        return SafeString("")
    if level == HIGH:
        return format_html('<span class="badge warn">{}{}</span>', icon("flag"), _("High priority"))
    return format_html('<span class="badge">{}</span>', _("Low priority"))


@register.filter
def in_hand_of(proposal: Proposal) -> ReviewClaim | None:
    """The claim on a proposal while it stands."""
    claim: ReviewClaim | None = getattr(proposal, "claim", None)
    return claim if claim is not None and claim.is_live else None


@register.filter
def in_its_turn(span: ProposalQuote | Evidence) -> list[tuple[bool, str]]:
    """The quoted words (marked) with a little of their message on either side."""
    text = span.message.content
    first, last = max(span.start - BESIDE, 0), min(span.end + BESIDE, len(text))
    pieces = cut(text[first:last], [(span.start - first, span.end - first)])
    return [(False, "…")] * (first > 0) + pieces + [(False, "…")] * (last < len(text))


register.filter("is_lost", is_lost)


@register.filter
def speaker_class(message: Message) -> str:
    """The look of a speaker's avatar."""
    return SPEAKERS.get(Message.Role(message.role), "")
