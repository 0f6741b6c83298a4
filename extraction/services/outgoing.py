"""One POST to an address that somebody typed, without letting it reach what only this machine may reach.

The name is looked up once; every address behind it must be public, unless INFINI_WEBHOOK_PRIVATE allows others; and the
connection goes to the address that was looked at, so a name that answers differently a moment later (DNS rebinding)
gains nothing. Redirects are not followed, and no proxy of the environment is used.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

from topics.errors import InvalidInput

STEP_TIMEOUT = 5.0  # seconds, for each wait of the socket
WHOLE_TIMEOUT = 15.0
ANSWER_LIMIT = 500  # bytes that are kept


class NotSent(Exception):
    """The POST got no answer; the text says why, for people."""


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    text: str
    retry_after: str


def check_url(url: str) -> str:
    """The address, if it may be one of a webhook. Raises InvalidInput; names are looked up only when it is used."""
    problem = ""
    try:
        parts = urlsplit(url)
        host, _port = parts.hostname, parts.port
    except ValueError:
        host, parts = None, urlsplit("")
    if not host or parts.scheme not in ("http", "https") or not url.isascii() or not url.isprintable() or " " in url:
        problem = _("Give an address that begins with https:// or http://.")
    elif parts.username is not None or parts.fragment:
        problem = _("The address may hold no password and no #.")
    elif parts.scheme == "http" and not settings.INFINI_WEBHOOK_PRIVATE:
        problem = _("Give an https:// address: what is sent would be readable on its way.")
    elif not settings.INFINI_WEBHOOK_PRIVATE and (host == "localhost" or _is_private(host)):
        problem = _("This address is private. The operator may allow such with INFINI_WEBHOOK_PRIVATE.")
    if problem:
        raise InvalidInput(problem, fields={"url": [problem]})
    return url


def post(url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    """Send the body and read the answer's status and beginning. Raises NotSent."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    address = _allowed_address(host, port)
    connection = http.client.HTTPConnection(host, port, timeout=STEP_TIMEOUT)
    try:
        raw = socket.create_connection(address, timeout=STEP_TIMEOUT)
    except OSError as error:
        raise NotSent(_("No connection: %(kind)s.") % {"kind": type(error).__name__}) from error
    # A receiver that sends a byte now and then would keep every single wait short.
    connection.sock = raw
    alarm = threading.Timer(WHOLE_TIMEOUT, _hang_up, [connection])
    alarm.daemon = True
    alarm.start()
    try:
        if parts.scheme == "https":
            wrap = ssl.create_default_context().wrap_socket
            connection.sock = wrap(raw, server_hostname=host, do_handshake_on_connect=False)
            connection.sock.do_handshake()
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("POST", target, body, dict(headers))
        response = connection.getresponse()
        text = response.read(ANSWER_LIMIT).decode("utf-8", "replace").replace("\0", "")
        return Answer(response.status, text, response.headers.get("Retry-After", ""))
    except ssl.SSLError as error:
        raise NotSent(_("The certificate or the encryption was refused: %(why)s.") % {"why": error.reason}) from error
    except (OSError, http.client.HTTPException) as error:
        raise NotSent(_("The connection broke off: %(kind)s.") % {"kind": type(error).__name__}) from error
    finally:
        alarm.cancel()
        connection.close()


def _allowed_address(host: str, port: int) -> tuple[str, int]:
    """An address of this host. Raises NotSent where there is none, or any of them is not public and may not be used."""
    try:
        found = [entry[4] for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    except (OSError, UnicodeError) as error:
        raise NotSent(_("No address is known for %(host)s.") % {"host": host}) from error
    if not settings.INFINI_WEBHOOK_PRIVATE and any(_is_private(str(entry[0])) for entry in found):
        raise NotSent(_("%(host)s has a private address, which is not allowed.") % {"host": host})
    return str(found[0][0]), port


def _is_private(host: str) -> bool:
    """Whether it is an address that is not one of the public internet. A name is none."""
    try:
        ip = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None) or _nat64(ip)
        if inner is not None:
            ip = inner
    return not ip.is_global or ip.is_multicast


def _nat64(ip: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """The IPv4 address that RFC 6052's well-known prefix leads to."""
    known = ipaddress.ip_network("64:ff9b::/96")
    return ipaddress.IPv4Address(ip.packed[-4:]) if ip in known else None


def _hang_up(connection: http.client.HTTPConnection) -> None:
    with suppress(OSError, AttributeError):  # it ended in this very moment
        connection.sock.shutdown(socket.SHUT_RDWR)
