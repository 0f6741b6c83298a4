"""Webhooks: who is told what waits and what was decided, and how the telling went."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from extraction.models import TEST, Event, Job, Webhook, WebhookDelivery
from extraction.services import webhooks as services
from topics.api.base import ApiView
from topics.api.etags import etag_of, require_match
from topics.api.fields import Choice, Flag, Moment, Strict, Text
from topics.api.idempotency import idempotent
from topics.api.schema import BODY, PAGES, answers, page_of

ADDRESS: dict[str, Any] = {"max_length": 500, "help_text": "https, and public unless the operator allows others"}


class Events(serializers.ListField):
    child = Choice(choices=Event.values)


EVENTS: dict[str, Any] = {"min_length": 1, "max_length": 20, "help_text": "What it is told"}


class WebhookIn(Strict):
    url = Text(**ADDRESS)
    events = Events(**EVENTS)


class WebhookChanges(Strict):
    url = Text(required=False, **ADDRESS)
    events = Events(required=False, **EVENTS)
    enabled = Flag(required=False, help_text="What waits for a disabled one is given up")


class WebhookOut(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    url = serializers.CharField()
    events = Events()
    enabled = serializers.BooleanField(source="is_enabled")
    disabled_because = serializers.CharField(help_text="Empty while it is enabled")
    failures = serializers.IntegerField(help_text="Deliveries given up since one succeeded; 5 disable it")
    created_by = serializers.CharField()
    created_at = Moment()


class WebhookWithSecret(WebhookOut):
    secret = serializers.CharField(
        allow_null=True,
        help_text="What signs the deliveries. Shown once: null in an answer that is repeated for an Idempotency-Key",
    )


class DeliveryOut(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    event = serializers.ChoiceField(choices=[*Event.values, TEST])
    event_id = serializers.UUIDField(help_text="The same however often it is delivered")
    status = serializers.ChoiceField(choices=Job.Status.values, source="job.status", help_text="failed: given up")
    attempts = serializers.IntegerField(source="job.attempts")
    status_code = serializers.IntegerField(allow_null=True, help_text="Of the latest answer")
    answer = serializers.CharField(help_text="How the latest answer begins")
    error = serializers.CharField(source="job.error", help_text="Why the latest attempt failed")
    created_at = Moment()


class WebhookView(ApiView):
    """What the routes of one webhook share."""

    def hook(self, pk: str, *, hold: bool = False) -> Webhook:
        """The webhook of this id, held until the transaction ends if asked for. Raises NotFound."""
        rows = Webhook.objects.filter(space=self.space)
        return self.row(rows.select_for_update(no_key=True) if hold else rows, pk)

    def deliveries(self, hook: Webhook) -> QuerySet[WebhookDelivery]:
        return hook.deliveries.select_related("job", "webhook__space").order_by("-pk")


class WebhooksView(ApiView):
    required_scopes = {"GET": "admin", "POST": "admin"}
    names = {"webhook": "id"}
    secrets = ["secret"]

    @extend_schema(
        operation_id="list_webhooks",
        tags=["Webhooks"],
        parameters=PAGES,
        responses=answers(page_of(WebhookOut), 404),
    )
    def get(self, request: Request) -> Response:
        """The webhooks of the space, the oldest first."""
        return self.page(
            Webhook.objects.filter(space=self.space).order_by("pk"), lambda found: WebhookOut(found, many=True).data
        )

    @extend_schema(
        operation_id="create_webhook",
        tags=["Webhooks"],
        request=WebhookIn,
        responses=answers(WebhookWithSecret, *BODY, 409, status=201),
        examples=[
            OpenApiExample(
                "What waits for a person",
                request_only=True,
                value={"url": "https://hooks.example.com/memory", "events": ["review.waiting"]},
            )
        ],
    )
    @idempotent
    def post(self, request: Request) -> Response:
        """Make a webhook, at most 20 in a space. The answer alone shows its secret."""
        made = services.create_webhook(space=self.space, actor=self.actor, **self.body(WebhookIn))
        return _with_secret(made, status=201)


class OneWebhookView(WebhookView):
    required_scopes = {"GET": "admin", "PATCH": "admin", "DELETE": "admin"}

    @extend_schema(operation_id="get_webhook", tags=["Webhooks"], responses=answers(WebhookOut, 404))
    def get(self, request: Request, webhook: str) -> Response:
        """One webhook."""
        return self.tagged(WebhookOut(self.hook(webhook)).data, 0)

    @extend_schema(
        operation_id="update_webhook",
        tags=["Webhooks"],
        request=WebhookChanges,
        responses=answers(WebhookOut, 404, 412, 428, *BODY),
    )
    def patch(self, request: Request, webhook: str) -> Response:
        """Change where and what is told, enable or disable."""
        with transaction.atomic():
            found = self.hook(webhook, hold=True)
            require_match(request, WebhookOut(found).data, 0)
            body = self.body(WebhookChanges)
            services.update_webhook(
                webhook=found, url=body.get("url", found.url), events=body.get("events", found.events)
            )
            if body.get("enabled", found.is_enabled) != found.is_enabled:
                services.set_enabled(webhook=found, enabled=body["enabled"], actor=self.actor)
        return self.tagged(WebhookOut(found).data, 0)

    @extend_schema(operation_id="delete_webhook", tags=["Webhooks"], responses=answers(None, 404, 412, 428, status=204))
    def delete(self, request: Request, webhook: str) -> Response:
        """Remove it with its deliveries."""
        with transaction.atomic():
            found = self.hook(webhook, hold=True)
            require_match(request, WebhookOut(found).data, 0)
            services.delete_webhook(webhook=found)
        return Response(status=204)


class WebhookSecretView(WebhookView):
    required_scopes = {"POST": "admin"}
    secrets = ["secret"]

    @extend_schema(
        operation_id="renew_webhook_secret",
        tags=["Webhooks"],
        request=None,
        responses=answers(WebhookWithSecret, 404, *BODY),
    )
    @idempotent
    def post(self, request: Request, webhook: str) -> Response:
        """A new secret, which the answer alone shows; the former one signs nothing any more."""
        return _with_secret(services.renew_secret(webhook=self.hook(webhook)))


class WebhookTestView(WebhookView):
    required_scopes = {"POST": "admin"}
    names = {"delivery": "id"}

    @extend_schema(
        operation_id="test_webhook",
        tags=["Webhooks"],
        request=None,
        responses=answers(DeliveryOut, 404, 409, *BODY, status=202),
    )
    @idempotent
    def post(self, request: Request, webhook: str) -> Response:
        """Queue a delivery that tells nothing."""
        return Response(DeliveryOut(services.send_test(webhook=self.hook(webhook))).data, status=202)


class DeliveriesView(WebhookView):
    required_scopes = {"GET": "admin"}

    @extend_schema(
        operation_id="list_webhook_deliveries",
        tags=["Webhooks"],
        parameters=PAGES,
        responses=answers(page_of(DeliveryOut), 404),
    )
    def get(self, request: Request, webhook: str) -> Response:
        """What it was told, the latest first. Deliveries are kept for about 30 days."""
        rows = self.deliveries(self.hook(webhook))
        return self.page(rows, lambda found: DeliveryOut(found, many=True).data)


class DeliveryRetryView(WebhookView):
    required_scopes = {"POST": "admin"}

    @extend_schema(
        operation_id="retry_webhook_delivery",
        tags=["Webhooks"],
        request=None,
        responses=answers(DeliveryOut, 404, 409, *BODY, status=202),
    )
    @idempotent
    def post(self, request: Request, webhook: str, delivery: str) -> Response:
        """Deliver the same once more, under the same `event_id`, whether it was taken or given up."""
        found = self.row(self.deliveries(self.hook(webhook)), delivery)
        return Response(DeliveryOut(services.redeliver(delivery=found)).data, status=202)


def _with_secret(webhook: Webhook, status: int = 200) -> Response:
    """The webhook with its secret, under the ETag that it has without."""
    data = WebhookWithSecret(webhook).data
    return Response(data, status=status, headers={"ETag": etag_of(WebhookOut(webhook).data)})
