"""What a query found as a list: whoever takes the first few has the best."""

from __future__ import annotations

from infini_client import Client, Message
from infini_client.passages import passages

from topics.models import Space

BOILER = "Who repairs the boiler in autumn?"


def test_the_best_come_first_whatever_their_topic(memory: Client) -> None:
    school = memory.create_topic("School")
    jonas = memory.create_topic("Jonas")
    for text in ("The boiler has a brass plate.", "The boiler room is in the cellar.", "The garden is open in autumn."):
        memory.add_fact(school.id, text)
    for text in ("Jonas plays chess in autumn.", "Jonas repairs the boiler in autumn.", "Jonas has a boiler suit."):
        memory.add_fact(jonas.id, text)
    found = [passage.text for passage in passages(memory.recall(BOILER))]
    assert (len(found), found[0]) == (6, "Jonas repairs the boiler in autumn.")
    of_school = "What is in the cellar of the school, and who repairs the boiler in autumn?"
    named = [passage.text for passage in passages(memory.recall(of_school))]
    assert set(named[:2]) == {"The boiler room is in the cellar.", "Jonas repairs the boiler in autumn."}


def test_a_quoted_message_that_answers_comes_before_facts_that_do_not(memory: Client, space: Space) -> None:
    Space.objects.filter(pk=space.pk).update(source_turns="all")
    school = memory.create_topic("School")
    for text in ("The boiler has a brass plate.", "The garden is open in autumn."):
        memory.add_fact(school.id, text)
    memory.store("c", [Message("Did you know that Jonas repairs the boiler every autumn?", name="Mia")])
    memory.store("d", [Message("The trains are late again.", name="Mia")])
    found = passages(memory.recall(BOILER))
    assert found[0].kind == "message"
    assert [passage.kind for passage in found[1:]] == ["fact", "fact"]
