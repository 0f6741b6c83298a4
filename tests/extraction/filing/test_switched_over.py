"""What took the place of what is used: the statement that the old one is used is over."""

from __future__ import annotations

import pytest

from extraction.models import Conflict
from tests.extraction.filing.helpers import MONDAY, TUESDAY, file, found, texts
from tests.topics.services.helpers import hold
from topics.models import Fact, Space, Topic
from topics.services.spaces import update_space

pytestmark = pytest.mark.django_db


SWITCHED = [
    ("We use Slack.", "We switched from Slack to Teams."),
    ("We use MySQL 8 in production.", "We have migrated from MySQL to PostgreSQL."),
    ("We run on AWS.", "Last month we moved everything from AWS to Azure."),
    ("We use Slack for internal chat.", "We replaced Slack with Teams."),
    ("Slack is our chat tool.", "Slack has been replaced by Teams."),
    ("Our database is MySQL.", "Our team has switched from MySQL to PostgreSQL in May."),
    ("We use Slack.", "We now use Teams instead of Slack."),
    ("We use Slack.", "We use Teams now, not Slack."),
    ("I use Spotify.", "I swapped Spotify for Tidal."),
    ("We switched from Slack to Teams.", "We switched from Teams to Zoom."),
    ("我们用Slack。", "我们从Slack换成了Teams。"),
    ("我们使用MySQL做数据库。", "我们已经从MySQL迁移到PostgreSQL了。"),
    ("我们用钉钉打卡。", "公司从钉钉切换到飞书。"),
    ("我们目前用Slack沟通。", "我们用Teams取代了Slack。"),
    ("我们的供应商是博世。", "我们把博世换成了西门子。"),
    ("我们用Slack。", "我们不再用Slack，改用Teams。"),
]
BOTH_TRUE = [
    ("We use Zoom.", "We switched from Slack to Teams."),
    ("We use Teams.", "We switched from Slack to Teams."),
    ("We use Slack Connect.", "We switched from Slack to Teams."),
    ("We use Slack and Zoom.", "We switched from Slack to Teams."),
    ("We no longer use Slack.", "We switched from Slack to Teams."),
    ("We use Slack.", "We never switched from Slack to Teams."),
    ("We use Slack.", "We want to switch from Slack to Teams."),
    ("We use Slack.", "We are moving from Slack to Teams next year."),
    ("I use Slack.", "My sister switched from Slack to Teams."),
    ("We use MySQL.", "We moved to PostgreSQL."),
    ("The launch is on 3 June.", "We moved the launch from Monday to Friday."),
    ("Our sales team is in Leeds.", "We moved from Leeds to York."),
    ("我们用Teams。", "我们从Slack换成了Teams。"),
    ("我们用Slack和Zoom。", "我们从Slack换成了Teams。"),
    ("我们用Slack。", "我们打算从Slack换成Teams。"),
    ("我们用Slack。", "我们没有从Slack换成Teams。"),
    ("我们用Slack。", "我们从Slack导出了数据。"),
    ("例会在周三。", "例会从周三改到周五。"),
]


@pytest.mark.parametrize(("earlier", "later"), SWITCHED)
def test_where_the_newest_wins_the_old_one_is_over(space: Space, topic: Topic, earlier: str, later: str) -> None:
    update_space(space=space, changes={"review_policy": "automatic", "conflict_policy": "newest"})
    file(space, found(space, earlier, topic=topic, said_at=MONDAY))
    file(space, found(space, later, topic=topic, said_at=TUESDAY, kind="decision"))
    assert (texts(topic), texts(topic, Fact.Status.SUPERSEDED)) == ([later], [earlier])


def test_where_a_person_decides_both_are_shown_as_a_conflict(space: Space, topic: Topic) -> None:
    fact = hold(topic, "We use Slack.")
    filed = file(space, found(space, "We switched from Slack to Teams.", topic=topic, said_at=TUESDAY))
    assert [(c.fact, c.why, c.status) for c in filed.conflicts] == [(fact, "value", Conflict.Status.OPEN)]


@pytest.mark.parametrize(("first", "second"), BOTH_TRUE)
@pytest.mark.parametrize("turned", [False, True])
def test_what_is_not_replaced_stands_beside_it(
    space: Space, topic: Topic, first: str, second: str, turned: bool
) -> None:
    first, second = (second, first) if turned else (first, second)
    hold(topic, first)
    assert file(space, found(space, second, topic=topic, said_at=TUESDAY)).conflicts == []
