"""What is counted or measured at two times: the later statement takes the place of the earlier."""

from __future__ import annotations

import pytest

from extraction.models import Conflict
from tests.extraction.filing.helpers import MONDAY, TUESDAY, file, found, texts
from tests.topics.services.helpers import hold
from topics.models import Fact, Space, Topic
from topics.services.spaces import update_space

pytestmark = pytest.mark.django_db


MOVED_ON = [
    # how long
    ("I've been using my road bike for 6 months now.", "I just realized I've been using my road bike for 9 months."),
    ("I've had Bella for about two years.", "I've had my dog, Bella, for three years now, and she still loves walks."),
    (
        "I've been sticking to my stretching routine - it's been 3 weeks now.",
        "I've kept up my stretching routine for 5 weeks.",
    ),
    ("我学钢琴三个月了。", "我学钢琴已经五个月了。"),
    # how many
    ("I've visited three museums so far.", "I've visited 5 museums so far this way."),
    ("I've tried three different ones.", "I've tried four different ones so far, and I want more."),
    ("I lead a team of 4 engineers.", "I enjoy my role, especially that I now lead a team of five engineers."),
    (
        "I've got a long reading list, with 20 titles on it.",
        "There are a lot of titles on my reading list, currently 25.",
    ),
    ("I just finished my third issue of the magazine.", "I just finished my fifth issue of the magazine."),
    ("I just reached 500 followers last week.", "I checked and I'm now at 600 followers."),
    ("I need 125 stars to reach the gold level, not 400.", "Actually I need 120 stars to reach the gold level."),
    ("我读了三本书。", "我现在读了五本书。"),
    ("我的粉丝现在有500个。", "我的粉丝已经涨到600个了。"),
    # where one is
    ("I'm reading Dune and I'm on page 20.", "I'm now on page 45 of Dune, still reading."),
    ("我在看三体，看到第20页了。", "我现在看三体看到第45页了。"),
    # how often, on which day
    ("I see Dr. Novak every two weeks.", "I see Dr. Novak every week now."),
    ("I have a pottery class on Thursday.", "I have a pottery class on Fridays."),
    ("我每周去两次健身房。", "我现在每周去四次健身房。"),
    # which share, what sum
    ("Our test coverage for the parser is at 65%.", "The test coverage for the parser has improved to 78%."),
    ("I got pre-approved for $350,000 from Northern Bank.", "I got pre-approved for $400,000 from Northern Bank."),
    ("测试覆盖率目前是百分之六十五。", "测试覆盖率已经提高到百分之七十八。"),
]
BOTH_TRUE = [
    ("I ran 5 miles.", "I ran 7 miles."),
    ("I've read 3 books.", "I've now bought 5 books."),
    ("I've tried two of them already.", "I've tried four different ones so far."),
    ("I have a meeting on Thursday.", "I have a meeting on Friday."),
    ("I have a meeting at 3:00.", "I now have a meeting at 5:00 pm."),
    ("I'm now on page 20 of Dune.", "I'm now on page 45 of Emma."),
    ("My goal is 100% test coverage of the parser.", "The test coverage of the parser is now at 78%."),
    ("I'm using Flask 2.3.1 now.", "I'm using Flask with 3 workers now."),
    ("I use PostgreSQL 15 with my app now.", "I've set up PostgreSQL with 10 users for my app already."),
    ("My sister has been learning piano for 3 years now.", "I've been learning piano for 5 years now."),
    ("我跑了5公里。", "我跑了7公里。"),
    ("我读了三本书。", "我现在买了五本书。"),
    ("我的目标是读完五本书。", "我现在读了三本书。"),
    ("我周三有会。", "我周五有会。"),
]


@pytest.mark.parametrize(("earlier", "later"), MOVED_ON)
def test_where_the_newest_wins_the_later_measure_stands(space: Space, topic: Topic, earlier: str, later: str) -> None:
    update_space(space=space, changes={"review_policy": "automatic", "conflict_policy": "newest"})
    file(space, found(space, earlier, topic=topic, said_at=MONDAY))
    file(space, found(space, later, topic=topic, said_at=TUESDAY))
    assert (texts(topic), texts(topic, Fact.Status.SUPERSEDED)) == ([later], [earlier])


def test_where_a_person_decides_both_are_shown_as_a_conflict(space: Space, topic: Topic) -> None:
    earlier, later = MOVED_ON[0]
    fact = hold(topic, earlier)
    filed = file(space, found(space, later, topic=topic, said_at=TUESDAY))
    assert [(c.fact, c.why, c.status) for c in filed.conflicts] == [(fact, "value", Conflict.Status.OPEN)]


@pytest.mark.parametrize(("first", "second"), BOTH_TRUE)
@pytest.mark.parametrize("turned", [False, True])
def test_what_measures_another_thing_stands_beside_it(
    space: Space, topic: Topic, first: str, second: str, turned: bool
) -> None:
    first, second = (second, first) if turned else (first, second)
    hold(topic, first)
    assert file(space, found(space, second, topic=topic, said_at=TUESDAY)).conflicts == []
