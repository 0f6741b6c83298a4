from extraction.models.bulk import BulkDecision, BulkItem
from extraction.models.job import Job, MessageOutcome
from extraction.models.proposal import (
    DISCOVERY,
    Confirmation,
    Conflict,
    Decision,
    Proposal,
    ProposalQuote,
)
from extraction.models.reviewing import ReviewClaim, ReviewLook, SavedView
from extraction.models.webhook import TEST, Event, Webhook, WebhookDelivery

__all__ = [
    "DISCOVERY",
    "TEST",
    "BulkDecision",
    "BulkItem",
    "Confirmation",
    "Conflict",
    "Decision",
    "Event",
    "Job",
    "MessageOutcome",
    "Proposal",
    "ProposalQuote",
    "ReviewClaim",
    "ReviewLook",
    "SavedView",
    "Webhook",
    "WebhookDelivery",
]
