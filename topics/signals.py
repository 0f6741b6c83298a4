"""Signals by which other apps take part without being known here.

`documents_changed(space, topics)`: sent inside the transaction of a change set that touched these topics (their ids),
after everything in it was written.

`collect_undo_blockers(change_set)`: receivers return a list of sentences that say why the set cannot be undone.
`change_set_undone(change_set, undo)`: sent inside the transaction of the undo, after the documents are restored.
"""

from django.dispatch import Signal

documents_changed = Signal()
collect_undo_blockers = Signal()
change_set_undone = Signal()
