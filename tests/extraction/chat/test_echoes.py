"""What the memory gave to an agent does not come back as new memory, however often it is repeated."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from extraction.models import Proposal
from tests.contract.helpers import Api
from tests.extraction.chat.helpers import BUDGET, QUESTION, REPLY, chat, remember, run_jobs
from tests.inference.wire import Wire, answer
from topics.models import Evidence, Fact, Message, Passage, Space
from topics.retrieval.index import rebuild_index
from topics.retrieval.query import query_memory
from topics.services.spaces import update_space

KNOWN = [BUDGET, "We have decided on oak for Project Apollo.", "Project Apollo starts on 3 June 2024."]
QUESTIONS = [QUESTION, "What did we decide for Project Apollo?", "When does Project Apollo start?"]


def counts(space: Space) -> tuple[int, ...]:
    return tuple(
        rows.filter(**{path: space}).count()
        for rows, path in (
            (Fact.objects, "space"),
            (Proposal.objects, "space"),
            (Evidence.objects, "message__space"),
        )
    )


def lines_of(context: str) -> str:
    return "\n".join(line for line in context.splitlines() if re.match(r"\[\d{1,3}\]", line))


@pytest.mark.parametrize("turns", ["none", "approved", "all"])
def test_ten_chats_do_not_multiply_the_memory(api: Api, space: Space, wire: Wire, turns: str) -> None:
    update_space(space=space, changes={"source_turns": turns})
    remember(space, *KNOWN)
    held = counts(space)
    first = query_memory(space=space, question=QUESTION).context
    for number in range(10):
        question = QUESTIONS[number % 3]
        context = query_memory(space=space, question=question).context
        wire.script(answer([lines_of(context), f"As you said: {KNOWN[number % 3]}", REPLY][number % 3]))
        assert chat(api, question, conversation=f"c{number}").status_code == 200
        run_jobs(space)
    assert counts(space) == held
    last = query_memory(space=space, question=QUESTION).context
    assert last.count("40,000") == first.count("40,000") == 1


@pytest.mark.parametrize(
    "pasted",
    [
        "{block}",
        "{lines}",
        "You told me this:\n{lines}\nIs it still so?",
        "> {lines}",
        "You said: We have decided on oak for Project Apollo [2]. Why?",
        "We have decided on oak for Project Apollo. [1][2]",
        "你说过：我们决定用橡木【1】。为什么？",
    ],
)
def test_a_user_who_quotes_the_block_states_nothing(api: Api, space: Space, wire: Wire, pasted: str) -> None:
    remember(space, *KNOWN)
    held = counts(space)
    wire.always(answer("Indeed."))
    block = chat(api, "Project Apollo: budget, oak, June").json()["memory"]["context"]
    lines = lines_of(block)
    assert lines.count("\n") == 2
    chat(api, pasted.format(block=block, lines=lines))
    run_jobs(space)
    assert counts(space) == held


def test_what_a_user_adds_to_a_quote_is_read(api: Api, space: Space, wire: Wire) -> None:
    remember(space, BUDGET)
    wire.always(answer(REPLY))
    context = chat(api).json()["memory"]["context"]
    chat(api, f"{context}\nWe have decided on oak for Project Apollo.")
    chat(api, "The budget is 40,000 euros [1]. Project Apollo uses three suppliers.")
    run_jobs(space)
    assert [fact.text for fact in space.facts.order_by("pk")][1:] == [
        "We have decided on oak for Project Apollo.",
        "Project Apollo uses three suppliers.",
    ]


def test_a_user_who_says_it_again_in_his_own_name_gives_evidence(api: Api, space: Space, wire: Wire) -> None:
    remember(space)
    wire.always(answer("Noted."))
    chat(api, BUDGET)
    run_jobs(space)
    assert (space.facts.count(), Evidence.objects.count()) == (1, 2)


def test_an_assistants_suggestion_is_no_decision_of_the_user(api: Api, space: Space, wire: Wire) -> None:
    wire.always(answer("We have decided on marble for Project Apollo."))
    chat(api, "What would you take?")
    run_jobs(space)
    assert not Proposal.objects.exists()


@pytest.mark.parametrize(
    ("reply", "is_searched"),
    [
        (REPLY, False),
        ("The budget for Project Apollo is 40,000 euros, as far as I know.", False),
        (f"I looked it up.\n{BUDGET}", False),
        ("I suggest asking three joiners for an offer.", True),
    ],
)
def test_a_reply_that_repeats_the_memory_is_not_searched(
    api: Api, space: Space, wire: Wire, reply: str, is_searched: bool
) -> None:
    update_space(space=space, changes={"source_turns": "all"})
    remember(space)
    wire.always(answer(reply))
    chat(api)
    run_jobs(space)
    for _ in range(2):
        assert Passage.objects.filter(message__content=reply).exists() == is_searched
        rebuild_index(space)
    assert Message.objects.get(content=reply).repeats_memory != is_searched


def test_a_turn_later_in_time_is_found_by_other_conversations(api: Api, space: Space, wire: Wire) -> None:
    update_space(space=space, changes={"source_turns": "all"})
    remember(space)
    wire.always(answer("I suggest asking three joiners for an offer."))
    chat(api)
    run_jobs(space)
    found = query_memory(space=space, question="How many joiners did you suggest?").context
    assert "three joiners" in found
    assert Message.objects.latest("said_at").said_at - Message.objects.earliest("said_at").said_at > timedelta()
