"""What people say comes before what an assistant answers them, and many messages before all of one."""

from __future__ import annotations

from tests.topics.retrieval.helpers import ask, lines, talk
from topics.models import Space

SAID = "user: The garden shed got a coat of green paint last week"
ANSWERED = "assistant: Green paint on a garden shed, paint for a garden shed"


def test_what_the_user_said_comes_before_the_reply(space: Space) -> None:
    talk(space, ANSWERED, role="assistant", conversation="c1")
    talk(space, SAID, conversation="c2")
    assert "user: " in lines(ask(space, "Which paint is on the garden shed?", max_tokens=56))[0]


def test_an_assistant_with_a_name_is_one_too(space: Space) -> None:
    talk(space, ANSWERED.replace("assistant", "Robin"), role="assistant", conversation="c1")
    talk(space, SAID, conversation="c2")
    assert "user: " in lines(ask(space, "Which paint is on the garden shed?", max_tokens=56))[0]


def test_a_question_for_what_the_assistant_told_finds_the_reply(space: Space) -> None:
    from topics.retrieval.question import read_question

    told = (
        "What did you suggest for the shed?",
        "Remind me of your advice on paint",
        "你上次推荐了什么？",
        "提醒我一下",
    )
    others = ("Which paint is on the shed?", "Can you list my tools?", "我用了什么油漆？")
    assert all(read_question(space, text, None).asks_what_was_told for text in told)
    assert not any(read_question(space, text, None).asks_what_was_told for text in others)


def test_a_long_message_leaves_room_for_others(space: Space) -> None:
    long = "The harbour bridge is repaired from spring on and the harbour bridge is closed to lorries all the while. "
    talk(space, "Ann: " + long * 40, conversation="c1")
    talk(space, "Bob: Somebody painted the old harbour bridge red, which nobody asked for", conversation="c2")
    answer = ask(space, "What happens to the harbour bridge?", max_tokens=500)
    assert any(line.startswith("Bob: ") for line in lines(answer))
