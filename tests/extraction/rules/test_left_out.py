"""Nobody wants small talk back as a memory, and nothing that was not stated."""

import pytest

from extraction.extractors.protocol import Role

from .reading import only, read, read_turns, topic, turn


@pytest.mark.parametrize(
    "text",
    [
        "", "   ", "\n", "👍", "...",
        "Thanks, bye!", "Hello! Nice to meet you.", "I think so too.", "It's really interesting.", "That sounds great!",
        "I'm so happy today.", "Okay, I will try that.", "I agree with you.", "See you tomorrow!", "谢谢，再见！",
        "你好，很高兴认识你。", "我也这么觉得。", "真有意思。", "今天心情不错。", "好的，我会试试的。",
        "明天见！",
    ],
)  # fmt: skip
def test_small_talk(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    "text",
    ["Do you like tea?", "What is my budget?", "Where did I live in 2019?", "Should I move to Berlin?",
     "你喜欢喝茶吗", "你觉得我应该换工作吗？", "我的预算是多少呢？", "怎么去机场？"],
)  # fmt: skip
def test_questions(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    "text",
    ["If I were rich, I would live in Monaco.", "I would buy a boat if I won the lottery.", "I wish I had a dog.",
     "Imagine I work at Nordwind.", "如果我有钱，我就住在摩纳哥。", "要是我住在海边的话，我每天游泳。"],
)  # fmt: skip
def test_what_is_only_imagined(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Summarise this document.",
        "Write me a poem about Berlin.",
        "Please list three options.",
        "I'm looking for some book recommendations.",
        "Remind me to call the dentist tomorrow.",
        "帮我写一首诗。",
        "请总结一下这份文件。",
        "记得提醒我明天打电话。",
    ],
)
def test_requests(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    "text",
    [
        'She said "I love fishing".',
        "My boss told me he hates cats.",
        "他说他喜欢钓鱼。",
        "朋友说：“我住在南京。”",
        "> I live in Rome.",
    ],
)
def test_what_others_said_is_no_trait_of_the_speaker(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    "text", ["I live on the moon. Just kidding!", "我住在月球上。开玩笑的。", "I own 40 castles, lol."]
)
def test_jokes(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize("role", ["assistant", "system", "tool"])
def test_only_users_are_read(role: Role) -> None:
    assert read_turns(turn("I suggest we go with option B. I live in Berlin.", role=role)) == []


def test_an_echo_of_memory_is_not_remembered_again() -> None:
    text = "<memory-context>\nI live in Rome.\n</memory-context>\nI live in Berlin."
    assert [finding.value for finding in read(text)] == ["Berlin"]
    assert read("<memory>\nI live in Rome. I own a boat.") == []


@pytest.mark.parametrize(
    "text",
    [
        "My wifi password is hunter2.",
        "WiFi密码是12345678。",
        "Our API key is sk-1234.",
        "My api key: AKIA1234567890ABCDEF.",
        'Our API key is "abc123def456" for the shop in Leeds.',
        "Our access token is eyJhbGciOiJIUzI1NiJ9.",
        "我们的API密钥是ab12cd34ef56gh78。",
        "我们决定用ghp_abcdef1234这个令牌。",
    ],
)
def test_secrets_are_not_remembered(text: str) -> None:
    assert read(text, subject="Nordwind") == []


@pytest.mark.parametrize(
    "text",
    [
        "The API key quota is 5,000 requests.",
        "Our API key expires on 2026-03-15.",
        "We decided to rotate the API keys every 90 days.",
        "Our API key limit is 10,000 requests/day.",
        "We decided to keep the secret key in a vault.",
        "我们决定每90天更换一次API密钥。",
        "我们的API密钥每月费用是500元。",
    ],
)
def test_what_is_said_of_a_key_is_no_secret(text: str) -> None:
    assert read(text, subject=topic("Nordwind", kind="customer"))


def test_a_name_that_the_message_bears_anyway() -> None:
    assert read("My name is Mia.", speaker=" Mia ") == []
    assert only("My name is Mia.", speaker="").value == "Mia"
    assert only("My name is Mia Olsen.", speaker="Mia").value == "Mia Olsen"


def test_code_is_not_read() -> None:
    assert read("```\n# I live in Rome\n```") == []


@pytest.mark.parametrize(
    "text",
    [
        "My train was late, but at least there was coffee on board.",
        "今天外面真冷，还好家里有暖气。",
        "清明去了一趟外婆家，路上堵了五个小时，累坏了。",
        "Today was really cold.",
    ],
)
def test_weather_and_journeys(text: str) -> None:
    assert read(text, subject="Nordwind") == []
    assert read(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Today I made a delicious omelette.",
        "Today I went to a new restaurant with a great variety of dishes.",
        "Today, I plan to go out for dinner with a few friends.",
        "Today I've decided to take some photos.",
        "My week was great.",
        "I'm thinking of travelling.",
        "今天我做了一道很好吃的煎蛋。",
        "今天我去了一家新开的餐厅，味道不错。",
        "晚上打算和朋友一起去看电影。",
        "我最近一直在考虑工作上的问题。",
    ],
)
def test_the_run_of_the_day(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Today I passed my driving test.",
        "Today I watched Casablanca for the first time.",
        "Yesterday I went to a new restaurant with my sister.",
        "今天我通过了驾照考试。",
        "今天我看了《卡萨布兰卡》。",
    ],
)
def test_a_day_to_remember(text: str) -> None:
    assert only(text).kind in ("timeline", "status")


def test_what_is_not_to_be_forgotten_is_a_statement() -> None:
    english, chinese = only("Don't forget that I'm allergic to peanuts."), only("别忘了我对花生过敏。")
    assert (english.text, english.kind, english.negated) == ("I'm allergic to peanuts.", "preference", False)
    assert (chinese.text, chinese.kind, chinese.negated) == ("我对花生过敏。", "preference", False)
    assert read("Don't forget to call the dentist tomorrow.") == []
    assert read("别忘了明天给牙医打电话。") == []


def test_a_question_that_tells_what_it_asks_for() -> None:
    assert only("Do you know that I like photography?").text == "I like photography"
    assert only("你知道我喜欢摄影吗？").text == "我喜欢摄影"
    for text in ("Do you know my budget?", "Do you know where I live?", "你知道我喜欢什么吗？", "你知道我住在哪里吗？"):
        assert read(text) == []


def test_what_leads_to_a_statement_is_not_part_of_it() -> None:
    for text, statement in (
        ("I'm happy to say that one of my songs was chosen.", "one of my songs was chosen."),
        ("I've noticed that my eyesight has got worse.", "my eyesight has got worse."),
        ("我也发现我的视力最近下降了。", "我的视力最近下降了。"),
        ("我最近在学习编程，但是遇到了一些困难。", "我最近在学习编程"),
    ):
        assert only(text).text == statement


def test_praise_of_what_is_shown() -> None:
    for text in ("I love the color and texture.", "I love the theme!", "我喜欢这种颜色。", "我喜欢爱的主题。"):
        assert read(text) == []


def test_a_statement_before_a_question_is_kept() -> None:
    assert only("I really enjoy chess, do you play too?").text == "I really enjoy chess"
    assert only("我很喜欢下棋，你喜欢吗？").text == "我很喜欢下棋"


def test_a_greeting_before_a_statement_is_not_part_of_it() -> None:
    assert only("Hi there, I live in Berlin.").text == "I live in Berlin."
    assert only("嗯，我住在上海。").text == "我住在上海。"


def test_the_same_sentence_counts_once_in_a_message() -> None:
    assert len(read("I live in Berlin. I live in Berlin.")) == 1
