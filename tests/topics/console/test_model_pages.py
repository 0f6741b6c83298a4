"""Settings of the model and the list of its calls: admins set and read, others see the figures alone."""

from __future__ import annotations

from contextlib import suppress
from decimal import Decimal

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from inference.client import ChatMessage, chat_model
from inference.errors import InferenceError
from inference.models import Breaker, EndpointTrait, ModelCall, ModelPolicy, Purpose
from tests.inference.wire import Wire, answer, answer_json, fault
from topics.models import Membership, Space
from topics.services.spaces import create_space, set_member

pytestmark = pytest.mark.django_db


def fields(**changes: str) -> dict[str, str]:
    return {
        "use_model": "on",
        "base_url": "https://models.example.com/v1/",
        "model": "small",
        "api_key": "",
        "daily_tokens": "100000",
        "daily_calls": "",
        "prompt_price": "0.15",
        "completion_price": "0.6",
    } | changes


def ask(space: Space, words: str = "The secret of maya") -> None:
    model = chat_model(space, reference="call-7")
    assert model
    with suppress(InferenceError):
        model.answer_text(purpose=Purpose.SUMMARISE, messages=[ChatMessage("user", words)])


def test_the_settings_are_kept(signed_in: Client, space: Space) -> None:
    assert signed_in.post(reverse("topics:model"), fields(api_key="own-key")).status_code == 302
    policy = ModelPolicy.objects.get(space=space)
    assert (policy.use_model, policy.base_url, policy.model) == (True, "https://models.example.com/v1", "small")
    assert (policy.daily_tokens, policy.daily_calls, policy.api_key) == (100_000, None, "own-key")
    assert (policy.prompt_price, policy.completion_price) == (Decimal("0.15"), Decimal("0.6"))


def test_the_price_in_use_and_the_price_list_are_shown(signed_in: Client, space: Space, settings: Settings) -> None:
    settings.INFINI_MODEL = "small"
    settings.INFINI_MODEL_PRICES = {"small": (Decimal("0.15"), Decimal("0.6")), "large": (Decimal("2.5"), Decimal(10))}
    settings.INFINI_MODEL_CALL_DAYS = 9
    page = signed_in.get(reverse("topics:model")).content.decode()
    for part in ("prompt 0.15, answer 0.6", "Price list of the installation", "2.5", "kept for 9 days"):
        assert part in page
    signed_in.post(reverse("topics:model"), fields(prompt_price="3", completion_price="4"))
    assert "prompt 3, answer 4" in signed_in.get(reverse("topics:model")).content.decode()


def test_the_key_is_kept_until_it_is_replaced_or_removed_and_never_shown(signed_in: Client, space: Space) -> None:
    address = reverse("topics:model")
    signed_in.post(address, fields(api_key="own-key"))
    signed_in.post(address, fields(model="large"))
    policy = ModelPolicy.objects.get(space=space)
    assert (policy.api_key, policy.model) == ("own-key", "large")
    page = signed_in.get(address).content.decode()
    assert "own-key" not in page
    assert "The space’s own" in page
    refused = signed_in.post(address, fields(api_key="new-key", base_url="nowhere")).content.decode()
    assert "new-key" not in refused
    signed_in.post(address, fields(forget_key="on"))
    policy.refresh_from_db()
    assert policy.api_key == ""


def test_a_stored_key_is_not_sent_to_a_new_address(signed_in: Client, space: Space) -> None:
    address = reverse("topics:model")
    signed_in.post(address, fields(api_key="own-key"))
    signed_in.post(address, fields(base_url="https://elsewhere.example.com/v1"))
    assert ModelPolicy.objects.get(space=space).api_key == ""


@pytest.mark.parametrize(
    "change",
    [
        {"base_url": "models.example.com/v1"},
        {"base_url": "file:///etc/passwd"},
        {"base_url": "https://user:word@models.example.com/v1"},
        {"base_url": "https://models.example.com/v1?key=1"},
        {"base_url": "https://[::1/v1"},
        {"api_key": "sk-…"},
        {"api_key": "two words"},
        {"daily_tokens": "0"},
        {"daily_calls": "-1"},
        {"prompt_price": ""},
        {"completion_price": "-1"},
    ],
)
def test_what_makes_no_sense_is_refused_at_its_field(signed_in: Client, space: Space, change: dict[str, str]) -> None:
    response = signed_in.post(reverse("topics:model"), fields(**change))
    assert response.status_code == 422
    assert f"id_{next(iter(change))}_error" in response.content.decode()
    assert not ModelPolicy.objects.exists()


def test_the_connection_is_tested(signed_in: Client, space: Space, wire: Wire) -> None:
    Breaker.objects.create(endpoint=wire.url, failures=9, open_until="2999-01-01T00:00Z")
    EndpointTrait.objects.create(endpoint=wire.url, model="wire-model", trait="no_json_schema")
    wire.always(answer_json({"number": 4}))
    page = signed_in.post(reverse("topics:test_model")).content.decode()
    assert f"wire-model at {wire.host} answered in" in page
    assert "response_format" in wire.requests[0].json
    call = ModelCall.objects.get()
    assert call.purpose == "test"
    assert reverse("topics:model_call", args=[call.pk]) in page


def test_a_test_that_fails_says_why_without_the_key(signed_in: Client, space: Space, wire: Wire) -> None:
    wire.always(fault(401, "bad key wire-key"))
    response = signed_in.post(reverse("topics:test_model"))
    page = response.content.decode()
    assert "rejected the API key (401)" in page
    assert "wire-key" not in page
    assert reverse("topics:model_call", args=[ModelCall.objects.get().pk]) in page


def test_without_a_model_the_page_says_so(signed_in: Client, settings: Settings) -> None:
    settings.INFINI_MODEL = ""
    assert "No model is configured" in signed_in.get(reverse("topics:model")).content.decode()
    assert "No model is configured" in signed_in.post(reverse("topics:test_model")).content.decode()


def test_the_list_tells_what_was_used_today(signed_in: Client, space: Space, wire: Wire, settings: Settings) -> None:
    settings.INFINI_MODEL_DAILY_TOKENS = 1_000_000
    ModelPolicy.objects.create(space=space, prompt_price=1000, completion_price=2000)
    wire.always(answer("ok", usage={"prompt_tokens": 1200, "completion_tokens": 34}))
    ask(space)
    page = signed_in.get(reverse("topics:model_calls")).content.decode()
    assert "1,234 of 1,000,000" in page
    assert "1,200 + 34" in page
    assert "1.268" in page
    assert "call-7" in page


def test_the_list_is_filtered(signed_in: Client, space: Space, wire: Wire) -> None:
    wire.script(answer("ok"), answer(None, refusal="no"))
    ask(space)
    ask(space)
    refused = ModelCall.objects.get(outcome="refused")
    answered = ModelCall.objects.get(outcome="answered")
    page = signed_in.get(reverse("topics:model_calls"), {"outcome": "refused"}).content.decode()
    assert str(refused.pk) in page
    assert str(answered.pk) not in page
    part = signed_in.get(reverse("topics:model_calls"), {"purpose": "chat"}, headers={"HX-Request": "true"})
    assert "No call matches these filters" in part.content.decode()
    assert "<html" not in part.content.decode()
    wrong = signed_in.get(reverse("topics:model_calls"), {"outcome": "splendid"})
    assert wrong.status_code == 200


def test_prompt_and_answer_are_for_admins(client: Client, user: User, space: Space, wire: Wire) -> None:
    wire.script(answer("The <b>answer</b>"), fault(400, "Their words: The secret of maya"))
    ask(space)
    ask(space)
    reviewer = User.objects.create_user("tom")
    set_member(space=space, user=reviewer, role=Membership.Role.REVIEWER)
    for call in ModelCall.objects.all():
        address = reverse("topics:model_call", args=[call.pk])
        client.force_login(user)
        page = client.get(address).content.decode()
        assert "The secret of maya" in page
        client.force_login(reviewer)
        page = client.get(address).content.decode()
        assert "secret" not in page
        assert "answer&lt;/b&gt;" not in page
        assert "They are shown to admins" in page
    assert "secret" not in client.get(reverse("topics:model_calls")).content.decode()
    assert client.get(reverse("topics:model")).status_code == 403
    assert client.post(reverse("topics:test_model")).status_code == 403


def test_another_spaces_calls_are_not_found(signed_in: Client, wire: Wire) -> None:
    wire.always(answer("ok"))
    ask(create_space(slug="other"))
    call = ModelCall.objects.get()
    assert signed_in.get(reverse("topics:model_call", args=[call.pk])).status_code == 404
    assert str(call.pk) not in signed_in.get(reverse("topics:model_calls")).content.decode()


def test_the_page_of_calls_takes_few_queries(
    signed_in: Client, space: Space, wire: Wire, django_assert_max_num_queries: object
) -> None:
    rows = [ModelCall(space=space, purpose="find", endpoint="h", model="m", outcome="answered") for _ in range(60)]
    ModelCall.objects.bulk_create(rows)
    with django_assert_max_num_queries(11):  # type: ignore[operator]
        page = signed_in.get(reverse("topics:model_calls")).content.decode()
    assert 'rel="next"' in page
