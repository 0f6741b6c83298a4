"""Server-sent events (WHATWG HTML, section 9.2) whose source may be slow, fail in the middle, or lose its reader."""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from queue import Empty, SimpleQueue
from typing import Any, Generic, TypeVar

from django.db import connection
from django.http import StreamingHttpResponse
from django.utils import translation
from rest_framework.renderers import JSONRenderer

T = TypeVar("T")

HEARTBEAT = b":\n\n"  # a comment, which readers pass over


class Pump(Generic[T]):
    """Draws the items of a generator in a thread, so that whoever waits for them can do something else meanwhile.

    The thread holds no database connection between two items.
    """

    def __init__(self, items: Generator[T, None, None]) -> None:
        self._items = items
        self._drawn: SimpleQueue[T | _End] = SimpleQueue()
        self._is_stopped = threading.Event()
        self._language = translation.get_language()
        run = contextvars.copy_context().run  # with the request id, for the log
        threading.Thread(target=run, args=(self._draw,), name="pump", daemon=True).start()

    def get(self, timeout: float) -> T | None:
        """The next item, or None when none came within `timeout` seconds. Raises what the generator raised.

        Must not be called after the last item.
        """
        try:
            item = self._drawn.get(timeout=timeout)
        except Empty:
            return None
        if isinstance(item, _End):
            raise item.error
        return item

    def stop(self) -> None:
        """Close the generator when its next item comes, if it is not at its end."""
        self._is_stopped.set()

    def _draw(self) -> None:
        try:
            with translation.override(self._language):
                for item in self._items:
                    connection.close()
                    self._drawn.put(item)
                    if self._is_stopped.is_set():
                        self._items.close()
        except Exception as error:
            self._drawn.put(_End(error))
        finally:
            connection.close()


class _End:
    def __init__(self, error: Exception) -> None:
        self.error = error


def event(name: str, data: Any) -> bytes:
    """One event. The data is JSON, which has no line breaks of its own."""
    return b"event: %s\ndata: %s\n\n" % (name.encode(), JSONRenderer().render(data))


class EventStream:
    """The body of a response. `on_close` is called once, when the events have all been sent or nobody reads on."""

    def __init__(self, events: Iterable[bytes], on_close: Callable[[], None] | None = None) -> None:
        self._events = events
        self._on_close = on_close

    def __iter__(self) -> Iterator[bytes]:
        connection.close()
        return iter(self._events)

    def close(self) -> None:
        on_close, self._on_close = self._on_close, None
        if on_close is not None:
            on_close()


def event_response(stream: EventStream) -> StreamingHttpResponse:
    """The response, which proxies are asked to pass on as it comes."""
    return StreamingHttpResponse(
        stream, content_type="text/event-stream; charset=utf-8", headers={"X-Accel-Buffering": "no"}
    )
