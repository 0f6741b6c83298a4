"""What a speaker puts right in the same breath holds in the place of what he said first."""

import pytest

from .reading import only, read


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("预算调整为7万元。更正：不是7万元，是8万元。", "80000"),
        ("预算是7万元。不是7万元，是8万元。", "80000"),
        ("预算是7万元。说错了，是8万元。", "80000"),
        ("The budget is $7,000. Correction: it's not $7,000, it's $8,000.", "8000"),
        ("The budget is $7,000. Sorry, $8,000.", "8000"),
        ("The budget is $7,000. I meant $8,000, not $7,000.", "8000"),
    ],
)
def test_a_slip_is_put_right(text: str, value: str) -> None:
    finding = only(text, subject="Nordwind")
    assert (finding.value, finding.text, finding.quotes[0].text) == (value, text, text)
    assert finding.attribute in ("budget", "预算")


@pytest.mark.parametrize(
    "text",
    [
        "预算是7万元。押金不是7万元，是8万元。",
        "预算是7万元。不是6万元，是8万元。",
        "预算是7万元。是8万元吗？",
        "The budget is $7,000. Sorry, $8,000 is what they spent on lamps.",
        "The budget is $7,000. We need 8%, not $7,000.",
        "The budget is $7,000. Sorry, $8,000?",
        "The budget is $7,000. Our rent is $8,000, not $7,000.",
    ],
)
def test_what_is_of_something_else_puts_nothing_right(text: str) -> None:
    assert read(text, subject="Nordwind")[0].value in ("7000", "70000")


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("The budget went up from 5k to 7k.", "7000", ""),
        ("The budget is now 7k.", "7000", ""),
        ("The budget is 7 thousand euros.", "7000", "EUR"),
        ("更正：预算不是7万元，是8万元。", "80000", "CNY"),
        ("The budget is not $7,000 but $8,000.", "8000", "USD"),
        ("The budget is $8,000, up from $7,000.", "8000", "USD"),
        ("預算現在是七千歐元。", "7000", "EUR"),
        ("預算調整為8萬元。", "80000", "CNY"),
    ],
)
def test_a_changed_budget(text: str, value: str, unit: str) -> None:
    finding = only(text, subject="Nordwind")
    assert (finding.attribute in ("budget", "预算"), finding.value, finding.unit) == (True, value, unit)
    assert (finding.text, finding.negated) == (text, False)


@pytest.mark.parametrize(
    "text",
    [
        "The budget went up by 5k.",
        "The budget is 5k to 7k.",
        "I ran 5k.",
        "The budget is for 5k users.",
        "The budget meeting took 2k steps.",
    ],
)
def test_a_bare_number_that_is_no_sum(text: str) -> None:
    assert [finding for finding in read(text, subject="Nordwind") if finding.attribute == "budget"] == []


def test_traditional_characters_stay_as_they_were_written() -> None:
    finding = only("項目經理是張偉。", subject="Nordwind")
    assert (finding.attribute, finding.value, finding.text) == ("项目经理", "張偉", "項目經理是張偉。")


def test_a_denial_in_another_clause_denies_no_value() -> None:
    finding = only("我不再是采购经理了，现在是运营总监。")
    assert (finding.value, finding.negated) == ("运营总监", False)
    for text in ("预算不是7万元。", "The budget is not $7,000."):
        assert only(text, subject="Nordwind").negated


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The deadline is not 15 June 2025, it is 30 June 2025.", "2025-06-30"),
        ("Our deadline isn't 1 May 2025; it's 9 May 2025.", "2025-05-09"),
        ("The deadline isn’t 1 May 2025 – it’s 9 May 2025.", "2025-05-09"),
        ("The deadline is not 3 July 2025 but 8 July 2025.", "2025-07-08"),
        ("The deadline is no longer 3 July 2025, it's now 8 July 2025.", "2025-07-08"),
        ("The deadline is 8 July 2025, not 3 July 2025.", "2025-07-08"),
        ("截止日期不是6月15日,是2025年6月30日。", "2025-06-30"),
        ("截止日期不是6月15日，是2025年6月30日。", "2025-06-30"),
        ("截止日期不是2025年6月15日，是2025年6月30日。", "2025-06-30"),
        ("截止日期不再是5月1日,而是2025年5月9日。", "2025-05-09"),
        ("截止日期已经不是5月1日了，现在是2025年5月9日。", "2025-05-09"),
        ("截止日期是2025年6月30日，不是6月15日。", "2025-06-30"),
    ],
)
def test_a_deadline_that_replaces_another_is_not_denied(text: str, value: str) -> None:
    finding = only(text, subject="Nordwind")
    assert (finding.attribute in ("deadline", "截止日期"), finding.value, finding.negated) == (True, value, False)
    assert finding.text == finding.quotes[0].text == text


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("供应商不是华为,而是小米。", "供应商", "小米"),
        ("供应商不是华为，是小米", "供应商", "小米"),
        ("我们的供应商不再是华为了，现在是小米。", "供应商", "小米"),
        ("价格不再是20元，而是25元", "价格", "25"),
        ("我不住在北京，住在天津。", "居住地", "天津"),
        ("我不住在北京了，现在住在天津。", "居住地", "天津"),
        ("项目经理不是张伟，是李娜。", "项目经理", "李娜"),
        ("The supplier is not Bosch but Siemens.", "supplier", "Siemens"),
        ("Our supplier isn't Bosch, it's Siemens.", "supplier", "Siemens"),
        ("The supplier is Siemens, not Bosch.", "supplier", "Siemens"),
        ("The price is no longer 20 EUR, it is 25 EUR.", "price", "25"),
        ("The price is no longer 20 EUR but 25 EUR.", "price", "25"),
        ("I live in Hamburg, not in Berlin.", "residence", "Hamburg"),
        ("My birthday is not 3 May, it's 5 May.", "birthday", "5 May"),
    ],
)
def test_a_value_that_replaces_another_is_not_denied(text: str, attribute: str, value: str) -> None:
    finding = only(text, subject="Nordwind")
    assert (finding.attribute, finding.value, finding.negated) == (attribute, value, False)
    assert finding.text == finding.quotes[0].text == text


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("I don't live in Berlin but in Hamburg.", "residence", "Hamburg"),
        ("I do not live in Berlin, but in Hamburg.", "residence", "Hamburg"),
        ("I no longer live in Berlin but in Hamburg.", "residence", "Hamburg"),
        ("I’m not living in Berlin but in Hamburg.", "residence", "Hamburg"),
        ("I live not in Berlin but in Hamburg.", "residence", "Hamburg"),
        ("I didn't move to Berlin but to Hamburg.", "residence", "Hamburg"),
        ("My home town is not Berlin but Hamburg.", "hometown", "Hamburg"),
        ("I'm not from Berlin but from Hamburg.", "hometown", "Hamburg"),
        ("I don't work at Siemens but at Bosch.", "employer", "Bosch"),
        ("I don't work as a teacher but as a nurse.", "occupation", "nurse"),
        ("I am not an engineer but a teacher.", "occupation", "teacher"),
        ("我不是住在北京，是住在天津。", "居住地", "天津"),
        ("我不是住在北京而是住在天津。", "居住地", "天津"),
        ("我不住在北京，而住在天津。", "居住地", "天津"),
        ("我不住北京，住天津。", "居住地", "天津"),
        ("我住的不是北京而是天津。", "居住地", "天津"),
        ("我的家乡不是北京而是天津。", "家乡", "天津"),
        ("我不是在华为上班，是在小米上班。", "工作单位", "小米"),
        ("我不是老师而是护士。", "职业", "护士"),
        ("我不是住在北京，是住在天津，離公司很近。", "居住地", "天津"),
    ],
)
def test_what_is_put_in_the_same_way_takes_the_place_of_what_is_denied(text: str, attribute: str, value: str) -> None:
    finding = only(text)
    assert (finding.attribute, finding.value, finding.negated) == (attribute, value, False)
    assert finding.text == finding.quotes[0].text == text


@pytest.mark.parametrize(
    "text",
    [
        "My brother doesn't live in Berlin but in Hamburg.",
        "We are not going to Paris but to Rome in June.",
        "我每天不是坐地铁上班，是坐公交上班。",
        "我妹妹不是住在北京，是住在天津。",
    ],
)
def test_nor_is_what_has_no_value_denied(text: str) -> None:
    assert [finding.negated for finding in read(text)] == [False]


@pytest.mark.parametrize(
    "text",
    [
        "I don't live in Berlin but in Hamburg I have a flat.",
        "I don't live in Berlin but I work in Hamburg.",
        "I don't only live in Berlin but also in Hamburg.",
        "I don't live in Berlin, but it is close.",
        "我不是住在北京，是因为太贵。",
    ],
)
def test_what_follows_a_but_may_be_about_something_else(text: str) -> None:
    assert [finding for finding in read(text) if finding.attribute == "residence" and not finding.negated] == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("I live in Berlin. Not Berlin but Hamburg.", "Hamburg"),
        ("I live in Berlin. Sorry, not Berlin but Hamburg.", "Hamburg"),
        ("I live in Berlin. No, not in Berlin, it's Hamburg.", "Hamburg"),
        ("I live in Berlin. I meant Hamburg, not Berlin.", "Hamburg"),
        ("The project manager is Bob Stone. Correction: not Bob Stone but Anna Reed.", "Anna Reed"),
        ("我住在北京。不对，不是北京，是天津。", "天津"),
        ("我住在北京。不是北京而是天津。", "天津"),
        ("我住在北京。说错了，是天津。", "天津"),
        ("我住在北京。是天津，不是北京。", "天津"),
        ("项目经理是张伟。更正：不是张伟，是李娜。", "李娜"),
    ],
)
def test_a_slip_in_words_is_put_right(text: str, value: str) -> None:
    finding = only(text, subject="Nordwind")
    assert (finding.value, finding.negated, finding.text, finding.quotes[0].text) == (value, False, text, text)


@pytest.mark.parametrize(
    "text",
    [
        "I live in Berlin. Sorry, I'm late.",
        "I live in Berlin. Not Munich but Hamburg.",
        "I live in Berlin. Not Berlin but Hamburg is nice.",
        "I live in Berlin. Not Berlin but Hamburg?",
        "我住在北京。不是上海，是天津。",
        "我住在北京。对不起，是我迟到了。",
        "我住在北京。是天津。",
        "我住在北京。不是北京，是谁说的？",
    ],
)
def test_what_is_no_correction_of_the_words_puts_nothing_right(text: str) -> None:
    assert read(text, subject="Nordwind")[0].value in ("Berlin", "北京")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "The budget is not 5,000 USD but the rent is 6,000 USD.",
            [("budget", "5000", True), ("rent", "6000", False)],
        ),
        (
            "The budget is not 5,000 USD, but our rent is 6,000 USD.",
            [("budget", "5000", True), ("rent", "6000", False)],
        ),
        ("预算不是5000美元，但房租是6000美元。", [("预算", "5000", True), ("房租", "6000", False)]),
        ("预算不是5000美元但是房租是6000美元。", [("预算", "5000", True), ("房租", "6000", False)]),
        ("预算不是5000美元，而房租是6000美元。", [("预算", "5000", True), ("房租", "6000", False)]),
        ("供应商不是华为，但经理是张伟。", [("经理", "张伟", False)]),
        ("The supplier is not Bosch but the manager is Anna.", [("supervisor", "Anna", False)]),
    ],
)
def test_a_denial_before_another_attribute_leaves_that_its_own_value(
    text: str, found: list[tuple[str, str, bool]]
) -> None:
    told = read(text, subject="Nordwind")
    assert [(f.attribute, f.value, f.negated) for f in told if f.attribute] == found


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("The meeting is not on 23 May, it is on 25 May.", 25),
        ("The meeting is not on 23 May but on 25 May.", 25),
        ("The meeting isn't on Monday, it's on Tuesday.", 21),
        ("The meeting is on 25 May, not on 23 May.", 25),
        ("The launch was not on 3 May, it was on 5 May.", 5),
        ("The launch won't be on 23 May but on 25 May.", 25),
        ("The audit does not start on 23 May but on 25 May.", 25),
        ("会议不是5月23日，是5月25日。", 25),
        ("会议不在5月23日，在5月25日。", 25),
        ("会议不是在5月23日，而是在5月25日。", 25),
        ("发布会是5月25日，不是5月23日。", 25),
    ],
)
def test_what_happens_on_another_date_than_the_denied_one_is_not_denied(text: str, day: int) -> None:
    finding = only(text, subject="Nordwind")
    assert finding.happened_at is not None
    assert (finding.kind, finding.happened_at.month, finding.happened_at.day) == ("timeline", 5, day)
    assert (finding.negated, finding.text) == (False, text)


@pytest.mark.parametrize("text", ["The meeting is not on 23 May.", "会议不在5月23日。"])
def test_a_date_that_is_denied_alone_stays_denied(text: str) -> None:
    assert only(text, subject="Nordwind").negated


def test_a_value_is_replaced_beside_another() -> None:
    found = read("The rent is not 900 EUR, it's 950 EUR, and the deposit is 2000 EUR.", subject="Nordwind")
    assert [(f.attribute, f.value, f.negated) for f in found] == [("rent", "950", False), ("deposit", "2000", False)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The deadline is not 15 June 2025.", "2025-06-15"),
        ("The deadline is no longer 15 June 2025.", "2025-06-15"),
        ("Hi all, our deadline is not 15 June 2025.", "2025-06-15"),
        ("The deadline is not 15 June 2025 but it is important.", "2025-06-15"),
        ("The deadline is not 15 June 2025, it is important that we ship by 20 June 2025.", "2025-06-15"),
        ("截止日期不是2025年6月15日。", "2025-06-15"),
        ("截止日期不再是2025年6月15日。", "2025-06-15"),
        ("截止日期不是2025年6月15日，是因为下雨。", "2025-06-15"),
        ("价格不再是20元。", "20"),
        ("The price is no longer 20 EUR.", "20"),
        ("我不住在北京。", ""),
        ("I no longer live in Berlin.", ""),
    ],
)
def test_a_plain_denial_stays_one(text: str, value: str) -> None:
    finding = only(text, subject="Nordwind")
    assert (finding.value, finding.negated) == (value, True)


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("My birthday is not 3 May.", "birthday", "3 May"),
        ("My favourite colour is not red.", "favourite colour", "red"),
        ("我最喜欢的颜色不是红色。", "最喜欢的颜色", "红色"),
        ("我最喜欢的颜色不再是红色。", "最喜欢的颜色", "红色"),
    ],
)
def test_the_word_that_denies_is_no_part_of_the_attribute(text: str, attribute: str, value: str) -> None:
    finding = only(text)
    assert (finding.attribute, finding.value, finding.negated) == (attribute, value, True)


@pytest.mark.parametrize(
    "text",
    [
        "The supplier is not Bosch but Siemens is cheaper.",
        "The supplier is not Bosch, it is unclear who it is.",
        "供应商不是华为，是谁还不知道。",
        "供应商不是华为，是不是小米还不确定。",
        "供应商不是华为，是小米吗？",
        "截止日期是6月15日，不是开玩笑。",
    ],
)
def test_a_denial_before_something_else_gives_no_value(text: str) -> None:
    assert [finding for finding in read(text, subject="Nordwind") if finding.value] == []


@pytest.mark.parametrize(
    "text",
    [
        "更正一下：员工是150名，不是120名。",
        "更正：我们有150名员工，不是120名。",
        "我们的员工是150名，不是120名。",
        "我们有120名员工。更正一下：员工是150名，不是120名。",
        "我们有120名员工。更正：150名，不是120名。",
        "我们有120名员工。说错了，是150名。",
        "Correction: we have 150 employees, not 120.",
        "We have 120 employees. Correction: we have 150 employees, not 120.",
        "We have 120 employees. Correction: 150, not 120.",
        "We have 120 employees. Sorry, 150 employees.",
    ],
)
def test_a_count_that_is_put_right(text: str) -> None:
    finding = only(text, subject="Nordwind")
    assert (finding.attribute in ("headcount", "人数"), finding.value, finding.negated) == (True, "150", False)


@pytest.mark.parametrize(
    "text", ["We have 120 employees. Actually, we also have 15 drivers.", "我们有120名员工。对了，我们有15名司机。"]
)
def test_another_count_puts_nothing_right(text: str) -> None:
    assert [finding.value for finding in read(text, subject="Nordwind")] == ["120", "15"]
