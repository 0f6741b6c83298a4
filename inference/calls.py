"""A call with all that belongs to it: leaving out what the endpoint does not know, another try, the row, the budget."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Collection
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TypeVar

import structlog
from django.conf import settings

from inference.endpoints import Endpoint
from inference.errors import InferenceError, Unavailable, Unreadable
from inference.ledger import Occasion, Record, recorded_call
from inference.traits import Body, known_traits, remember_traits, trait_in

T = TypeVar("T")
log = structlog.get_logger(__name__)

# How often a failing endpoint is asked for one answer, and how long (seconds) is waited in all between the tries. What
# takes longer is left to the caller, whose job can wait without keeping a worker.
TRIES = 3
FIRST_PAUSE = 0.5
WAIT_LIMIT = 10.0
# An answer that cannot be read is asked for once more.
READING_TRIES = 2

_random = random.SystemRandom()


@dataclass(slots=True)
class Tries:
    """The retries of one answer. `pause_after` says how long to wait before the next, and raises when there is none."""

    started: float = field(default_factory=time.monotonic)
    failures: int = 0
    unreadable: int = 0
    waited: float = 0.0

    def pause_after(self, error: InferenceError) -> float:
        """Seconds: what the endpoint asks for, else twice as long each time and spread, so that workers part."""
        if isinstance(error, Unreadable):
            self.unreadable += 1
            if self.unreadable >= READING_TRIES:
                raise error
            return 0.0
        self.failures += 1
        pause = FIRST_PAUSE * float(2 ** (self.failures - 1)) * _random.uniform(0.5, 1.5)
        pause = max(pause, error.retry_after or 0.0)
        elapsed = time.monotonic() - self.started
        is_too_late = elapsed + pause > settings.INFINI_MODEL_TIMEOUT
        if self.failures >= TRIES or self.waited + pause > WAIT_LIMIT or is_too_late:
            raise error
        self.waited += pause
        return pause


@dataclass(slots=True)
class Call:
    """One answer to be had from `endpoint`, in as many HTTP calls as it takes.

    `build` makes the body for an endpoint with the given traits; the second argument is True when the first answer
    could not be read.
    """

    occasion: Occasion
    endpoint: Endpoint
    build: Callable[[Collection[str], bool], Body]
    estimate: int
    traits: set[str] = field(default_factory=set)
    learnt: list[str] = field(default_factory=list)
    tries: Tries = field(default_factory=Tries)

    def __post_init__(self) -> None:
        self.traits = known_traits(self.endpoint)

    def run(self, exchange: Callable[[Body, Record], T]) -> T:
        """The result of `exchange`, which sends the body and reads the answer, noting it in the record."""
        while True:
            body = self.body()
            try:
                with self.record(body) as record:
                    return exchange(body, record)
            except InferenceError as error:
                self.prepare_next(error, body)

    def body(self) -> Body:
        return self.build(self.traits, self.tries.unreadable > 0)

    def record(self, body: Body) -> AbstractContextManager[Record]:
        """The context of one HTTP call; see `recorded_call`."""
        prompt = body.get("messages") or body.get("input") or []
        return recorded_call(self.occasion, self.endpoint, prompt=prompt, estimate=self.estimate)

    def note_accepted(self) -> None:
        """The endpoint has accepted the request, so it was right to leave out what was left out."""
        if self.learnt:
            remember_traits(self.endpoint, self.learnt)
            log.info("endpoint_traits_learnt", endpoint=self.endpoint.host, traits=sorted(self.learnt))
            self.learnt = []

    def prepare_next(self, error: InferenceError, body: Body) -> None:
        """Leave something out, or wait, before another try; raises the error if another would be pointless."""
        if trait := trait_in(error, body):
            self.traits.add(trait)
            self.learnt.append(trait)
            return
        is_worth_another = isinstance(error, Unavailable | Unreadable) and self.endpoint.patience is None
        if error.call is None or not is_worth_another:
            raise error
        time.sleep(self.tries.pause_after(error))
