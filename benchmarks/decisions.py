"""How many decisions a minute a reviewer gets through by keyboard, and whether any is lost or taken twice.

    python benchmarks/decisions.py                                       # SQLite
    python benchmarks/decisions.py --database postgres://user@host/any   # on that server, in a database of its own

A scripted Chromium (CHROMIUM, or /usr/bin/chromium) sits before the product's own web server and decides one statement
after the other by key alone: approve, edit and approve, reject with a reason, snooze. It presses the next key once the
next item takes decisions, so the figure is the pace of the product and not of a person. Afterwards each decision is
looked up: one step in the life of its proposal, by that person, with what was pressed; a document with a history that
holds it; and an undo of its own that puts the proposal back. Prints a table and, as the last line, JSON; exits with 1
if anything was lost, doubled or different.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
import uuid
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from statistics import quantiles
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from crash import use_settings  # noqa: E402
from filling import own_database  # noqa: E402

from tests.browser.showcase import PASSWORD, run_server  # noqa: E402
from tests.browser.visits import CHROMIUM, QUIET  # noqa: E402

# What is pressed, in turn: most of what a reviewer sees is right.
TURNS = ("approve", "approve", "reject", "approve", "edit", "approve", "approve", "snooze", "approve", "approve")
AFTER = {"approve": "approved", "edit": "approved", "reject": "rejected", "snooze": "snoozed"}
REASON = "Not worth keeping"
TOPICS = 10


def fill(count: int) -> list[str]:
    """A space with a reviewer and `count` facts that wait, told in conversations about ten customers; their ids."""
    from django.contrib.auth.models import User

    from extraction.models import Proposal
    from extraction.services.intake import record_messages
    from extraction.services.jobs import run_job
    from topics.changes import Actor
    from topics.services.conversations import MessageInput
    from topics.services.spaces import create_space, set_member
    from topics.services.topics import create_topic

    space = create_space(slug="decisions")
    set_member(space=space, user=User.objects.create_user("lin", password=PASSWORD), role="reviewer")
    for topic in range(TOPICS):
        name = f"Customer {topic}"
        create_topic(space=space, actor=Actor(label="setup"), name=name, kind="customer")
        texts = [f"The delivery of order {n} costs {n + 10} euros." for n in range(topic, count, TOPICS)]
        messages = [MessageInput(role="user", name="Dana", content=text) for text in texts]
        intake = record_messages(space=space, conversation=name, messages=messages, subject=name)
        assert intake.job is not None
        run_job(intake.job.pk, worker="benchmark")
    waiting = Proposal.objects.filter(space=space, status="pending", conflict=None, kind="fact").exclude(topic=None)
    return [str(pk) for pk in waiting.values_list("pk", flat=True)]


def decide_all(address: str, count: int) -> tuple[dict[str, str], list[float]]:
    """Decide by keyboard until nothing waits: what was pressed for each proposal, and the seconds of each decision."""
    from playwright.sync_api import sync_playwright

    pressed: dict[str, str] = {}
    seconds: list[float] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        page = browser.new_context(locale="en-GB", viewport={"width": 1280, "height": 800}).new_page()
        page.goto(f"{address}/login/")
        page.fill("#id_username", "lin")
        page.fill("#id_password", PASSWORD)
        page.press("#id_password", "Enter")
        page.wait_for_url(lambda url: "/login/" not in url)
        page.goto(f"{address}/review/facts/")
        for number in range(count):
            item = str(page.locator("#item").get_attribute("data-id"))
            assert item not in pressed, f"{item} came again"
            pressed[item] = TURNS[number % len(TURNS)]
            began = time.monotonic()
            press_keys(page, pressed[item])
            # Another item is open, and it takes decisions (or there is none left).
            page.wait_for_selector(f"#item:not([data-id='{item}']):not([aria-busy])", timeout=60_000)
            seconds.append(time.monotonic() - began)
        browser.close()
    return pressed, seconds


def press_keys(page: Any, decision: str) -> None:
    keyboard = page.keyboard
    if decision == "approve":
        keyboard.press("a")
    elif decision == "reject":
        keyboard.press("r")
        keyboard.type(REASON)
        keyboard.press("Enter")
    elif decision == "snooze":
        keyboard.press("s")
        keyboard.press("1")
    else:
        keyboard.press("e")
        page.wait_for_selector("#edit-form textarea:focus")
        keyboard.press("End")
        keyboard.type(" Checked.")
        keyboard.press("Control+Enter")


# -------------------------------------------------------------------------------------------------------- the check


def check(pressed: dict[str, str]) -> dict[str, Any]:
    """Look up every decision, then undo each one and look again."""
    from extraction.models import Decision, Proposal
    from topics.changes import Actor
    from topics.models import Fact
    from topics.services.undo import undo_change_set

    steps: dict[str, list[Any]] = {pk: [] for pk in pressed}
    for step in Decision.objects.select_related("change_set", "proposal").order_by("pk"):
        steps.setdefault(str(step.proposal_id), []).append(step)
    wrong = [pk for pk, found in steps.items() if len(found) == 1 and not is_as_pressed(found[0], pressed.get(pk, ""))]
    facts = Counter(Fact.objects.filter(status="active").values_list("text", flat=True))
    approved = sum(AFTER[decision] == "approved" for decision in pressed.values())
    result = {
        "lost": sum(not found for found in steps.values()),
        "doubled": sum(len(found) > 1 for found in steps.values()) + sum(n - 1 for n in facts.values()),
        "different": len(wrong),
        "facts_expected": approved,
        "facts_found": facts.total(),
        "without_history": sum(not has_history(found[0]) for found in steps.values() if found),
    }
    for found in steps.values():
        for step in found:
            undo_change_set(change=step.change_set, actor=Actor(label="benchmark"))
    waiting = Proposal.objects.filter(pk__in=pressed, status="pending").count()
    return result | {
        "undone": waiting,
        "facts_after_undo": Fact.objects.filter(status="active").count(),
    }


def is_as_pressed(step: Any, decision: str) -> bool:
    """Whether the step is what the key stood for, by the one who pressed it."""
    text = step.proposal.fact.text if step.proposal.fact else ""
    return (
        step.after == step.proposal.status == AFTER.get(decision)
        and step.change_set.actor_label == "lin"
        and (decision != "reject" or step.proposal.reason == REASON)
        and (decision != "edit" or text.endswith(" Checked."))
        and (decision != "approve" or text == step.proposal.text)
    )


def has_history(step: Any) -> bool:
    """Whether an approved statement stands in the document's history with the change set that brought it."""
    fact = step.proposal.fact
    if fact is None:
        return AFTER["approve"] != step.after
    is_in_document = step.change_set.documents.filter(topic=fact.topic).exists()
    return bool(is_in_document and fact.history.filter(change_set=step.change_set).count() == 1)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", default="", help="a PostgreSQL URL whose server may be used; SQLite if empty")
    parser.add_argument("--decisions", type=int, default=200)
    parser.add_argument("--port", type=int, default=0, help="of the web server (default: any)")
    options = parser.parse_args()
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    os.environ["INFINI_SECRET_KEY"] = "benchmark-only-" + "0123456789abcdef" * 4
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="decisions-")))
        name = f"decisions-{uuid.uuid4().hex[:12]}"
        use_settings(stack.enter_context(own_database(options.database, folder, name)), "", name)
        from django.core.management import call_command
        from django.db import connections

        call_command("collectstatic", interactive=False, verbosity=0)
        waiting = fill(options.decisions)
        connections.close_all()
        with run_server(dict(os.environ), options.port) as address:
            pressed, seconds = decide_all(address, len(waiting))
        result = {"decisions": len(pressed), "not_reached": len(set(waiting) - set(pressed))} | check(pressed)
        connections.close_all()
    cuts = quantiles(seconds, n=20)
    result |= {
        "database": "PostgreSQL" if options.database else "SQLite",
        "decisions_a_minute": round(60 * len(seconds) / sum(seconds), 1),
        "seconds_median": round(cuts[9], 3),
        "seconds_p95": round(cuts[18], 3),
    }
    result["clean"] = (
        result["decisions"] == result["undone"] >= options.decisions
        and result["facts_found"] == result["facts_expected"]
        and not any(
            result[key]
            for key in ("not_reached", "lost", "doubled", "different", "without_history", "facts_after_undo")
        )
    )
    for key, value in result.items():
        print(f"{key.replace('_', ' '):24} {value}")
    print(json.dumps(result))
    return 0 if result["clean"] else 1


if __name__ == "__main__":
    sys.exit(main())
