"""Facts and timeline entries by hand: add, edit, replace, retract."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from topics.console.access import ConsoleRequest, needs_role
from topics.console.forms import EntryForm, FactForm, ReasonForm, ReplaceForm, ServiceForm
from topics.console.lookup import find_row, find_topic
from topics.console.notices import say_done
from topics.models import Fact, Membership, TimelineEntry, Topic
from topics.selectors.documents import lines_of
from topics.services import statements as services

REVIEWER = Membership.Role.REVIEWER


@needs_role(REVIEWER)
def add_fact(request: ConsoleRequest, pk: UUID) -> HttpResponse:
    topic = find_topic(request, pk)
    form = FactForm(request.POST or None, initial={"kind": Fact.Kind.FACT, "certainty": "confirmed"})
    if request.method == "POST":
        fact = form.attempt(
            lambda: services.add_fact(
                topic=topic, actor=request.actor, reason=form.cleaned_data["reason"], **form.content()
            )
        )
        if fact is not None:
            say_done(request, _said_of(fact, _("Fact added.")))
            return _to_statement(topic, fact)
    return _render(request, "topics/add_fact.html", form, {"topic": topic})


def _said_of(fact: Fact, done: str) -> str:
    """What was done, and whether the document holds something else now beside it."""
    if not fact.disputes.filter(closed_at=None).exists():
        return done
    contradicted = _("It contradicts what the document holds: both are disputed until the conflict is decided.")
    return f"{done} {contradicted}"


@needs_role(REVIEWER)
def add_entry(request: ConsoleRequest, pk: UUID) -> HttpResponse:
    topic = find_topic(request, pk)
    form = EntryForm(request.POST or None, initial={"certainty": "confirmed"})
    if request.method == "POST":
        entry = form.attempt(
            lambda: services.add_entry(
                topic=topic, actor=request.actor, reason=form.cleaned_data["reason"], **form.content()
            )
        )
        if entry is not None:
            say_done(request, _("Timeline entry added."))
            return _to_statement(topic, entry)
    return _render(request, "topics/add_entry.html", form, {"topic": topic})


@needs_role(REVIEWER)
def edit_fact(request: ConsoleRequest, pk: UUID, fact: UUID) -> HttpResponse:
    """Edit in place (htmx gets the form alone) or on a page of its own, which offers to replace and retract, too."""
    topic = find_topic(request, pk)
    row = find_row(Fact, topic, fact)
    form = FactForm(request.POST or None, initial=_fact_values(row))
    form.fields["text"].widget.attrs["autofocus"] = True
    if request.method == "POST":
        saved = form.attempt(
            lambda: services.edit_fact(
                fact=row,
                actor=request.actor,
                changes=form.changes(),
                expected_version=form.cleaned_data["version"],
                reason=form.cleaned_data["reason"],
            )
        )
        if saved is not None:
            say_done(request, _said_of(saved, _("Saved.")))
            return _to_statement(topic, saved)
    return _fact_page(request, topic, row, form=form)


@needs_role(REVIEWER)
def replace_fact(request: ConsoleRequest, pk: UUID, fact: UUID) -> HttpResponse:
    topic = find_topic(request, pk)
    row = find_row(Fact, topic, fact)
    form = ReplaceForm(request.POST or None, others=_others(row), initial={"version": row.version})
    if request.method != "POST":
        return redirect("topics:fact", topic.pk, row.pk)
    if form.attempt(lambda: _replace(request, row, form)) is not None:
        say_done(request, _("Saved."))
        return _to_statement(topic, row)
    return _fact_page(request, topic, row, replace_form=form)


@needs_role(REVIEWER)
def retract_fact(request: ConsoleRequest, pk: UUID, fact: UUID) -> HttpResponse:
    topic = find_topic(request, pk)
    row = find_row(Fact, topic, fact)
    form = ReasonForm(request.POST or None, initial={"version": row.version})
    if request.method != "POST":
        return redirect("topics:fact", topic.pk, row.pk)
    retracted = form.attempt(
        lambda: services.retract_fact(
            fact=row,
            actor=request.actor,
            expected_version=form.cleaned_data["version"],
            reason=form.cleaned_data["reason"],
        )
    )
    if retracted is None:
        return _fact_page(request, topic, row, retract_form=form)
    say_done(request, _("Retracted. It stands in the history, from where it can be brought back."))
    return redirect("topics:document", topic.pk)


@needs_role(REVIEWER)
def edit_entry(request: ConsoleRequest, pk: UUID, entry: UUID) -> HttpResponse:
    topic = find_topic(request, pk)
    row = find_row(TimelineEntry, topic, entry)
    form = EntryForm(request.POST or None, initial=_entry_values(row))
    form.fields["text"].widget.attrs["autofocus"] = True
    if request.method == "POST":
        saved = form.attempt(
            lambda: services.edit_entry(
                entry=row,
                actor=request.actor,
                changes=form.changes(),
                expected_version=form.cleaned_data["version"],
                reason=form.cleaned_data["reason"],
            )
        )
        if saved is not None:
            say_done(request, _("Saved."))
            return _to_statement(topic, saved)
    return _entry_page(request, topic, row, form=form)


@needs_role(REVIEWER)
def retract_entry(request: ConsoleRequest, pk: UUID, entry: UUID) -> HttpResponse:
    topic = find_topic(request, pk)
    row = find_row(TimelineEntry, topic, entry)
    form = ReasonForm(request.POST or None, initial={"version": row.version})
    if request.method != "POST":
        return redirect("topics:entry", topic.pk, row.pk)
    retracted = form.attempt(
        lambda: services.retract_entry(
            entry=row,
            actor=request.actor,
            expected_version=form.cleaned_data["version"],
            reason=form.cleaned_data["reason"],
        )
    )
    if retracted is None:
        return _entry_page(request, topic, row, retract_form=form)
    say_done(request, _("Retracted. It stands in the history, from where it can be brought back."))
    return redirect("topics:document", topic.pk)


def _replace(request: ConsoleRequest, fact: Fact, form: ReplaceForm) -> Fact:
    """Carry out what the form says about what holds instead."""
    common: dict[str, Any] = {
        "fact": fact,
        "actor": request.actor,
        "valid_until": form.cleaned_data["valid_until"],
        "expected_version": form.cleaned_data["version"],
        "reason": form.cleaned_data["reason"],
    }
    if form.cleaned_data["by"] == form.NEW:
        fields = {"text": form.cleaned_data["text"], "value": form.cleaned_data["value"]}
        return services.replace_fact(fields=fields, **common)
    by = form.others[form.cleaned_data["fact"]] if form.cleaned_data["by"] == form.EXISTING else None
    return services.supersede_fact(by=by, **common)


def _fact_page(
    request: ConsoleRequest,
    topic: Topic,
    fact: Fact,
    *,
    form: FactForm | None = None,
    replace_form: ReplaceForm | None = None,
    retract_form: ReasonForm | None = None,
) -> HttpResponse:
    """The page of one fact, with the form that was sent and the others fresh."""
    sent = form or replace_form or retract_form or FactForm()
    values = _fact_values(fact)
    if sent.is_stale:
        sent.accept_version(fact.version)
    context = {
        "topic": topic,
        "line": lines_of([fact])[0],
        "fact": fact,
        "form": form or FactForm(initial=values),
        "replace_form": replace_form or ReplaceForm(others=_others(fact), initial={"version": fact.version}),
        "retract_form": retract_form or ReasonForm(initial={"version": fact.version}),
    }
    return _render(request, "topics/fact.html", sent, context, part="topics/fact_form.html")


def _entry_page(
    request: ConsoleRequest,
    topic: Topic,
    entry: TimelineEntry,
    *,
    form: EntryForm | None = None,
    retract_form: ReasonForm | None = None,
) -> HttpResponse:
    sent = form or retract_form or EntryForm()
    values = _entry_values(entry)
    if sent.is_stale:
        sent.accept_version(entry.version)
    context = {
        "topic": topic,
        "line": lines_of([entry])[0],
        "entry": entry,
        "form": form or EntryForm(initial=values),
        "retract_form": retract_form or ReasonForm(initial={"version": entry.version}),
    }
    return _render(request, "topics/entry.html", sent, context, part="topics/entry_form.html")


def _render(
    request: ConsoleRequest, template: str, form: ServiceForm, context: dict[str, Any], part: str = ""
) -> HttpResponse:
    chosen = part if part and request.htmx else template
    return render(request, chosen, {"form": form, **context}, status=form.status if form.is_bound else 200)


def _fact_values(fact: Fact) -> dict[str, Any]:
    return {name: getattr(fact, name) for name in (*FactForm.CONTENT, "version")}


def _entry_values(entry: TimelineEntry) -> dict[str, Any]:
    return {
        "text": entry.text,
        "certainty": entry.certainty,
        "happened": (entry.happened_at, entry.precision),
        "version": entry.version,
    }


def _others(fact: Fact) -> list[Fact]:
    """The current facts of the topic that could hold in place of this one: those of its attribute first."""
    facts = Fact.objects.filter(topic=fact.topic_id, status=Fact.Status.ACTIVE).exclude(pk=fact.pk)
    return sorted(facts[:200], key=lambda other: (other.attribute != fact.attribute, other.pk))


def _to_statement(topic: Topic, row: Fact | TimelineEntry) -> HttpResponse:
    return redirect(f"{reverse('topics:document', args=[topic.pk])}#s-{row.pk}")
