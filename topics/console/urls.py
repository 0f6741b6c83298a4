"""Routes of the console's pages about topics, history and the space."""

from django.urls import path

from topics.console import feedback, history, merging, model_pages, settings, statements, topics

app_name = "topics"

urlpatterns = [
    path("topics/", topics.topic_list, name="topics"),
    path("topics/new/", topics.create, name="create"),
    path("topics/<uuid:pk>/", topics.show, name="document"),
    path("topics/<uuid:pk>/edit/", topics.edit, name="edit"),
    path("topics/<uuid:pk>/archive/", topics.set_status, {"action": "archive"}, name="archive"),
    path("topics/<uuid:pk>/restore/", topics.set_status, {"action": "restore"}, name="restore"),
    path("topics/<uuid:pk>/delete/", topics.set_status, {"action": "delete"}, name="delete"),
    path("topics/<uuid:pk>/aliases/", topics.add_alias, name="add_alias"),
    path("topics/<uuid:pk>/aliases/<uuid:alias>/", topics.edit_alias, name="alias"),
    path("topics/<uuid:pk>/aliases/<uuid:alias>/move/", topics.move_alias, name="move_alias"),
    path("topics/<uuid:pk>/aliases/<uuid:alias>/remove/", topics.remove_alias, name="remove_alias"),
    path("topics/<uuid:pk>/facts/new/", statements.add_fact, name="add_fact"),
    path("topics/<uuid:pk>/facts/<uuid:fact>/", statements.edit_fact, name="fact"),
    path("topics/<uuid:pk>/facts/<uuid:fact>/replace/", statements.replace_fact, name="replace_fact"),
    path("topics/<uuid:pk>/facts/<uuid:fact>/retract/", statements.retract_fact, name="retract_fact"),
    path("topics/<uuid:pk>/timeline/new/", statements.add_entry, name="add_entry"),
    path("topics/<uuid:pk>/timeline/<uuid:entry>/", statements.edit_entry, name="entry"),
    path("topics/<uuid:pk>/timeline/<uuid:entry>/retract/", statements.retract_entry, name="retract_entry"),
    path("topics/<uuid:pk>/agent/", topics.agent_view, name="agent"),
    path("topics/<uuid:pk>/state/", topics.state, name="state"),
    path("topics/<uuid:pk>/state/<uuid:entry>/", topics.state_entry, name="state_entry"),
    path("topics/<uuid:pk>/history/", history.topic_history, name="history"),
    path("topics/<uuid:pk>/history/<int:version>/", history.topic_history, name="version"),
    path("topics/<uuid:pk>/compare/", history.compare_versions, name="compare"),
    path("topics/<uuid:pk>/split/", merging.split, name="split"),
    path("merge/", merging.merge, name="merge"),
    path("merge/preview/", merging.preview, name="merge_preview"),
    path("duplicates/", merging.duplicates, name="duplicates"),
    path("duplicates/<uuid:pk>/dismiss/", merging.dismiss, name="dismiss_pair"),
    path("duplicates/<uuid:pk>/reopen/", merging.reopen, name="reopen_pair"),
    path("activity/", history.activity, name="activity"),
    path("activity/model-calls/", model_pages.model_calls, name="model_calls"),
    path("activity/model-calls/<uuid:pk>/", model_pages.model_call, name="model_call"),
    path("activity/feedback/", feedback.feedback, name="feedback"),
    path("activity/feedback/<uuid:pk>/dismiss/", feedback.dismiss, name="dismiss_objection"),
    path("activity/<uuid:pk>/", history.show_change, name="change"),
    path("activity/<uuid:pk>/undo/", history.undo, name="undo"),
    path("activity/<uuid:pk>/revert/<uuid:row>/", history.revert, name="revert"),
    path("settings/", settings.settings, name="settings"),
    path("settings/model/", model_pages.model_settings, name="model"),
    path("settings/model/test/", model_pages.test_model, name="test_model"),
    path("settings/members/", settings.members, name="members"),
    path("settings/keys/", settings.keys, name="keys"),
    path("settings/keys/<uuid:pk>/revoke/", settings.revoke_key, name="revoke_key"),
]
