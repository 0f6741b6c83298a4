"""Django's administration: tracked rows can be read there and never written."""

from collections.abc import Callable

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from topics.models import Fact, Topic
from topics.models.change import Tracked

pytestmark = pytest.mark.django_db


@pytest.fixture
def operator(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("root"))
    return client


def test_every_registered_model_has_its_list(operator: Client, topic: Topic, learn: Callable[..., Fact]) -> None:
    learn(topic, "We need 150 seats")
    ours = [model for model in admin.site._registry if model._meta.app_label in ("topics", "extraction", "inference")]
    assert len(ours) > 10
    for model in ours:
        address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        assert operator.get(address).status_code == 200


def test_a_tracked_row_is_shown_but_neither_changed_nor_deleted(
    operator: Client, topic: Topic, learn: Callable[..., Fact]
) -> None:
    fact = learn(topic, "We need 150 seats")
    change = reverse("admin:topics_fact_change", args=[fact.pk])
    assert "We need 150 seats" in operator.get(change).content.decode()
    assert operator.post(change, {"text": "Other"}).status_code == 403
    assert operator.post(reverse("admin:topics_fact_delete", args=[fact.pk]), {"post": "yes"}).status_code == 403
    assert operator.get(reverse("admin:topics_fact_add")).status_code == 403
    fact.refresh_from_db()
    assert (fact.text, fact.version) == ("We need 150 seats", 1)


def test_no_tracked_model_may_be_written() -> None:
    tracked = [model for model in admin.site._registry if issubclass(model, Tracked)]
    assert len(tracked) == 4
    for model in tracked:
        site = admin.site._registry[model]
        assert not site.has_change_permission(None)  # type: ignore[arg-type]
        assert not site.has_delete_permission(None)  # type: ignore[arg-type]
