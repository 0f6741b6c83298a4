"""What a decision makes of the turn that a statement was taken from, where agents see every turn."""

from __future__ import annotations

import pytest

from extraction.models import Proposal
from extraction.services.decisions import decide_proposals
from tests.contract.helpers import read
from tests.topics.retrieval.helpers import ask, lines
from tests.topics.services.helpers import make_agent, make_person, make_space
from topics.models import Dispute, Message, Space

SAID = "The budget for Project Apollo is 40,000 euros."


@pytest.fixture
def space(db: None) -> Space:
    space = make_space()
    space.source_turns = Space.SourceTurns.ALL
    space.save()
    read(space, "c1", f"{SAID} Thanks, bye!", subject="Project Apollo")
    return space


@pytest.mark.parametrize("by_agent", [False, True])
def test_what_was_edited_on_approval_replaces_the_words_it_was_taken_from(space: Space, by_agent: bool) -> None:
    actor = make_agent(space) if by_agent else make_person()
    proposal = Proposal.objects.get(kind=Proposal.Kind.FACT)
    edits = {"text": "The budget of Apollo is 50,000 euros."}
    decide_proposals(space=space, actor=actor, ids=[proposal.pk], decision="approve", edits=edits)
    shown = ask(space, "budget, bye").context
    assert "The budget of Apollo is 50,000 euros." in shown
    assert "40,000" not in shown
    assert "… Thanks, bye!" in shown


def test_what_was_approved_as_it_is_stands_in_its_turn(space: Space) -> None:
    proposal = Proposal.objects.get(kind=Proposal.Kind.FACT)
    decide_proposals(space=space, actor=make_person(), ids=[proposal.pk], decision="approve")
    (line,) = lines(ask(space, "budget"))
    assert line.endswith(f"{SAID} Thanks, bye!")


def test_a_turn_in_conflict_is_marked(space: Space) -> None:
    proposal = Proposal.objects.get(kind=Proposal.Kind.FACT)
    decide_proposals(space=space, actor=make_person(), ids=[proposal.pk], decision="approve")
    read(space, "c2", "The budget for Project Apollo is 55,000 euros.", subject="Project Apollo")
    assert Dispute.objects.get().message == Message.objects.get(conversation__external_id="c2")
    (marked,) = [line for line in lines(ask(space, "budget")) if "55,000" in line]
    assert marked.endswith("(contradicts what is held; waits for review)")
