"""The routes of the memory itself, below /api/v1/."""

from django.urls import path

from topics.api import change_sets, feedback, merging, state, statements, topics

urlpatterns = [
    path("topics", topics.TopicsView.as_view()),
    path("topics/merge", merging.MergeView.as_view()),
    path("topics/<str:topic>", topics.OneTopicView.as_view()),
    path("topics/<str:topic>/document", topics.DocumentView.as_view()),
    path("topics/<str:topic>/history", topics.TopicHistoryView.as_view()),
    path("topics/<str:topic>/sources", topics.TopicSourcesView.as_view()),
    path("topics/<str:topic>/archive", topics.TopicArchiveView.as_view()),
    path("topics/<str:topic>/restore", topics.TopicRestoreView.as_view()),
    path("topics/<str:topic>/state", state.StateView.as_view()),
    path("topics/<str:topic>/state/<path:key>", state.StateEntryView.as_view()),
    path("topics/<str:topic>/split", merging.SplitView.as_view()),
    path("topics/<str:topic>/facts", statements.FactsView.as_view()),
    path("topics/<str:topic>/timeline", statements.TimelineView.as_view()),
    path("topics/<str:topic>/aliases", statements.AliasesView.as_view()),
    path("facts/<str:fact>", statements.FactView.as_view()),
    path("facts/<str:fact>/retract", statements.FactRetractView.as_view()),
    path("timeline/<str:entry>", statements.EntryView.as_view()),
    path("timeline/<str:entry>/retract", statements.EntryRetractView.as_view()),
    path("aliases/<str:alias>", statements.AliasView.as_view()),
    path("aliases/<str:alias>/retract", statements.AliasRetractView.as_view()),
    path("duplicates", merging.DuplicatesView.as_view()),
    path("duplicates/<str:duplicate>/dismiss", merging.DuplicateDismissView.as_view()),
    path("duplicates/<str:duplicate>/reopen", merging.DuplicateReopenView.as_view()),
    path("feedback", feedback.FeedbackView.as_view()),
    path("change-sets", change_sets.ChangeSetsView.as_view()),
    path("change-sets/<str:change_set>", change_sets.ChangeSetView.as_view()),
    path("change-sets/<str:change_set>/undo", change_sets.UndoView.as_view()),
    path("change-sets/<str:change_set>/revert", change_sets.RevertView.as_view()),
]
