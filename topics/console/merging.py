"""Duplicates, the merge wizard and the split wizard."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from topics.console.access import ConsoleRequest, needs_role
from topics.console.forms import SplitForm
from topics.console.lookup import find_topic, page_of
from topics.errors import InvalidInput, MemoryRefusal, WrongState
from topics.models import ChangeSet, DuplicatePair, Fact, Membership, Space, Topic
from topics.selectors.documents import document
from topics.selectors.duplicates import comparison_of, duplicate_pairs
from topics.selectors.merges import own_last_merge, way_of
from topics.selectors.names import READABLE
from topics.selectors.search import count_facts
from topics.selectors.topics import reads_as_id, resolve_topic, topic_by_id
from topics.services import duplicates as services
from topics.services.merge_plan import MOST_MEMBERS, MergeChoices, MergePlan, plan_merge
from topics.services.merging import merge_topics
from topics.services.splitting import split_topic
from topics.services.topics import SUMMARY_LIMIT

VIEWER, REVIEWER, ADMIN = Membership.Role.VIEWER, Membership.Role.REVIEWER, Membership.Role.ADMIN

LETTERS = "ABCDE"
PAIRS = 20
MOST_SUGGESTED = 200
MOST_LISTED = 200  # facts without overlap
CUSTOM = "custom"
CONFLICT = "conflict-"  # and the key of the one that contradicts


@dataclass(frozen=True, slots=True)
class Member:
    """A topic in the wizard, whether it takes part, and what is told about it."""

    topic: Topic
    letter: str
    included: bool
    facts: int


# ------------------------------------------------------------------------------------------------------- duplicates


@require_safe
@needs_role(VIEWER)
def duplicates(request: ConsoleRequest) -> HttpResponse:
    """The pairs that may be one topic, or those of which somebody has said that they are not.

    To htmx, which asks while topics are being compared, how that stands.
    """
    if request.htmx.target == "comparison":
        context = {"comparison": comparison_of(request.space), "is_asked_again": True}
        return render(request, "topics/comparison.html", context)
    dismissed = request.GET.get("status") == "dismissed"
    suggested, rejected = duplicate_pairs(request.space), duplicate_pairs(request.space, dismissed=True)
    page = page_of(request, rejected if dismissed else suggested, size=PAIRS)
    counts = count_facts({topic.pk: topic for pair in page for topic in (pair.first, pair.second)}.values())
    context = {
        "page": page,
        "pairs": [(pair, [(t, counts.get(t.pk)) for t in (pair.first, pair.second)]) for pair in page],
        "is_dismissed": dismissed,
        "comparison": comparison_of(request.space),
        "suggested_count": suggested.count(),
        "dismissed_count": rejected.count(),
        "last": own_last_merge(request.space, request.user) if request.membership.may_administer else None,
    }
    return render(request, "topics/duplicates.html", context)


@require_POST
@needs_role(REVIEWER)
def dismiss(request: ConsoleRequest, pk: UUID) -> HttpResponse:
    """Note that the two are not the same."""
    pair = get_object_or_404(DuplicatePair, pk=pk, space=request.space)
    services.dismiss_pair(pair=pair, actor=request.actor)
    text = _("Noted: %(first)s and %(second)s are not duplicates.") % {
        "first": pair.first.name,
        "second": pair.second.name,
    }
    messages.success(request, text, extra_tags=reverse("topics:reopen_pair", args=[pair.pk]))
    return redirect("topics:duplicates")


@require_POST
@needs_role(REVIEWER)
def reopen(request: ConsoleRequest, pk: UUID) -> HttpResponse:
    """Suggest the pair again."""
    services.reopen_pair(pair=get_object_or_404(DuplicatePair, pk=pk, space=request.space))
    messages.success(request, _("The pair is suggested again."))
    return redirect("topics:duplicates")


# ------------------------------------------------------------------------------------------------------------ merge


@needs_role(ADMIN)
def merge(request: ConsoleRequest) -> HttpResponse:
    """The wizard; its POST merges."""
    wizard = Wizard(request, request.POST if request.method == "POST" else request.GET)
    if request.method != "POST":
        added = request.GET.get("add", "").strip()
        return wizard.add(added) if added else wizard.answer()
    try:
        wizard.check()
        plan, change = merge_topics(
            space=request.space,
            survivor=wizard.survivor,
            others=wizard.others,
            actor=request.actor,
            choices=wizard.choices(),
            reason=request.POST.get("reason", "").strip()[:2000],
        )
    except MemoryRefusal as refusal:
        return wizard.answer(refusal, status=refusal.status)
    count = len(plan.members)
    text = ngettext("%(count)d topic merged into %(name)s.", "%(count)d topics merged into %(name)s.", count)
    undo = reverse("topics:undo", args=[change.pk])
    messages.success(request, text % {"count": count, "name": plan.name}, extra_tags=undo)
    return redirect("topics:duplicates") if wizard.is_from_duplicates else redirect("topics:document", plan.survivor.pk)


@require_POST
@needs_role(ADMIN)
def preview(request: ConsoleRequest) -> HttpResponse:
    """What the merge would do, as chosen so far: to htmx that part alone, else the wizard with it."""
    return Wizard(request, request.POST).answer(is_part=bool(request.htmx))


class Wizard:
    """The merge as one person has chosen it so far."""

    def __init__(self, request: ConsoleRequest, data: QueryDict) -> None:
        self.request, self.data = request, data
        topics = _topics(request.space, data.getlist("t"))
        kept = set(data.getlist("include")) if self.is_filled else {str(t.pk) for t in topics}
        counts = count_facts(topics)
        self.members = [
            Member(topic, letter, str(topic.pk) in kept, counts[topic.pk].facts if topic.pk in counts else 0)
            for topic, letter in zip(topics, LETTERS, strict=False)
        ]
        self.is_from_duplicates = data.get("from") == "duplicates"
        # Merges by others since the topics were chosen: what is merged below stands in `members` as its survivor.
        asked = [pk for pk in dict.fromkeys(data.getlist("t")[: 2 * MOST_MEMBERS]) if reads_as_id(pk)]
        self.merged = [step for pk in asked for step in way_of(request.space, UUID(pk))]

    @property
    def is_filled(self) -> bool:
        """Whether the form was sent, and not merely opened."""
        return self.request.method == "POST"

    @property
    def included(self) -> list[Topic]:
        return [member.topic for member in self.members if member.included]

    @property
    def survivor(self) -> Topic:
        """The chosen one, if it takes part; at first the one with the most facts."""
        chosen = next((t for t in self.included if str(t.pk) == self.data.get("survivor")), None)
        if chosen is not None:
            return chosen
        if not self.included:
            raise InvalidInput(_("A merge is of 2 to %(most)d topics.") % {"most": MOST_MEMBERS})
        facts = {member.topic.pk: member.facts for member in self.members}
        return max(self.included, key=lambda topic: facts[topic.pk])

    @property
    def others(self) -> list[Topic]:
        return [topic for topic in self.included if topic != self.survivor]

    def check(self) -> None:
        """Refuse what nobody can have meant: topics that were merged since they were chosen, and a text that was typed
        as another name or summary and not chosen."""
        if self.merged and self.is_filled:
            raise WrongState(_("These topics are not what they were when you chose them."), code="topic_gone")
        texts = {
            "name": _("You typed another name, but “Other” is not chosen. Choose it, or empty the field."),
            "summary": _("You typed another summary, but “Other” is not chosen. Choose it, or empty the field."),
        }
        problems = {
            f"{field}_{CUSTOM}": [text]
            for field, text in texts.items()
            if self.data.get(f"{field}_{CUSTOM}", "").strip() and self.data.get(field) != CUSTOM
        }
        if problems:
            raise InvalidInput(next(iter(problems.values()))[0], fields=problems)

    def typed(self) -> list[tuple[str, str]]:
        """Label and text of what was typed, to be copied where there is no form any more that could hold it."""
        labels = {"name_custom": _("Other name"), "summary_custom": _("Other summary"), "reason": _("Reason")}
        return [(label, text) for name, label in labels.items() if (text := self.data.get(name, "").strip())]

    def choices(self) -> MergeChoices:
        """What the form says. Names and facts that it did not show are kept."""
        shown, kept = set(self.data.getlist("shown")), set(self.data.getlist("keep"))
        return MergeChoices(
            fields=self._fields(),
            leave_out=_uuids(shown - kept),
            prefer=_uuids(
                {str(value) for name, value in self.data.items() if name.startswith(CONFLICT) and value != "review"}
            ),
            seen={
                UUID(pk): int(version)
                for pk, _colon, version in (text.partition(":") for text in self.data.getlist("seen"))
                if reads_as_id(pk) and version.isascii() and version.isdigit()
            },
        )

    def _fields(self) -> dict[str, str]:
        """The member whose value it is, or what was typed. The value of a member that takes no part is not chosen."""
        taking_part = {str(topic.pk) for topic in self.included}
        fields = {}
        for name in ("name", "kind", "summary"):
            value = self.data.get(name, "")
            if value == CUSTOM:
                fields[name] = str(self.data.get(f"{name}_custom", ""))
            elif value in taking_part:
                fields[name] = value
        return fields

    def plan(self, *, as_seen: bool) -> MergePlan | None:
        """None when there are not two topics to merge yet. Raises MemoryRefusal; with `as_seen` also Stale."""
        if len(self.included) < 2:
            return None
        choices = self.choices()
        if not as_seen:
            choices = replace(choices, seen={})
        if self._shown_of() != self.data.get("shown_of"):
            # The facts and names in the form are those of other members: what was chosen of them is chosen anew.
            choices = replace(choices, leave_out=(), prefer=())
        return plan_merge(space=self.request.space, survivor=self.survivor, others=self.others, choices=choices)

    def _shown_of(self) -> str:
        return " ".join(str(topic.pk) for topic in (self.survivor, *self.others)) if self.included else ""

    def add(self, name: str) -> HttpResponse:
        """The wizard with one more topic, by name."""
        topic = resolve_topic(self.request.space, name)
        ids = [str(member.topic.pk) for member in self.members]
        problem = ""
        if topic is None:
            problem = _("There is no topic called %(name)s.") % {"name": name[:200]}
        elif str(topic.pk) in ids:
            problem = _("%(name)s takes part already.") % {"name": topic.name}
        elif len(ids) >= MOST_MEMBERS:
            problem = _("A merge is of 2 to %(most)d topics.") % {"most": MOST_MEMBERS}
        if problem or topic is None:
            return self.answer(not_added=problem, status=422)
        query = {"t": [*ids, str(topic.pk)]} | ({"from": "duplicates"} if self.is_from_duplicates else {})
        return redirect(f"{reverse('topics:merge')}?{urlencode(query, doseq=True)}")

    def answer(
        self,
        refusal: MemoryRefusal | None = None,
        *,
        not_added: str = "",
        status: int = 200,
        is_part: bool = False,
    ) -> HttpResponse:
        """The page, or the dry run alone. A refusal stands beside the choices, none of which is lost.

        `not_added` says why a further topic was not taken in, where its name was typed.
        """
        plan = None
        try:
            plan = self.plan(as_seen=is_part)  # a whole page shows what stands now, and says so
        except MemoryRefusal as problem:
            refusal = refusal or problem
        try:
            self.check()
        except MemoryRefusal as problem:
            refusal = problem
        context = {
            "members": self.members,
            "survivor": self.survivor if self.included else None,
            "data": self.data,
            "plan": plan,
            "refusal": refusal,
            "not_added": not_added,
            "count": len(self.included),
            "merged": self.merged,
            "typed": self.typed() if self.is_filled and len(self.members) < 2 else [],
            "is_from_duplicates": self.is_from_duplicates,
            "shown_of": self._shown_of(),
            "summary_limit": SUMMARY_LIMIT,
            "may_add": len(self.members) < MOST_MEMBERS,
        }
        if plan is not None:
            context |= self._shown(plan)
        if is_part:
            context["with_facts"] = plan is not None and self._shown_of() != self.data.get("shown_of")
            # Also for what cannot be merged so, which is no failure of the request.
            return render(self.request, "topics/merge_answer.html", context)
        context["suggested"] = list(
            Topic.objects.filter(space=self.request.space, status__in=READABLE)
            .exclude(pk__in=[member.topic.pk for member in self.members])
            .order_by("-changed_at", "-pk")
            .values_list("name", flat=True)[:MOST_SUGGESTED]
        )
        return render(self.request, "topics/merge.html", context, status=status)

    def _shown(self, plan: MergePlan) -> dict[str, Any]:
        """Names and statements with the letters of their topics, and which of them are kept."""
        letters = {member.topic.pk: member.letter for member in self.members}
        overlapping = {row.pk for c in plan.contradictions for row in (c.held, c.other)}
        overlapping |= {row.pk for r in plan.repeats for row in (r.kept, *r.joined)}
        own = plan.own.pk if plan.own else None
        names = [(alias, letters[alias.topic_id], True) for alias in plan.aliases if alias.pk != own]
        names += [(alias, letters[alias.topic_id], False) for alias in plan.dropped]
        left_out = [row for row in plan.left_out if isinstance(row, Fact)]
        single = [fact for fact in plan.facts if fact.pk not in overlapping]
        rows = [(fact, letters[fact.topic_id], fact.topic_id == plan.survivor.pk, True) for fact in single]
        rows += [(fact, letters[fact.topic_id], False, False) for fact in left_out]
        return {
            "names": sorted(names, key=lambda row: (row[1], row[0].pk)),
            "conflicts": [
                {
                    "field": f"{CONFLICT}{c.other.pk}",
                    "why": c.other.attribute or c.held.attribute,
                    "sides": [(fact, letters[fact.topic_id]) for fact in (c.held, c.other)],
                    "winner": c.winner,
                }
                for c in plan.contradictions
            ],
            "repeats": [(r.kept, _letters(letters, (r.kept, *r.joined)), 1 + len(r.joined)) for r in plan.repeats],
            "singles": rows[:MOST_LISTED],
            "more_singles": max(len(rows) - MOST_LISTED, 0),
        }


def _letters(letters: Mapping[UUID, str], facts: Iterable[Any]) -> str:
    return "".join(sorted({letters[fact.topic_id] for fact in facts}))


def _topics(space: Space, ids: Sequence[str]) -> list[Topic]:
    """The topics of these ids, merged ones as their survivors, each once; what is none is left out."""
    found = {topic.pk: topic for pk in ids[: 2 * MOST_MEMBERS] if (topic := topic_by_id(space, pk)) is not None}
    return list(found.values())[:MOST_MEMBERS]


def _uuids(texts: Iterable[str]) -> list[UUID]:
    return [UUID(text) for text in sorted(texts) if reads_as_id(text)]


# ------------------------------------------------------------------------------------------------------------ split


@needs_role(ADMIN)
def split(request: ConsoleRequest, pk: UUID) -> HttpResponse:
    """Choose what moves into a new topic; the POST moves it."""
    topic = find_topic(request, pk)
    chosen = request.POST.getlist("move")
    form = SplitForm(request.POST or None, initial={"kind": topic.kind, "version": topic.version})
    held = document(topic)
    if request.method == "POST":
        kinds = {
            "facts": {str(line.row.pk) for line in held.facts},
            "entries": {str(line.row.pk) for line in held.timeline},
            "aliases": {str(alias.pk) for alias in held.aliases},
        }
        moves = {name: _uuids(ids & set(chosen)) for name, ids in kinds.items()}
        new = form.attempt(
            lambda: split_topic(
                topic=topic,
                actor=request.actor,
                name=form.cleaned_data["name"],
                kind=form.cleaned_data["kind"],
                summary=form.cleaned_data["summary"],
                expected_version=form.cleaned_data["version"],
                reason=form.cleaned_data["reason"],
                **moves,
            )
        )
        if new is not None:
            change = ChangeSet.objects.filter(documents__topic=new, action="split_topic").latest("pk")
            text = _("Moved into the new topic %(name)s.") % {"name": new.name}
            messages.success(request, text, extra_tags=reverse("topics:undo", args=[change.pk]))
            return redirect("topics:document", new.pk)
    if form.is_stale:
        form.accept_version(topic.version)
    context = {"topic": topic, "document": held, "form": form, "chosen": set(chosen)}
    return render(request, "topics/split.html", context, status=form.status if form.is_bound else 200)
