"""Routes of the review queue and of the conversations."""

from django.urls import path

from extraction.console import conversations, gathered, review, webhooks, work

app_name = "extraction"

urlpatterns = [
    path("review/", review.start, name="review"),
    path("review/undo/", review.undo, name="undo"),
    path("review/views/", review.keep_view, name="keep_view"),
    path("review/views/<uuid:pk>/delete/", review.forget_view, name="forget_view"),
    path("review/<slug:tab>/", review.queue, name="queue"),
    path("review/<slug:tab>/bulk/", review.bulk, name="bulk"),
    path("review/<slug:tab>/bulk/<uuid:pk>/", review.bulk_result, name="bulk_result"),
    path("review/<slug:tab>/<uuid:pk>/", review.item, name="item"),
    path("review/<slug:tab>/<uuid:pk>/claim/", review.claim, name="claim"),
    path("review/<slug:tab>/<uuid:pk>/edit/", review.edit, name="edit"),
    path("review/<slug:tab>/<uuid:pk>/decide/", review.decide, name="decide"),
    path("review/<slug:tab>/<uuid:pk>/resolve/", review.resolve, name="resolve"),
    path("gathered/", gathered.show, name="gathered"),
    path("gathered/discover/", gathered.discover, name="discover"),
    path("proposals/<uuid:pk>/", conversations.open_proposal, name="proposal"),
    path("conversations/", conversations.conversation_list, name="conversations"),
    path("conversations/<uuid:pk>/", conversations.show, name="conversation"),
    path("conversations/<uuid:pk>/read/", conversations.read, name="read"),
    path("conversations/<uuid:pk>/read-again/", conversations.read_once_more, name="read_again"),
    path("settings/webhooks/", webhooks.webhooks, name="webhooks"),
    path("settings/webhooks/<uuid:pk>/", webhooks.webhook, name="webhook"),
    path("settings/webhooks/<uuid:pk>/deliveries/<uuid:delivery>/", webhooks.redeliver, name="redeliver"),
    path("settings/webhooks/<uuid:pk>/<slug:action>/", webhooks.act, name="webhook_act"),
    path("activity/jobs/", work.jobs, name="jobs"),
    path("jobs/retry-failed/", work.retry_failed, name="retry_failed"),
    path("jobs/<uuid:pk>/retry/", work.retry, name="retry"),
]
