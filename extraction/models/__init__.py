from extraction.models.job import Job, MessageOutcome
from extraction.models.proposal import (
    DISCOVERY,
    Confirmation,
    Conflict,
    Decision,
    Proposal,
    ProposalQuote,
)

__all__ = [
    "DISCOVERY",
    "Confirmation",
    "Conflict",
    "Decision",
    "Job",
    "MessageOutcome",
    "Proposal",
    "ProposalQuote",
]
