"""Forms of the review queue. Each turns what a reviewer typed into the arguments of a service."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Any
from uuid import UUID

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from extraction.models import Conflict, Proposal
from extraction.selectors.proposals import uuid_or_none
from topics.console.forms import DayField, EntryForm, FactForm, ServiceForm
from topics.models import Fact, Topic

MORNING = time(9)
DAYS_A_WEEK = 7


class UnderTopic(forms.Form):
    """The topic by any of its names; the browser suggests those that there are."""

    topic = forms.CharField(label=_("Topic"), max_length=200, widget=forms.TextInput(attrs={"list": "topics"}))


class FactEdit(UnderTopic, FactForm):
    field_order = ["text", "topic", *FactForm.CONTENT]

    @staticmethod
    def values_of(proposal: Proposal) -> dict[str, Any]:
        names = [name for name in FactForm.CONTENT if name not in ("kind", "scope")]
        values = {name: getattr(proposal, name) for name in names}
        return values | {"kind": proposal.fact_kind or Fact.Kind.FACT, "topic": topic_name_of(proposal)}

    def edits(self) -> dict[str, Any]:
        return self.changes() | moved_topic(self)


class EntryEdit(UnderTopic, EntryForm):
    field_order = ["text", "topic", "happened", "certainty"]

    @staticmethod
    def values_of(proposal: Proposal) -> dict[str, Any]:
        return {
            "text": proposal.text,
            "topic": topic_name_of(proposal),
            "happened": (proposal.happened_at, proposal.precision),
            "certainty": proposal.certainty,
        }

    def edits(self) -> dict[str, Any]:
        return self.changes() | moved_topic(self)


class AliasEdit(UnderTopic, ServiceForm):
    alias = forms.CharField(label=_("Alias"), max_length=200)
    field_order = ["alias", "topic"]

    @staticmethod
    def values_of(proposal: Proposal) -> dict[str, Any]:
        return {"alias": proposal.alias, "topic": topic_name_of(proposal)}

    def edits(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in self.changed_data}


class SummaryEdit(ServiceForm):
    text = forms.CharField(label=_("Summary"), widget=forms.Textarea, max_length=20_000)

    @staticmethod
    def values_of(proposal: Proposal) -> dict[str, Any]:
        return {"text": proposal.text}

    def edits(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in self.changed_data}


class TopicEdit(ServiceForm):
    topic_name = forms.CharField(label=_("Name"), max_length=200)
    topic_kind = forms.ChoiceField(label=_("Kind"), choices=Topic.Kind.choices)

    @staticmethod
    def values_of(proposal: Proposal) -> dict[str, Any]:
        return {"topic_name": proposal.topic_name, "topic_kind": proposal.topic_kind or Topic.Kind.OTHER}

    def edits(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in self.changed_data}


EditForm = FactEdit | EntryEdit | AliasEdit | SummaryEdit | TopicEdit
EDIT_FORMS: dict[str, type[EditForm]] = {
    Proposal.Kind.FACT: FactEdit,
    Proposal.Kind.TIMELINE: EntryEdit,
    Proposal.Kind.ALIAS: AliasEdit,
    Proposal.Kind.SUMMARY: SummaryEdit,
    Proposal.Kind.TOPIC: TopicEdit,
}


def edit_form(proposal: Proposal, data: Any = None) -> EditForm | None:
    """The form to change a proposal before it is approved; its `edits()` are those of `decide_proposals`.

    None for a kind that can only be taken as it is.
    """
    form = EDIT_FORMS.get(proposal.kind)
    return form(data, initial=form.values_of(proposal)) if form else None


class SnoozeForm(forms.Form):
    """Until when an item rests: tomorrow, next Monday or a day of one's own, at nine in the space's zone."""

    until = forms.ChoiceField(choices=[("tomorrow", ""), ("week", ""), ("day", "")])
    day = forms.DateField(input_formats=["%Y-%m-%d"], required=False)

    def moment(self) -> datetime | None:
        """None when nothing usable was chosen."""
        if not self.is_valid():
            return None
        today = timezone.localdate()
        days = {"tomorrow": today + timedelta(days=1), "week": next_monday(today), "day": self.cleaned_data["day"]}
        day = days[self.cleaned_data["until"]]
        return datetime.combine(day, MORNING, tzinfo=timezone.get_current_timezone()) if day else None


class PickedField(forms.Field):
    """Ids of items: several values, each one id or several with commas between. What is no id is left out."""

    widget = forms.MultipleHiddenInput

    def to_python(self, value: Any) -> list[UUID]:
        words = [word for text in value or [] for word in str(text).split(",")]
        return list(dict.fromkeys(pk for pk in map(uuid_or_none, words) if pk))


class BulkForm(forms.Form):
    """A decision on many items: the ticked ones, or all that match up to one that was filed last when it was shown."""

    decision = forms.ChoiceField(choices=[(name, name) for name in ("approve", "reject", "snooze", "keep", "ask")])
    scope = forms.ChoiceField(choices=[("ticked", ""), ("all", "")], required=False)
    ids = PickedField(required=False)
    up_to = forms.UUIDField(required=False)
    token = forms.UUIDField(required=False)
    confirmed = forms.BooleanField(required=False)
    reason = forms.CharField(required=False, max_length=1000)

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if data.get("scope") != "all" and not data.get("ids"):
            raise forms.ValidationError(_("Tick the items to decide first."))
        return data


class ResolveForm(ServiceForm):
    """How a conflict is settled. `seen_fact` in its `seen_version` is what the reviewer saw held."""

    outcome = forms.ChoiceField(
        label=_("Outcome"),
        choices=Conflict.Outcome.choices,
        error_messages={"required": _("Choose one of the five outcomes.")},
    )
    valid_until = DayField(label=_("What is held was true until"), required=False, ends=True)
    scope = forms.CharField(label=_("Where the new statement holds"), max_length=200, required=False)
    never_true = forms.BooleanField(label=_("It was not true then either: reject it"), required=False)
    # The page shows a question to begin with: what it was comes along, to know whether somebody changed it.
    question = forms.CharField(
        label=_("Question"), required=False, max_length=2000, widget=forms.Textarea, show_hidden_initial=True
    )
    reason = forms.CharField(label=_("Reason"), required=False, max_length=1000, widget=forms.Textarea)
    seen_version = forms.IntegerField(widget=forms.HiddenInput)
    seen_fact = forms.UUIDField(widget=forms.HiddenInput, required=False)

    def typed(self) -> list[tuple[str, str]]:
        """Label and text of what somebody wrote, without what the page had filled in."""
        names = [name for name in ("valid_until", "scope", "question", "reason") if name in self.changed_data]
        return [(str(self[name].label), self[name].data) for name in names if self[name].data]


def next_monday(today: date) -> date:
    return today + timedelta(days=DAYS_A_WEEK - today.weekday())


def topic_name_of(proposal: Proposal) -> str:
    """The name of the topic it belongs to, which may itself still be proposed."""
    if proposal.topic is not None:
        return proposal.topic.name
    return proposal.new_topic.topic_name if proposal.new_topic else ""


def moved_topic(form: UnderTopic) -> dict[str, Any]:
    return {"topic": form.cleaned_data["topic"]} if "topic" in form.changed_data else {}
