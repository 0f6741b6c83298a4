"""`manage.py load_example` loads the same every time, beside nothing else and without a model."""

from __future__ import annotations

from io import StringIO

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command

from extraction.example.loading import load_example
from extraction.models import Proposal
from tests.inference.wire import Wire
from topics.models import Space, Topic
from topics.services.spaces import create_space

pytestmark = pytest.mark.django_db(transaction=True)


def load() -> str:
    out = StringIO()
    call_command("load_example", stdout=out)
    return out.getvalue()


def test_loading_is_the_same_every_time() -> None:
    def documents() -> list[tuple[object, ...]]:
        rows = Proposal.objects.order_by("message__said_at", "kind", "text", "topic_name")
        return list(rows.values_list("kind", "status", "text", "topic_name", "topic__name", "certainty"))

    load()
    first = documents()
    call_command("flush", verbosity=0, interactive=False)
    load()
    assert documents() == first


def test_nothing_is_loaded_beside_another_space() -> None:
    create_space(slug="acme")
    assert "not loaded" in load()
    assert Space.objects.count() == 1
    assert not Topic.objects.exists()
    assert not get_user_model().objects.exists()


def test_a_person_who_is_called_demo_already_keeps_the_name() -> None:
    theirs = get_user_model().objects.create_user(username="demo", password="mine")
    assert load_example().username == "demo2"
    theirs.refresh_from_db()
    assert theirs.check_password("mine")
    assert not theirs.is_superuser


def test_it_is_read_by_rules_whatever_model_there_is(wire: Wire) -> None:
    load()
    assert set(Proposal.objects.values_list("extractor", flat=True)) == {"rules"}
    assert wire.requests == []
