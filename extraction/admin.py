"""Django's administration of jobs and proposals: to be read only, because services alone decide them."""

from __future__ import annotations

from django.contrib import admin

from extraction.models import Confirmation, Conflict, Job, MessageOutcome, Proposal
from inference.admin import ReadOnlyAdmin, key_of, register_rest


@admin.register(Job)
class JobAdmin(ReadOnlyAdmin):
    list_display = ["id", "kind", "status", "attempts", "conversation", "run_after", "error"]
    list_filter = ["space", "status", "kind"]
    list_select_related = ["conversation"]
    search_fields = ["error", "conversation__external_id", "topic__name"]


@admin.register(MessageOutcome)
class MessageOutcomeAdmin(ReadOnlyAdmin):
    list_display = [key_of(MessageOutcome, "message"), "outcome", key_of(MessageOutcome, "job"), "error"]
    list_filter = ["outcome"]
    search_fields = ["error", "message__external_id"]


@admin.register(Proposal)
class ProposalAdmin(ReadOnlyAdmin):
    list_display = ["text", "kind", "status", "topic", "confidence", "extractor", "created_at"]
    list_filter = ["space", "kind", "status", "extractor"]
    list_select_related = ["topic"]
    search_fields = ["text", "alias", "topic_name"]


@admin.register(Conflict)
class ConflictAdmin(ReadOnlyAdmin):
    list_display = ["proposal", "fact", "status", "outcome", "created_at"]
    list_filter = ["space", "status", "outcome"]
    list_select_related = ["proposal", "fact"]
    search_fields = ["proposal__text", "fact__text"]


@admin.register(Confirmation)
class ConfirmationAdmin(ReadOnlyAdmin):
    list_display = ["question", "status", "answer", "created_at"]
    list_filter = ["space", "status"]
    search_fields = ["question"]


register_rest("extraction")
