"""Signals by which other apps take part without being known here.

`documents_changed(change_set, topics)`: sent inside the transaction of every change set, after all that it wrote;
`topics` are the ids of the topics whose documents it changed.
`collect_undo_blockers(change_set)`: receivers return a list of sentences that say why the set cannot be undone.
`change_set_undone(change_set, undo)`: sent inside the transaction of the undo, after the documents are restored.
"""

from django.dispatch import Signal

documents_changed = Signal()
collect_undo_blockers = Signal()
change_set_undone = Signal()
