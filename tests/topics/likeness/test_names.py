"""Names that are one in other words, and names that only look alike."""

from __future__ import annotations

import pytest

from topics.likeness.names import Likeness, Name, Vocabulary, abbreviates, compare

FILLER = [Name(f"Firm {n} Grill") for n in range(50)]


def alike(first: str, second: str) -> Likeness | None:
    names = [Name(first), Name(second)]
    return compare(*names, Vocabulary([*names, *FILLER]))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Hotel Bel-Air", "Bel-Air Hotel"),
        ("Wei Zhang", "Zhang Wei"),
        ("Dr. Mei Liu", "Liu Mei"),
        ("The Palm", "Palm (Los Angeles)"),
        ("Acme, Inc.", "ACME Corp"),
        ("北京铁砧有限公司", "北京铁砧"),
        ("鐵砧集團有限公司", "铁砧集团"),
        ("Ａｃｍｅ", "acme"),
    ],
)
def test_one_name_in_two_writings(first: str, second: str) -> None:
    found = alike(first, second)
    assert found is not None
    assert (found.kind, found.score) == ("same", 1.0)


@pytest.mark.parametrize(
    ("short", "full"),
    [
        ("北大", "北京大学"),
        ("文委会", "文化工作委员会"),
        ("教代会", "教师代表大会"),
        ("IBM", "International Business Machines"),
        ("UN", "The United Nations"),
        ("MoMA", "Museum of Modern Art"),
    ],
)
def test_a_name_and_its_short_form(short: str, full: str) -> None:
    for pair in ((short, full), (full, short)):
        found = alike(*pair)
        assert found is not None
        assert found.kind == "abbreviation"
        assert found.score > 0.5


@pytest.mark.parametrize(
    ("short", "full"),
    [
        ("职业教育", "职业教育组"),  # a name within a longer one
        ("大北", "北京大学"),  # not in their order
        ("北", "北京大学"),
        ("IBN", "International Business Machines"),
        ("A", "Acme Boats"),
        ("北京大学", "北京大学"),
    ],
)
def test_what_is_no_short_form(short: str, full: str) -> None:
    assert abbreviates(Name(short), Name(full)) == 0.0


def test_words_in_another_order_and_a_slip_of_the_pen() -> None:
    found = alike("智能家居项目", "家居智能化项目")
    assert found is not None
    assert (found.kind, found.score) == ("similar", pytest.approx(12 / 13))
    found = alike("Yujean Kang's Kitchen", "Yujaen Kang's Kitchen")
    assert found is not None
    assert found.score > 0.9


def test_a_word_that_many_names_share_says_little() -> None:
    rare, common = alike("Zanzibar Grill", "Zanzibar House"), alike("Zanzibar Grill", "Teheran Grill")
    assert rare is not None
    assert common is not None
    assert rare.score > common.score


def test_one_character_that_differs_tells_two_things_apart() -> None:
    found = alike("亚洲足球联合会", "欧洲足球联合会")
    assert found is not None
    assert found.score < 0.75


@pytest.mark.parametrize("name", ["!!!", "🎉", "the", "公司", "有限公司", "()", "先生", "é"])
def test_a_name_of_nothing_much_is_compared_all_the_same(name: str) -> None:
    assert alike(name, "Acme") is None or name == "the"
    same = alike(name, name)
    assert same is not None
    assert same.score == 1.0
