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

__all__ = [
    "DISCOVERY",
    "BulkDecision",
    "BulkItem",
    "Confirmation",
    "Conflict",
    "Decision",
    "Job",
    "MessageOutcome",
    "Proposal",
    "ProposalQuote",
    "ReviewClaim",
    "ReviewLook",
    "SavedView",
]
