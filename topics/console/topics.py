"""The list of topics, the document with its names and states, and what an agent would get from it."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from topics.console.access import ConsoleRequest, needs_role
from topics.console.forms import (
    AgentForm,
    AliasForm,
    DayField,
    MoveAliasForm,
    ReasonForm,
    TopicFilter,
    TopicForm,
)
from topics.console.lookup import find_row, find_topic, page_of
from topics.console.notices import say_done
from topics.errors import InvalidInput, MemoryRefusal, NotFound
from topics.models import Alias, Membership, Topic
from topics.retrieval.query import query_memory
from topics.selectors.documents import Document, document, document_at_version
from topics.selectors.feedback import open_objections
from topics.selectors.search import count_facts, search_topics
from topics.selectors.state import state_of
from topics.selectors.topics import resolve_topic
from topics.services import topics as services

VIEWER, REVIEWER = Membership.Role.VIEWER, Membership.Role.REVIEWER

MOST_LINES = 50  # of one kind on the page of a document; all of them are a link away


@needs_role(VIEWER)
def topic_list(request: ConsoleRequest) -> HttpResponse:
    """Topics that match the filters in the address; htmx gets the list alone."""
    form = TopicFilter(request.GET)
    form.full_clean()
    wanted = form.cleaned_data
    status = {"": Topic.Status.ACTIVE, "any": ""}.get(wanted.get("status", ""), Topic.Status.ARCHIVED)
    rows = search_topics(
        request.space,
        text=wanted.get("q", ""),
        kind=wanted.get("kind", ""),
        status=status,
        needs=wanted.get("needs", ""),
        order=wanted.get("order") or "activity",
    )
    page = page_of(request, rows)
    counts = count_facts(page)
    is_filtered = any(value for name, value in wanted.items() if name != "order")
    context = {
        "form": form,
        "page": page,
        "lines": [(topic, counts.get(topic.pk)) for topic in page],
        "is_filtered": is_filtered,
        "is_empty": not page and not Topic.objects.filter(space=request.space).exists(),
    }
    return render(request, "topics/list_rows.html" if request.htmx else "topics/list.html", context)


@needs_role(REVIEWER)
def create(request: ConsoleRequest) -> HttpResponse:
    """Write a new topic by hand."""
    form = TopicForm(request.POST or None, initial={"name": request.GET.get("name", "")})
    form.fields["name"].widget.attrs["autofocus"] = True
    if request.method == "POST":
        topic = form.attempt(
            lambda: services.create_topic(
                space=request.space,
                actor=request.actor,
                name=form.cleaned_data["name"],
                kind=form.cleaned_data["kind"],
                summary=form.cleaned_data["summary"],
            )
        )
        if topic is not None:
            say_done(request, _("Topic created."))
            return redirect("topics:document", topic.pk)
    return render(request, "topics/create.html", {"form": form}, status=form.status if form.is_bound else 200)


@needs_role(VIEWER)
def show(request: ConsoleRequest, pk: UUID) -> HttpResponse:
    """The document, as it stands or (`version` or `as_of` in the address) as it stood."""
    topic = find_topic(request, pk)
    try:
        held = _held(request, topic)
    except NotFound as refusal:
        return render(request, "topics/not_then.html", {"topic": topic, "refusal": refusal}, status=404)
    return render(request, "topics/document.html", _document_context(request, topic, held, AliasForm()))


@needs_role(REVIEWER)
def edit(request: ConsoleRequest, pk: UUID) -> HttpResponse:
    """Rename, change the kind or rewrite the summary; htmx gets a form of the summary alone, to edit it in place."""
    topic = find_topic(request, pk)
    initial = {"name": topic.name, "kind": topic.kind, "summary": topic.summary, "version": topic.version}
    form = TopicForm(request.POST or None, initial=initial)
    form.fields["summary" if request.htmx else "name"].widget.attrs["autofocus"] = True
    if request.method == "POST":
        saved = form.attempt(
            lambda: services.update_topic(
                topic=topic,
                actor=request.actor,
                name=form.cleaned_data["name"],
                kind=form.cleaned_data["kind"],
                summary=form.cleaned_data["summary"],
                expected_version=form.cleaned_data["version"],
            )
        )
        if saved is not None:
            say_done(request, _("Saved."))
            return redirect("topics:document", topic.pk)
    if form.is_stale:
        form.accept_version(topic.version)
    template = "topics/summary_form.html" if request.htmx else "topics/edit.html"
    return render(request, template, {"topic": topic, "form": form}, status=form.status if form.is_bound else 200)


@require_POST
@needs_role(REVIEWER)
def add_alias(request: ConsoleRequest, pk: UUID) -> HttpResponse:
    """Give the topic another name. A refusal shows the document with the name still typed."""
    topic = find_topic(request, pk)
    form = AliasForm(request.POST)
    standing = set(topic.aliases.values_list("pk", flat=True))
    added = form.attempt(lambda: services.add_alias(topic=topic, actor=request.actor, name=form.cleaned_data["name"]))
    if added is not None:
        if added.pk in standing:
            messages.info(request, _("The topic has this name already: %(name)s.") % {"name": added.name})
        else:
            say_done(request, _("Added the alias %(name)s.") % {"name": added.name})
        return redirect("topics:document", topic.pk)
    context = _document_context(request, topic, document(topic), form)
    return render(request, "topics/document.html", context, status=form.status)


@require_POST
@needs_role(REVIEWER)
def remove_alias(request: ConsoleRequest, pk: UUID, alias: UUID) -> HttpResponse:
    topic = find_topic(request, pk)
    row = find_row(Alias, topic, alias)
    try:
        services.remove_alias(alias=row, actor=request.actor)
    except MemoryRefusal as refusal:
        messages.error(request, refusal.message)
    else:
        say_done(request, _("Removed the alias %(name)s.") % {"name": row.name})
    return redirect("topics:document", topic.pk)


@needs_role(REVIEWER)
def edit_alias(request: ConsoleRequest, pk: UUID, alias: UUID) -> HttpResponse:
    """An alias on a page of its own: write it in another way, move it to another topic, remove it."""
    topic = find_topic(request, pk)
    row = find_row(Alias, topic, alias)
    form = AliasForm(request.POST or None, initial={"name": row.name})
    if request.method == "POST":
        renamed = form.attempt(
            lambda: services.rename_alias(alias=row, actor=request.actor, name=form.cleaned_data["name"])
        )
        if renamed is not None:
            say_done(request, _("The alias is now %(name)s.") % {"name": renamed.name})
            return redirect("topics:document", topic.pk)
    return _alias_page(request, topic, row, form=form)


@require_POST
@needs_role(REVIEWER)
def move_alias(request: ConsoleRequest, pk: UUID, alias: UUID) -> HttpResponse:
    """Give an alias to another topic. A refusal shows the alias with what was typed."""
    topic = find_topic(request, pk)
    row = find_row(Alias, topic, alias)
    form = MoveAliasForm(request.POST)
    moved = form.attempt(lambda: _move_alias(request, row, form))
    if moved is None:
        return _alias_page(request, topic, row, move_form=form)
    say_done(request, _("Moved the alias %(name)s to %(topic)s.") % {"name": moved.name, "topic": moved.topic.name})
    return redirect("topics:document", topic.pk)


@needs_role(REVIEWER)
def set_status(request: ConsoleRequest, pk: UUID, action: str) -> HttpResponse:
    """Archive, restore or delete: the page says how far it reaches, the POST does it."""
    topic = find_topic(request, pk)
    form = ReasonForm(request.POST or None, initial={"version": topic.version})
    act = {
        "archive": services.archive_topic,
        "restore": services.restore_topic,
        "delete": services.delete_topic,
    }[action]
    if request.method == "POST":
        done = form.attempt(
            lambda: act(
                topic=topic,
                actor=request.actor,
                expected_version=form.cleaned_data["version"],
                reason=form.cleaned_data["reason"],
            )
        )
        if done is not None:
            say_done(request, _status_message(action, topic))
            return redirect("topics:topics") if action == "delete" else redirect("topics:document", topic.pk)
    if form.is_stale:
        form.accept_version(topic.version)
    context = {"topic": topic, "document": document(topic), "form": form, "action": action}
    return render(request, "topics/status.html", context, status=form.status if form.is_bound else 200)


@needs_role(VIEWER)
def agent_view(request: ConsoleRequest, pk: UUID) -> HttpResponse:
    """The exact block that an agent gets for a question, from this topic or from the whole space."""
    topic = find_topic(request, pk)
    data = request.GET.copy()
    if not data.get("q", "").strip():
        data["q"] = topic.name
    data.setdefault("max_tokens", "1500")
    form = AgentForm(data)
    answer = None
    if form.is_valid():
        answer = query_memory(
            space=request.space,
            question=form.cleaned_data["q"],
            max_tokens=int(form.cleaned_data["max_tokens"]),
            topic_ids=None if form.cleaned_data["everywhere"] else [topic.pk],
            now=timezone.now(),
        )
    return render(request, "topics/agent.html", {"topic": topic, "tab": "agent", "form": form, "answer": answer})


@needs_role(VIEWER)
def state(request: ConsoleRequest, pk: UUID) -> HttpResponse:
    """What agents keep with the topic for themselves, by key; `q` is what keys begin with."""
    topic = find_topic(request, pk)
    prefix = request.GET.get("q", "").replace("\0", "")[:200]
    page = page_of(request, state_of(topic, prefix=prefix).defer("value"))
    context = {"topic": topic, "tab": "state", "page": page, "prefix": prefix}
    return render(request, "topics/state.html", context)


@needs_role(VIEWER)
def state_entry(request: ConsoleRequest, pk: UUID, entry: UUID) -> HttpResponse:
    """One value, as it was sent."""
    topic = find_topic(request, pk)
    row = get_object_or_404(state_of(topic), pk=entry)
    return render(request, "topics/state_entry.html", {"topic": topic, "tab": "state", "entry": row})


def _move_alias(request: ConsoleRequest, alias: Alias, form: MoveAliasForm) -> Alias:
    wanted = form.cleaned_data["topic"].strip()
    target = resolve_topic(request.space, wanted)
    if target is None:
        problem = _("No topic is called %(name)s.") % {"name": wanted}
        raise InvalidInput(problem, fields={"topic": [problem]})
    if target.pk == alias.topic_id:
        problem = _("It is an alias of this topic already.")
        raise InvalidInput(problem, fields={"topic": [problem]})
    return services.move_alias(alias=alias, to=target, actor=request.actor, reason=form.cleaned_data["reason"])


def _alias_page(
    request: ConsoleRequest,
    topic: Topic,
    alias: Alias,
    *,
    form: AliasForm | None = None,
    move_form: MoveAliasForm | None = None,
) -> HttpResponse:
    sent = form or move_form or AliasForm()
    context = {
        "topic": topic,
        "alias": alias,
        "form": form or AliasForm(initial={"name": alias.name}),
        "move_form": move_form or MoveAliasForm(),
    }
    return render(request, "topics/alias.html", context, status=sent.status if sent.is_bound else 200)


def _document_context(request: ConsoleRequest, topic: Topic, held: Document, form: AliasForm) -> dict[str, Any]:
    shows_all = "all" in request.GET
    objections = list(open_objections(request.space, topic)) if held.as_of is None else []
    return {
        "shows_all": shows_all,
        "most": MOST_LINES,
        "latest": ":" if shows_all else f"-{MOST_LINES}:",
        "first": ":" if shows_all else f":{MOST_LINES}",
        "topic": topic,
        "document": held,
        "tab": "document",
        "may_edit": request.membership.may_review and held.as_of is None,
        "alias_form": form,
        "objections": objections,
        "called_wrong": {objection.statement.pk for objection in objections},
        "now": timezone.now(),
    }


def _held(request: ConsoleRequest, topic: Topic) -> Document:
    """The state of the document that the address asks for."""
    version, as_of = request.GET.get("version", ""), request.GET.get("as_of", "")
    if version:
        if not (version.isascii() and version.isdigit() and len(version) < 10):
            raise Http404
        return document_at_version(topic, int(version))
    return document(topic, _moment(as_of)) if as_of else document(topic)


def _moment(as_of: str) -> datetime | None:
    """An aware moment, or the end of a day of the space."""
    try:
        moment = datetime.fromisoformat(as_of)
        return moment if timezone.is_aware(moment) else DayField(ends=True).clean(as_of)
    except (ValueError, ValidationError) as error:
        raise Http404 from error


def _status_message(action: str, topic: Topic) -> str:
    if action == "archive":
        return _("Archived %(name)s.") % {"name": topic.name}
    if action == "restore":
        return _("Restored %(name)s.") % {"name": topic.name}
    return _("Deleted %(name)s. It can be undone from the activity.") % {"name": topic.name}
