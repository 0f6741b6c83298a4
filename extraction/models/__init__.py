from extraction.models.job import Job, MessageOutcome
from extraction.models.proposal import (
    Confirmation,
    Conflict,
    Decision,
    Proposal,
    ProposalQuote,
)

__all__ = [
    "Confirmation",
    "Conflict",
    "Decision",
    "Job",
    "MessageOutcome",
    "Proposal",
    "ProposalQuote",
]
