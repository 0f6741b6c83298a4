"""The routes of what is proposed and asked, below /api/v1/."""

from django.urls import path

from extraction.api import chat, exchange, intake, query, review, webhooks

urlpatterns = [
    path("conversations", intake.ConversationsView.as_view()),
    path("conversations/<path:conversation>/messages", intake.MessagesView.as_view()),
    path("conversations/<path:conversation>/extract", intake.ReadNowView.as_view()),
    path("jobs/<str:job>", intake.JobView.as_view()),
    path("jobs/<str:job>/retry", intake.JobRetryView.as_view()),
    path("memory/query", query.QueryView.as_view()),
    path("memory/extract", exchange.ExtractView.as_view()),
    path("memory/update", exchange.UpdateView.as_view()),
    path("agent/chat", chat.ChatView.as_view()),
    path("proposals", review.ProposalsView.as_view()),
    path("proposals/decide", review.DecideView.as_view()),
    path("proposals/<str:proposal>", review.ProposalView.as_view()),
    path("conflicts", review.ConflictsView.as_view()),
    path("conflicts/<str:conflict>", review.ConflictView.as_view()),
    path("conflicts/<str:conflict>/resolve", review.ResolveView.as_view()),
    path("confirmations", review.ConfirmationsView.as_view()),
    path("confirmations/<str:confirmation>", review.ConfirmationView.as_view()),
    path("confirmations/<str:confirmation>/answer", review.AnswerView.as_view()),
    path("webhooks", webhooks.WebhooksView.as_view()),
    path("webhooks/<str:webhook>", webhooks.OneWebhookView.as_view()),
    path("webhooks/<str:webhook>/secret", webhooks.WebhookSecretView.as_view()),
    path("webhooks/<str:webhook>/test", webhooks.WebhookTestView.as_view()),
    path("webhooks/<str:webhook>/deliveries", webhooks.DeliveriesView.as_view()),
    path("webhooks/<str:webhook>/deliveries/<str:delivery>/retry", webhooks.DeliveryRetryView.as_view()),
]
