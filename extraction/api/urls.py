"""The routes of what is proposed and asked, below /api/v1/."""

from django.urls import path

from extraction.api import intake, query

urlpatterns = [
    path("conversations", intake.ConversationsView.as_view()),
    path("conversations/<path:conversation>/messages", intake.MessagesView.as_view()),
    path("jobs/<str:job>", intake.JobView.as_view()),
    path("jobs/<str:job>/retry", intake.JobRetryView.as_view()),
    path("memory/query", query.QueryView.as_view()),
]
