"""Signals by which other apps take part without being known here.

`collect_pending(space)`: receivers return a query of rows with a `topic`: what waits for a decision about each topic.
`documents_changed(change_set, topics)`: sent inside the transaction of every change set, after all that it wrote;
`topics` are the ids of the topics whose documents it changed.
`collect_decisions(changes, most)`: receivers return a dictionary of change set ids and what these sets decided without
writing a statement (`topics.selectors.decisions.Decisions`), at most so many decisions of each.
`collect_undo_blockers(change_set, rows)`: receivers return a list of `topics.errors.Blocker`: why the set cannot be
undone, or, unless `rows` is None, why these rows of it (keys of statements, aliases, topics) cannot be put back alone.
`change_set_undone(change_set, undo, rows)`: sent inside the transaction of the undo, after the documents are restored.
`collect_contradictions(topics, facts)`: receivers return a list of (held, other, why): those of the facts that are of
different topics and would contradict each other in one document. The topic that comes first holds.
`topics_merged(change_set, plan)`: sent inside the transaction of a merge, after it is written. The receiver sees to the
open contradictions of the plan (`topics.services.merge_plan.MergePlan`).
`facts_moved(facts)`: sent inside the transaction in which facts went to another topic, other than by a merge.
`act_ended(change)`: sent at the end of every act on a space (`topics.changes.OpenChange`), inside its transaction, also
where no document changed.
"""

from django.dispatch import Signal

collect_pending = Signal()
collect_decisions = Signal()
documents_changed = Signal()
collect_undo_blockers = Signal()
change_set_undone = Signal()
collect_contradictions = Signal()
topics_merged = Signal()
facts_moved = Signal()
act_ended = Signal()
