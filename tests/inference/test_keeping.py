"""Old calls go, calls of dead workers are named so, and the day's totals stay."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone
from pytest_django import Settings

from inference.client import ChatModel
from inference.ledger import tidy_calls, usage_today
from inference.models import ModelCall
from tests.inference.asking import BLUE, ask
from tests.inference.wire import Wire, answer_json
from topics.models import Space


def test_calls_are_deleted_after_their_time(model: ChatModel, wire: Wire, space: Space, settings: Settings) -> None:
    wire.always(answer_json(BLUE))
    ask(model)
    ask(model)
    old = ModelCall.objects.order_by("started_at").first()
    assert old
    ModelCall.objects.filter(pk=old.pk).update(started_at=timezone.now() - timedelta(days=8))
    settings.INFINI_MODEL_CALL_DAYS = 9
    assert tidy_calls() == 0
    settings.INFINI_MODEL_CALL_DAYS = 7
    assert tidy_calls() == 1
    assert not ModelCall.objects.filter(pk=old.pk).exists()
    assert usage_today(space).calls == 2


def test_a_call_whose_worker_died_does_not_run_for_ever(space: Space) -> None:
    running = {"space": space, "purpose": "find", "endpoint": "h", "model": "m"}
    ModelCall.objects.create(**running, started_at=timezone.now() - timedelta(hours=1))
    young = ModelCall.objects.create(**running)
    tidy_calls()
    assert ModelCall.objects.get(outcome="lost").pk != young.pk
    assert ModelCall.objects.get(outcome="running").pk == young.pk
