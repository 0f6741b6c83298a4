"""How often a key may call: counted in the database, so that no number of processes lets more through."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import override_settings

from tests.contract.helpers import Api
from topics.models import ApiKey, RateBucket, Space
from topics.services.rates import take_request
from topics.services.spaces import create_api_key, create_space

NOON = 1_700_000_000.0


def limited(space: Space, limit: int | None) -> tuple[ApiKey, Api]:
    key, plain = create_api_key(space=space, scopes=["read"], requests_per_minute=limit)
    return key, Api(plain)


def test_what_is_too_much_answers_429_and_says_when_to_go_on(space: Space) -> None:
    key, caller = limited(space, 3)
    left = []
    for _ in range(3):
        response = caller.get("topics")
        assert (response.status_code, response.headers["RateLimit-Limit"]) == (200, "3")
        left.append(response.headers["RateLimit-Remaining"])
    assert left == ["2", "1", "0"]
    refused = caller.get("topics")
    assert (refused.status_code, refused.json()["code"]) == (429, "throttled")
    assert 1 <= int(refused.headers["Retry-After"]) <= 20
    assert 40 < int(refused.headers["RateLimit-Reset"]) <= 60
    assert refused.headers["RateLimit-Remaining"] == "0"
    RateBucket.objects.filter(api_key=key).update(full_at=0)
    assert caller.get("topics").status_code == 200


def test_what_was_used_is_given_back_little_by_little(space: Space) -> None:
    key, _caller = limited(space, 6)
    taken = [take_request(key=key, now=NOON) for _ in range(7)]
    assert [rate and rate.is_exceeded for rate in taken] == [False] * 6 + [True]
    assert taken[-1] is not None
    assert taken[-1].retry_after == 10
    after = [take_request(key=key, now=NOON + 10) for _ in range(2)]
    assert [rate and rate.is_exceeded for rate in after] == [False, True]
    later = take_request(key=key, now=NOON + 3600)
    assert later is not None
    assert (later.remaining, later.reset) == (5, 10)


def test_the_limit_is_the_keys_own_else_that_of_the_installation(space: Space) -> None:
    for own, general, expected in ((None, 0, None), (None, 5, "5"), (2, 5, "2"), (0, 5, None)):
        _key, caller = limited(space, own)
        with override_settings(INFINI_REQUESTS_PER_MINUTE=general):
            assert caller.get("topics").headers.get("RateLimit-Limit") == expected
    assert RateBucket.objects.count() == 2


def test_what_is_refused_elsewhere_is_not_counted(space: Space) -> None:
    _key, caller = limited(space, 1)
    assert caller.post("topics", {"name": "x"}).status_code == 403
    assert caller.get("topics").status_code == 200


def test_a_key_is_made_with_its_limit(space: Space, capsys: Any) -> None:
    call_command("create_api_key", space.slug, "--scopes", "read", "--requests-per-minute", "7")
    assert Api(capsys.readouterr().out.strip()).get("topics").headers["RateLimit-Limit"] == "7"
    with pytest.raises(CommandError):
        call_command("create_api_key", space.slug, "--scopes", "read", "--requests-per-minute", "-1")


@pytest.mark.django_db(transaction=True)
def test_at_the_same_moment_no_more_than_the_limit_get_through() -> None:
    key, _caller = limited(create_space(slug="acme"), 5)
    taken = []

    def call() -> None:
        taken.extend(take_request(key=key, now=NOON) for _ in range(4))
        connection.close()

    threads = [threading.Thread(target=call) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [rate is not None and rate.is_exceeded for rate in taken].count(False) == 5
