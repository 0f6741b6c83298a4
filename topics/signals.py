"""Signals by which other apps take part in undo without being known here.

`collect_undo_blockers(change_set)`: receivers return a list of `topics.errors.Blocker`: why the set cannot be undone.
`change_set_undone(change_set, undo)`: sent inside the transaction of the undo, after the documents are restored.
"""

from django.dispatch import Signal

collect_undo_blockers = Signal()
change_set_undone = Signal()
