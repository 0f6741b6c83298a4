from topics.models.change import ChangeSet
from topics.models.conversation import Conversation, Message
from topics.models.duplicate import DuplicatePair, DuplicateSearch
from topics.models.feedback import Feedback, Objection
from topics.models.idempotency import IdempotencyRecord
from topics.models.passage import Passage, PassageCount
from topics.models.rate import RateBucket
from topics.models.sign_in import SignInAttempts
from topics.models.space import ApiKey, Membership, Preference, Space
from topics.models.state import StateEntry
from topics.models.statement import Dispute, Evidence, Fact, TimelineEntry
from topics.models.topic import Alias, DocumentVersion, Topic
from topics.models.vector import Vector, VectorSet

__all__ = [
    "Alias",
    "ApiKey",
    "ChangeSet",
    "Conversation",
    "Dispute",
    "DocumentVersion",
    "DuplicatePair",
    "DuplicateSearch",
    "Evidence",
    "Fact",
    "Feedback",
    "IdempotencyRecord",
    "Membership",
    "Message",
    "Objection",
    "Passage",
    "PassageCount",
    "Preference",
    "RateBucket",
    "SignInAttempts",
    "Space",
    "StateEntry",
    "TimelineEntry",
    "Topic",
    "Vector",
    "VectorSet",
]
