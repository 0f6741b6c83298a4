"""Settings → Webhooks."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.test import Client

from extraction.models import Event, Job, Webhook
from extraction.services.webhooks import create_webhook
from topics.changes import Actor
from topics.models import Space
from topics.services.spaces import create_space, set_member

URL = "https://hooks.example.com/memory"


def test_an_admin_makes_a_webhook_and_sees_its_secret_once(admin: Client, space: Space) -> None:
    page = admin.post("/settings/webhooks/", {"url": URL, "events": [Event.WAITING]}, follow=True)
    hook = Webhook.objects.get()
    assert hook.secret in page.content.decode()
    assert hook.secret not in admin.get(f"/settings/webhooks/{hook.pk}/").content.decode()
    assert URL in admin.get("/settings/webhooks/").content.decode()
    renewed = admin.post(f"/settings/webhooks/{hook.pk}/secret/", follow=True).content.decode()
    assert hook.secret not in renewed
    assert Webhook.objects.get().secret in renewed


def test_a_bad_address_is_said_at_its_field(admin: Client, space: Space) -> None:
    page = admin.post("/settings/webhooks/", {"url": "https://127.0.0.1/", "events": [Event.WAITING]})
    assert page.status_code == 422
    assert "This address is private." in page.content.decode()
    assert admin.post("/settings/webhooks/", {"url": URL}).status_code in (200, 422)
    assert not Webhook.objects.exists()


def test_deliveries_are_seen_tested_repeated_and_stopped(admin: Client, space: Space) -> None:
    hook = create_webhook(space=space, actor=Actor(label="Maya"), url=URL, events=Event.values)
    address = f"/settings/webhooks/{hook.pk}/"
    assert "Nothing has been delivered yet." in admin.get(address).content.decode()
    page = admin.post(f"{address}test/", follow=True).content.decode()
    assert "A test is on its way." in page
    assert "On its way" in page
    delivery = hook.deliveries.get()
    again = f"{address}deliveries/{delivery.pk}/"
    assert "It is still being delivered." in admin.post(again, follow=True).content.decode()
    Job.objects.update(status="failed", error="Answered 500.", attempts=8, finished_at=delivery.created_at)
    page = admin.get(address).content.decode()
    assert "Given up" in page
    assert "Answered 500." in page
    admin.post(again)
    assert hook.deliveries.count() == 2
    assert "Disabled by maya." in admin.post(f"{address}disable/", follow=True).content.decode()
    assert "The webhook is disabled." in admin.post(f"{address}test/", follow=True).content.decode()
    admin.post(f"{address}enable/")
    admin.post(address, {"url": URL + "2", "events": [Event.ASKED]})
    hook.refresh_from_db()
    assert (hook.is_enabled, hook.url, hook.events) == (True, URL + "2", [Event.ASKED])
    assert admin.post(f"{address}explode/").status_code == 404
    admin.post(f"{address}delete/")
    assert not Webhook.objects.exists()
    assert not Job.objects.exists()


def test_only_admins_of_the_space_see_it(admin: Client, space: Space) -> None:
    hook = create_webhook(space=space, actor=Actor(label="Maya"), url=URL, events=Event.values)
    person = User.objects.create_user("lee", password="secret-word")
    set_member(space=space, user=person, role="reviewer")
    admin.force_login(person)
    for path in ("/settings/webhooks/", f"/settings/webhooks/{hook.pk}/"):
        assert admin.get(path).status_code == 403
    assert admin.post(f"/settings/webhooks/{hook.pk}/delete/").status_code == 403
    stranger = User.objects.create_user("sam", password="secret-word")
    set_member(space=create_space(slug="elsewhere"), user=stranger, role="admin")
    admin.force_login(stranger)
    assert admin.get(f"/settings/webhooks/{hook.pk}/").status_code == 404
    assert admin.post(f"/settings/webhooks/{hook.pk}/delete/").status_code == 404
