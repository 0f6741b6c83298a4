"""The extractor that asks a language model: a first pass finds, a second pass checks.

What a model says is never believed further than the words it quotes: see `answers` (labels and quotes), `grounding`
(text, values, dates) and the second pass here. Whatever is dropped on the way is counted in the report.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from extraction.extractors.llm.answers import Draft, Judgement, Refused, read_draft, read_judgements
from extraction.extractors.llm.grounding import ground
from extraction.extractors.llm.lines import CONTEXT_LINES, Line, as_context, batches, earlier_lines, new_lines
from extraction.extractors.llm.prompts import (
    FEWER_FINDINGS,
    MOST_FINDINGS,
    check_messages,
    check_schema,
    find_messages,
    find_schema,
)
from extraction.extractors.llm.sheet import Sheet, facts_of, find_candidates, moment
from extraction.extractors.protocol import Extraction, ExtractionError, Finding, Report, Window
from inference.client import ChatMessage, ChatModel, JsonSchema
from inference.errors import CutOff, InferenceError
from inference.errors import Refused as ModelRefused
from inference.models import Purpose
from topics.services.statements import content_key
from topics.text.names import name_key

TOO_LONG = _("The model's answer to this turn alone is too long for it.")
FIND_TOKENS, CHECK_TOKENS = 2000, 1500  # of an answer
CHECKED_AT_ONCE = 8

Item = TypeVar("Item")


class LlmExtractor:
    """Reads windows with one model. Raises ExtractionError for whatever keeps the model from answering."""

    name = "llm"

    def __init__(self, model: ChatModel) -> None:
        self._model = model
        self.model: str | None = model.name

    def extract(self, window: Window) -> Extraction:
        """The findings of the window's user turns, and what was dropped on the way.

        The window is read in parts of INFINI_EXTRACT_WINDOW_TOKENS; no call is made where nobody said a word.
        """
        try:
            return _Reading(self._model, window).extract()
        except InferenceError as error:
            raise ExtractionError(error.args[0], retry=error.retry, retry_after=error.retry_after) from error


class _Reading:
    """One window being read."""

    def __init__(self, model: ChatModel, window: Window) -> None:
        self._model, self._window = model, window
        self._size = settings.INFINI_EXTRACT_WINDOW_TOKENS
        self._found = 0
        self._dropped: Counter[str] = Counter()
        self._mended: Counter[str] = Counter()
        self._said: set[tuple[str, str, str]] = set()
        self._failed: dict[str, object] = {}
        # A long message takes half a part at most, so that it is never alone without what was said around it.
        self._lines = new_lines(window.turns, most_tokens=self._size // 2)
        self._order = {turn.id: position for position, turn in enumerate(window.turns)}
        self._place = {line.label: position for position, line in enumerate(self._lines)}

    def extract(self) -> Extraction:
        findings = [f for batch in batches(self._lines, most_tokens=self._size) for f in self._read(batch)]
        findings.sort(key=lambda f: (self._order[f.quotes[0].turn], f.quotes[0].start))
        report = Report(self._found, dict(self._dropped), dict(self._mended))
        return Extraction(tuple(findings), self._failed, report)

    # ---------------------------------------------------------------------------------------------- reading lines

    def _read(self, lines: Sequence[Line]) -> list[Finding]:
        """Both passes over some lines. Where an answer does not fit, or is refused, over each half of them.

        A single line that cannot be read fails its turn, and no other.
        """
        sheet = self._sheet(lines)
        try:
            items = self._find(sheet)
        except (CutOff, ModelRefused) as error:
            if len(sheet.readable) > 1:
                return self._read_halves(lines)
            if isinstance(error, ModelRefused):
                return self._fail(sheet.readable, _problem(error))
            items = self._find_fewer(sheet)
        if len(items) >= MOST_FINDINGS and len(sheet.readable) > 1:
            return self._read_halves(lines)
        self._found += len(items)
        return self._check([pair for item in items for pair in self._grounded(item, sheet)], sheet)

    def _read_halves(self, lines: Sequence[Line]) -> list[Finding]:
        self._mended["split"] += 1
        readable = [position for position, line in enumerate(lines) if line.is_new]
        middle = readable[len(readable) // 2]
        return self._read(lines[:middle]) + self._read(lines[middle:])

    def _sheet(self, lines: Sequence[Line]) -> Sheet:
        start = self._place[lines[0].label]
        before = [*earlier_lines(self._window.context), *(as_context(line) for line in self._lines[:start])]
        turns = list({line.turn.id: line.turn for line in lines}.values())
        candidates = find_candidates(self._window, turns)
        return Sheet(
            window=self._window,
            context=tuple(before[-CONTEXT_LINES:]),
            lines=tuple(lines),
            candidates=candidates,
            facts=facts_of(self._window, candidates),
        )

    def _find(self, sheet: Sheet) -> list[Any]:
        return self._ask(Purpose.FIND, find_messages(sheet), find_schema(sheet), "findings", FIND_TOKENS)

    def _find_fewer(self, sheet: Sheet) -> list[Any]:
        """A single line that overflows the answer: the most telling findings only, and this is counted."""
        try:
            found = self._ask(
                Purpose.FIND, find_messages(sheet, fewer=True), find_schema(sheet, fewer=True), "findings", FIND_TOKENS
            )
        except (CutOff, ModelRefused) as error:
            return self._fail(sheet.readable, _problem(error))
        self._mended["shortened"] += 1
        return found[:FEWER_FINDINGS]

    def _ask(
        self, purpose: Purpose, messages: list[ChatMessage], schema: JsonSchema, key: str, max_tokens: int
    ) -> list[Any]:
        answer = self._model.answer_json(purpose=purpose, messages=messages, schema=schema, max_tokens=max_tokens)
        items = answer.data.get(key) if isinstance(answer.data, dict) else None
        if not isinstance(items, list):
            raise ExtractionError(_("The model's answer is not in the form that was asked for."), retry=True)
        return items

    def _fail(self, lines: Iterable[Line], problem: object) -> list[Any]:
        self._failed |= dict.fromkeys((line.turn.id for line in lines), problem)
        return []

    # -------------------------------------------------------------------------------------------------- grounding

    def _grounded(self, item: Any, sheet: Sheet) -> Iterator[tuple[Draft, Finding]]:
        """The draft and the finding of an item of the answer, unless it is dropped."""
        try:
            draft = read_draft(item, sheet)
            yield draft, ground(draft, sheet)
        except Refused as refused:
            self._drop(refused.reason)

    def _drop(self, reason: str, count: int = 1) -> None:
        self._dropped[reason] += count

    # --------------------------------------------------------------------------------------------------- checking

    def _check(self, pairs: Sequence[tuple[Draft, Finding]], sheet: Sheet) -> list[Finding]:
        """The findings that the second pass keeps, as it corrects them, each said once."""
        kept: list[Finding] = []
        for group in _groups(self._once(pairs), CHECKED_AT_ONCE):
            for (draft, finding), judgement in zip(group, self._judge(group, sheet), strict=True):
                if judgement is None or judgement.verdict == "drop":
                    self._drop("unchecked" if judgement is None else "not_borne_out")
                else:
                    kept += self._judged(draft, finding, judgement, sheet)
        for finding in kept:
            self._mended.update(filter(None, finding.why.split(", ")))
        return kept

    def _once(self, pairs: Sequence[tuple[Draft, Finding]]) -> list[tuple[Draft, Finding]]:
        """Without findings that say of a topic what one before them said."""
        fresh = []
        for draft, finding in pairs:
            ref = finding.topic
            said = (ref.id or name_key(ref.name), finding.alias, content_key(finding.text))
            if said in self._said:
                self._drop("repeated")
            else:
                self._said.add(said)
                fresh.append((draft, finding))
        return fresh

    def _judge(self, group: Sequence[tuple[Draft, Finding]], sheet: Sheet) -> list[Judgement | None]:
        """A verdict on each finding, None where the model gives none, not even when asked again.

        Raises ExtractionError where it gives none at all: that is no judgement.
        """
        judged = self._ask_verdicts(group, sheet)
        missing = [position for position, judgement in enumerate(judged) if judgement is None]
        if missing:
            again = self._ask_verdicts([group[position] for position in missing], sheet)
            for position, judgement in zip(missing, again, strict=True):
                judged[position] = judgement
        if not any(judged):
            raise ExtractionError(_("The model's answer is not in the form that was asked for."), retry=True)
        return judged

    def _ask_verdicts(self, group: Sequence[tuple[Draft, Finding]], sheet: Sheet) -> list[Judgement | None]:
        """What the model says of each finding. Where the answer does not fit, or is refused: of each half of them."""
        numbers = range(1, len(group) + 1)
        notes = [_note(number, finding, draft, sheet) for number, (draft, finding) in zip(numbers, group, strict=True)]
        try:
            items = self._ask(Purpose.CHECK, check_messages(notes), check_schema(numbers), "verdicts", CHECK_TOKENS)
        except (CutOff, ModelRefused) as error:
            if len(group) == 1:
                self._fail((quote.line for quote in group[0][0].quotes), _problem(error))
                return [Judgement("drop")]
            middle = len(group) // 2
            return self._ask_verdicts(group[:middle], sheet) + self._ask_verdicts(group[middle:], sheet)
        judged = read_judgements(items, numbers)
        return [judged.get(number) for number in numbers]

    def _judged(self, draft: Draft, finding: Finding, judgement: Judgement, sheet: Sheet) -> list[Finding]:
        """The finding as the second pass leaves it; none where its correction does not hold."""
        if draft.contradicts and not judgement.contradicts:
            draft = replace(draft, contradicts=None, mended=[*draft.mended, "relation"])
            finding = replace(finding, contradicts="", why=", ".join(filter(None, [finding.why, "relation"])))
        return [finding] if judgement.verdict == "keep" else self._corrected(draft, judgement, sheet)

    def _corrected(self, draft: Draft, judgement: Judgement, sheet: Sheet) -> list[Finding]:
        """The finding as the second pass corrects it, held to its words once more; none where that drops it."""
        corrected = replace(
            draft,
            text=judgement.text or draft.text,
            certainty=judgement.certainty or draft.certainty,
            kind=draft.kind if draft.kind == "alias" else judgement.kind or draft.kind,
            when=judgement.when or draft.when,
        )
        if corrected != draft:
            corrected.mended = [*draft.mended, "corrected"]
        try:
            return [ground(corrected, sheet)]
        except Refused:
            self._drop("not_borne_out")
            return []


def _problem(error: CutOff | ModelRefused) -> object:
    """Why a turn could not be read, for people."""
    return error.args[0] if isinstance(error, ModelRefused) else TOO_LONG


def _note(number: int, finding: Finding, draft: Draft, sheet: Sheet) -> dict[str, Any]:
    """A finding as the second pass sees it: with its own words, and nothing else of the conversation."""
    turn = draft.quotes[0].line.turn
    note: dict[str, Any] = {
        "n": number,
        "about": finding.topic.name,
        "by": turn.speaker or turn.role,
        "said": moment(turn.said_at, sheet.window.time_zone),
        "words": [quote.text for quote in finding.quotes],
        "text": f"{finding.topic.name} = {finding.alias}" if finding.kind == "alias" else finding.text,
        "kind": finding.kind,
        "certainty": finding.certainty,
    }
    if finding.contradicts and draft.contradicts:
        note["held"] = draft.contradicts.text
    if finding.happened_at:
        note["when"] = moment(finding.happened_at, sheet.window.time_zone)
    return note


def _groups(items: Sequence[Item], size: int) -> Iterator[Sequence[Item]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]
