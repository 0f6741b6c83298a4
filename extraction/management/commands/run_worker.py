"""The worker of an installation without a broker: polls the job table and runs what is due."""

from __future__ import annotations

import signal
import time
from types import FrameType
from typing import Any

import structlog
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import InterfaceError, OperationalError, close_old_connections, connection

from extraction.selectors.queue import due_jobs, is_idle
from extraction.services.embedding import request_missing
from extraction.services.jobs import run_job, worker_name
from inference.ledger import tidy_calls
from topics.services.duplicates import search_where_due
from topics.text.tables import load_tables

log = structlog.get_logger(__name__)

BATCH = 50
# Seconds: between two looks at the flag that a signal sets, and at most between two tries of a broken database.
NAP = 0.2
LONGEST_PAUSE = 10.0
BETWEEN_SEARCHES = 30.0


class Command(BaseCommand):
    help = "Run the jobs that are due, until stopped. On SIGTERM or SIGINT the present job is finished first."
    # `check` and `serve` run them. They import every route, and a worker should be back soon after a crash.
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--until-idle",
            action="store_true",
            help="Exit when nothing is due and nothing is running. Jobs waiting for another try are not waited for.",
        )
        parser.add_argument(
            "--poll",
            type=float,
            default=settings.INFINI_POLL_SECONDS,
            metavar="SECONDS",
            help="How long to wait before looking again when nothing was due (default: INFINI_POLL_SECONDS).",
        )

    def handle(self, *, until_idle: bool, poll: float, **options: Any) -> None:
        if not 0 < poll < float("inf"):
            raise CommandError("--poll must be a number of seconds above 0.")
        self.is_stopping = False
        self.tidy_at = self.search_at = 0.0
        for signum in (signal.SIGTERM, signal.SIGINT):
            signal.signal(signum, self.stop)
        load_tables()
        log.info("worker_started", worker=worker_name())
        self.work(until_idle=until_idle, poll=poll)
        log.info("worker_stopped", worker=worker_name())

    def stop(self, signum: int, frame: FrameType | None) -> None:
        """Ask the loop to end. A second signal ends the process at once; its job is claimed again by its lease."""
        self.is_stopping = True
        signal.signal(signum, signal.SIG_DFL)

    def work(self, *, until_idle: bool, poll: float) -> None:
        pause = poll
        while not self.is_stopping:
            try:
                close_old_connections()
                self.tidy()
                if self.run_batch():
                    pause = 0.0
                elif until_idle and is_idle():
                    search_where_due()
                    return
                else:
                    self.search_duplicates()
                    pause = poll
            except (OperationalError, InterfaceError) as error:
                pause = min(LONGEST_PAUSE, max(poll, pause) * 2)
                log.warning("database_unavailable", error=str(error).strip(), next_try_in=pause)
                connection.close()
            self.sleep(pause)

    def tidy(self) -> None:
        """What Celery's beat asks for where there is a broker."""
        if time.monotonic() >= self.tidy_at:
            self.tidy_at = time.monotonic() + settings.TIDY_SECONDS
            tidy_calls()
            request_missing()

    def run_batch(self) -> int:
        """Run some of the jobs that are due; how many of them no other worker had taken."""
        count = 0
        for pk in list(due_jobs(limit=BATCH).values_list("pk", flat=True)):
            if self.is_stopping:
                break
            count += run_job(pk, worker=worker_name())
        return count

    def search_duplicates(self) -> None:
        """Now and then, when there is nothing else to do, look for topics that may be the same."""
        if time.monotonic() >= self.search_at:
            search_where_due()
            self.search_at = time.monotonic() + BETWEEN_SEARCHES

    def sleep(self, seconds: float) -> None:
        """Sleep in naps, so that a signal is noticed soon."""
        end = time.monotonic() + seconds
        while not self.is_stopping and (left := end - time.monotonic()) > 0:
            time.sleep(min(NAP, left))
