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
