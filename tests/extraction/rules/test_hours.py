"""When something is open week by week is a fact about it and happens on no day."""

import pytest

from .reading import only, read, topic

CUSTOMER = topic("Nordwind", kind="customer")


@pytest.mark.parametrize("subject", [None, CUSTOMER])
@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("Support hours are 8 to 18, Monday to Friday.", "support hours", "8 to 18, Monday to Friday"),
        ("The shop is open Monday to Saturday.", "shop opening hours", "Monday to Saturday"),
        ("Our office is open from Monday to Thursday.", "office opening hours", "Monday to Thursday"),
        ("Our opening hours are 9 to 5 on weekdays.", "opening hours", "9 to 5 on weekdays"),
        ("The hotline is staffed Monday to Friday.", "hotline opening hours", "Monday to Friday"),
        ("The library opening hours are now 10 to 20.", "library opening hours", "10 to 20"),
        ("The reception opens from 9 am to 5 pm.", "reception opening hours", "9 am to 5 pm"),
        ("周一至周五9点到18点营业。", "营业时间", "周一至周五9点到18点"),
        ("客服时间是周一到周五9点到18点。", "客服时间", "周一到周五9点到18点"),
        ("商店周一至周六营业。", "商店营业时间", "周一至周六"),
        ("我们办公室周一到周四开门。", "办公室营业时间", "周一到周四"),
        ("图书馆每天9点到21点开放。", "图书馆开放时间", "每天9点到21点"),
        ("门店周二到周日10:00-20:00营业。", "门店营业时间", "周二到周日10:00-20:00"),
    ],
)
def test_hours_are_a_fact(text: str, attribute: str, value: str, subject: None) -> None:
    found = only(text, subject=subject)
    assert (found.kind, found.attribute, found.value) == ("fact", attribute, value)
    assert (found.certainty, found.happened_at, found.valid_from) == ("confirmed", None, None)


@pytest.mark.parametrize(
    "text",
    [
        "Our office is open from Monday to Wednesday next week.",
        "The fair is open from Friday to Sunday this week.",
        "I'm in Paris from Monday to Thursday.",
        "The meeting was moved from Monday to Thursday.",
        "展会下周五到周日开放。",
        "我下周一到周三在上海出差。",
    ],
)
def test_days_of_one_week_are_dates(text: str) -> None:
    found = only(text, subject=CUSTOMER)
    assert (found.kind, found.attribute) == ("timeline", "")


@pytest.mark.parametrize("text", ["Our working hours are long.", "公司周末不上班。", "我周一到周五都要上班。"])
def test_what_tells_no_hours_sets_none(text: str) -> None:
    assert all(not found.attribute for found in read(text, subject=CUSTOMER))
