"""The local encoder at work: across languages, and beside another space."""

from __future__ import annotations

import pytest
from django.test import override_settings

from tests.extraction.embedding.helpers import embed_all, nearest, sets
from tests.topics.services.helpers import hold, make_space, make_topic
from topics.changes import Actor
from topics.models import Space

pytestmark = pytest.mark.django_db(transaction=True)


@override_settings(INFINI_EMBEDDER="local")
def test_a_question_finds_statements_of_another_language_in_its_own_space(space: Space, person: Actor) -> None:
    topic = make_topic(space, person, "厨房改造")
    hold(topic, "预算是15万欧元。")
    hold(topic, "王芳喜欢在周末爬山。")
    other = make_space("other")
    hold(make_topic(other, person, "Kitchen"), "The budget is 20,000 euros.")
    embed_all(space)
    embed_all(other)
    assert sets(space) == [("universal-sentence-encoder-multilingual-3", 512, "current", 5)]
    assert nearest(space, "fact", "How many euros is the budget?") == ["预算是15万欧元。"]
    assert nearest(space, "topic", "kitchen renovation", floor=0.4) == ["厨房改造"]
