"""A preview: what an extractor finds in some turns, and what that is to what is held. Stores nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from extraction.extractors.protocol import ExtractionError, Finding, TopicRef, Turn
from extraction.services.reading import build_window, extractor_for, facts_meant, held_by
from extraction.services.reconcile import Claim, Verdict, judge, load_held
from topics.errors import InvalidInput, MemoryRefusal
from topics.models import Fact, Space, Topic
from topics.selectors.topics import reads_as_id, resolve_topic, topic_by_id, topic_by_name
from topics.text.clean import said_time
from topics.text.names import name_key


class ModelUnavailable(MemoryRefusal):
    """The model that reads for the space fails: 503 while it may answer later, 502 when it will not."""

    code = "model_unavailable"

    def __init__(self, error: ExtractionError) -> None:
        super().__init__(str(error))
        self.status = 503 if error.retry else 502
        self.retry_after = error.retry_after


@dataclass(frozen=True, slots=True)
class Contradiction:
    finding: Finding
    verdict: Verdict


@dataclass(slots=True)
class TopicFindings:
    """What was found about one topic; `topic` is None for one that does not exist yet."""

    ref: TopicRef
    topic: Topic | None
    findings: list[Finding] = field(default_factory=list)
    contradictions: list[Contradiction] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Preview:
    extractor: str
    model: str | None
    topics: list[TopicFindings]


def preview_extraction(
    *, space: Space, turns: Sequence[Turn], conversation: str, topics: Sequence[str] = ()
) -> Preview:
    """Read turns as a job would. `topics`, by name or id, are what they may be about; the first is the subject.

    Raises InvalidInput naming `topics.N` for an id that is no topic's and `messages.N.said_at` for a time in the
    future, ModelUnavailable when the extractor cannot read the turns.
    """
    for n, turn in enumerate(turns):
        said_time(turn.said_at, field=f"messages.{n}.said_at")
    extractor = extractor_for(space, reference=conversation)
    known = [_topic_or_name(space, reference, f"topics.{n}") for n, reference in enumerate(topics)]
    window = build_window(
        space=space,
        turns=turns,
        conversation=conversation,
        subject=known[0] if known else None,
        candidates=[topic for topic in known if isinstance(topic, Topic)],
        for_model=extractor.model is not None,
    )
    try:
        extraction = extractor.extract(window)
    except ExtractionError as error:
        raise ModelUnavailable(error) from error
    if extraction.failed:
        raise ModelUnavailable(ExtractionError(next(iter(extraction.failed.values())), retry=False))
    groups: dict[tuple[str | None, str], TopicFindings] = {}
    for finding in extraction.findings:
        ref = finding.topic
        key = (ref.id, "" if ref.id else name_key(ref.name))
        if key not in groups:
            topic = topic_by_id(space, ref.id) if ref.id else topic_by_name(space, ref.name)
            groups[key] = TopicFindings(ref, topic)
        groups[key].findings.append(finding)
    _reconcile(list(groups.values()), {turn.id: turn for turn in turns}, facts_meant(extraction))
    return Preview(extractor.name, extractor.model, list(groups.values()))


def _topic_or_name(space: Space, reference: str, field: str) -> Topic | str:
    topic = resolve_topic(space, reference)
    if topic is None and reads_as_id(reference):
        problem = _("There is no topic with this id.")
        raise InvalidInput(problem, fields={field: [problem]})
    return topic or reference


def _reconcile(groups: Sequence[TopicFindings], turns: dict[str, Turn], facts: dict[str, Fact]) -> None:
    claims = [
        (group, finding, _claim(group.topic, finding, turns, facts))
        for group in groups
        for finding in group.findings
        if group.topic is not None and finding.kind not in ("timeline", "alias")
    ]
    held = load_held([claim for _group, _finding, claim in claims])
    for group, finding, claim in claims:
        verdict = judge(claim, held)
        if verdict.relation in ("conflict", "outranked"):
            group.contradictions.append(Contradiction(finding, verdict))


def _claim(topic: Topic, finding: Finding, turns: dict[str, Turn], facts: dict[str, Fact]) -> Claim:
    return Claim(
        topic_id=topic.pk,
        text=finding.text,
        attribute=finding.attribute,
        value=finding.value,
        unit=finding.unit,
        negated=finding.negated,
        certainty=finding.certainty,
        said_at=turns[finding.quotes[0].turn].said_at,
        contradicts=held_by(finding, facts.get(finding.contradicts)),
        same_as=held_by(finding, facts.get(finding.same_as)),
    )
