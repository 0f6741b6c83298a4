"""Other names are found, and given to whom they belong."""

import pytest

from .reading import read, topic

ACME = topic("Acme Logistics", kind="customer")


@pytest.mark.parametrize(
    ("text", "alias", "name"),
    [
        ("You can call me Lulu.", "Lulu", "Mia"),
        ("My friends call me Jo.", "Jo", "Mia"),
        ("你可以叫我小米。", "小米", "Mia"),
        ("我叫李雷，大家都叫我小雷。", "小雷", "Mia"),
        ("Acme Logistics is also known as AL.", "AL", "Acme Logistics"),
        ("Acme Logistics (AL) signed yesterday.", "AL", "Acme Logistics"),
        ("华东电力设计院（简称华电院）是我们的客户。", "华电院", "华东电力设计院"),
        ("王建国负责采购。大家都叫他老王。", "老王", "王建国"),
        ("王建国负责采购，大家都叫他老王。", "老王", "王建国"),
    ],
)
def test_another_name(text: str, alias: str, name: str) -> None:
    found = [finding for finding in read(text, topics=[ACME]) if finding.kind == "alias"]
    assert [(finding.alias, finding.topic.name) for finding in found] == [(alias, name)]


@pytest.mark.parametrize(
    "text", ["You can call me Mia.", "Call me tomorrow.", "Can I call you Lu?", "The meeting (Berlin) is off."]
)
def test_no_other_name(text: str) -> None:
    assert [finding for finding in read(text) if finding.kind == "alias"] == []


def test_the_rest_of_the_sentence_is_still_read() -> None:
    kinds = [finding.kind for finding in read("你也可以叫我小米，我很喜欢音乐。")]
    assert kinds == ["alias", "preference"]
