"""One thing has one key, however its name is written; two things do not share one by accident."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topics.text.names import match_keys, name_key, untitled


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ＡＣＭＥ", "Acme"),
        ("Acme Corp.", "ACME  corp"),
        ("張曼婷", "张曼婷"),
        ("智能 家居・项目", "智能家居项目"),
        ("O'Neil", "O’Neil"),
        ("Straße", "STRASSE"),
        ("é", "e\u0301"),
        ("Zhang\u200bWei", "zhang wei"),
        ("❤️", "❤"),
    ],
)
def test_ways_to_write_a_name_share_a_key(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(
    ("one", "other"), [("C#", "C"), ("C++", "C"), ("AT&T", "ATT"), ("王芳", "王方"), ("!!!", "???")]
)
def test_different_names_keep_different_keys(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


@pytest.mark.parametrize("name", ["!!!", "😀", "…", "？", "「」", "*"])
def test_a_name_of_signs_alone_keeps_them(name: str) -> None:
    assert name_key(name)


@pytest.mark.parametrize("name", ["", "   ", "\u3000", "\x00\u200b", "\ud800"])
def test_an_invisible_name_has_no_key(name: str) -> None:
    assert name_key(name) == ""


@pytest.mark.parametrize(
    ("name", "bare"),
    [
        ("Mr Zhang", "Zhang"),
        ("Dr. Mei Liu", "Mei Liu"),
        ("Prof. Dr. Novak", "Novak"),
        ("张伟先生", "张伟"),
        ("李娜老師", "李娜"),
        ("王总", "王"),
        ("欧阳医生", "欧阳"),
        ("刘总经理", "刘"),
        ("Drew", "Drew"),
        ("Missy", "Missy"),
        ("老师", "老师"),
        ("汇总", "汇总"),
        ("Dr.", "Dr."),
    ],
)
def test_the_honorific_is_taken_off(name: str, bare: str) -> None:
    assert untitled(name) == bare


def test_a_name_matches_with_and_without_its_title() -> None:
    assert match_keys("张伟先生") == ("张伟先生", "张伟")
    assert match_keys("Dr. Mei Liu")[-1] == match_keys("mei liu")[0]


def test_a_bare_surname_is_no_key() -> None:
    assert match_keys("张先生") == ("张先生",)


@given(st.text(max_size=40))
def test_keys_never_fail_and_are_stable(name: str) -> None:
    key = name_key(name)
    assert name_key(f"  {name}\n") == key
    assert match_keys(name)[0] == key
    assert bool(key) == any(name_key(character) for character in name)
