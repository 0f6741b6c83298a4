"""What jobs, proposals and their columns are called in front of people, see `inference.labels`."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from inference.labels import Labels, Names
from topics.labels import FIELDS as OF_THE_MEMORY

NAMES: Names = {
    "Job": (_("job"), _("jobs")),
    "MessageOutcome": (_("outcome of a message"), _("outcomes of messages")),
    "Proposal": (_("proposal"), _("proposals")),
    "ProposalQuote": (_("quote of a proposal"), _("quotes of proposals")),
    "Conflict": (_("conflict"), _("conflicts")),
    "Decision": (_("decision"), _("decisions")),
    "Confirmation": (_("question to a user"), _("questions to users")),
    "BulkDecision": (_("decision on many proposals"), _("decisions on many proposals")),
    "BulkItem": (_("proposal decided with others"), _("proposals decided with others")),
    "ReviewClaim": (_("proposal in hand"), _("proposals in hand")),
    "ReviewLook": (_("proposal looked at"), _("proposals looked at")),
    "SavedView": (_("view of the queue"), _("views of the queue")),
    "Webhook": (_("webhook"), _("webhooks")),
    "WebhookDelivery": (_("delivery to a webhook"), _("deliveries to webhooks")),
}

FIELDS: Labels = OF_THE_MEMORY | {
    # Jobs
    "attempts": _("Attempts"),
    "max_attempts": _("Most attempts"),
    "run_after": _("Due at"),
    "gathering": _("Gathering"),
    "lease_until": _("Lease until"),
    "fence": _("Count of claims"),
    "worker": _("Worker"),
    "report": _("Report"),
    "finished_at": _("Finished at"),
    # Proposals
    "filed_for": _("Filed for"),
    "is_held": _("Held already"),
    "new_topic": _("Proposed topic"),
    "topic_name": _("Name of the topic"),
    "topic_kind": _("Kind of the topic"),
    "topic_key": _("Normalised name"),
    "is_provisional": _("Provisional"),
    "resembles": _("Resembles"),
    "similar_fact": _("Similar fact"),
    "base_version": _("Made for version"),
    "sentences": _("Sentences of the summary"),
    "fact_kind": _("Kind of fact"),
    "confidence": _("Confidence"),
    "alias": _("Alias"),
    "extractor": _("Found by"),
    "why": _("Why"),
    "fingerprint": _("Fingerprint"),
    "snoozed_until": _("Snoozed until"),
    "decided_at": _("Decided at"),
    "decided_by": _("Decided by"),
    "proposal": _("Proposal"),
    # Conflicts and what is decided
    "fact_version": _("Version of the fact"),
    "dispute": _("Dispute"),
    "counter_dispute": _("Dispute of the other fact"),
    "resolved_at": _("Resolved at"),
    "conflict": _("Conflict"),
    "conflict_outcome": _("Outcome of the conflict"),
    "question": _("Question"),
    "answered_at": _("Answered at"),
    "before": _("Before"),
    "after": _("After"),
    "edits": _("Edits"),
    "snoozed_before": _("Snoozed until, before"),
    "snoozed_after": _("Snoozed until, after"),
    "decision": _("Decision"),
    "snooze_until": _("Snooze until"),
    "bulk": _("Decision on many"),
    "code": _("Code"),
    "BulkItem.message": _("Explanation"),
    "undo": _("Undo"),
    "until": _("Until"),
    "tab": _("Tab"),
    # Webhooks
    "url": _("Address"),
    "events": _("Events"),
    "secret": _("Secret"),
    "is_enabled": _("Enabled"),
    "disabled_because": _("Disabled because"),
    "webhook": _("Webhook"),
    "event": _("Event"),
    "event_id": _("ID of the event"),
    "body": _("Body"),
    "status_code": _("Status code"),
}
