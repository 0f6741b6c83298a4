"""The wording of the question that would settle a conflict, in the language in which it was talked about."""

from __future__ import annotations

from collections.abc import Mapping

from extraction.extractors.rules.language import is_chinese
from extraction.models import Conflict
from extraction.selectors.chronology import is_older
from topics.models import Fact, Space

LONGEST = 200  # characters of a statement in a question
_CLOSING = " .。!！?？,，;；"

# Fixed, not translated by the language of whoever looks: the agent puts it to its user as it stands. It says what is
# noted, not who said so: what is held may be in the words of somebody who edited it.
_QUESTIONS: Mapping[str, Mapping[str, str]] = {
    Space.Language.ENGLISH: {
        "changed": "I have “{held}” noted; is it “{proposed}” now?",
        "decided": "I have the decision “{held}” noted; is it “{proposed}” now?",
        "certain": "I have “{held}” noted as not settled yet; is it settled now: “{proposed}”?",
        "earlier": "You once said “{proposed}”, and later “{held}”; is it “{proposed}” after all?",
    },
    Space.Language.CHINESE: {
        "changed": "我这里记录的是“{held}”，现在改为“{proposed}”，对吗？",
        "decided": "我这里记录的决定是“{held}”，现在改为“{proposed}”，对吗？",
        "certain": "我记得“{held}”之前还没有确定，现在已经确定是“{proposed}”了吗？",
        "earlier": "您先前说过“{proposed}”，后来说的是“{held}”；现在还是“{proposed}”吗？",
    },
}


def question_for(conflict: Conflict) -> str:
    """The question in the language of the new words, whatever language the space or a reviewer uses.

    It quotes what is held as it stands now, so it may be put anew after the held fact was edited.
    """
    proposal, held = conflict.proposal, conflict.fact
    words = proposal.message.content if proposal.message else proposal.text
    language = Space.Language.CHINESE if is_chinese(words) else Space.Language.ENGLISH
    kind = "decided" if held.kind == Fact.Kind.DECISION else "changed"
    if conflict.why == "certainty":
        kind = "certain"
    if is_older(proposal, held):
        kind = "earlier"
    return _QUESTIONS[language][kind].format(held=_quoted(held.text), proposed=_quoted(proposal.text))


def _quoted(text: str) -> str:
    """The statement as it stands inside a sentence: on one line, without its closing punctuation, not too long."""
    line = " ".join(text.split()).rstrip(_CLOSING)
    return line if len(line) <= LONGEST else f"{line[:LONGEST].rstrip()}…"
