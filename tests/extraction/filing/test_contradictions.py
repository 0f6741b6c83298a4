"""Contradictions that the words show, whatever an extractor says of them; and what only looks like one."""

from __future__ import annotations

import pytest

from extraction.services import reconcile
from tests.extraction.filing.helpers import TUESDAY, file, found
from tests.extraction.rules.reading import only
from tests.topics.services.helpers import hold, make_topic
from topics.changes import Actor
from topics.models import Space, Topic

CONTRARY = [
    ("My phone is 0171 234567.", "My phone isn't 0171 234567.", "negation"),
    ("我的电话是13800138000。", "我的电话不是13800138000。", "negation"),
    ("我喜欢打电话。", "我不喜欢打电话。", "negation"),
    ("The delivery of order 3 costs 13 euros.", "The delivery of order 3 costs 23 euros.", "value"),
    ("I like coffee.", "I don't like coffee.", "negation"),
    ("I love cats.", "I hate cats.", "negation"),
    ("I am married.", "I'm single.", "negation"),
    ("I can swim.", "I can't swim.", "negation"),
    ("I have two kids.", "I have no kids.", "negation"),
    ("I drink coffee every day.", "I never drink coffee.", "negation"),
    (
        "I've integrated Stripe 3.2 for the payments of our shop in Leeds.",
        "I've never integrated Stripe payments.",
        "negation",
    ),
    (
        "The release went out with 150 commits and 12 branches merged.",
        "I look after security, given the growth of commits from merged branches, which has now reached 165.",
        "value",
    ),
    (
        "I'm learning the vocabulary of the Spanish course, and I've now reached 40% after a month.",
        "I'm on the vocabulary of the Spanish course, which has improved to 55%.",
        "value",
    ),
    (
        "I've worn my black leather boots from Leeds four times already, including to a party last Saturday.",
        "I wore my black boots for errands yesterday, so that's six times now that I've worn them.",
        "value",
    ),
    (
        "I've been doing yoga twice a week.",
        "I write on days when I attend yoga classes, which is three times a week.",
        "value",
    ),
    ("The success rate of the login flow is now 95%.", "Our login success rate has reached 97%.", "value"),
    ("登录成功率现在是95%。", "登录的成功率现在已经达到97%。", "value"),
    ("My best time over 5 km is 27:12.", "I hope to beat my best time of 25:50 over 5 km.", "value"),
    ("我的个人最好成绩是27分12秒。", "我希望打破我25分50秒的个人最好成绩。", "value"),
    ("I go to the gym on Tuesdays and Thursdays.", "I've kept up the gym - four times a week, actually.", "value"),
    ("我每周二和周四去健身房。", "我现在每周去健身房四次。", "value"),
    ("I wake up at 7.", "I wake up at 6 now.", "value"),
    ("我抽烟。", "我戒烟了。", "negation"),
    ("I work remotely.", "I work on-site.", "negation"),
    ("I have two cats.", "I have 3 cats.", "value"),
    ("我喜欢猫。", "我讨厌猫。", "negation"),
    ("我喜欢喝咖啡。", "我不喜欢喝咖啡。", "negation"),
    ("我会游泳。", "我不会游泳。", "negation"),
    ("我有车。", "我没有车。", "negation"),
    ("我已婚。", "我单身。", "negation"),
    ("我还没毕业。", "我毕业了。", "negation"),
    ("会议在线上举行。", "会议在线下举行。", "negation"),
    ("我养了三只猫。", "我养了2只猫。", "value"),
    ("我每天7点起床。", "我每天八点起床。", "value"),
]
COMPATIBLE = [
    ("I like to be written to, please no phone calls.", "My phone is +49 171 234567."),
    ("Please don't call me.", "My phone is 0171 2345678."),
    ("No email please.", "My email is tom@example.com."),
    ("I don't like phones.", "My phone is 0171 2345678."),
    ("我喜欢用微信联系，不要打电话。", "我的电话是13800138000。"),
    ("不要打电话。", "电话：13800138000。"),
    ("别打电话。", "电话是010-62345678。"),
    ("我不想接电话。", "我的电话是13800138000。"),
    ("不要发邮件。", "我的邮箱是tom@example.com。"),
    ("I like coffee.", "Don't forget that I like coffee."),
    ("I take my tea without milk.", "Do not forget the milk."),
    ("I don't like spicy food.", "I like sweet food."),
    ("I eat meat.", "My sister doesn't eat meat."),
    ("I drink coffee in the morning.", "I don't drink coffee in the evening."),
    ("I ran 5 miles.", "I ran 7 miles."),
    ("The delivery of order 3 costs 13 euros.", "The delivery of order 13 costs 23 euros."),
    ("Room #12 has 4 desks.", "Room #14 has 6 desks."),
    ("订单3的运费是13欧元。", "订单13的运费是23欧元。"),
    ("5号楼有30户。", "6号楼有40户。"),
    ("The success rate of the login flow is now 95%.", "The success rate of the payment flow is now 80%."),
    ("Our error rate in Germany is currently 3%.", "Our error rate in France is currently 5%."),
    ("The price of apples has reached 3 EUR.", "The price of pears has reached 4 EUR."),
    ("登录成功率现在是95%。", "支付成功率现在是80%。"),
    ("登录的成功率目前达到95%。", "支付的成功率目前达到80%。"),
    ("苹果的价格现在是3元。", "梨的价格现在是4元。"),
    ("I go to the gym on Tuesdays and Thursdays.", "I go to the gym twice a week."),
    ("I write three times a week.", "I write 3 times a week."),
    ("我每周二和周四去健身房。", "我每周去健身房两次。"),
    ("I've read 20 books this year.", "I hope to reach my goal of 50 books this year."),
    ("I have two cats.", "I have three dogs."),
    ("I've worked with a team of twelve on React Native apps for a bank.", "I've never worked with React."),
    ("I call my mother twice a week.", "I water the plants on the balcony of my mother three times a week."),
    (
        "I just reached 500 followers of the bakery page.",
        "We've reached 40% of the goal for the new oven of the bakery.",
    ),
    ("We drove 150 miles to the coast.", "The price of the house, which has now reached 165, worries us."),
    ("I love dogs.", "I have no dog."),
    ("I like dogs.", "I don't like big angry dogs that bark at strangers."),
    ("I smoke.", "If I don't smoke, I eat too much."),
    ("I don't smoke.", "I used to smoke."),
    ("I love cats.", "I don't hate cats."),
    ("Acme doesn't use Slack for customer support.", "Acme uses Teams for customer support."),
    ("I haven't been successful.", "He was successful in the end with the charity run."),
    ("Games are my escape from life.", "Games are my escape from life and don't make me competitive."),
    ("I like tea.", "Not only do I like tea, I love it."),
    ("The politicians are honest.", "Not all politicians are honest."),
    ("我喜欢猫。", "别忘了我喜欢猫。"),
    ("我加班。", "我不得不加班。"),
    ("我吃肉。", "我妈妈不吃肉。"),
    ("我喜欢吃甜的。", "我不喜欢吃辣。"),
    ("我不抽烟。", "我以前抽烟。"),
    ("我喜欢狗。", "我没有狗。"),
    ("我养了三只猫。", "我养了3只猫。"),
    ("我有两个孩子。", "我有三个表弟。"),
    ("他喜欢猫。", "我不知道他喜欢什么。"),
]


@pytest.mark.parametrize(("first", "second", "why"), CONTRARY)
def test_words_that_contradict_what_is_held_are_a_conflict_both_ways(
    space: Space, topic: Topic, first: str, second: str, why: str
) -> None:
    fact = hold(topic, first)
    filed = file(space, found(space, second, topic=topic, said_at=TUESDAY))
    assert [(c.fact, c.why) for c in filed.conflicts] == [(fact, why)]


@pytest.mark.parametrize(("second", "first", "why"), CONTRARY)
def test_the_order_does_not_matter(space: Space, topic: Topic, first: str, second: str, why: str) -> None:
    fact = hold(topic, first)
    filed = file(space, found(space, second, topic=topic, said_at=TUESDAY))
    assert [(c.fact, c.why) for c in filed.conflicts] == [(fact, why)]


@pytest.mark.parametrize(("first", "second"), COMPATIBLE)
@pytest.mark.parametrize("turned", [False, True])
def test_words_that_can_both_be_true_are_no_conflict(
    space: Space, topic: Topic, first: str, second: str, turned: bool
) -> None:
    first, second = (second, first) if turned else (first, second)
    hold(topic, first)
    filed = file(space, found(space, second, topic=topic, said_at=TUESDAY))
    assert (filed.conflicts, len(filed.proposals)) == ([], 1)


@pytest.mark.parametrize(
    ("held", "attribute", "old", "text", "new"),
    [
        ("The supplier is Bosch.", "supplier", "Bosch", "The supplier is not Bosch but Siemens.", "Siemens"),
        (
            "The deadline is 15 June 2025.",
            "deadline",
            "2025-06-15",
            "The deadline is not 15 June 2025, it is 30 June 2025.",
            "2025-06-30",
        ),
        ("供应商是华为。", "供应商", "华为", "供应商不是华为，而是小米。", "小米"),
        ("我住在北京。", "居住地", "北京", "我不住在北京，住在天津。", "天津"),
        ("I live in Berlin.", "residence", "Berlin", "I don't live in Berlin but in Hamburg.", "Hamburg"),
        ("我住在北京。", "居住地", "北京", "我不是住在北京，是住在天津。", "天津"),
    ],
)
def test_a_value_said_in_the_place_of_the_held_one_is_a_conflict_with_it_alone(
    space: Space, topic: Topic, person: Actor, held: str, attribute: str, old: str, text: str, new: str
) -> None:
    said = only(text, subject=topic.name)
    values = {"attribute": said.attribute, "value": said.value, "unit": said.unit, "negated": said.negated}
    fact = hold(topic, held, attribute=attribute, value=old)
    filed = file(space, found(space, text, topic=topic, said_at=TUESDAY, **values))
    assert [(c.fact, c.why) for c in filed.conflicts] == [(fact, "value")]
    other = make_topic(space, person, "Beta")
    hold(other, held.replace(old, new), attribute=attribute, value=new)
    assert file(space, found(space, text, topic=other, said_at=TUESDAY, **values)).conflicts == []


def test_a_denial_that_the_words_do_not_show_is_taken_on_trust(space: Space, topic: Topic) -> None:
    fact = hold(topic, "Грета пьёт кофе.")
    filed = file(space, found(space, "Грета не пьёт кофе.", topic=topic, negated=True, said_at=TUESDAY))
    assert [(c.fact, c.why) for c in filed.conflicts] == [(fact, "negation")]


def test_opposites_in_one_reading_meet_each_other_once_the_first_is_held(space: Space, topic: Topic) -> None:
    space.review_policy = "automatic"
    space.save()
    filed = file(
        space,
        found(space, "I love cats.", topic=topic),
        found(space, "I hate cats.", topic=topic, said_at=TUESDAY),
    )
    assert [c.proposal.text for c in filed.conflicts] == ["I hate cats."]


def test_a_topic_with_many_facts_does_not_hide_what_contradicts_another(
    space: Space, person: Actor, topic: Topic, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reconcile, "MOST_COMPARED", 3)
    old = hold(topic, "I like coffee.")
    big = make_topic(space, person, "Beta")
    facts = [hold(big, text) for text in ("I love cats.", "I can swim.", "I have two kids.", "I am married.")]
    filed = file(
        space,
        found(space, "I don't like coffee.", topic=topic, said_at=TUESDAY),
        found(space, "I'm single.", topic=big, said_at=TUESDAY),
    )
    assert [c.fact for c in filed.conflicts] == [old, facts[-1]]
