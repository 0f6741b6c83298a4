"""A guess is not stored as settled, and a denial not as its opposite."""

import pytest

from .reading import only, topic

CUSTOMER = topic("Nordwind", kind="customer")


@pytest.mark.parametrize(
    ("text", "certainty"),
    [
        ("I live in Berlin.", "confirmed"),
        ("Yesterday I went to a museum I've always wanted to see.", "confirmed"),
        ("昨天我去了一个我一直想去的博物馆。", "confirmed"),
        ("We decided to use Postgres.", "confirmed"),
        ("I'm planning a trip to Portugal.", "planned"),
        ("I'm going to start a pottery course in June.", "planned"),
        ("The pilot starts next Friday.", "planned"),
        ("I'm thinking about changing jobs.", "tentative"),
        ("I'm considering a job in Leeds.", "tentative"),
        ("We use Postgres for all of it, considering the growth of the last year.", "confirmed"),
        ("I really want to visit Iceland.", "tentative"),
        ("Maybe we will add a second site in 2025.", "tentative"),
        ("We might move the launch to July.", "tentative"),
        ("我打算去葡萄牙旅行。", "planned"),
        ("我在考虑换工作。", "tentative"),
        ("我想去冰岛旅行。", "tentative"),
        ("最后还是改用方案B吧。", "tentative"),
        ("我们已经完成了布线。", "confirmed"),
        ("项目计划2024年底上线。", "planned"),
        ("I'll never forget our trip to Norway last year.", "confirmed"),
        ("Nordwind wants to replace its spreadsheets.", "confirmed"),
        ("I would really like to visit Iceland.", "tentative"),
        ("Yesterday I bought new pans and I want to try them.", "confirmed"),
        ("I'm planning a trip to Portugal and maybe I will paint there.", "planned"),
        ("我们可能还要多花一万块钱。", "tentative"),
    ],
)
def test_how_settled_it_is(text: str, certainty: str) -> None:
    assert only(text, subject=CUSTOMER).certainty == certainty


@pytest.mark.parametrize(
    "text",
    [
        "I don't eat meat any more.",
        "We no longer use Slack.",
        "I stopped smoking.",
        "我不吃肉了。",
        "我们不再使用旧系统。",
    ],
)
def test_a_denial_is_marked(text: str) -> None:
    assert only(text, subject=CUSTOMER).negated


@pytest.mark.parametrize(
    "text",
    [
        "Do not forget that the invoice address is 12 Main Street.",
        "The budget is €120,000, not €100,000.",
        "I love not only jazz but also opera.",
        "I enjoy hiking, but I don't have much time.",
        "我不仅喜欢爵士，也喜欢歌剧。",
        "我特别喜欢爵士乐。",
        "我喜欢徒步，不过没有时间。",
        "信号一直不稳定，三天前我们开了一次会。",
        "I have been under a lot of pressure lately and can't sleep.",
    ],
)
def test_what_only_looks_like_a_denial_is_not(text: str) -> None:
    assert not only(text, subject=CUSTOMER).negated
