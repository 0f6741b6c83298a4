"""How long it takes to decide 10,000 statements with one act, "all that match", and to take the whole back.

    python benchmarks/bulk.py                                       # SQLite
    python benchmarks/bulk.py --database postgres://user@host/any   # on that server, in a database of its own

A reviewer's form is sent as the console sends it: the preview of all that match, then its confirmation. A worker does
the parts in a thread while the page of the progress is asked for twice a second, as a browser does; then the same for
the undo. "cpu" is what the whole process worked an item, the progress pages with it. Afterwards every item is looked
up: each has a result, what was approved is in the documents, and once it is undone the space is as it was. Prints a
table and, as the last line, JSON; exits with 1 if anything is missing or left over.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import threading
import time
import uuid
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from filling import analyse_tables, fill, own_database, propose, set_up_django

QUEUE = "/review/facts/"
PROGRESS = re.compile(r"(\d+) of (\d+) items (?:decided|undone) so far")
WAITING_SHARE = 0.76  # of the proposals that filling.py makes, those that the tab of facts holds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", default="", help="a PostgreSQL URL whose server may be used; SQLite if empty")
    parser.add_argument("--items", type=int, default=10_000)
    parser.add_argument("--topics", type=int, default=2_000)
    parser.add_argument("--facts", type=int, default=40_000)
    options = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bulk-")))
        set_up_django(
            stack.enter_context(own_database(options.database, folder, f"console-bulk-{uuid.uuid4().hex[:8]}"))
        )
        make_space(options)
        result = decide_and_undo()
        from django.db import connection, connections

        result = {"database": connection.vendor, **result}
        connections.close_all()
    for key, value in result.items():
        print(f"{key.replace('_', ' '):28} {value}")
    print(json.dumps(result))
    return 0 if result["clean"] else 1


def make_space(options: argparse.Namespace) -> None:
    from django.contrib.auth.models import User

    from topics.services.spaces import create_space, set_member

    space = create_space(slug="big")
    person = User.objects.create_user("maya", first_name="Maya", last_name="Ortiz")
    set_member(space=space, user=person, role="reviewer")
    told = fill(space, person, topics=options.topics, facts=options.facts, seed=1)
    propose(space, told, round(options.items / WAITING_SHARE))
    analyse_tables()


def decide_and_undo() -> dict[str, Any]:
    """Approve all facts that wait, then undo it: seconds, results, and what is left over."""
    from django.conf import settings
    from django.contrib.auth.models import User
    from django.test import Client, override_settings

    from extraction.models import BulkDecision

    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    with override_settings(STORAGES=settings.STORAGES | {"staticfiles": plain}, ALLOWED_HOSTS=["testserver"]):
        client = Client(headers={"accept-language": "en"})
        client.force_login(User.objects.get(username="maya"))
        before = standing()
        began = time.perf_counter()
        shown = client.post(f"{QUEUE}bulk/", {"decision": "approve", "scope": "all"}).content.decode()
        preview_seconds = time.perf_counter() - began
        form = shown.partition('id="preview"')[2].partition("</form>")[0]
        sent = dict(re.findall(r'<input type="hidden" name="([a-z_]+)" value="([^"]*)"', form))
        began = time.perf_counter()
        address = client.post(f"{QUEUE}bulk/", sent)["Location"]
        answer_seconds = time.perf_counter() - began
        decided = carry_out(client, address)
        bulk = BulkDecision.objects.get()
        results = Counter(bulk.items.values_list("status", flat=True))
        after = standing()
        client.post(address)
        undone = carry_out(client, address)
        undo = Counter(bulk.items.exclude(change_set=None).values_list("undo", flat=True))
    items, approved = bulk.items.count(), results["approved"]
    return {
        "items": items,
        "preview_seconds": round(preview_seconds, 2),
        "answer_seconds": round(answer_seconds, 2),
        **{f"decide_{key}": value for key, value in per_item(decided, items).items()},
        **{f"undo_{key}": value for key, value in per_item(undone, items).items()},
        "results": dict(results),
        "undone": dict(undo),
        "clean": not results[""]
        and undo["undone"] == approved
        and after["facts"] - before["facts"] == approved
        and standing() == before
        and min(decided["seen"], undone["seen"]) > 2,
    }


def standing() -> dict[str, int]:
    """What undo has to bring back."""
    from extraction.models import Proposal
    from topics.models import Alias, Fact, Passage, Topic

    return {
        "facts": Fact.objects.filter(status="active").count(),
        "topics": Topic.objects.filter(status="active").count(),
        "names": Alias.objects.count(),
        "passages": Passage.objects.exclude(fact=None).count(),
        "pending": Proposal.objects.filter(status="pending").count(),
    }


def carry_out(client: Any, address: str) -> dict[str, Any]:
    """Run the job of the act in a thread, and ask meanwhile how far it is."""
    from django.db import connections

    from extraction.models import Job
    from extraction.services.jobs import run_job

    def work() -> None:
        run_job(Job.objects.get(kind="decide", status="queued").pk, worker="benchmark")
        connections.close_all()

    seen, slowest = set(), 0.0
    worker = threading.Thread(target=work)
    began, worked = time.perf_counter(), time.process_time()
    worker.start()
    while worker.is_alive():
        worker.join(0.5)
        asked = time.perf_counter()
        page = client.get(address, headers={"HX-Request": "true", "HX-Target": "bulk-result"}).content.decode()
        slowest = max(slowest, time.perf_counter() - asked)
        seen |= {int(found[1]) for found in PROGRESS.finditer(page)}
    took = {"seconds": time.perf_counter() - began, "cpu": time.process_time() - worked}
    return took | {"seen": len(seen), "slowest": slowest}


def per_item(took: dict[str, Any], items: int) -> dict[str, Any]:
    return {
        "seconds": round(took["seconds"], 1),
        "cpu_ms_an_item": round(1000 * took["cpu"] / items, 2),
        "progress_figures_seen": took["seen"],
        "slowest_progress_seconds": round(took["slowest"], 2),
    }


if __name__ == "__main__":
    sys.exit(main())
