"""Where a webhook may point: nowhere that only this machine or its network can reach."""

from __future__ import annotations

import socket
from typing import Any

import pytest
from django.test import override_settings

from extraction.services.outgoing import NotSent, check_url, post
from tests.extraction.webhooks.conftest import Receiver
from topics.errors import InvalidInput


@pytest.mark.parametrize(
    "url",
    [
        "",
        "hook",
        "ftp://example.com/",
        "http://example.com/",
        "https://",
        "https://me:word@example.com/",
        "https://example.com/#x",
        "https://example.com:99999/",
        "https://example.com/a b",
        "https://example.com/\r\nX: y",
        "https://[::1",
        "https://例子.example/",
        "https://localhost/",
        "https://127.0.0.1/",
        "https://10.1.2.3/",
        "https://169.254.169.254/latest/",
        "https://0.0.0.0/",
        "https://100.64.0.1/",
        "https://224.0.0.1/",
        "https://[::1]/",
        "https://[fe80::1]/",
        "https://[fd00::1]/",
        "https://[::ffff:127.0.0.1]/",
        "https://[64:ff9b::7f00:1]/",
        "https://[2002:7f00:1::]/",
    ],
)
def test_an_address_that_may_not_be_one_is_refused(url: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        check_url(url)
    assert list(refused.value.details["fields"]) == ["url"]


@pytest.mark.parametrize("url", ["https://example.com/hook?a=b", "https://example.com:8443", "https://1.1.1.1/"])
def test_a_public_address_is_taken(url: str) -> None:
    assert check_url(url) == url


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "2130706433", "0x7f.1", "127.1"])
def test_a_name_of_a_private_address_is_not_called(host: str, receiver: Receiver) -> None:
    port = receiver.url.split(":")[2].split("/")[0]
    with override_settings(INFINI_WEBHOOK_PRIVATE=False), pytest.raises(NotSent):
        post(f"http://{host}:{port}/", b"{}", {})
    assert not receiver.got
    assert post(f"http://{host}:{port}/", b"{}", {}).status == 204


def test_the_address_that_was_looked_at_is_the_one_that_is_called(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name server that answers with a public address first and a private one after is asked once."""
    answers, asked = ["127.0.0.1", "10.255.255.1"], []

    def look_up(host: str, port: int, *args: Any, **kwargs: Any) -> Any:
        if host[0].isdigit():
            return real(host, port, *args, **kwargs)
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (answers.pop(0), port))]

    real = socket.getaddrinfo
    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    port = receiver.url.split(":")[2].split("/")[0]
    assert post(f"http://rebind.example:{port}/", b"{}", {}).status == 204
    assert asked == ["rebind.example"]
    assert receiver.got[0][0]["host"] == f"rebind.example:{port}"


def test_a_server_that_is_silent_or_no_server_is_not_waited_for(receiver: Receiver, monkeypatch: Any) -> None:
    monkeypatch.setattr("extraction.services.outgoing.STEP_TIMEOUT", 0.2)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        port = silent.getsockname()[1]
        for scheme in ("http", "https"):
            with pytest.raises(NotSent):
                post(f"{scheme}://127.0.0.1:{port}/", b"{}", {})
    with pytest.raises(NotSent):
        post(f"http://127.0.0.1:{port}/", b"{}", {})
    with pytest.raises(NotSent):
        post("https://nowhere.invalid/", b"{}", {})
