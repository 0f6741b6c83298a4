"""The review queue: a list, the open item with its evidence, and the decisions on it.

Every address answers a whole page. To htmx it answers the part that changes: the open item, and after a decision also,
out of band, what stands around it (list, tabs, counts, the last decision, a message with Undo).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qsl, urlencode
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from extraction.console.forms import BulkForm, EditForm, ResolveForm, SnoozeForm, edit_form, next_monday
from extraction.console.steps import Step, remember
from extraction.console.tabs import NAMES, Tab, queue_tabs
from extraction.models import DISCOVERY, BulkDecision, Conflict, Decision, Proposal, ReviewClaim, SavedView
from extraction.selectors import proposals as read
from extraction.selectors.bulk import preview_bulk, progress_of, results_of
from extraction.selectors.chronology import is_older
from extraction.selectors.claims import claim_of_another, others_looking
from extraction.selectors.own_decisions import last_decision, own_decision
from extraction.selectors.proposals import QueueFilter
from extraction.selectors.staleness import changed_since, text_at_conflict
from extraction.services.bulk import decide_many, undo_many
from extraction.services.claims import claim_proposal, release_claim
from extraction.services.conflicts import has_moved_on, held_now
from extraction.services.decisions import Result, decide_proposals
from extraction.services.questions import question_for
from extraction.services.resolving import resolve_conflict
from extraction.services.saved_views import delete_view, save_view
from topics.console.access import ConsoleRequest, RoleMissing, needs_role
from topics.console.lookup import page_of
from topics.errors import InvalidInput, Stale, UndoBlocked, WrongState
from topics.ids import uuid7
from topics.models import ChangeSet, Fact, Membership, Topic
from topics.models.statement import Certainty
from topics.selectors.edits import edits_of
from topics.services.undo import undo_change_set

ROWS = 50  # that the list begins with, and that are added with one click
MOST_ROWS = 900  # each may be ticked, and Django takes 1,000 fields of a form
RESULTS = 100
MORE_TURNS = 10
# What a decision makes of a proposal, to know a repeated click when it comes.
STATUS_AFTER = {
    "approve": Proposal.Status.APPROVED,
    "edit": Proposal.Status.APPROVED,
    "approve_all": Proposal.Status.APPROVED,
    "reject": Proposal.Status.REJECTED,
    "snooze": Proposal.Status.SNOOZED,
}
REFUSED = ("error", "conflict")
Context = dict[str, Any]


# ------------------------------------------------------------------------------------------------------- addresses


@require_safe
@needs_role(Membership.Role.VIEWER)
def start(request: ConsoleRequest) -> HttpResponse:
    """To the first tab that holds something, with the filters of the address."""
    tabs = {tab: QueueFilter.read(tab, request.GET.dict()) for tab in read.TABS}
    filled = (chosen for chosen in tabs.values() if read.queue_items(request.space, chosen, request.user).exists())
    return redirect(queue_address(next(filled, tabs[read.FACTS])))


@require_safe
@needs_role(Membership.Role.VIEWER)
def queue(request: ConsoleRequest, tab: str) -> HttpResponse:
    """A tab of the queue with its first item open; to htmx only list and item (a filter was changed) or more rows."""
    desk = Desk(request, tab)
    if request.htmx.target == "queue-more":
        return render(request, "extraction/review/rows.html", desk.part_of_list())
    first = desk.rows[0] if desk.rows else None
    pk = first.pk if first else None
    if not is_part(request):
        return render(request, "extraction/review.html", desk.whole_page(pk, view="list"))
    response = render(request, "extraction/review/split.html", desk.page(pk, view="list"))
    response["HX-Push-Url"] = queue_address(desk.chosen)
    return response


@require_safe
@needs_role(Membership.Role.VIEWER)
def item(request: ConsoleRequest, tab: str, pk: Any) -> HttpResponse:
    """One item, decided or not; to htmx only the item."""
    desk = Desk(request, tab)
    proposal = desk.proposal(pk)
    if is_part(request):
        return render(request, "extraction/review/item.html", desk.item(proposal))
    return render(request, "extraction/review.html", desk.whole_page(pk, view="detail"))


@require_safe
@needs_role(Membership.Role.REVIEWER)
def edit(request: ConsoleRequest, tab: str, pk: Any) -> HttpResponse:
    """The form to change a proposal before approving it."""
    desk = Desk(request, tab)
    proposal = desk.proposal(pk)
    form = edit_form(proposal)
    if form is None or not proposal.is_open:
        return redirect(item_address(desk.chosen, pk))
    return desk.answer_edit(proposal, form)


@needs_role(Membership.Role.REVIEWER)
def decide(request: ConsoleRequest, tab: str, pk: Any) -> HttpResponse:
    """Approve, edit and approve, reject or snooze one item, and answer the next."""
    desk = Desk(request, tab)
    proposal = desk.proposal(pk)
    if request.method != "POST":  # back from signing in, after the answer to a form stood at this address
        return redirect(item_address(desk.chosen, pk))
    following = desk.following(pk)
    decision = request.POST.get("decision", "")
    other = claim_of_another(proposal, request.user)
    form = edit_form(proposal, request.POST) if decision == "edit" else None
    if form is not None and not form.is_valid():
        return desk.answer_edit(proposal, form, status=422)
    try:
        results, change = take_decision(request, proposal, decision, form)
    except InvalidInput as refusal:
        if form is None:
            return desk.answer_item(pk, status=422, refusal=refusal)
        form.show(refusal)
        return desk.answer_edit(proposal, form, status=422)
    own = results[0]
    if own.status in REFUSED and not is_repeat(request, proposal, decision, own):
        return answer_refusal(desk, proposal, own, form)
    if change is not None:
        remember(request, change=change, proposal=pk, chosen=desk.chosen)
    return desk.answer_next(following, done=warned(said(proposal, results, change), other), change=change)


@needs_role(Membership.Role.REVIEWER)
def resolve(request: ConsoleRequest, tab: str, pk: Any) -> HttpResponse:
    """Settle a conflict, or ask the customer, and answer the next item."""
    desk = Desk(request, tab)
    proposal = desk.proposal(pk)
    conflict = getattr(proposal, "conflict", None)
    if conflict is None:
        raise Http404
    if request.method != "POST":
        return redirect(item_address(desk.chosen, pk))
    following = desk.following(pk)
    other = claim_of_another(proposal, request.user)
    form = ResolveForm(request.POST)
    if not form.is_valid():
        return desk.answer_item(pk, status=422, form=form)
    try:
        change = resolve_conflict(conflict=conflict, actor=request.actor, **form.cleaned_data)
    except InvalidInput as refusal:
        form.show(refusal)
        return desk.answer_item(pk, status=422, form=form)
    except (Stale, WrongState) as refusal:
        own = last_own_step(request, proposal)
        if own is None or own.conflict_outcome != form.cleaned_data["outcome"]:
            return desk.answer_item(pk, status=409, form=form, refusal=refusal, typed=form.typed())
        change = own.change_set
    remember(request, change=change, proposal=pk, chosen=desk.chosen)
    asked = form.cleaned_data["outcome"] == Conflict.Outcome.ASK
    done = _("The question waits for the next conversation.") if asked else _("Conflict resolved.")
    return desk.answer_next(following, done=warned(done, other), change=change)


@needs_role(Membership.Role.REVIEWER)
def claim(request: ConsoleRequest, tab: str, pk: Any) -> HttpResponse:
    """Renew the claim on the open item, take it over, or give it back; to htmx who has it now, and the tabs."""
    desk = Desk(request, tab)
    proposal = desk.proposal(pk)
    if request.method != "POST":
        return redirect(item_address(desk.chosen, pk))
    act = request.POST.get("act", "")
    if act == "release":
        following = desk.following(pk)
        release_claim(proposal=proposal, user=request.user)
        return desk.answer_next(following, done=_("Given back."))
    standing = desk.claim(proposal, take_over=act == "take")
    if not request.htmx:
        return redirect(item_address(desk.chosen, pk))
    counts = read.queue_counts(request.space, request.user)
    context = standing | {
        "chosen": desk.chosen,
        "query": desk.chosen.query,
        "proposal": proposal,
        "tabs": queue_tabs(request, counts, current=desk.chosen.tab),
        "queue_counts": counts,
        "may_review": True,
        "swap": True,
    }
    return render(request, "extraction/review/claimed.html", context)


@require_POST
@needs_role(Membership.Role.VIEWER)
def keep_view(request: ConsoleRequest) -> HttpResponse:
    """Keep the tab and the filters of the page that sent the form, under a name."""
    chosen = filter_at(request.POST.get("next", ""))
    try:
        view = save_view(space=request.space, user=request.user, name=request.POST.get("name", ""), chosen=chosen)
    except InvalidInput as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, _("The view “%(name)s” is kept.") % {"name": view.name})
    return redirect(queue_address(chosen))


@require_POST
@needs_role(Membership.Role.VIEWER)
def forget_view(request: ConsoleRequest, pk: UUID) -> HttpResponse:
    """Delete one of the person's own views."""
    view = SavedView.objects.filter(space=request.space, user=request.user, pk=pk).first()
    if view is None:
        raise Http404
    delete_view(view=view)
    messages.success(request, _("The view “%(name)s” is deleted.") % {"name": view.name})
    return redirect(queue_address(filter_at(request.POST.get("next", ""))))


@needs_role(Membership.Role.REVIEWER)
def undo(request: ConsoleRequest) -> HttpResponse:
    """Take back a decision of one's own and open what it was about, in the queue in which it was decided.

    Of another session that is not known: it is the queue in view then, if the item belongs there.
    """
    if request.method != "POST":  # back from signing in, or the page was loaded again
        return redirect("extraction:review")
    pk = read.uuid_or_none(request.POST.get("change_set", ""))
    decision = own_decision(request.space, request.user, pk, asked=Step.asked_in(request)) if pk else None
    if decision is None:
        raise Http404
    step = Step.of(request, decision.change_set)
    chosen = QueueFilter.read(step.tab, dict(parse_qsl(step.query))) if step else filter_at(address_in_view(request))
    desk = Desk(request, chosen.tab, query=dict(parse_qsl(chosen.query)))
    try:
        undo_change_set(change=decision.change_set, actor=request.actor)
    except (UndoBlocked, WrongState) as refusal:
        return desk.answer_item(decision.proposal_id, status=409, refusal=refusal)
    proposal = desk.proposal(decision.proposal_id)
    if not desk.items.filter(pk=proposal.pk).exists():
        desk = Desk(request, read.tab_of(proposal), query={})
    return desk.answer_next(proposal.pk, done=_("Undone."))


@needs_role(Membership.Role.REVIEWER)
def bulk(request: ConsoleRequest, tab: str) -> HttpResponse:
    """Show what a decision on the ticked items, or on all that match, would do; once it is confirmed, do it."""
    desk = Desk(request, tab)
    if request.method != "POST":
        return redirect(queue_address(desk.chosen))
    form = BulkForm(request.POST)
    if not form.is_valid():
        messages.info(request, _("Tick the items to decide first."))
        return answer_at(request, queue_address(desk.chosen))
    if "cancel" in request.POST:
        return desk.answer_cancelled(form)
    rows = desk.items.filter(pk__lte=form.cleaned_data["up_to"]) if form.cleaned_data["up_to"] else desk.items
    ids = form.cleaned_data["ids"]
    if form.cleaned_data["scope"] != "all":
        rows = rows.filter(pk__in=ids)
    elif form.cleaned_data["confirmed"]:
        ids = list(rows.values_list("pk", flat=True))
    if not form.cleaned_data["confirmed"]:
        return desk.answer_preview(form, rows)
    try:
        done = decide_many(
            space=request.space,
            actor=request.actor,
            ids=ids,
            decision=form.cleaned_data["decision"],
            reason=form.cleaned_data["reason"],
            snooze_until=SnoozeForm(request.POST).moment(),
            pk=form.cleaned_data["token"],
        )
    except InvalidInput as refusal:
        return desk.answer_preview(form, rows, refusal=refusal)
    first = done.items.exclude(change_set=None).first()
    if first is not None and first.change_set is not None:
        remember(request, change=first.change_set, proposal=first.proposal_id, chosen=desk.chosen)
    return answer_at(request, desk.bulk_address(done.pk))


@needs_role(Membership.Role.VIEWER)
def bulk_result(request: ConsoleRequest, tab: str, pk: UUID) -> HttpResponse:
    """How far a bulk decision has come, and what became of each; its POST takes the whole back."""
    desk = Desk(request, tab)
    done = BulkDecision.objects.filter(space=request.space, pk=pk).select_related("job", "user").first()
    if done is None:
        raise Http404
    if request.method != "POST":
        return desk.answer_bulk(done)
    if not request.membership.may_review:
        raise RoleMissing(Membership.Role.REVIEWER)
    try:
        undo_many(bulk=done, actor=request.actor)
    except WrongState as refusal:
        messages.error(request, refusal.message)
    return answer_at(request, desk.bulk_address(pk))


# -------------------------------------------------------------------------------------------------------- deciding


def warned(done: str, other: ReviewClaim | None) -> str:
    """What was done, and that somebody else had the item in hand."""
    # Not within the f-string, where texts to be translated are not found.
    warning = _("%(who)s had it in hand.")
    return f"{done} {warning % {'who': other.holder}}" if other else done


def take_decision(
    request: ConsoleRequest, proposal: Proposal, decision: str, form: EditForm | None
) -> tuple[list[Result], ChangeSet | None]:
    """Do what the form asks. The first result is the proposal's own; those of statements approved with it follow."""
    verb, ids = decision, [proposal.pk]
    seen = request.POST.get("seen_version", "")
    arguments: Context = {
        "reason": request.POST.get("reason", "").strip(),
        "seen_version": int(seen) if seen.isascii() and seen.isdigit() else None,
    }
    if form is not None:
        verb, arguments["edits"] = "approve", form.edits()
    elif decision == "approve_all":
        verb = "approve"
        ids += read.statements_waiting_for(proposal).values_list("pk", flat=True)
    elif decision == "snooze":
        arguments["snooze_until"] = SnoozeForm(request.POST).moment()
    decided = decide_proposals(space=request.space, actor=request.actor, ids=ids, decision=verb, **arguments)
    return decided.results, decided.change_set


def answer_refusal(desk: Desk, proposal: Proposal, refusal: Result, form: EditForm | None) -> HttpResponse:
    """The item again with what was typed: as a form, or, once somebody else has decided it, beside the refusal.

    What has come to be a conflict is settled from the list in which it was open, and that list goes on afterwards.
    """
    is_contradiction = refusal.status == "conflict"
    if form is None or refusal.code == "decided":
        typed = [(label, text) for label, _standing, text in form.differences()] if form else []
        return desk.answer_item(proposal.pk, status=409, refusal=refusal, typed=typed)
    form.add_error(None, refusal.message)
    return desk.answer_edit(proposal, form, status=409, is_contradiction=is_contradiction)


def is_repeat(request: ConsoleRequest, proposal: Proposal, decision: str, result: Result) -> bool:
    """Whether this person decided just so already: a second click whose first came through."""
    last = last_own_step(request, proposal) if result.code == "decided" else None
    return last is not None and last.after == STATUS_AFTER.get(decision)


def last_own_step(request: ConsoleRequest, proposal: Proposal) -> Decision | None:
    """The last step in the life of a proposal, if this person took it."""
    last = proposal.decisions.select_related("change_set").order_by("pk").last()
    return last if last is not None and last.change_set.actor_user_id == request.user.pk else None


def said(proposal: Proposal, results: Sequence[Result], change: ChangeSet | None) -> str:
    """One line on what was done."""
    status, topic = results[0].status, results[0].topic
    if change is not None and topic is not None and proposal.kind == Proposal.Kind.TOPIC:
        return said_of_topic(topic, results[1:], is_new=read.is_made_by(topic, change))
    texts: dict[str, str] = {
        Proposal.Status.APPROVED: _("Approved."),
        Proposal.Status.REJECTED: _("Rejected."),
        Proposal.Status.SNOOZED: _("Snoozed."),
    }
    return texts.get(status, _("Decided already."))


def said_of_topic(topic: Topic, statements: Sequence[Result], *, is_new: bool) -> str:
    """What became of a proposed topic and of the statements decided with it."""
    held_back = sum(1 for r in statements if r.status != Proposal.Status.APPROVED)
    done = len(statements) - held_back
    lines = []
    if not is_new:
        lines.append(_("Goes into the existing topic “%(topic)s”.") % {"topic": topic.name})
    elif not statements:
        lines.append(_("Topic created."))
    if is_new and statements:
        text = ngettext("Topic created with %(count)d statement.", "Topic created with %(count)d statements.", done)
        lines.append(text % {"count": done})
    elif done:
        text = ngettext("%(count)d statement approved.", "%(count)d statements approved.", done)
        lines.append(text % {"count": done})
    if held_back:
        text = ngettext(
            "%(count)d statement still needs a decision.", "%(count)d statements still need a decision.", held_back
        )
        lines.append(text % {"count": held_back})
    return " ".join(lines)


# ------------------------------------------------------------------------------------------------------- rendering


class Desk:
    """One tab as one reviewer sees it at this moment: reads for the templates, and the answers to a decision."""

    def __init__(self, request: ConsoleRequest, tab: str, query: dict[str, str] | None = None) -> None:
        if tab not in (*read.TABS, read.MINE):
            raise Http404
        self.request = request
        self.chosen = QueueFilter.read(tab, request.GET.dict() if query is None else query)
        self.items = read.queue_items(request.space, self.chosen, request.user)
        self.above = read.uuid_or_none(request.GET.get("after", ""))  # the row after which the list goes on
        self.rows_above = small_number(request.GET.get("rows", "")) if self.above else 0
        self._rows: list[Proposal] | None = None
        self._open: Proposal | None = None

    @property
    def rows(self) -> list[Proposal]:
        """The rows of this part of the list. `forget` them, and the open item, after a decision."""
        return self._with_next[:ROWS]

    @property
    def has_more(self) -> bool:
        """Whether rows follow."""
        return len(self._with_next) > ROWS

    @property
    def _with_next(self) -> list[Proposal]:
        if self._rows is None:
            items = read.items_after(self.items, self.above, sort=self.chosen.sort) if self.above else self.items
            self._rows = list(items[: ROWS + 1])
        return self._rows

    @property
    def around_words(self) -> int:
        """How many turns stand on either side of the quoted words."""
        asked = small_number(self.request.GET.get("turns", ""))
        return min(max(asked, read.CONTEXT_TURNS), read.MOST_TURNS)

    def more_turns(self, proposal: Proposal) -> str:
        """The address of the item with more turns; empty where there are no more to be had."""
        if self.around_words >= read.MOST_TURNS:
            return ""
        address = reverse("extraction:item", args=[self.chosen.tab, proposal.pk])
        return with_query(address, self.chosen, {"turns": self.around_words + MORE_TURNS})

    def forget(self) -> None:
        self._rows = self._open = None

    def proposal(self, pk: Any) -> Proposal:
        if self._open is None or str(self._open.pk) != str(pk):
            self._open = read.proposal_in_review(self.request.space, pk)
        if self._open is None:
            raise Http404
        return self._open

    def following(self, pk: Any) -> Any | None:
        """The item to go to once this one is decided: the next that nobody else has in hand, or else one beside it."""
        ids = [row.pk for row in self.rows]
        later = self.rows[ids.index(pk) + 1 :] if pk in ids else []
        free = next((row.pk for row in later if not self.is_taken(row)), None)
        before, after = self.around(pk)
        return free or after or before

    def is_taken(self, row: Proposal) -> bool:
        """Whether somebody else has it in hand."""
        standing: ReviewClaim | None = getattr(row, "claim", None)
        return standing is not None and standing.is_live and standing.user_id != self.request.user.pk

    def still_there(self, pk: Any | None) -> Any | None:
        """`pk`, or the item after it when somebody else has decided it in the meantime."""
        if pk is None or pk in [row.pk for row in self.rows] or self.items.filter(pk=pk).exists():
            return pk
        return self.following(pk)

    def around(self, pk: Any) -> tuple[Any | None, Any | None]:
        standing = self.standing(pk)
        return standing.before, standing.after

    def standing(self, pk: Any) -> read.Standing:
        """Where an item stands in the queue: as the rows in view tell, if they tell all of it."""
        ids = [None, *(row.pk for row in self._with_next), None]  # None for what is not there
        is_at_end = pk == ids[-2] and self.has_more
        if pk is None or pk not in ids or is_at_end or self.above:
            return read.standing_in_queue(self.request.space, self.items, pk, sort=self.chosen.sort)
        at = ids.index(pk)
        return read.Standing(ids[at - 1], ids[at + 1], at)

    # Contexts

    def page(self, pk: Any | None, *, view: str) -> Context:
        """For the whole page, and for the parts that go around an item."""
        proposal = self.proposal(pk) if pk is not None else None
        claim = self.claim(proposal) if proposal is not None else {}  # before what is in hand is counted
        counts = read.queue_counts(self.request.space, self.request.user)
        total = self.total(counts)
        tabs = queue_tabs(self.request, counts, current=self.chosen.tab)
        context: Context = {
            "view": view,
            "total": total,
            "queue_counts": counts,
            "tabs": tabs,
            "current": pk,
            "sort_label": dict(sorts())[self.chosen.sort],
            "may_review": self.request.membership.may_review,
        }
        context |= self.part_of_list()
        if proposal is None:
            return context | self.empty(tabs, counts)
        return context | self.item(proposal, total=total, claim=claim)

    def part_of_list(self) -> Context:
        """For the rows, and the way to those that follow."""
        rows = self.rows_above + len(self.rows)
        more = {"after": self.rows[-1].pk, "rows": rows} if self.has_more and rows < MOST_ROWS else None
        return {
            "chosen": self.chosen,
            "rows": self.rows,
            "is_first_part": not self.above,
            "more_address": with_query(reverse("extraction:queue", args=[self.chosen.tab]), self.chosen, more),
            "has_more": more is not None,
            "has_ticks": self.request.membership.may_review,
            "ticked": (),
            "many_address": self.address_of_bulk(),
        }

    def total(self, counts: dict[str, int]) -> int:
        """How many items there are in the tab with these filters."""
        if not self.chosen.narrowed:
            return counts[self.chosen.tab]
        return self.items.count() if self.above or self.has_more else len(self.rows)

    def whole_page(self, pk: Any | None, *, view: str) -> Context:
        """With the filters, which no partial answer replaces."""
        return self.page(pk, view=view) | {
            "filter_topics": read.topics_in_queue(self.request.space, chosen=self.chosen.topic),
            "filter_kinds": [*Fact.Kind.choices, *other_kinds()],
            "filter_certainties": Certainty.choices,
            "filter_ages": ages(),
            "filter_conversations": read.conversations_in_queue(self.request.space, chosen=self.chosen.conversation),
            "filter_extractors": extractors(),
            "sorts": sorts(),
            "views": self.views(),
        }

    def views(self) -> list[tuple[SavedView, str, bool]]:
        """The views that the person keeps, each with its address and whether it is the one in view."""
        kept = SavedView.objects.filter(space=self.request.space, user=self.request.user)
        addresses = [(view, QueueFilter.read(view.tab, dict(parse_qsl(view.query)))) for view in kept]
        return [(view, queue_address(chosen), chosen == self.chosen) for view, chosen in addresses]

    def claim(self, proposal: Proposal, *, take_over: bool = False) -> Context:
        """Take the item in hand, where nobody has it, and say who has it and who else looks. Nothing for a viewer."""
        if not self.request.membership.may_review or not proposal.is_open:
            return {"claim": None, "looking": []}
        standing = claim_proposal(proposal=proposal, user=self.request.user, take_over=take_over)
        is_mine = standing is not None and standing.user_id == self.request.user.pk
        holder = standing.holder if standing and not is_mine else ""
        looking = [name for name in others_looking(proposal, self.request.user) if name != holder]
        return {"claim": standing, "is_mine": is_mine, "looking": looking}

    def item(self, proposal: Proposal, *, total: int | None = None, claim: Context | None = None) -> Context:
        """For the open item."""
        standing = self.standing(proposal.pk)
        before, after = standing.before, standing.after
        conflict: Conflict | None = getattr(proposal, "conflict", None)
        context = {
            "chosen": self.chosen,
            "query": self.chosen.query,
            "proposal": proposal,
            "place": standing.place,
            "total": total if total is not None else self.items.count(),
            "before": item_address(self.chosen, before) if before else "",
            "after": item_address(self.chosen, after) if after else "",
            "back": queue_address(self.chosen),
            "excerpts": read.excerpts(list(proposal.quotes.all()), around=self.around_words),
            "more_turns": self.more_turns(proposal),
            "may_review": self.request.membership.may_review,
            "last": self.last(),
            "tomorrow": timezone.localdate() + timedelta(days=1),
            "monday": next_monday(timezone.localdate()),
        }
        context |= self.claim(proposal) if claim is None else claim
        if conflict is not None and conflict.status == Conflict.Status.OPEN and proposal.is_open:
            context |= self.conflict(proposal, conflict)
        elif proposal.kind == Proposal.Kind.TOPIC:
            context["waiting_statements"] = list(read.statements_waiting_for(proposal)[:MOST_ROWS])
            context["standing"] = read.topic_standing_for(self.request.space, proposal)
        else:
            context["known"] = read.known_in_topic(proposal)
            context["since"] = changed_since(proposal)
        return context

    def conflict(self, proposal: Proposal, conflict: Conflict) -> Context:
        held = held_now(conflict)
        moved_on = has_moved_on(conflict)
        is_asked = conflict.outcome == Conflict.Outcome.ASK
        question = read.open_question(conflict) if is_asked else None
        is_late = is_older(proposal, held)
        found = proposal.fact if proposal.is_held else None  # by a merge, beside what contradicts it
        edits = edits_of([fact for fact in (held, found) if fact])
        edit = edits.get(held.pk)
        change = read.approver_of(held)
        return {
            "conflict": conflict,
            "held": held,
            "held_edit": edit,
            "new_edit": edits.get(found.pk) if found else None,
            "is_older": is_late,
            "moved_on": moved_on,
            "held_then": text_at_conflict(conflict) if moved_on else "",
            "held_evidence": read.evidence_of(held),
            "held_change": change if change and (edit is None or change.at > edit.at) else None,
            "question": question,
            "form": ResolveForm(
                initial={
                    "outcome": Conflict.Outcome.KEEP if is_late else "",
                    "seen_version": held.version,
                    "seen_fact": held.pk,
                    "question": question.question if question else question_for(conflict),
                }
            ),
        }

    def last(self) -> Any:
        return last_decision(self.request.space, self.request.user, asked=Step.asked_in(self.request))

    def empty(self, tabs: list[Tab], counts: dict[str, int]) -> Context:
        """For a list without items: nothing matches, nothing was ever proposed, or everything is decided."""
        others = [tab for tab in tabs if tab.count and not tab.is_current]
        return {
            "first_run": not counts["waiting"] and read.is_first_run(self.request.space),
            "elsewhere": others[0] if others else None,
            "matches": self.matches_elsewhere(tabs) if self.chosen.narrowed else [],
            "filter_names": self.filter_names(),
            "last": self.last(),
        }

    def matches_elsewhere(self, tabs: list[Tab]) -> list[Tab]:
        """The other tabs in which the same filters find something, each with how much. Pairs of duplicates have no
        filters."""
        found = []
        for name, tab in zip(NAMES, tabs, strict=True):
            chosen = QueueFilter.read(name, dict(parse_qsl(self.chosen.query)))
            if tab.is_current or not tab.count or name == read.DUPLICATES:
                continue
            if count := read.queue_items(self.request.space, chosen, self.request.user).count():
                found.append(replace(tab, address=queue_address(chosen), count=count))
        return found

    def filter_names(self) -> str:
        """The filters that are set, in words."""
        chosen = self.chosen
        names = [f"“{chosen.text}”"] if chosen.text else []
        if chosen.topic:
            names.append(
                dict(read.topics_in_queue(self.request.space, chosen=chosen.topic)).get(
                    UUID(chosen.topic), _("a topic")
                )
            )
        if chosen.kind:
            names.append(str(dict([*Fact.Kind.choices, *other_kinds()]).get(chosen.kind, chosen.kind)))
        if chosen.certainty:
            names.append(str(Certainty(chosen.certainty).label))
        if chosen.age:
            names.append(dict(ages())[chosen.age])
        if chosen.conversation:
            conversations = dict(read.conversations_in_queue(self.request.space, chosen=chosen.conversation))
            names.append(conversations.get(UUID(chosen.conversation), _("a conversation")))
        if chosen.extractor:
            names.append(dict(extractors())[chosen.extractor])
        return pgettext("between names", ", ").join(names)

    # Answers

    def answer_item(self, pk: Any, *, status: int, **extra: Any) -> HttpResponse:
        """The same item again, with what was refused. U rests: the last decision is not what was refused."""
        self.forget()
        extra["last"] = None
        if self.request.htmx:
            context = self.page(pk, view="detail") | extra | {"swap": True}
            return render(self.request, "extraction/review/answer.html", context, status=status)
        context = self.whole_page(pk, view="detail") | extra
        return render(self.request, "extraction/review.html", context, status=status)

    def answer_edit(self, proposal: Proposal, form: EditForm, *, status: int = 200, **extra: Any) -> HttpResponse:
        """The item as a form."""
        extra |= {"edit_form": form, "topic_names": read.topics_to_suggest(self.request.space)}
        if self.request.htmx:
            context = self.item(proposal) | extra
            return render(self.request, "extraction/review/item.html", context, status=status)
        context = self.whole_page(proposal.pk, view="detail") | extra
        return render(self.request, "extraction/review.html", context, status=status)

    def answer_next(
        self,
        following: Any | None,
        *,
        done: str,
        change: ChangeSet | None = None,
    ) -> HttpResponse:
        """The next item with all that changed around it; without htmx a redirect to it."""
        self.forget()
        following = self.still_there(following)
        address = item_address(self.chosen, following) if following else queue_address(self.chosen)
        if not self.request.htmx or not self.is_in_browser():
            messages.success(self.request, done)
            return HttpResponseClientRedirect(address) if self.request.htmx else redirect(address)
        context = self.page(following, view="detail" if following else "list")
        context |= {"done": done, "undoable": change, "swap": True}
        response = render(self.request, "extraction/review/answer.html", context)
        response["HX-Push-Url"] = address
        return response

    def is_in_browser(self) -> bool:
        """Whether the page in the browser is of this tab with these filters, as far as htmx tells."""
        path, _mark, query = address_in_view(self.request).partition("?")
        is_tab = path.startswith(reverse("extraction:queue", args=[self.chosen.tab]))
        return not path or (is_tab and QueueFilter.read(self.chosen.tab, dict(parse_qsl(query))) == self.chosen)

    def answer_preview(self, form: BulkForm, rows: Any, *, refusal: InvalidInput | None = None) -> HttpResponse:
        """What a decision on many would do, with the button that does it, in place of the open item."""
        chosen = form.cleaned_data
        newest = rows.order_by("-pk").values_list("pk", flat=True).first()
        context = {
            "preview": preview_bulk(rows, self.request.user, decision=chosen["decision"]),
            "picked": chosen,
            "picked_ids": ",".join(map(str, chosen["ids"])),
            "gone": len(chosen["ids"]) - rows.count() if chosen["scope"] != "all" else 0,
            "up_to": chosen["up_to"] or newest,
            "token": chosen["token"] or uuid7(),
            "refusal": refusal,
        }
        if is_part(self.request):  # the list stays as it is, with what is ticked in it
            context |= {"chosen": self.chosen, "many_address": self.address_of_bulk()}
            return render(self.request, "extraction/review/item.html", context, status=422 if refusal else 200)
        context |= {"ticked": chosen["ids"]}
        return self.answer_many(context, status=422 if refusal else 200)

    def answer_cancelled(self, form: BulkForm) -> HttpResponse:
        """The queue as it was before the preview, with the same items ticked."""
        first = self.rows[0] if self.rows else None
        if is_part(self.request) and first is not None:
            return render(self.request, "extraction/review/item.html", self.item(self.proposal(first.pk)))
        context = self.whole_page(first.pk if first else None, view="list") | {"ticked": form.cleaned_data["ids"]}
        return render(self.request, "extraction/review.html", context)

    def answer_bulk(self, done: BulkDecision) -> HttpResponse:
        """Progress and results of a bulk decision, in place of the open item."""
        only_refused = self.request.GET.get("only") == "refused"
        page = page_of(self.request, results_of(done, only_refused=only_refused), size=RESULTS)
        address = self.bulk_address(done.pk)
        context = {
            "bulk": done,
            "progress": progress_of(done),
            "results_page": page,
            "only_refused": only_refused,
            "bulk_address": address,
            "more_results": f"{address}{'&' if '?' in address else '?'}",
        }
        if self.request.htmx.target == "bulk-result":  # the page asks how far it is
            if not done.is_at_work:
                return HttpResponseClientRedirect(address)
            may_review = self.request.membership.may_review
            context |= {"chosen": self.chosen, "may_review": may_review}
            return render(self.request, "extraction/review/progress.html", context)
        return self.answer_many(context)

    def answer_many(self, context: Context, *, status: int = 200) -> HttpResponse:
        if is_part(self.request):
            context = self.page(None, view="detail") | {"last": None} | context | {"swap": True}
            return render(self.request, "extraction/review/answer.html", context, status=status)
        context = self.whole_page(None, view="detail") | {"last": None} | context
        return render(self.request, "extraction/review.html", context, status=status)

    def address_of_bulk(self) -> str:
        """Where decisions on many are sent, with the part of the list in which they are ticked."""
        part = {"after": self.above, "rows": self.rows_above} if self.above else None
        return with_query(reverse("extraction:bulk", args=[self.chosen.tab]), self.chosen, part)

    def bulk_address(self, pk: Any) -> str:
        return with_query(reverse("extraction:bulk_result", args=[self.chosen.tab, pk]), self.chosen)


def answer_at(request: ConsoleRequest, address: str) -> HttpResponse:
    """To another address; htmx opens it as a page."""
    return HttpResponseClientRedirect(address) if request.htmx else redirect(address)


def is_part(request: ConsoleRequest) -> bool:
    """Whether htmx asks for a part, and not for a whole page that it had not kept."""
    return bool(request.htmx) and not request.htmx.history_restore_request


def queue_address(chosen: QueueFilter) -> str:
    return with_query(reverse("extraction:queue", args=[chosen.tab]), chosen)


def item_address(chosen: QueueFilter, pk: Any) -> str:
    return with_query(reverse("extraction:item", args=[chosen.tab, pk]), chosen)


def with_query(address: str, chosen: QueueFilter, more: Context | None = None) -> str:
    """The address with the filters, and with what else is to stand in its query."""
    query = "&".join(part for part in (chosen.query, urlencode(more or {})) if part)
    return f"{address}?{query}" if query else address


def small_number(text: str) -> int:
    """A number of an address, from 0 to 999; 0 for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < len("1000") else 0


def other_kinds() -> list[tuple[str, Any]]:
    """The kinds of proposal that a reviewer can filter by beside the kinds of fact."""
    kinds = (Proposal.Kind.TIMELINE, Proposal.Kind.ALIAS, Proposal.Kind.SUMMARY, Proposal.Kind.ARCHIVE)
    return [(kind.value, kind.label) for kind in kinds]


def ages() -> list[tuple[str, str]]:
    """For how long an item has waited."""
    texts = {read.DAY: _("Last 24 hours"), read.WEEK: _("Last 7 days"), read.OLDER: _("Older than 7 days")}
    return list(texts.items())


def extractors() -> list[tuple[str, str]]:
    """What found the statement."""
    texts = {
        "rules": _("Found by rules"),
        "llm": _("Found by a model"),
        "agent": _("Brought by an agent"),
        "summary": _("Summary of facts"),
        DISCOVERY: _("Found among turns without a topic"),
    }
    return list(texts.items())


def sorts() -> list[tuple[str, str]]:
    return [(read.NEW, _("Newest first")), (read.OLD, _("Oldest first")), (read.PRIORITY, _("Most urgent first"))]


def address_in_view(request: ConsoleRequest) -> str:
    """The address of the page that sent the request, without a fragment; empty where htmx does not tell."""
    address: str = (request.htmx.current_url_abs_path if request.htmx else None) or ""
    return address.partition("#")[0]


def filter_at(address: str) -> QueueFilter:
    """The tab and the filters of an address of the queue; the facts for any other address."""
    path, _mark, query = address.partition("?")
    tabs = [tab for tab in (*read.TABS, read.MINE) if path.startswith(reverse("extraction:queue", args=[tab]))]
    return QueueFilter.read(tabs[0] if tabs else read.FACTS, dict(parse_qsl(query)))
