"""How gunicorn serves the product; read by `manage.py serve` and by gunicorn itself when it is started here."""

import json
import uuid
from socket import socket

from gunicorn import util
from gunicorn.workers.gthread import ThreadWorker


class Worker(ThreadWorker):
    """Ends when it is told to, though idle connections are open: gunicorn's own would wait half a minute for them."""

    def set_accept_enabled(self, enabled: bool) -> None:
        super().set_accept_enabled(enabled)
        if not self.alive:
            for connection in (*self.keepalived_conns, *self.pending_conns):
                connection.timeout = 0
            self.murder_keepalived()
            self.murder_pending()


worker_class = Worker
threads = 8
# Longer than clients and proxies keep a connection that is idle (nginx: 60 seconds). A server that closes it first
# answers with a reset whoever sends a request at that moment, and what was stored by it is not known.
keepalive = 75
control_socket_disable = True
# The longest that gunicorn allows, so that a question of some 900 Chinese characters fits into an address.
limit_request_line = 8190


def write_error(sock: socket, status_int: int, reason: str, mesg: str) -> None:
    """Answer what never reaches the application (a broken or oversized request) in the form of the API's errors."""
    request_id = uuid.uuid4().hex
    code, detail = "malformed", reason
    if mesg.startswith("Request Line is too large"):  # to gunicorn a bad request like any other
        status_int, reason, code = 414, "URI Too Long", "uri_too_long"
        detail = "The address is too long. Long questions go into the body of a POST."
    body = json.dumps({"detail": detail, "code": code, "request_id": request_id})
    head = [
        f"HTTP/1.1 {status_int} {reason}",
        "Connection: close",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        f"X-Request-ID: {request_id}",
    ]
    util.write_nonblock(sock, "\r\n".join([*head, "", body]).encode("latin1"))


# Gunicorn has no setting for this.
util.write_error = write_error
