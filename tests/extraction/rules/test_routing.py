"""A statement goes to whom it is about."""

from .reading import only, read, read_turns, topic, turn

ACME = topic("Acme Logistics", "ACME", kind="customer")
AURORA = topic("Project Aurora", "Aurora", kind="project")
ZHANG_WEI = topic("张伟", "Zhang Wei", kind="person")
HOME = topic("智能家居项目", kind="project")


def test_a_first_person_statement_is_the_speakers() -> None:
    finding = only("I'm allergic to peanuts.", speaker=" Mia ", subject=ACME)
    assert (finding.topic.name, finding.topic.kind, finding.topic.is_new) == ("Mia", "person", True)


def test_a_speaker_who_has_a_topic_is_recognised() -> None:
    assert only("我对花生过敏。", speaker="張偉先生", topics=[ZHANG_WEI]).topic.id == ZHANG_WEI.id


def test_what_we_do_is_the_subjects() -> None:
    assert only("We have 38 drivers.", subject=ACME).topic.id == ACME.id
    assert only("我们有38名司机。", subject=ACME).topic.id == ACME.id
    assert only("The budget is $5,000.", subject="Beta GmbH").topic.name == "Beta GmbH"


def test_without_a_subject_we_are_the_speaker() -> None:
    assert only("We have two dogs.", speaker="Mia").topic.name == "Mia"


def test_a_topic_named_as_subject_gets_the_statement() -> None:
    topics = [AURORA, ACME, ZHANG_WEI]
    assert only("Aurora is delayed by two weeks.", topics=topics, subject=ACME).topic.id == AURORA.id
    assert only("The budget for Aurora is €50k.", topics=topics, subject=ACME).topic.id == AURORA.id
    assert only("ＡＣＭＥ's renewal is due on 1 September.", topics=topics).topic.id == ACME.id
    assert only("Zhang Wei can sign up to $5,000.", topics=topics).topic.id == ZHANG_WEI.id
    assert only("張偉负责前端开发。", topics=topics).topic.id == ZHANG_WEI.id


def test_a_topic_named_as_object_does_not_get_it() -> None:
    assert only("I work with Zhang Wei.", topics=[ZHANG_WEI], speaker="Mia").topic.name == "Mia"


def test_a_name_inside_a_word_is_no_mention() -> None:
    ann = topic("Ann", kind="person")
    assert only("The annual budget is $5,000.", topics=[ann], subject=ACME).topic.id == ACME.id


def test_the_longest_name_wins() -> None:
    part = topic("智能家居", kind="interest")
    assert only("智能家居项目的预算是15万元。", topics=[part, HOME]).topic.id == HOME.id


def test_a_project_may_be_introduced() -> None:
    finding = only("Project Borealis is on hold.")
    assert (finding.topic.id, finding.topic.name, finding.topic.kind) == (None, "Project Borealis", "project")
    assert only("灯塔项目已经延期了。").topic.name == "灯塔项目"


def test_a_person_may_be_introduced() -> None:
    assert only("Anna Schmidt is our new project manager.").topic.name == "Anna Schmidt"
    assert only("李娜负责后端开发。").topic.name == "李娜"


def test_a_person_with_a_duty_or_a_role_is_introduced() -> None:
    for text, name in (
        ("Greta Olsen approves every purchase above 10,000 euros.", "Greta Olsen"),
        ("Sarah, the CFO, must sign off.", "Sarah"),
        ("老王是负责布线的电工，干这一行二十年了。", "老王"),
        ("小李已经离职了。", "小李"),
    ):
        finding = only(text, subject=ACME)
        assert (finding.topic.name, finding.topic.kind) == (name, "person")


def test_what_begins_like_a_familiar_name_is_no_person() -> None:
    for text in ("小于10万元的采购不用审批。", "老师负责批改作业，已经完成。"):
        assert {finding.topic.name for finding in read(text, subject=ACME)} <= {"Acme Logistics"}


def test_a_first_name_is_the_only_person_who_has_it() -> None:
    priya = topic("Priya Nair", kind="person")
    assert only("Priya wants weekly reports.", topics=[priya], subject=ACME).topic.id == priya.id
    found = read("Priya Nair is our new contact. We trust in Priya. Priya wants weekly reports.", subject=ACME)
    assert {finding.topic.name for finding in found if "wants" in finding.text} == {"Priya Nair"}


def test_a_first_name_that_two_people_share_is_not_guessed() -> None:
    two = [topic("Anna Berg", kind="person"), topic("Anna Holm", kind="person")]
    assert read("Anna wants weekly reports.", topics=two, subject=ACME) == []


def test_a_chinese_status_without_a_subject_is_the_conversations_subjects() -> None:
    for text in ("已经验收通过了。", "灯光场景已经全部调试完成。", "上周已经上线。", "我们可能还要多花一万块钱。"):
        assert only(text, speaker="林晓", subject=HOME).topic.id == HOME.id


def test_their_people_and_demands_are_the_subjects() -> None:
    for text in (
        "Their CFO, Maria Lopez, left the company last month.",
        "The CEO does not like the new logo.",
        "They complained about slow response times.",
        "他们不再需要语音控制。",
        "他们希望年底前上线。",
    ):
        assert only(text, subject=ACME).topic.id == ACME.id
        assert read(text) == [] or "CFO" in text


def test_whom_we_do_something_with_is_no_subject() -> None:
    people = [topic("老王", kind="person"), ZHANG_WEI]
    assert only("我们下周五和老王一起验收。", topics=people, subject=HOME).topic.id == HOME.id
    assert only("We met Zhang Wei yesterday.", topics=people, subject=ACME).topic.id == ACME.id


def test_they_are_whom_the_conversation_is_about() -> None:
    finding = only("They are thinking about a three-year contract.", subject=ACME)
    assert (finding.topic.id, finding.certainty) == (ACME.id, "tentative")
    assert read("They are thinking about a three-year contract.") == []


def test_a_word_that_starts_like_a_surname_is_no_person() -> None:
    assert only("毛利率是35%。", subject=ACME).topic.id == ACME.id


def test_a_surname_with_title_is_the_only_one_of_that_name() -> None:
    assert only("张先生负责验收。", topics=[ZHANG_WEI]).topic.id == ZHANG_WEI.id


def test_a_latin_surname_with_title_is_matched_too() -> None:
    assert only("Mr Zhang wants a demo.", topics=[ZHANG_WEI]).topic.id == ZHANG_WEI.id
    assert only("Mr Novak wants a demo.", topics=[ZHANG_WEI]).topic.is_new


def test_a_surname_that_two_people_share_is_not_guessed() -> None:
    other = topic("张明", kind="person")
    findings = read("张先生负责验收。", topics=[ZHANG_WEI, other], subject=HOME)
    assert [finding.topic.id for finding in findings if finding.topic.id in (ZHANG_WEI.id, other.id)] == []


def test_a_name_that_two_topics_share_is_not_guessed() -> None:
    one, two = topic("王芳 (Beijing)", "王芳", kind="person"), topic("王芳 (Shanghai)", "王芳", kind="person")
    two = type(two)("other id", two.name, two.kind, two.names)
    assert only("王芳负责采购。", topics=[one, two]).topic.is_new


def test_who_introduces_himself_is_the_speaker() -> None:
    findings = read_turns(
        turn("Hello, my name is Frank.", speaker="", id="1"), turn("I enjoy chess.", speaker="", id="2")
    )
    assert {finding.topic.name for finding in findings} == {"Frank"}
    assert {f.topic.name for f in read_turns(turn("你好，我叫李雷。", speaker=""))} == {"李雷"}


def test_what_names_no_owner_goes_to_who_says_it() -> None:
    for text in ("The deadline is 5 May 2026.", "预算从10万涨到了15万。", "The go-live is postponed to 3 June."):
        assert only(text, speaker="Mia").topic.name == "Mia"


def test_what_is_nobodys_goes_to_the_conversation() -> None:
    finding = only("The budget is $5,000.", speaker="")
    assert (finding.topic.id, finding.topic.name, finding.topic.kind) == (None, "call-7", "other")


def test_both_sides_of_a_conversation_are_read() -> None:
    findings = read_turns(
        turn("I live in Berlin.", speaker="Mia", id="1"), turn("I live in Rome.", speaker="Tom", id="2")
    )
    assert [(finding.topic.name, finding.value) for finding in findings] == [("Mia", "Berlin"), ("Tom", "Rome")]


def test_context_is_understood_but_not_read() -> None:
    earlier = turn("My name is Frank. I live in Rome.", speaker="", id="0")
    findings = read_turns(turn("I enjoy chess.", speaker="", id="1"), context=[earlier])
    assert [(finding.topic.name, finding.kind) for finding in findings] == [("Frank", "preference")]
