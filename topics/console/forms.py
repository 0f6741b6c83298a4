"""What people type, and how a refusal by a service comes back to the field it is about."""

from __future__ import annotations

import re
import zoneinfo
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from typing import Any, TypeVar

from django import forms
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from inference.models import ModelCall, Purpose
from topics.console.labels import ACTIONS, software_called
from topics.errors import MemoryRefusal
from topics.models import ApiKey, Fact, Membership, Space, TimelineEntry, Topic
from topics.models.space import SCOPES
from topics.models.statement import Certainty
from topics.selectors.search import CONFLICTS, PENDING
from topics.text.values import renewed_value

Result = TypeVar("Result")

_PARTS = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2})(?:[ T]+(\d{1,2})[:：](\d{2}))?)?)?")
_SEPARATORS = str.maketrans({"年": "-", "月": "-", "/": "-", ".": "-", "日": " ", "号": " "})
# Away from the ends of the calendar, where a change of time zone overflows.
_FIRST_DAY, _LAST_DAY = date(2, 1, 1), date(9998, 12, 31)


class DayField(forms.DateField):
    """A day in the space's time zone, as the moment it begins (or, with `ends`, its last one)."""

    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")

    def __init__(self, *, ends: bool = False, **kwargs: Any) -> None:
        super().__init__(input_formats=["%Y-%m-%d"], **kwargs)
        self.ends = ends

    def prepare_value(self, value: Any) -> Any:
        return timezone.localtime(value).date() if isinstance(value, datetime) else value

    def clean(self, value: Any) -> datetime | None:
        day = super().clean(value)
        if day is None:
            return None
        if not _FIRST_DAY <= day <= _LAST_DAY:
            raise forms.ValidationError(_("Enter a day such as 2024-05-14."))
        begin = datetime.combine(day, time.min, tzinfo=timezone.get_current_timezone())
        return begin + timedelta(days=1, microseconds=-1) if self.ends else begin

    def has_changed(self, initial: Any, data: Any) -> bool:
        return super().has_changed(self.prepare_value(initial), data)


class PartialDateField(forms.CharField):
    """A date as exact as it is known: 2024, 2024-05, 2024-05-14, 2024-05-14 10:41, or 2024年5月14日.

    Cleans to (moment, precision): the beginning of what was named, in the space's time zone.
    """

    def prepare_value(self, value: Any) -> Any:
        if not isinstance(value, tuple):
            return value
        moment, precision = timezone.localtime(value[0]), TimelineEntry.Precision(value[1])
        lengths = {TimelineEntry.Precision.YEAR: 4, TimelineEntry.Precision.MONTH: 7, TimelineEntry.Precision.DAY: 10}
        return f"{moment:%Y-%m-%d %H:%M}".rjust(16, "0")[: lengths.get(precision, 16)]

    def clean(self, value: Any) -> tuple[datetime, str] | None:
        text = super().clean(value)
        if not text:
            return None
        found = _PARTS.fullmatch(text.translate(_SEPARATORS).strip().rstrip("-"))
        given = [int(part) for part in found.groups() if part] if found else []
        try:
            moment = datetime(*(given + [1, 1][len(given) - 1 :])[:5], tzinfo=timezone.get_current_timezone())  # type: ignore[arg-type,misc]
        except (TypeError, ValueError):
            moment = None
        if moment is None or not _FIRST_DAY <= moment.date() <= _LAST_DAY:
            raise forms.ValidationError(
                _("Enter a date as exact as you know it, for example 2024, 2024-05 or 2024-05-14.")
            )
        precisions = {1: "year", 2: "month", 3: "day", 5: "minute"}
        return moment, precisions[len(given)]

    def has_changed(self, initial: Any, data: Any) -> bool:
        return super().has_changed(self.prepare_value(initial), data)


class ServiceForm(forms.Form):
    """A form that a service carries out. `refusal` is what the service last refused."""

    refusal: MemoryRefusal | None = None
    ids = "id_%s"  # forms that stand on one page keep their ids apart

    def __init__(self, data: Any = None, **kwargs: Any) -> None:
        super().__init__(data, auto_id=self.ids, label_suffix="", **kwargs)

    def attempt(self, act: Callable[[], Result]) -> Result | None:
        """The result of `act` for a valid form; None, with the errors on the form, when either refuses."""
        if not self.is_valid():
            return None
        try:
            return act()
        except MemoryRefusal as refusal:
            self.refusal = refusal
            self.show(refusal)
            return None

    def show(self, refusal: MemoryRefusal) -> None:
        """Put a refusal beside the field it is about, or above the form."""
        problems = {name: texts for name, texts in refusal.details.get("fields", {}).items() if name in self.fields}
        for name, texts in problems.items():
            self.add_error(name, texts)
        if not problems:
            self.add_error(None, refusal.message)

    @property
    def status(self) -> int:
        """The status of a page that shows this form again."""
        return self.refusal.status if self.refusal else 422

    @property
    def is_stale(self) -> bool:
        return self.refusal is not None and self.refusal.code == "stale"

    def differences(self) -> list[tuple[Any, str, str]]:
        """(label, what stands, what was typed) of each field in which the two differ."""
        names = [name for name in self.changed_data if name not in ("version", "reason")]
        return [
            (self.fields[name].label, self._shown(name, self[name].initial), self._shown(name, self[name].data))
            for name in names
        ]

    def _shown(self, name: str, value: Any) -> str:
        field = self.fields[name]
        choices = dict(getattr(field, "choices", []))
        prepared = field.prepare_value(value)
        return str(choices.get(prepared, "" if prepared is None else prepared))

    def accept_version(self, version: int) -> None:
        """Let a stale form be saved again: the page shows what stands at `version` beside what was typed."""
        data = self.data.copy()  # type: ignore[attr-defined]
        data["version"] = str(version)
        self.data = data


class ReasonForm(ServiceForm):
    """The one question before a change that takes something away."""

    ids = "reason_%s"
    reason = forms.CharField(label=gettext_lazy("Reason"), required=False, max_length=1000)
    version = forms.IntegerField(widget=forms.HiddenInput, required=False)


class TopicForm(ServiceForm):
    name = forms.CharField(label=gettext_lazy("Name"), max_length=200)
    kind = forms.ChoiceField(label=gettext_lazy("Kind"), choices=Topic.Kind.choices, initial=Topic.Kind.OTHER)
    summary = forms.CharField(
        label=gettext_lazy("Summary"), required=False, widget=forms.Textarea, max_length=20_000, strip=False
    )
    version = forms.IntegerField(widget=forms.HiddenInput, required=False)


class SplitForm(TopicForm):
    """The new topic; what moves into it is ticked beside it."""

    reason = forms.CharField(label=gettext_lazy("Reason"), required=False, max_length=1000)


class AliasForm(ServiceForm):
    ids = "alias_%s"
    name = forms.CharField(label=gettext_lazy("Alias"), max_length=200)


class MoveAliasForm(ServiceForm):
    """The topic that an alias goes to, by its id or any of its names."""

    ids = "move_%s"
    topic = forms.CharField(
        label=gettext_lazy("To the topic"), max_length=200, help_text=gettext_lazy("Any of its names, or its id.")
    )
    reason = forms.CharField(label=gettext_lazy("Reason"), required=False, max_length=1000)


class FactForm(ServiceForm):
    """A fact to write or to edit."""

    text = forms.CharField(
        label=gettext_lazy("Statement"),
        widget=forms.Textarea,
        max_length=10_000,
        help_text=gettext_lazy("One sentence that is true without the conversation."),
    )
    kind = forms.ChoiceField(label=gettext_lazy("Kind"), choices=Fact.Kind.choices)
    certainty = forms.ChoiceField(label=gettext_lazy("Certainty"), choices=Certainty.choices)
    attribute = forms.CharField(label=gettext_lazy("Attribute"), required=False, max_length=100)
    value = forms.CharField(label=gettext_lazy("Value"), required=False, max_length=200)
    unit = forms.CharField(label=gettext_lazy("Unit"), required=False, max_length=40)
    scope = forms.CharField(
        label=gettext_lazy("Scope"),
        required=False,
        max_length=200,
        help_text=gettext_lazy("Where it holds, when it does not hold everywhere."),
    )
    valid_from = DayField(label=gettext_lazy("Valid from"), required=False)
    valid_until = DayField(label=gettext_lazy("Valid until"), required=False, ends=True)
    negated = forms.BooleanField(label=gettext_lazy("Says that something is not so"), required=False)
    reason = forms.CharField(label=gettext_lazy("Reason"), required=False, max_length=1000)
    version = forms.IntegerField(widget=forms.HiddenInput, required=False)

    CONTENT = (
        "text",
        "kind",
        "certainty",
        "attribute",
        "value",
        "unit",
        "scope",
        "valid_from",
        "valid_until",
        "negated",
    )

    def content(self) -> dict[str, Any]:
        """Every field of the fact, for `add_fact`."""
        return {name: self.cleaned_data[name] for name in self.CONTENT}

    def changes(self) -> dict[str, Any]:
        """The fields that differ from the fact that was shown, for `edit_fact`.

        With a new text goes the value that it has now: the one that was typed, or what the text says in the place of
        the one that was shown. Where that cannot be told the service takes attribute, value and unit away.
        """
        changed, of_value = set(self.changed_data), {"attribute", "value", "unit"}
        given = dict(self.cleaned_data)
        if "text" in changed and not changed & of_value:
            given["value"] = self._value_now()
            changed |= of_value if given["value"] is not None else set()
        elif "text" in changed:
            changed |= of_value
        return {name: given[name] for name in self.CONTENT if name in changed}

    def _value_now(self) -> str | None:
        value = self.cleaned_data["value"]
        return renewed_value(self.initial.get("text", ""), self.cleaned_data["text"], value) if value else ""


class ReplaceForm(ServiceForm):
    """What takes the place of a fact: a new one, one of the topic's, or nothing."""

    ids = "replace_%s"
    NEW, EXISTING, NOTHING = "new", "existing", "nothing"

    by = forms.ChoiceField(
        label=gettext_lazy("What holds instead"),
        widget=forms.RadioSelect,
        choices=[
            (NEW, gettext_lazy("A new fact")),
            (EXISTING, gettext_lazy("Another fact of this topic")),
            (NOTHING, gettext_lazy("Nothing: it has ended")),
        ],
        initial=NEW,
    )
    text = forms.CharField(
        label=gettext_lazy("New statement"), required=False, widget=forms.Textarea, max_length=10_000
    )
    value = forms.CharField(label=gettext_lazy("New value"), required=False, max_length=200)
    fact = forms.ChoiceField(label=gettext_lazy("Other fact"), required=False)
    valid_until = DayField(
        label=gettext_lazy("Held until"), required=False, help_text=gettext_lazy("Empty: until today.")
    )
    reason = forms.CharField(label=gettext_lazy("Reason"), required=False, max_length=1000)
    version = forms.IntegerField(widget=forms.HiddenInput, required=False)

    def __init__(self, *args: Any, others: list[Fact], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.others = {str(fact.pk): fact for fact in others}
        choices = [("", "—"), *((pk, fact.text[:120]) for pk, fact in self.others.items())]
        self.fields["fact"].choices = choices  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if cleaned.get("by") == self.NEW and not cleaned.get("text", "").strip():
            self.add_error("text", _("Write the new statement."))
        if cleaned.get("by") == self.EXISTING and not cleaned.get("fact"):
            self.add_error("fact", _("Choose the fact that holds instead."))
        return cleaned


class EntryForm(ServiceForm):
    """A timeline entry to write or to edit."""

    happened = PartialDateField(
        label=gettext_lazy("Date"),
        max_length=40,
        help_text=gettext_lazy("For example 2024, 2024-05, 2024-05-14 or 2024-05-14 10:41."),
    )
    text = forms.CharField(label=gettext_lazy("What happened"), widget=forms.Textarea, max_length=10_000)
    certainty = forms.ChoiceField(label=gettext_lazy("Certainty"), choices=Certainty.choices)
    reason = forms.CharField(label=gettext_lazy("Reason"), required=False, max_length=1000)
    version = forms.IntegerField(widget=forms.HiddenInput, required=False)

    def content(self) -> dict[str, Any]:
        """Every field of the entry, for `add_entry`."""
        happened_at, precision = self.cleaned_data["happened"]
        return {
            "text": self.cleaned_data["text"],
            "certainty": self.cleaned_data["certainty"],
            "happened_at": happened_at,
            "precision": precision,
        }

    def changes(self) -> dict[str, Any]:
        """The fields that differ from the entry that was shown, for `edit_entry`."""
        names = {"happened_at": "happened", "precision": "happened"}
        return {name: value for name, value in self.content().items() if names.get(name, name) in self.changed_data}


class TopicFilter(forms.Form):
    """What the list of topics shows, as it stands in the address."""

    STATUSES = [
        ("", gettext_lazy("Active")),
        ("archived", gettext_lazy("Archived")),
        ("any", gettext_lazy("Active and archived")),
    ]
    NEEDS = [
        ("", gettext_lazy("Any state")),
        (CONFLICTS, gettext_lazy("With conflicts")),
        (PENDING, gettext_lazy("With waiting proposals")),
    ]
    ORDERS = [("", gettext_lazy("Latest change first")), ("name", gettext_lazy("By name"))]

    q = forms.CharField(label=gettext_lazy("Search"), required=False, max_length=200)
    kind = forms.ChoiceField(
        label=gettext_lazy("Kind"), required=False, choices=[("", gettext_lazy("Any kind")), *Topic.Kind.choices]
    )
    status = forms.ChoiceField(label=gettext_lazy("Status"), required=False, choices=STATUSES)
    needs = forms.ChoiceField(label=gettext_lazy("To decide"), required=False, choices=NEEDS)
    order = forms.ChoiceField(label=gettext_lazy("Order"), required=False, choices=ORDERS)


class ActivityFilter(forms.Form):
    """Which changes the activity shows, as it stands in the address."""

    who = forms.CharField(label=gettext_lazy("Who"), required=False, max_length=200)
    action = forms.ChoiceField(
        label=gettext_lazy("Change"), required=False, choices=[("", gettext_lazy("Any change")), *ACTIONS.items()]
    )
    topic = forms.CharField(label=gettext_lazy("Topic"), required=False, max_length=200)
    since = DayField(label=gettext_lazy("From"), required=False)
    until = DayField(label=gettext_lazy("Until"), required=False, ends=True)

    def wanted(self) -> dict[str, Any]:
        """What was chosen, as `changes_in` takes it; what makes no sense is left out."""
        self.full_clean()
        wanted = {name: value for name, value in self.cleaned_data.items() if value}
        if "who" in wanted:
            wanted["who"] = [wanted["who"], *software_called(wanted["who"])]
        return wanted


class AgentForm(forms.Form):
    """The question an agent would ask."""

    BUDGETS = [(str(tokens), str(tokens)) for tokens in (300, 600, 1500, 4000)]

    q = forms.CharField(label=gettext_lazy("Question"), required=False, max_length=2000)
    max_tokens = forms.ChoiceField(
        label=gettext_lazy("Budget in tokens"), required=False, choices=BUDGETS, initial="1500"
    )
    everywhere = forms.BooleanField(label=gettext_lazy("Ask the whole space"), required=False)


class SpaceForm(ServiceForm):
    name = forms.CharField(label=gettext_lazy("Name"), max_length=200)
    language = forms.ChoiceField(
        label=gettext_lazy("Language"),
        choices=Space.Language.choices,
        help_text=gettext_lazy("Of what the software itself writes for agents and in jobs. Statements stay as said."),
    )
    time_zone = forms.ChoiceField(
        label=gettext_lazy("Time zone"), help_text=gettext_lazy("“Tomorrow” in a conversation is meant in this zone.")
    )
    review_policy = forms.ChoiceField(
        label=gettext_lazy("What waits for review"), choices=Space.ReviewPolicy.choices, widget=forms.RadioSelect
    )
    conflict_policy = forms.ChoiceField(
        label=gettext_lazy("Who decides a conflict"), choices=Space.ConflictPolicy.choices, widget=forms.RadioSelect
    )
    source_turns = forms.ChoiceField(
        label=gettext_lazy("What agents see"), choices=Space.SourceTurns.choices, widget=forms.RadioSelect
    )
    topic_sensitivity = forms.ChoiceField(
        label=gettext_lazy("What becomes a topic of its own"),
        choices=Space.TopicSensitivity.choices,
        widget=forms.RadioSelect,
        help_text=gettext_lazy("What does not yet gathers, and is proposed as a topic once enough belongs together."),
    )
    read_after_turns = forms.IntegerField(
        label=gettext_lazy("Read after this many turns"),
        required=False,
        help_text=gettext_lazy("0: at once. Empty: at once by rules, after 8 turns by a model."),
    )
    read_after_tokens = forms.IntegerField(
        label=gettext_lazy("Or after this many tokens"), required=False, help_text=gettext_lazy("Empty: 1500.")
    )
    read_after_seconds = forms.IntegerField(
        label=gettext_lazy("Or after a silence, in seconds"), required=False, help_text=gettext_lazy("Empty: 120.")
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        zones = sorted(zoneinfo.available_timezones())
        self.fields["time_zone"].choices = [(zone, zone) for zone in zones]  # type: ignore[attr-defined]


class ModelPolicyForm(ServiceForm):
    """How the space reaches its model. The key can be set and removed, and never read."""

    use_model = forms.BooleanField(
        label=gettext_lazy("Read conversations with a language model"),
        required=False,
        help_text=gettext_lazy("Off: rules alone read them, and no text leaves this installation."),
    )
    base_url = forms.CharField(
        label=gettext_lazy("Address"),
        required=False,
        max_length=500,
        help_text=gettext_lazy(
            "Of an OpenAI-compatible API. Empty: that of the installation. With another address the stored key is "
            "removed, so enter the key again."
        ),
    )
    model = forms.CharField(
        label=gettext_lazy("Model"),
        required=False,
        max_length=200,
        help_text=gettext_lazy("Empty: that of the installation."),
    )
    api_key = forms.CharField(
        label=gettext_lazy("API key"),
        required=False,
        max_length=500,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
        help_text=gettext_lazy("Never shown again. Empty: the stored key stays."),
    )
    forget_key = forms.BooleanField(label=gettext_lazy("Remove the stored key"), required=False)
    daily_tokens = forms.IntegerField(
        label=gettext_lazy("Tokens a day"),
        required=False,
        min_value=1,
        max_value=10**15,
        help_text=gettext_lazy("Empty: the limit of the installation. Over it, reading goes on after midnight."),
    )
    daily_calls = forms.IntegerField(
        label=gettext_lazy("Calls a day"), required=False, min_value=1, max_value=2**31 - 1
    )
    prompt_price = forms.DecimalField(
        label=gettext_lazy("Price of a million prompt tokens"),
        required=False,
        min_value=0,
        max_digits=12,
        decimal_places=6,
    )
    completion_price = forms.DecimalField(
        label=gettext_lazy("Price of a million answer tokens"),
        required=False,
        min_value=0,
        max_digits=12,
        decimal_places=6,
        help_text=gettext_lazy("Empty: the price list of the installation, if the model stands in it."),
    )


class CallFilter(forms.Form):
    """Which model calls the list shows, as it stands in the address."""

    purpose = forms.ChoiceField(
        label=gettext_lazy("Purpose"), required=False, choices=[("", gettext_lazy("Any purpose")), *Purpose.choices]
    )
    outcome = forms.ChoiceField(
        label=gettext_lazy("Outcome"),
        required=False,
        choices=[("", gettext_lazy("Any outcome")), *ModelCall.Outcome.choices],
    )


class KeyForm(ServiceForm):
    name = forms.CharField(
        label=gettext_lazy("Name"), max_length=100, help_text=gettext_lazy("Who or what will use it.")
    )
    scopes = forms.MultipleChoiceField(
        label=gettext_lazy("What it may do"),
        widget=forms.CheckboxSelectMultiple,
        initial=[ApiKey.Scope.READ, ApiKey.Scope.PROPOSE],
        help_text=gettext_lazy("An agent that remembers needs Read and Propose."),
    )
    expires_at = DayField(
        label=gettext_lazy("Valid until"), required=False, ends=True, help_text=gettext_lazy("Empty: until revoked.")
    )
    requests_per_minute = forms.IntegerField(
        label=gettext_lazy("Requests a minute"),
        required=False,
        min_value=0,
        help_text=gettext_lazy("Empty: as the installation sets it. 0: no limit"),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["scopes"].choices = [  # type: ignore[attr-defined]
            (scope, format_html("<span><strong>{}</strong> {}</span>", scope.label, allowed))
            for scope, allowed in SCOPES.items()
        ]


class MemberForm(ServiceForm):
    username = forms.CharField(label=gettext_lazy("User name"), max_length=150)
    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=Membership.Role.choices)
