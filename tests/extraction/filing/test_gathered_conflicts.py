"""What gathers until it is worth a topic, and contradicts itself, is settled by the policy like anything else."""

from __future__ import annotations

import pytest

from extraction.models import Conflict
from extraction.services.intake import record_messages
from extraction.services.reading import prepare_reading
from tests.extraction.filing.helpers import MONDAY, TUESDAY, WEDNESDAY, texts
from tests.topics.services.helpers import make_space
from topics.models import Space, Topic
from topics.services.conversations import MessageInput

SAID = {
    MONDAY: "Project Apollo has a budget of 100 euros.",
    TUESDAY: "Project Apollo has a budget of 200 euros.",
    WEDNESDAY: "Project Apollo has a budget of 300 euros.",
}


def hear(space: Space) -> None:
    for number, (said_at, text) in enumerate(SAID.items()):
        sent = MessageInput(role="user", name="Mia", content=text, said_at=said_at)
        job = record_messages(space=space, conversation=f"call-{number}", messages=[sent]).job
        assert job is not None
        prepare_reading(job)()


@pytest.mark.django_db
def test_where_the_newest_wins_the_last_is_current_and_the_others_were_before() -> None:
    space = make_space(review_policy="automatic", conflict_policy="newest")
    Space.objects.filter(pk=space.pk).update(topic_sensitivity="low")
    space.refresh_from_db()
    hear(space)
    topic = Topic.objects.get(name__contains="Apollo")
    assert texts(topic) == [SAID[WEDNESDAY]]
    assert texts(topic, "superseded") == [SAID[MONDAY], SAID[TUESDAY]]
    assert not Conflict.objects.filter(status="open").exists()
