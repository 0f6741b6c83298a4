"""Conversations: the list, the transcript with what was taken from each turn, and reading them now or once more."""

from __future__ import annotations

from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST
from django_htmx.http import HttpResponseClientRedirect

from extraction.models import Job, Proposal
from extraction.selectors.conversations import (
    FAILED,
    READ,
    WAITING,
    count_outcomes,
    failed_jobs,
    find_conversations,
    reading_of,
    reading_report,
    transcript,
)
from extraction.selectors.jobs import count_failed
from extraction.selectors.proposals import tab_of
from extraction.services.gathering import read_again, read_now
from topics.console.access import ConsoleRequest, needs_role
from topics.console.lookup import page_of
from topics.errors import MemoryRefusal
from topics.models import Conversation, Membership

TURNS = 100  # on a page of a transcript


class ConversationFilter(forms.Form):
    """What the list shows, as it stands in the address."""

    q = forms.CharField(label=gettext_lazy("Search"), required=False, max_length=200)
    state = forms.ChoiceField(
        label=gettext_lazy("State"),
        required=False,
        choices=[
            ("", gettext_lazy("Any state")),
            (WAITING, gettext_lazy("Waiting to be read")),
            (FAILED, gettext_lazy("With failures")),
            (READ, gettext_lazy("All read")),
        ],
    )


@needs_role(Membership.Role.VIEWER)
def conversation_list(request: ConsoleRequest) -> HttpResponse:
    """Conversations that match the filters in the address; htmx gets the list alone."""
    form = ConversationFilter(request.GET)
    form.full_clean()
    wanted = form.cleaned_data
    page = page_of(request, find_conversations(request.space, text=wanted.get("q", ""), state=wanted.get("state", "")))
    counts = count_outcomes(page)
    context = {
        "form": form,
        "page": page,
        "lines": [(conversation, counts.get(conversation.pk)) for conversation in page],
        "is_filtered": any(wanted.values()),
        "reading_failed": count_failed(request.space, Job.Kind.EXTRACT),
    }
    template = "conversations/list_rows.html" if request.htmx else "conversations/list.html"
    return render(request, template, context)


@needs_role(Membership.Role.VIEWER)
def show(request: ConsoleRequest, pk: UUID) -> HttpResponse:
    """A page of the transcript: the one with the turn that the address names, else the first.

    To htmx, which asks while it is being read, how far that is; in the end the page anew, with what was found.
    """
    conversation = get_object_or_404(Conversation.objects.select_related("subject"), pk=pk, space=request.space)
    counts = count_outcomes([conversation]).get(conversation.pk)
    reading = reading_of(conversation, counts)
    if request.htmx.target == "reading":
        if not reading.is_at_work:
            return HttpResponseClientRedirect(request.get_full_path())
        return render(request, "conversations/reading.html", {"reading": reading})
    turn = request.GET.get("turn", "")
    position = int(turn) - 1 if turn.isascii() and turn.isdigit() and 0 < int(turn) <= conversation.message_count else 0
    start = position - position % TURNS
    context = {
        "conversation": conversation,
        "turns": transcript(conversation, start=start, length=TURNS),
        "failed_jobs": failed_jobs(conversation),
        "reading": reading,
        "counts": counts,
        "may_read_again": counts is None or counts.waiting + counts.failed < conversation.message_count,
        "report": reading_report(conversation),
        "first": start + 1,
        "last": min(start + TURNS, conversation.message_count),
        "previous": start + 1 - TURNS if start else None,
        "next": start + 1 + TURNS if start + TURNS < conversation.message_count else None,
        "named_turn": position + 1 if turn else None,
    }
    return render(request, "conversations/transcript.html", context)


@require_POST
@needs_role(Membership.Role.REVIEWER)
def read(request: ConsoleRequest, pk: UUID) -> HttpResponse:
    """Read what has gathered in the conversation without waiting for more."""
    conversation = get_object_or_404(Conversation, pk=pk, space=request.space)
    if read_now(conversation=conversation):
        messages.success(request, _("What was waiting is being read."))
    else:
        messages.info(request, _("Everything was read already."))
    return redirect("extraction:conversation", pk)


@require_POST
@needs_role(Membership.Role.REVIEWER)
def read_once_more(request: ConsoleRequest, pk: UUID) -> HttpResponse:
    """Read again what was read already, with the extractor as it is now."""
    conversation = get_object_or_404(Conversation, pk=pk, space=request.space)
    try:
        read_again(conversation=conversation)
    except MemoryRefusal as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, _("The conversation is being read again. Only what is new is proposed."))
    return redirect("extraction:conversation", pk)


@needs_role(Membership.Role.VIEWER)
def open_proposal(request: ConsoleRequest, pk: UUID) -> HttpResponse:
    """To the place of a proposal in the review queue, or to what became of it."""
    proposal = get_object_or_404(Proposal.objects.select_related("fact", "entry"), pk=pk, space=request.space)
    row = proposal.fact or proposal.entry
    if not proposal.is_open and row is not None:
        return redirect(f"{reverse('topics:document', args=[row.topic_id])}#s-{row.pk}")
    return redirect("extraction:item", tab_of(proposal), pk)
