"""Where people see what belongs to no topic yet, and start a discovery."""

from __future__ import annotations

from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client, override_settings

from extraction.models import Job
from extraction.services.embedding import request_missing
from tests.extraction.discovery.helpers import KITCHEN, tell
from tests.extraction.embedding.helpers import embed_all
from topics.models import Space
from topics.services.spaces import set_member

pytestmark = pytest.mark.django_db(transaction=True)


def browser(space: Space, role: str) -> Client:
    user = User.objects.create_user(username=role)
    set_member(space=space, user=user, role=role)
    client = Client()
    client.force_login(user)
    return client


def test_the_page_lists_what_gathers_and_starts_a_discovery(space: Space) -> None:
    tell(space, KITCHEN[:2])
    client = browser(space, "reviewer")
    page = client.get("/gathered/").content.decode()
    assert all(text in page for text in KITCHEN[:2])
    client.post("/gathered/discover/")
    job = Job.objects.get(kind=Job.Kind.DISCOVER)
    assert job.run_after <= job.created_at or job.run_after.timestamp() < job.created_at.timestamp() + 60
    assert "Looking for topics" in client.get("/gathered/").content.decode()


def test_a_viewer_sees_but_does_not_start(space: Space) -> None:
    client = browser(space, "viewer")
    assert "Look for topics now" not in client.get("/gathered/").content.decode()
    assert client.post("/gathered/discover/").status_code == 403
    assert not Job.objects.exists()


def test_the_queue_says_what_has_no_topic_yet(space: Space) -> None:
    tell(space, KITCHEN[:1])
    assert "No topic yet" in browser(space, "viewer").get("/review/facts/").content.decode()


def test_the_settings_tell_how_far_the_vectors_are(space: Space) -> None:
    tell(space, KITCHEN[:1])
    client = browser(space, "admin")
    assert "No embedder is set" in client.get("/settings/").content.decode()
    with override_settings(INFINI_EMBEDDER="local"):
        page = client.get("/settings/").content.decode()
        assert "0 of 1 (0%)" in page
        assert "once they are complete" in page
        request_missing()
        embed_all(space)
        page = client.get("/settings/").content.decode()
        assert "1 of 1 (100%)" in page
        assert "once they are complete" not in page


def test_the_command_starts_a_discovery(space: Space) -> None:
    out = StringIO()
    call_command("discover", "acme", stdout=out)
    assert out.getvalue() == f"acme: job {Job.objects.get().pk}\n"
    with pytest.raises(CommandError, match="nowhere"):
        call_command("discover", "nowhere")
