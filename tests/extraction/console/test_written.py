"""Who writes a contradiction into a document by hand is told of it at once."""

from __future__ import annotations

from django.test import Client
from django.urls import reverse

from tests.topics.services.helpers import hold
from topics.models import Fact, Topic

TOLD = "both are disputed until the conflict is decided"


def add(desk: Client, topic: Topic, text: str, value: str) -> str:
    form = {"text": text, "kind": "number", "certainty": "confirmed", "attribute": "seats", "value": value}
    return desk.post(reverse("topics:add_fact", args=[topic.pk]), form, follow=True).content.decode()


def test_a_fact_that_contradicts_another_is_added_and_says_so(desk: Client, topic: Topic) -> None:
    hold(topic, "We have 150 seats.", attribute="seats", value="150")
    assert TOLD in add(desk, topic, "We have 200 seats.", "200")
    assert Fact.objects.filter(topic=topic, status="active").count() == 2


def test_a_fact_beside_others_says_nothing_of_it(desk: Client, topic: Topic) -> None:
    hold(topic, "We have 150 seats.", attribute="seats", value="150")
    assert TOLD not in add(desk, topic, "We have 150 seats in all.", "150")
