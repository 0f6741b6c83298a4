"""A rich space to look at: the example, and everything beside it that a page can show, in a database of its own.

    python -m tests.browser.showcase        loads it into the empty database of DATABASE_URL, prints the ids as JSON

`PAGES` names every page of the console with somebody who may see it; `serve` runs the product on such a database, with
the server and the static files of a real installation.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
PASSWORD = "a-long-secret"
START_SECONDS = 120


@dataclass(frozen=True, slots=True)
class Page:
    """A page to visit: `address` with the ids of `load` in braces, as whom ("" is signed out), what is pressed then.

    `status` is what the server answers; `script` runs in the page before the keys.
    """

    address: str
    person: str = "demo"
    keys: tuple[str, ...] = ()
    script: str = ""
    status: int = 200


UNFOLD = "document.querySelectorAll('main details').forEach(fold => { fold.open = true })"

TICK = """document.querySelectorAll('.tick input').forEach(box => box.click());
    document.querySelector('#bulk button[type=submit], #bulk button').click()"""

PAGES: dict[str, Page] = {
    "sign-in": Page("/login/", person=""),
    "queue-facts": Page("/review/facts/"),
    "queue-fact": Page("/review/facts/{fact_proposal}/"),
    "queue-fact-edit": Page("/review/facts/{fact_proposal}/edit/"),
    "queue-fact-reject": Page("/review/facts/{fact_proposal}/", keys=("r",)),
    "queue-fact-snooze": Page("/review/facts/{fact_proposal}/", keys=("s",)),
    "queue-shortcuts": Page("/review/facts/", keys=("?",)),
    "queue-views": Page("/review/facts/", script="document.querySelector('[popovertarget=views]').click()"),
    "queue-bulk": Page("/review/facts/", script=TICK),
    "queue-fact-zh": Page("/review/facts/{fact_proposal_zh}/"),
    "queue-entry": Page("/review/facts/{entry_proposal}/"),
    "queue-alias": Page("/review/facts/{alias_proposal}/"),
    "queue-decided": Page("/review/facts/{decided}/"),
    "queue-claimed": Page("/review/facts/{claimed}/"),
    "queue-conflicts": Page("/review/conflicts/"),
    "queue-conflict": Page("/review/conflicts/{conflict}/", keys=("1",)),
    "queue-conflict-both": Page("/review/conflicts/{conflict}/", keys=("3",)),
    "queue-conflict-ask": Page("/review/conflicts/{conflict_zh}/", keys=("5",)),
    "queue-conflict-refused": Page("/review/conflicts/{conflict}/", keys=("3", "Control+Enter")),
    "queue-conflict-stale": Page(
        "/review/conflicts/{conflict}/",
        script="document.querySelector('[name=seen_version]').value = 99",
        keys=("1", "Control+Enter"),
    ),
    "queue-topics": Page("/review/topics/"),
    "queue-topic": Page("/review/topics/{topic_proposal}/"),
    "queue-snoozed": Page("/review/snoozed/"),
    "queue-mine": Page("/review/mine/"),
    "queue-no-match": Page("/review/facts/?q=zebra"),
    "queue-empty": Page("/review/facts/", person="newcomer"),
    "queue-viewer": Page("/review/facts/", person="viewer"),
    "gathered": Page("/gathered/"),
    "duplicates": Page("/duplicates/"),
    "duplicates-dismissed": Page("/duplicates/?status=dismissed"),
    "duplicates-empty": Page("/duplicates/", person="newcomer"),
    "merge-choose": Page("/merge/"),
    "merge-one": Page("/merge/?t={topic}"),
    "merge-unknown": Page("/merge/?t={twin}&t={topic}&add=nobody", status=422),
    "merge-two": Page("/merge/?t={twin}&t={topic}", script=UNFOLD),
    "merge-three": Page("/merge/?t={topic}&t={twin}&t={triplet}"),
    "split": Page("/topics/{topic}/split/"),
    "topics": Page("/topics/"),
    "topics-no-match": Page("/topics/?q=zebra"),
    "topics-empty": Page("/topics/", person="newcomer"),
    "topic-new": Page("/topics/new/"),
    "topic": Page("/topics/{topic}/"),
    "topic-unfolded": Page("/topics/{topic}/", script=UNFOLD),
    "topic-zh": Page("/topics/{topic_zh}/"),
    "topic-as-of": Page("/topics/{topic}/?version=2"),
    "topic-archived": Page("/topics/{archived}/"),
    "topic-merged": Page("/topics/{merged}/"),
    "topic-edit": Page("/topics/{topic}/edit/"),
    "topic-delete": Page("/topics/{topic}/delete/"),
    "fact-new": Page("/topics/{topic}/facts/new/"),
    "fact": Page("/topics/{topic}/facts/{fact}/"),
    "entry-new": Page("/topics/{topic}/timeline/new/"),
    "entry": Page("/topics/{topic}/timeline/{entry}/"),
    "agent-view": Page("/topics/{topic}/agent/?q=What+is+the+budget+of+Fernhill+Logistics"),
    "alias": Page("/topics/{topic}/aliases/{alias}/"),
    "state": Page("/topics/{topic}/state/"),
    "state-entry": Page("/topics/{topic}/state/{state}/"),
    "topic-summary-in-place": Page("/topics/{topic}/", script="document.querySelector('[hx-get$=\"/edit/\"]').click()"),
    "history": Page("/topics/{topic}/history/"),
    "history-version": Page("/topics/{topic}/history/2/"),
    "compare": Page("/topics/{topic}/compare/?old=1"),
    "conversations": Page("/conversations/"),
    "conversations-empty": Page("/conversations/", person="newcomer"),
    "conversation": Page("/conversations/{conversation}/", script=UNFOLD),
    "conversation-failed": Page("/conversations/{failed}/"),
    "activity": Page("/activity/"),
    "activity-empty": Page("/activity/", person="newcomer"),
    "change": Page("/activity/{change}/"),
    "revert": Page("/activity/{several}/revert/{row}/"),
    "revert-blocked": Page("/activity/{blocked}/revert/{fact}/"),
    "jobs": Page("/activity/jobs/"),
    "jobs-empty": Page("/activity/jobs/", person="newcomer"),
    "change-merge": Page("/activity/{merge}/"),
    "model-calls": Page("/activity/model-calls/"),
    "model-call": Page("/activity/model-calls/{call}/"),
    "settings": Page("/settings/"),
    "settings-model": Page("/settings/model/"),
    "settings-members": Page("/settings/members/"),
    "settings-keys": Page("/settings/keys/"),
    "settings-webhooks": Page("/settings/webhooks/"),
    "settings-webhook": Page("/settings/webhooks/{webhook}/"),
    "refused": Page("/settings/keys/", person="viewer", status=403),
    "no-space": Page("/", person="outsider", status=403),
    "not-found": Page("/no-such-page/", status=404),
    "api-reference": Page("/api/docs/"),
    "admin": Page("/admin/"),
}


# --------------------------------------------------------------------------------------------------------- loading


def load() -> dict[str, str]:
    """Fill the database with the example and more; the ids that `PAGES` speaks of."""
    from django.contrib.auth.models import User

    from extraction.example.loading import load_example
    from extraction.models import Event
    from extraction.services.webhooks import create_webhook, send_test
    from topics.changes import Actor
    from topics.models import Membership
    from topics.services.spaces import create_api_key, create_space, revoke_api_key, set_member

    space = load_example().space
    demo = User.objects.get(username="demo")
    people = {"demo": demo} | {
        name: User.objects.create_user(name, first_name=first, last_name=last)
        for name, first, last in (
            ("viewer", "Vera", "Lind"),
            ("maya", "Maya", "Ortiz"),
            ("newcomer", "林", "晓"),
            ("outsider", "", ""),
        )
    }
    for person in people.values():
        person.set_password(PASSWORD)
        person.save()
    set_member(space=space, user=people["viewer"], role=Membership.Role.VIEWER)
    set_member(space=space, user=people["maya"], role=Membership.Role.REVIEWER)
    set_member(space=create_space(slug="empty", name="Support"), user=people["newcomer"], role=Membership.Role.ADMIN)
    create_api_key(space=space, scopes=["read"], name="CRM agent", created_by=demo)
    revoke_api_key(key=create_api_key(space=space, scopes=["read", "write"], name="Old agent", created_by=demo)[0])
    actor = Actor.person(demo)
    url = "https://hooks.example.com/infini"
    webhook = create_webhook(space=space, actor=actor, url=url, events=list(Event.values))
    send_test(webhook=webhook)
    ids = {"webhook": webhook.pk} | _topics(space, actor) | _conversations(space) | _model_calls(space)
    return {name: str(pk) for name, pk in (ids | _review(space, actor)).items()}


def _topics(space: Any, actor: Any) -> dict[str, Any]:
    """Documents with everything in them; twins, one of them merged; an archived one."""
    from topics.models import ChangeSet, DuplicatePair, Topic
    from topics.services.duplicates import dismiss_pair, search_duplicates
    from topics.services.merging import merge_topics
    from topics.services.state import Put, write_state
    from topics.services.statements import add_entry, add_fact, edit_fact, replace_fact, retract_fact
    from topics.services.topics import add_alias, archive_topic, create_topic, update_topic

    def make(name: str, kind: str = "customer", **fields: Any) -> Any:
        return create_topic(space=space, actor=actor, name=name, kind=kind, **fields)

    topic = Topic.objects.get(space=space, name="Fernhill Logistics")
    update_topic(topic=topic, actor=actor, kind="customer", summary="Haulier in the north with 6 warehouses; on trial.")
    add_alias(topic=topic, actor=actor, name="芬希尔物流")
    entry = add_entry(
        topic=topic,
        actor=actor,
        text="The contract ends",
        happened_at=datetime.now(UTC) + timedelta(days=90),
        precision="month",
    )
    fact = add_fact(topic=topic, actor=actor, text="The phone is +44 113 496 0000.", attribute="phone", value="0000")
    edit_fact(fact=fact, actor=actor, changes={"text": "The phone is +44 113 496 0100."}, reason="A wrong digit")
    fact.refresh_from_db()
    old = add_fact(topic=topic, actor=actor, text="They deliver to 40 shops a day.")
    replace_fact(fact=old, actor=actor, fields={"text": "They deliver to 55 shops a day.", "scope": "The north only"})
    state = write_state(
        topic=topic, actor=actor, puts=[Put("plan/next", {"step": "报价", "tries": 2}), Put("seen", [1])]
    )
    retract_fact(
        fact=add_fact(topic=topic, actor=actor, text="They own a ferry."), actor=actor, reason="Nobody said this"
    )
    twin = make("Fernhill Logistics Ltd", summary="Logistics.", aliases=["Fernhill"])
    add_fact(
        topic=twin, actor=actor, text="The phone is +44 113 496 0100.", attribute="phone", value="+44 113 496 0100"
    )
    add_fact(topic=twin, actor=actor, text="The owner is Mei.", attribute="owner", value="Mei")
    triplet = make("FHL", "other")
    add_fact(topic=triplet, actor=actor, text="They deliver to 55 shops a day.")
    for name in ("北京大学项目", "北大项目"):
        make(name, "project")
    make("Northgate Bakery and Confectionery of the Lower Harbour, Wholesale Department", summary="A long name.")
    add_fact(topic=make("Zhang Wei", "person"), actor=actor, text="张伟喜欢在早上开会。", kind="preference")
    for number in range(1, 9):
        make(f"Warehouse {number}", "other")
    archived = make("Old tender", "project", summary="Lost in 2023.")
    archive_topic(topic=archived, actor=actor)
    kept, merged = make("Hull depot", "other"), make("Depot Hull", "other")
    _plan, merge = merge_topics(space=space, survivor=kept, others=[merged], actor=actor, reason="One place")
    search_duplicates(space=space)
    pair = DuplicatePair.objects.exclude(first=topic).exclude(second=topic).first()
    if pair is not None:
        dismiss_pair(pair=pair, actor=actor)
    return {
        "topic": topic.pk,
        "topic_zh": Topic.objects.get(space=space, name="智能家居项目").pk,
        "twin": twin.pk,
        "triplet": triplet.pk,
        "archived": archived.pk,
        "merged": merged.pk,
        "fact": fact.pk,
        "entry": entry.pk,
        "merge": merge.pk,
        "alias": topic.aliases.get(is_name=False).pk,
        "state": state.entries[0].pk,
        "several": ChangeSet.objects.get(action="replace_fact", documents__topic=topic).pk,
        "row": old.pk,
        "blocked": ChangeSet.objects.filter(action="add_fact", documents__topic=topic).earliest("at").pk,
        "change": ChangeSet.objects.filter(action="edit_fact").latest("at").pk,
    }


def _conversations(space: Any) -> dict[str, Any]:
    """One that could not be read, one that waits, one about nothing that has a name; a good one of the example."""
    from extraction.extractors.protocol import ExtractionError
    from extraction.models import Job
    from extraction.services.intake import record_messages
    from extraction.services.jobs import run_job
    from topics.services.conversations import MessageInput

    def say(conversation: str, *texts: str, subject: str = "") -> Job:
        messages = [MessageInput(role="user", name="Dana Reyes", content=text) for text in texts]
        intake = record_messages(space=space, conversation=conversation, messages=messages, subject=subject)
        assert intake.job is not None
        Job.objects.filter(pk=intake.job.pk).update(gathering=False)
        return intake.job

    def fail(job: Job) -> Any:
        raise ExtractionError("models.example.com rejected the request (400): no such model.", retry=False)

    broken = say("fernhill-broken-call", "Our budget is now 70,000 euros.", subject="Fernhill Logistics")
    run_job(broken.pk, worker="showcase", prepare=fail)
    say("fernhill-waiting", "We decided to go with option C.", subject="Fernhill Logistics")
    loose = say(
        "loose-ends",
        "I prefer tea to coffee.",
        "The roof terrace was repaired on 3 March 2025.",
        "We decided to buy two more tents.",
        "Our office has moved to Lyon.",
    )
    run_job(loose.pk, worker="showcase")
    latest = say(
        "fernhill-latest",
        "Fernhill Logistics is also known as Fernhill Haulage. Their budget is now 65,000 euros.",
        "Their office has moved to Leeds. The invoices are paid within 30 days.",
        subject="Fernhill Logistics",
    )
    run_job(latest.pk, worker="showcase")
    return {
        "failed": broken.conversation_id,
        "conversation": space.conversations.get(external_id="fernhill-weekly").pk,
    }


def _model_calls(space: Any) -> dict[str, Any]:
    """Calls with each outcome, and a model of the space's own."""
    from inference.models import ModelCall
    from topics.services.model_policy import update_model_policy

    update_model_policy(
        space=space,
        changes={"base_url": "https://models.example.com/v1", "model": "an-organisation/a-model:latest"},
        api_key="sk-showcase",
    )
    for outcome in ModelCall.Outcome.values:
        call = ModelCall.objects.create(
            space=space,
            purpose="find",
            endpoint="models.example.com",
            model="an-organisation/a-model:latest",
            reference="fernhill-weekly",
            outcome=outcome,
            seconds=1.25,
            prompt_tokens=12_345,
            completion_tokens=678,
            error="" if outcome == "answered" else "models.example.com rejected the request (400).",
            prompt=[{"role": "user", "content": "Find the statements.\n" * 20}],
            answer='{"findings": []}',
        )
    return {"call": call.pk}


def _review(space: Any, actor: Any) -> dict[str, Any]:
    """Something snoozed and something decided; an item of each kind that waits."""
    from django.contrib.auth.models import User

    from extraction.models import Conflict, Proposal
    from extraction.services.claims import claim_proposal
    from extraction.services.decisions import decide_proposals

    waiting = Proposal.objects.filter(space=space, status="pending", conflict=None).order_by("-pk")
    facts = list(waiting.filter(kind="fact").exclude(topic=None))
    english = [p for p in facts if p.text.isascii()]
    chinese = [p for p in facts if not p.text.isascii()]
    later = datetime.now(UTC) + timedelta(days=3)
    decide_proposals(
        space=space, actor=actor, ids=[english[0].pk, chinese[0].pk], decision="snooze", snooze_until=later
    )
    decide_proposals(space=space, actor=actor, ids=[english[1].pk], decision="reject", reason="Not worth keeping")
    claim_proposal(proposal=english[3], user=User.objects.get(username="maya"))
    conflicts = list(Conflict.objects.filter(proposal__space=space, status="open").order_by("pk"))
    return {
        "fact_proposal": english[2].pk,
        "fact_proposal_zh": chinese[1].pk,
        "claimed": english[3].pk,
        "decided": english[1].pk,
        "entry_proposal": waiting.filter(kind="timeline").latest("pk").pk,
        "alias_proposal": waiting.filter(kind="alias").latest("pk").pk,
        "topic_proposal": waiting.filter(kind="topic").latest("pk").pk,
        "conflict": next(c for c in conflicts if c.proposal.text.isascii()).proposal_id,
        "conflict_zh": next(c for c in conflicts if not c.proposal.text.isascii()).proposal_id,
    }


# --------------------------------------------------------------------------------------------------------- serving


@contextmanager
def serve(folder: Path, port: int = 0) -> Iterator[tuple[str, dict[str, str]]]:
    """A server on a showcase of its own inside `folder`, until the block ends: its address, and the ids."""
    environment = os.environ | {
        "DATABASE_URL": f"sqlite:///{folder / 'showcase.sqlite3'}",
        "CELERY_BROKER_URL": "",
        "DJANGO_SETTINGS_MODULE": "infini.settings",
        "INFINI_DEBUG": "0",
        "INFINI_LOG_LEVEL": "CRITICAL",
        "INFINI_SECRET_KEY": "showcase-only-" + "0123456789abcdef" * 4,
    }
    loaded = subprocess.run(
        [sys.executable, "-m", "tests.browser.showcase"], cwd=ROOT, env=environment, stdout=subprocess.PIPE, check=True
    )
    with run_server(environment, port) as address:
        yield address, json.loads(loaded.stdout)


@contextmanager
def run_server(environment: dict[str, str], port: int = 0) -> Iterator[str]:
    """The address of the product's web server, which runs until the block ends.

    It is what `manage.py serve` starts, without the worker: nothing changes under those who look.
    """
    port = port or _free_port()
    command = [sys.executable, "-m", "gunicorn", "infini.wsgi", "--bind", f"127.0.0.1:{port}", "--log-level", "warning"]
    server = subprocess.Popen(command, cwd=ROOT, env=environment)
    try:
        address = f"http://127.0.0.1:{port}"
        _wait_until_up(address, server)
        yield address
    finally:
        server.terminate()
        server.wait(40)


def _free_port() -> int:
    import socket

    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def _wait_until_up(address: str, server: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and server.poll() is None:
        try:
            urllib.request.urlopen(f"{address}/healthz", timeout=5).close()
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
        else:
            return
    raise RuntimeError(f"the server at {address} does not answer")


def main() -> None:
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    json.dump(load(), sys.stdout)


if __name__ == "__main__":
    main()
