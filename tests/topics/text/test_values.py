"""The value of a statement follows its text when that is edited."""

from __future__ import annotations

import pytest

from topics.text.values import renewed_value


@pytest.mark.parametrize(
    ("before", "after", "value", "now"),
    [
        ("我们目前有320名员工。", "公司目前有330名员工。", "320", "330"),
        ("Our support contract costs 1,200 euros a month.", "Support costs 1,300 euros a month.", "1,200", "1,300"),
        ("The budget is 50 thousand for 2026.", "The budget is 60 thousand for 2026.", "50", "60"),
        ("The office is in Leeds.", "The office is in New York.", "Leeds", "New York"),
        ("办公室在上海。", "办公室在杭州。", "上海", "杭州"),
        ("The office is in Leeds.", "Our office is in Leeds.", "Leeds", "Leeds"),
        ("The budget is 84,000 euros.", "The budget is 85,500.50 euros.", "84000", "85500.5"),
        ("预算是50万元。", "今年的预算是50万元。", "500000", "500000"),
        ("预算是50万元。", "预算是60.5万元。", "500000", "605000"),
        ("It cost 2 million.", "It cost 3 million.", "2000000", "3000000"),
        ("It cost 2 million.", "It cost 3 million.", "2 million", "3 million"),
        ("We have 5 kitchens and 3 doors.", "We have 6 kitchens and 3 doors.", "5", "6"),
        ("The price is $20.", "The price is $25.", "$20", "$25"),
        ("It ends on 2026-12-31.", "It ends on 2027-06-30.", "2026-12-31", "2027-06-30"),
        # The text does not tell.
        ("The budget is 50 for 2026.", "The budget is 60 for 2027.", "50", None),
        ("We have 320 seats.", "We have no seats any more.", "320", None),
        ("The budget is 5 for 5 seats.", "The budget is 6 for 5 seats.", "5", "5"),
        ("The budget is 5 for 5 seats.", "The budget is 6 for 6 seats.", "5", None),
        ("Twelve seats.", "Thirteen seats.", "12", None),
        ("The office is in Leeds.", "We moved to York last year.", "Leeds", None),
        ("We have 20 seats.", "We have 320 seats and 20.5 desks.", "20", None),
        ("Ann leads it.", "Bob leads it, Ann does not. They agreed on it in May.", "Ann", "Ann"),
    ],
)
def test_the_value_is_what_the_new_text_says(before: str, after: str, value: str, now: str | None) -> None:
    assert renewed_value(before, after, value) == now
