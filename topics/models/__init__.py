from topics.models.change import ChangeSet
from topics.models.conversation import Conversation, Message
from topics.models.space import ApiKey, Membership, Preference, Space
from topics.models.statement import Dispute, Evidence, Fact, TimelineEntry
from topics.models.topic import Alias, DocumentVersion, Topic

__all__ = [
    "Alias",
    "ApiKey",
    "ChangeSet",
    "Conversation",
    "Dispute",
    "DocumentVersion",
    "Evidence",
    "Fact",
    "Membership",
    "Message",
    "Preference",
    "Space",
    "TimelineEntry",
    "Topic",
]
