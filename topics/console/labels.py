"""What changes are called in front of people."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from topics.selectors.history import Change, RowChange
from topics.selectors.merges import Merge

# The action of a change set, as services write it → what was done.
ACTIONS = {
    "create_topic": gettext_lazy("Created the topic"),
    "update_topic": gettext_lazy("Edited the topic"),
    "archive_topic": gettext_lazy("Archived the topic"),
    "restore_topic": gettext_lazy("Restored the topic"),
    "delete_topic": gettext_lazy("Deleted the topic"),
    "add_alias": gettext_lazy("Added an alias"),
    "rename_alias": gettext_lazy("Renamed an alias"),
    "remove_alias": gettext_lazy("Removed an alias"),
    "move_alias": gettext_lazy("Moved an alias"),
    "add_fact": gettext_lazy("Added a fact"),
    "edit_fact": gettext_lazy("Edited a fact"),
    "replace_fact": gettext_lazy("Replaced a fact"),
    "supersede_fact": gettext_lazy("Marked a fact as superseded"),
    "retract_fact": gettext_lazy("Retracted a fact"),
    "add_entry": gettext_lazy("Added a timeline entry"),
    "edit_entry": gettext_lazy("Edited a timeline entry"),
    "retract_entry": gettext_lazy("Retracted a timeline entry"),
    "commit_facts": gettext_lazy("Added facts"),
    "commit_entries": gettext_lazy("Added timeline entries"),
    "add_evidence": gettext_lazy("Added sources"),
    "extract": gettext_lazy("Read a conversation"),
    "discover_topics": gettext_lazy("Found topics"),
    "update_memory": gettext_lazy("Sent what to remember"),
    "approve_proposals": gettext_lazy("Approved proposals"),
    "reject_proposals": gettext_lazy("Rejected proposals"),
    "snooze_proposals": gettext_lazy("Snoozed proposals"),
    "resolve_conflict": gettext_lazy("Resolved a conflict"),
    "answer_confirmation": gettext_lazy("Took in an answer"),
    "summarise": gettext_lazy("Refreshed the summary"),
    "merge_topics": gettext_lazy("Merged topics"),
    "split_topic": gettext_lazy("Split the topic"),
    "undo": gettext_lazy("Undid a change"),
    "revert": gettext_lazy("Reverted part of a change"),
}

# The same of those that are mostly done to one.
ACTIONS_ON_ONE = {
    "reject_proposals": gettext_lazy("Rejected a proposal"),
    "snooze_proposals": gettext_lazy("Snoozed a proposal"),
}

# Software that acts, under the name by which the history knows it → what people read.
SOFTWARE = {
    "rules extractor": gettext_lazy("rules extractor"),
    "llm extractor": gettext_lazy("llm extractor"),
    "discovery": gettext_lazy("discovery"),
}
SUMMARY_BY = "summary by "

# The code of a reason (`topics.likeness.pairs`) → what speaks for or against two topics being one.
REASONS = {
    "same_name": gettext_lazy("Same name"),
    "contained": gettext_lazy("One name within the other"),
    "similar": gettext_lazy("Similar name"),
    "abbreviation": gettext_lazy("Short form"),
    "same_phone": gettext_lazy("Same phone number"),
    "other_phone": gettext_lazy("Different phone numbers"),
    "same_email": gettext_lazy("Same mail address"),
    "other_email": gettext_lazy("Different mail addresses"),
    "same_account": gettext_lazy("Same account"),
    "other_account": gettext_lazy("Different accounts"),
    "same_address": gettext_lazy("Same address"),
    "other_address": gettext_lazy("Different addresses"),
    "same_birthday": gettext_lazy("Same birthday"),
    "other_birthday": gettext_lazy("Different birthdays"),
    "other_kind": gettext_lazy("Different kinds"),
}

FIELDS = {
    "name": gettext_lazy("Name"),
    "kind": gettext_lazy("Kind"),
    "summary": gettext_lazy("Summary"),
    "text": gettext_lazy("Statement"),
    "attribute": gettext_lazy("Attribute"),
    "value": gettext_lazy("Value"),
    "unit": gettext_lazy("Unit"),
    "negated": gettext_lazy("Negated"),
    "certainty": gettext_lazy("Certainty"),
    "valid_from": gettext_lazy("Valid from"),
    "valid_until": gettext_lazy("Valid until"),
    "scope": gettext_lazy("Scope"),
    "happened_at": gettext_lazy("Date"),
    "precision": gettext_lazy("Precision"),
}


def action_label(action: str, count: int = 0) -> str:
    """What was done, in words; an action that this version does not know stands as it is. `count` is to how many."""
    if count == 1 and action in ACTIONS_ON_ONE:
        return str(ACTIONS_ON_ONE[action])
    return str(ACTIONS.get(action, action))


def actor_name(name: str) -> str:
    """Who did it, as the history has it; software is named in the language of the reader."""
    if name.startswith(SUMMARY_BY):
        return _("summary by %(model)s") % {"model": name.removeprefix(SUMMARY_BY)}
    return str(SOFTWARE.get(name, name))


def software_called(text: str) -> list[str]:
    """The software of which the name that people read holds this text: under the names by which the history has it."""
    return [name for name, shown in SOFTWARE.items() if text.lower() in str(shown).lower()]


def headline(change: Change) -> str:
    """One line for a change set: which topics it merged or parted again, the statement it is about and how many other
    rows, the topic, or what was done."""
    if change.merge is not None:
        return merge_headline(change.merge)
    rows, decisions = change.rows, change.decisions
    if not rows and decisions.count > 1:
        return ngettext("%(title)s (and %(count)d more)", "%(title)s (and %(count)d more)", decisions.count - 1) % {
            "title": decisions.first[0].title,
            "count": decisions.count - 1,
        }
    if not rows:
        return decisions.first[0].title if decisions.first else action_label(change.change_set.action)
    statements = [row for row in rows if row.type in ("fact", "timelineentry")]
    first = (statements or rows)[0]
    if len(rows) == 1 or first.type == "topic":
        return first.title
    return ngettext("%(title)s (and %(count)d more)", "%(title)s (and %(count)d more)", len(rows) - 1) % {
        "title": first.title,
        "count": len(rows) - 1,
    }


def merge_headline(merge: Merge) -> str:
    """One line for a merge, or for taking one back."""
    names = {"names": pgettext("between names", ", ").join(merge.names), "survivor": merge.survivor}
    if merge.is_undone:
        return _("Undone: merge of %(names)s into %(survivor)s") % names
    return _("Merge of %(names)s into %(survivor)s") % names


def verb_label(row: RowChange) -> str:
    """What happened to a row, in a word or two."""
    return {
        "added": _("Added"),
        "changed": _("Changed"),
        "removed": _("Removed"),
        "superseded": _("Superseded"),
        "archived": _("Archived"),
        "restored": _("Restored"),
        "moved": _("Moved"),
        "merged": _("Merged"),
        "joined": _("Joined with the same statement"),
    }[row.verb]
