"""Passwords cannot be guessed at will, and those who try keep nobody else out."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.db import connection
from django.http import HttpResponse
from django.test import Client, override_settings

from topics.errors import TooManyAttempts
from topics.models import SignInAttempts
from topics.services.sign_in import FREE_FAILURES, begin_attempt

NOW = "2024-05-08T13:56:00+00:00"


def sign_in(password: str, username: str = "maya", path: str = "/login/", **headers: Any) -> HttpResponse:
    response: Any = Client().post(path, {"username": username, "password": password}, **headers)
    return response


def fail(times: int = FREE_FAILURES, **who: Any) -> None:
    for _ in range(times):
        assert sign_in("wrong", **who).status_code == 200


def test_after_some_failures_one_has_to_wait_and_is_told_how_long(user: User) -> None:
    with time_machine.travel(NOW, tick=False) as now:
        fail()
        refused = sign_in("secret-word")
        assert refused.status_code == 429
        assert refused["Retry-After"] == "60"
        assert "Signing in failed too often. Try again in 1 minute." in refused.content.decode()
        now.shift(timedelta(seconds=61))
        fail(1)
        assert "Try again in 2 minutes." in sign_in("secret-word").content.decode()
        now.shift(timedelta(seconds=121))
        assert sign_in("secret-word").status_code == 302


def test_waiting_does_not_make_the_wait_longer_and_it_never_exceeds_a_quarter_of_an_hour(user: User) -> None:
    with time_machine.travel(NOW, tick=False) as now:
        for _ in range(30):
            sign_in("wrong")
            sign_in("wrong")
            now.shift(timedelta(minutes=15))
        sign_in("wrong")
        assert sign_in("wrong")["Retry-After"] == "900"
        now.shift(timedelta(minutes=15))
        assert sign_in("secret-word").status_code == 302


def test_signing_in_forgets_the_failures(user: User) -> None:
    fail(FREE_FAILURES - 1)
    assert sign_in("secret-word").status_code == 302
    assert not SignInAttempts.objects.exists()
    fail()


def test_failures_are_forgotten_after_a_day(user: User) -> None:
    with time_machine.travel(NOW, tick=False) as now:
        fail(1, username="somebody else")
        fail(FREE_FAILURES - 1)
        now.shift(timedelta(days=1, seconds=1))
        fail()
        assert SignInAttempts.objects.count() == 1


@pytest.mark.parametrize("username", ["maya", "MAYA", "ｍａｙａ"])
def test_another_address_and_another_account_are_not_kept_out(user: User, username: str) -> None:
    fail(username=username)
    assert sign_in("secret-word").status_code == 429
    assert sign_in("secret-word", REMOTE_ADDR="192.0.2.7").status_code == 302
    assert sign_in("wrong", username="somebody else").status_code == 200


def test_all_addresses_of_a_network_count_as_one(user: User) -> None:
    for host in range(FREE_FAILURES):
        fail(1, REMOTE_ADDR=f"2001:db8::{host}")
    assert sign_in("secret-word", REMOTE_ADDR="2001:db8::ffff").status_code == 429
    assert sign_in("secret-word", REMOTE_ADDR="2001:db8:0:1::1").status_code == 302


def test_behind_a_proxy_the_address_is_what_the_proxy_says(user: User) -> None:
    with override_settings(SECURE_PROXY_SSL_HEADER=("HTTP_X_FORWARDED_PROTO", "https")):
        fail(HTTP_X_FORWARDED_FOR="10.0.0.1, 192.0.2.7")
        assert sign_in("secret-word", HTTP_X_FORWARDED_FOR="10.0.0.2, 192.0.2.7").status_code == 429
        assert sign_in("secret-word", HTTP_X_FORWARDED_FOR="192.0.2.8").status_code == 302


def test_without_a_proxy_nobody_chooses_an_address(user: User) -> None:
    for host in range(FREE_FAILURES):
        fail(1, HTTP_X_FORWARDED_FOR=f"192.0.2.{host}")
    assert sign_in("secret-word", HTTP_X_FORWARDED_FOR="192.0.2.99").status_code == 429


def test_the_administration_counts_too(user: User) -> None:
    user.is_staff = True
    user.save()
    fail(path="/admin/login/")
    refused = sign_in("secret-word", path="/admin/login/")
    assert "Signing in failed too often." in refused.content.decode()
    assert sign_in("secret-word").status_code == 429


@pytest.mark.django_db(transaction=True)
def test_attempts_at_the_same_moment_are_all_counted() -> None:
    def attempt(_n: int) -> bool:
        try:
            begin_attempt(username="maya", address="192.0.2.7")
        except TooManyAttempts:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(8) as pool:
        allowed = list(pool.map(attempt, range(24)))
    assert sum(allowed) == FREE_FAILURES
