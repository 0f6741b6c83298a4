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
