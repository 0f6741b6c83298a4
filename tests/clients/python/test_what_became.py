"""What the tools tell a model about the statement that it recorded."""

from __future__ import annotations

import pytest
from infini_client.tools import filed
from infini_client.types import Updated


@pytest.mark.parametrize(
    ("updated", "told"),
    [
        (Updated(committed=("f",)), "Recorded."),
        (Updated(proposals=("p",)), "It waits for a person's approval."),
        (Updated(repeated=1), "That is known already."),
        (
            Updated(proposals=("p",), committed=("f",), conflicts=("c",)),
            "Recorded. It contradicts what was held: of the two, what was said last counts now.",
        ),
        (
            Updated(proposals=("p",), conflicts=("c",)),
            "It contradicts what is held, which stays until a person, or the user's answer to a question, decides.",
        ),
    ],
)
def test_it_says_what_really_happened(updated: Updated, told: str) -> None:
    assert filed(updated) == told
