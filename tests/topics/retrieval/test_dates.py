"""The dates that a question names."""

from __future__ import annotations

from datetime import date

import pytest

from topics.retrieval.dates import Grain, named_periods, proximity


def periods(question: str, now: date | None = None) -> list[tuple[str, str, Grain]]:
    return [
        (date.fromordinal(p.first).isoformat(), date.fromordinal(p.last).isoformat(), p.grain)
        for p in named_periods(question, years=lambda: [2022, 2023], now=now)
    ]


@pytest.mark.parametrize(
    "question",
    [
        "What happened on 7 May 2023?",
        "What happened on May 7th, 2023?",
        "on the 7th of May, 2023",
        "on 2023-05-07",
        "on 2023/5/7",
        "2023年5月7日发生了什么？",
        "2023年5月7号",
        "２０２３年５月７日",
    ],
)
def test_a_day_with_its_year(question: str) -> None:
    assert periods(question) == [("2023-05-07", "2023-05-07", Grain.DAY)]


@pytest.mark.parametrize("question", ["Where was she in May 2023?", "2023年5月去了哪里？", "since 2023-05"])
def test_a_month_with_its_year(question: str) -> None:
    assert periods(question) == [("2023-05-01", "2023-05-31", Grain.MONTH)]


def test_a_date_without_a_year_stands_for_every_year_there_is() -> None:
    assert [p[0] for p in periods("on 7 May")] == [p[0] for p in periods("5月7日")] == ["2022-05-07", "2023-05-07"]
    assert [p[0] for p in periods("in October")] == [p[0] for p in periods("10月")] == ["2022-10-01", "2023-10-01"]


@pytest.mark.parametrize("question", ["in 2022", "2022年的目标"])
def test_a_year(question: str) -> None:
    assert periods(question) == [("2022-01-01", "2022-12-31", Grain.YEAR)]


@pytest.mark.parametrize(
    "question", ["It may rain 30 times", "version 2023.1", "31 June 2023", "room 2023", "2023年13月", "100月饼"]
)
def test_what_is_no_date(question: str) -> None:
    assert [p for p in periods(question) if p[2] is not Grain.YEAR] == []


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("What did I do yesterday?", "2023-05-09", "2023-05-09"),
        ("昨天做了什么", "2023-05-09", "2023-05-09"),
        ("last week", "2023-05-01", "2023-05-07"),
        ("上周", "2023-05-01", "2023-05-07"),
        ("last month", "2023-04-01", "2023-04-30"),
        ("上个月", "2023-04-01", "2023-04-30"),
        ("last year", "2022-01-01", "2022-12-31"),
        ("去年", "2022-01-01", "2022-12-31"),
        ("three days ago", "2023-05-07", "2023-05-07"),
        ("三天前", "2023-05-07", "2023-05-07"),
    ],
)
def test_relative_dates_need_a_now(question: str, first: str, last: str) -> None:
    assert [p[:2] for p in periods(question, now=date(2023, 5, 10))] == [(first, last)]
    assert periods(question) == []


def test_what_is_said_after_a_day_may_be_about_it_and_what_is_said_before_is_not() -> None:
    found = named_periods("7 May 2023", years=list)
    day = date(2023, 5, 7).toordinal()
    assert proximity(found, day) == 1
    assert 0 < proximity(found, day + 10) < proximity(found, day + 1) < 1
    assert proximity(found, day - 1) == 0
    assert proximity(found, None) == 0
