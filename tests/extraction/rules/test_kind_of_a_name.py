"""What a topic that is known only by its name probably is."""

from __future__ import annotations

import pytest

from extraction.extractors.rules.names import guess_kind


@pytest.mark.parametrize(
    "name",
    [
        "Brightwell Dental", "Kestrel Marine", "Novak Bakery", "Boulder Gym", "Alder Farms", "Harbor & Pine", "Beta AG",
        "AT&T", "Acme GmbH", "Smith Holdings", "Orchid Textiles", "Lindner Consulting", "Weber Brothers",
        "远航物流", "华鑫制造", "華鑫製造", "绿杉茶业", "高新科技", "金石贸易", "万家食品", "康宁医院", "蓝天集团",
    ],
)  # fmt: skip
def test_a_company(name: str) -> None:
    assert guess_kind(name) == "customer"


@pytest.mark.parametrize(
    "name",
    ["Anna Weber", "Tom Baker", "Mary Ann Miller", "Ag Nowak", "Sara Banks", "Peter Farmer", "王芳", "高明", "万小红"],
)  # fmt: skip
def test_a_person(name: str) -> None:
    assert guess_kind(name) == "person"


@pytest.mark.parametrize(("name", "kind"), [("Project Bank", "project"), ("物流项目", "project"), ("user-1", "other")])
def test_anything_else(name: str, kind: str) -> None:
    assert guess_kind(name) == kind
