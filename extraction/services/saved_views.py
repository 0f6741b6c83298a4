"""Views of the review queue that a person keeps under a name."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from extraction.models import SavedView
from extraction.selectors.proposals import QueueFilter
from topics.errors import InvalidInput
from topics.models import Space

MOST_VIEWS = 50  # of one person in one space
LONGEST_NAME = 60


def save_view(*, space: Space, user: Any, name: str, chosen: QueueFilter) -> SavedView:
    """Keep a tab with its filters under `name`; one of the same name is replaced.

    Raises InvalidInput for a name that is empty or too long, and when the person keeps MOST_VIEWS already.
    """
    name = " ".join(name.replace("\0", "").split())
    if not name or len(name) > LONGEST_NAME:
        problem = _("Give the view a name of at most %(count)d characters.") % {"count": LONGEST_NAME}
        raise InvalidInput(problem, fields={"name": [problem]})
    mine = SavedView.objects.filter(space=space, user=user)
    if not mine.filter(name=name).exists() and mine.count() >= MOST_VIEWS:
        raise InvalidInput(_("You keep %(count)d views already. Delete one first.") % {"count": MOST_VIEWS})
    values = {"tab": chosen.tab, "query": chosen.query}
    return SavedView.objects.update_or_create(space=space, user=user, name=name, defaults=values)[0]


def delete_view(*, view: SavedView) -> None:
    """Forget a view; the proposals in it are not touched."""
    view.delete()
