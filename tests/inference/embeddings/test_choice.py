"""Which embedder a space has."""

from __future__ import annotations

import pytest
from django.test import override_settings

from inference.embeddings import embedder_for
from inference.models import ModelPolicy
from topics.models import Space

pytestmark = pytest.mark.django_db


def name_of(space: Space) -> str | None:
    found = embedder_for(space)
    return found.name if found else None


def test_there_is_none_unless_somebody_sets_one(space: Space) -> None:
    assert name_of(space) is None


@override_settings(INFINI_EMBEDDER="local")
def test_the_settings_may_choose_the_local_one(space: Space) -> None:
    assert name_of(space) == "universal-sentence-encoder-multilingual-3"


@override_settings(INFINI_EMBEDDER="openai", INFINI_EMBEDDING_MODEL="m", OPENAI_BASE_URL="http://one.test:81/v1")
def test_the_name_of_an_endpoints_model_holds_its_host(space: Space) -> None:
    assert name_of(space) == "m @ one.test:81"


@override_settings(INFINI_EMBEDDER="openai", INFINI_EMBEDDING_MODEL="")
def test_an_endpoint_without_a_model_is_none(space: Space) -> None:
    assert name_of(space) is None


@override_settings(INFINI_EMBEDDER="local")
def test_a_space_may_do_without_or_take_another(space: Space) -> None:
    ModelPolicy.objects.create(space=space, embedder="none")
    assert name_of(space) is None
    ModelPolicy.objects.update(embedder="openai", embedding_model="own", base_url="http://two.test/v1")
    assert name_of(space) == "own @ two.test"


@override_settings(INFINI_EMBEDDER="local")
def test_doing_without_a_chat_model_is_no_matter(space: Space) -> None:
    ModelPolicy.objects.create(space=space, use_model=False)
    assert name_of(space) is not None
