"""Dates are resolved against the time of the message, in the zone of the space, and never more exactly than said."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from extraction.extractors.rules.dates import Tense, find_dates

from .reading import SHANGHAI, WEDNESDAY, only, read


@pytest.mark.parametrize(
    ("text", "tense", "at", "precision"),
    [
        ("yesterday", "", "2024-05-14 00:00", "day"),
        ("the day before yesterday", "", "2024-05-13 00:00", "day"),
        ("tomorrow at 3pm", "", "2024-05-16 15:00", "minute"),
        ("at 15:30 on Friday", "future", "2024-05-17 15:30", "minute"),
        ("next Friday", "", "2024-05-24 00:00", "day"),
        ("moved to Friday 10am", "future", "2024-05-17 10:00", "minute"),
        ("this Friday", "future", "2024-05-17 00:00", "day"),
        ("last Friday", "", "2024-05-10 00:00", "day"),
        ("on Monday", "past", "2024-05-13 00:00", "day"),
        ("on Monday", "future", "2024-05-20 00:00", "day"),
        ("Tuesday next week", "", "2024-05-21 00:00", "day"),
        ("three days ago", "", "2024-05-12 00:00", "day"),
        ("in 10 days", "", "2024-05-25 00:00", "day"),
        ("two months ago", "", "2024-03-01 00:00", "month"),
        ("in three months", "", "2024-08-01 00:00", "month"),
        ("last month", "", "2024-04-01 00:00", "month"),
        ("last year", "", "2023-01-01 00:00", "year"),
        ("two years ago", "", "2022-01-01 00:00", "year"),
        ("on 7 May", "past", "2024-05-07 00:00", "day"),
        ("on May 20th", "future", "2024-05-20 00:00", "day"),
        ("on December 3", "past", "2023-12-03 00:00", "day"),
        ("on March 3, 2023", "", "2023-03-03 00:00", "day"),
        ("in March", "past", "2024-03-01 00:00", "month"),
        ("in March 2025", "", "2025-03-01 00:00", "month"),
        ("last December", "", "2023-12-01 00:00", "month"),
        ("in 2019", "", "2019-01-01 00:00", "year"),
        ("the 3rd", "past", "2024-05-03 00:00", "day"),
        ("2023-03-05", "", "2023-03-05 00:00", "day"),
        ("2024-04-11 9:00", "", "2024-04-11 09:00", "minute"),
        ("25/12/2023", "", "2023-12-25 00:00", "day"),
        ("by the end of the year", "", "2024-12-01 00:00", "month"),
        ("昨天", "", "2024-05-14 00:00", "day"),
        ("三天前", "", "2024-05-12 00:00", "day"),
        ("下周五", "", "2024-05-24 00:00", "day"),
        ("上周五", "", "2024-05-10 00:00", "day"),
        ("本周六", "", "2024-05-18 00:00", "day"),
        ("上个月15号", "", "2024-04-15 00:00", "day"),
        ("下个月", "", "2024-06-01 00:00", "month"),
        ("2024年底", "", "2024-12-01 00:00", "month"),
        ("去年", "", "2023-01-01 00:00", "year"),
        ("去年12月", "", "2023-12-01 00:00", "month"),
        ("2023年3月5日", "", "2023-03-05 00:00", "day"),
        ("二零二三年", "", "2023-01-01 00:00", "year"),
        ("明天下午3点", "", "2024-05-16 15:00", "minute"),
        ("昨晚八点半", "", "2024-05-14 20:30", "minute"),
        ("半年前", "", "2023-11-01 00:00", "month"),
        ("十二月三号", "past", "2023-12-03 00:00", "day"),
    ],
)
def test_a_date_in_words(text: str, tense: Tense, at: str, precision: str) -> None:
    (mention,) = find_dates(text, WEDNESDAY, tense)
    assert (f"{mention.at:%Y-%m-%d %H:%M}", mention.precision) == (at, precision)


@pytest.mark.parametrize("text", ["last week", "next week", "上周", "下周", "last weekend", "in three weeks", "两周后"])
def test_a_week_is_not_a_day(text: str) -> None:
    (mention,) = find_dates(text, WEDNESDAY, "")
    assert mention.precision in ("month", "year")


def test_a_week_in_two_months_is_known_by_its_year() -> None:
    (mention,) = find_dates("in two weeks", WEDNESDAY, "")  # 27 May to 2 June
    assert (mention.at.date().isoformat(), mention.precision) == ("2024-05-29", "year")


@pytest.mark.parametrize(
    "text",
    [
        "a few days ago",
        "几天前",
        "recently",
        "for three years",
        "31 June 2024 x",
        "every Friday",
        "两三天",
        "24/7",
        "in 5 minutes",
    ],
)
def test_words_that_name_no_day(text: str) -> None:
    assert not [mention for mention in find_dates(text, WEDNESDAY, "") if mention.precision == "day"]


def test_month_and_day_may_be_swapped() -> None:
    (mention,) = find_dates("03/04/2024", WEDNESDAY, "")
    assert mention.precision == "year"


def test_a_span_has_a_start_and_an_end() -> None:
    start, end = find_dates("from 1 June 2024 until 3 July 2024", WEDNESDAY, "")
    assert (start.relation, end.relation) == ("since", "until")


def test_the_zone_of_the_space_decides_which_day_it_is() -> None:
    said = datetime(2024, 5, 14, 20, 30, tzinfo=UTC)  # already the 15th in Shanghai
    there = only("Yesterday I visited the Ming tombs.", at=said)
    here = only("Yesterday I visited the Ming tombs.", at=said, zone=ZoneInfo("America/New_York"))
    assert there.happened_at is not None
    assert here.happened_at is not None
    assert there.happened_at.date().isoformat() == "2024-05-14"
    assert here.happened_at.date().isoformat() == "2024-05-13"
    assert here.happened_at.utcoffset() != there.happened_at.utcoffset()


def test_dates_at_the_end_of_the_calendar_do_not_fail() -> None:
    assert read("In 900 years I will visit Mars.", at=datetime(9998, 12, 31, tzinfo=UTC)) is not None
    assert read("Yesterday I visited Rome.", at=datetime(9999, 12, 31, 23, tzinfo=UTC))
    assert read("I visited Rome in 1999.", at=datetime(1, 1, 1, tzinfo=UTC), zone=ZoneInfo("America/New_York"))
    assert find_dates("two years ago", datetime(1, 1, 1, tzinfo=UTC), "") == []


def test_an_event_is_dated_by_the_words_and_not_by_the_message() -> None:
    finding = only("We launched the new shop in Leipzig last month.")
    assert (finding.kind, finding.precision) == ("timeline", "month")


@pytest.mark.parametrize("text", ["The course ends on 31 December.", "My flight to Tokyo is on December 31st."])
def test_what_is_scheduled_lies_ahead(text: str) -> None:
    finding = only(text)
    assert finding.happened_at is not None
    assert (finding.happened_at.year, finding.certainty) == (2024, "planned")


def test_how_long_it_took_is_no_date() -> None:
    assert only("I wrote two Python books in two weeks.").happened_at is None


def test_an_event_over_several_days_has_the_date_of_its_start() -> None:
    finding = only("I went to Japan from April 15th to 22nd.")
    assert finding.happened_at is not None
    assert finding.happened_at.date().isoformat() == "2024-04-15"


def test_since_says_from_when_a_fact_holds() -> None:
    finding = only("I've been working at Nordwind since 2016.")
    assert finding.kind == "fact"
    assert finding.valid_from is not None
    assert finding.valid_from.year == 2016


def test_a_decision_holds_from_its_date() -> None:
    finding = only("We decided on 7 May to use Postgres.")
    assert finding.kind == "decision"
    assert finding.valid_from is not None
    assert finding.valid_from.date().isoformat() == "2024-05-07"


def test_a_date_that_another_took_the_place_of_is_not_meant() -> None:
    for text in ("The kickoff was moved from 3 June to 10 June.", "把验收时间从6月3日改到6月10日。"):
        finding = only(text, subject="Nordwind")
        assert finding.happened_at is not None
        assert f"{finding.happened_at:%m-%d}" == "06-10"


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("The go-live is postponed to 3 February.", "2025-02-03"),
        ("The launch is planned for 3 February.", "2025-02-03"),
        ("The first payment is due on 3 February.", "2025-02-03"),
        ("The launch was planned for 3 February.", "2024-02-03"),
        ("The contract was signed on 3 December.", "2023-12-03"),
        ("验收推迟到2月3日。", "2025-02-03"),
        ("合同在12月3日签了。", "2023-12-03"),
    ],
)
def test_what_is_planned_lies_ahead_and_what_is_past_behind(text: str, day: str) -> None:
    finding = only(text, subject="Nordwind")
    assert finding.happened_at is not None
    assert finding.happened_at.date().isoformat() == day


@pytest.mark.parametrize(
    "text",
    [
        "我们的地址改为上海市浦东新区25号。",
        "我们搬到了文三路20号。",
        "我们搬到了文三路 20号。",
        "我们搬到了文三路20号，前面有个公园。",
        "我在文三路20号上班。",
        "我从文三路20号搬走了。",
        "店在文三路18-20号。",
        "店在文三路20号后面。",
        "他住在和平里5号。",
        "仓库在解放大道12号。",
        "公司在万象大厦9号。",
        "我的办公室在5号楼。",
        "我每天坐3号线。",
        "我们开了12号店。",
        "我住在人民路15号院。",
        "我们在6号会议室。",
        "这是第3号。",
        "遥控器用5号电池。",
        "We moved to 12 March Avenue.",
        "We moved to 12 March St.",
        "We moved to 12 March St, Leeds.",
        "we moved to 12 march avenue",
        "I live at Flat 3, 4 July Street.",
        "Our office is in May Court.",
        "The shop is at 5th Road.",
        "The shop is on the 5th Lane.",
    ],
)
def test_a_house_and_the_number_of_a_thing_are_no_date(text: str) -> None:
    assert find_dates(text, WEDNESDAY, "past") == []


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("25号之前交货", "2024-05-25"),
        ("下周25号", "2024-05-25"),
        ("5月25号", "2024-05-25"),
        ("我知道25号开会", "2024-05-25"),
        ("家里25号装修", "2024-05-25"),
        ("浦东新区25号开始限行", "2024-05-25"),
        ("文三路店25号开业", "2024-05-25"),
        ("搬到文三路20号的日子是25号", "2024-05-25"),
        ("小区25号停水", "2024-05-25"),
        ("幼儿园25号开学", "2024-05-25"),
        ("25号10点见面", "2024-05-25"),
        ("25号去机场", "2024-05-25"),
        ("25号机票", "2024-05-25"),
        ("25号线上开会", "2024-05-25"),
        ("on 25 May place the order", "2024-05-25"),
        ("on 25 May St Andrew's opens", "2024-05-25"),
        ("on 25 May, Street View goes live", "2024-05-25"),
        ("on 25 May drive to Oslo", "2024-05-25"),
    ],
)
def test_a_day_beside_a_place_or_a_thing_is_one(text: str, day: str) -> None:
    days = [mention for mention in find_dates(text, WEDNESDAY, "future") if mention.precision in ("day", "minute")]
    assert [mention.at.date().isoformat() for mention in days] == [day]


@pytest.mark.parametrize(
    "text", ["我们的地址改为上海市浦东新区25号。", "我们搬到了文三路20号。", "We moved to 12 March Avenue."]
)
def test_what_has_moved_to_a_house_is_not_dated_by_it(text: str) -> None:
    finding = only(text)
    assert (finding.kind == "timeline", finding.happened_at, finding.valid_from) == (False, None, None)


NEW_YEAR = datetime(2026, 1, 12, 10, 0, tzinfo=SHANGHAI)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("The go-live has been moved from 1 March to 15 March.", (3, 15)),
        ("The meeting was moved to 15 March.", (3, 15)),
        ("The launch was changed to 3 April.", (4, 3)),
        ("The workshop has been shifted to 20 March.", (3, 20)),
        ("The demo was pushed to Thursday.", (1, 15)),
        ("The release slipped to April.", (4, 1)),
        ("My appointment was changed from Monday to Wednesday.", (1, 14)),
        ("上线时间从3月1日改到了3月15日。", (3, 15)),
        ("上线日期已经改到3月15日。", (3, 15)),
        ("会议改到周五了。", (1, 16)),
        ("会议挪到了3月15日。", (3, 15)),
        ("交付已经延到4月10日了。", (4, 10)),
        ("培训调整到下周三了。", (1, 21)),
    ],
)
def test_what_was_put_on_another_day_is_still_to_come(text: str, day: tuple[int, int]) -> None:
    found = only(text, at=NEW_YEAR)
    assert (found.kind, found.certainty) == ("timeline", "planned")
    assert found.happened_at
    assert found.happened_at.date() == date(2026, *day)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("I moved to Leeds on 15 March.", date(2025, 3, 15)),
        ("We moved to Leeds in March.", date(2025, 3, 1)),
        ("The contract was signed on 3 December.", date(2025, 12, 3)),
        ("I changed jobs in March.", date(2025, 3, 1)),
        ("我们3月搬到了苏州。", date(2025, 3, 1)),
    ],
)
def test_whoever_moved_on_a_day_has_moved(text: str, day: date) -> None:
    found = only(text, at=NEW_YEAR)
    assert found.certainty == "confirmed"
    assert (found.happened_at or found.valid_from).date() == day  # type: ignore[union-attr]
