"""Where somebody, a company or its office is found is one attribute each, however it is told."""

import pytest

from extraction.attributes import concept

from .reading import only, read


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("Please change my address to 5 Elm Street, Oslo.", "address", "5 Elm Street, Oslo"),
        ("Please change our address from 1 Old Road to 5 Elm Street.", "address", "5 Elm Street"),
        ("We're based at 12 Harbour Street.", "address", "12 Harbour Street"),
        ("We moved to 8 Canal Road.", "address", "8 Canal Road"),
        ("We moved to 12 March Avenue.", "address", "12 March Avenue"),
        ("I live at Flat 3, 4 July Street.", "address", "Flat 3, 4 July Street"),
        ("Our office is in Rome.", "office address", "Rome"),
        ("Our office is now in Milan.", "office address", "Milan"),
        ("Our office has moved to 8 Canal Road, Leeds.", "office address", "8 Canal Road, Leeds"),
        ("Our warehouse is in Rotterdam.", "warehouse address", "Rotterdam"),
        ("我们搬到了文三路20号。", "地址", "文三路20号"),
        ("我们的地址改为上海市浦东新区25号。", "地址", "上海市浦东新区25号"),
        ("办公室在上海市静安区南京西路100号。", "办公地址", "上海市静安区南京西路100号"),
        ("我们的办公室现在在上海。", "办公地址", "上海"),
        ("公司搬到了杭州市文三路20号。", "地址", "杭州市文三路20号"),
        ("仓库在苏州工业园区。", "仓库地址", "苏州工业园区"),
        ("公司总部已经搬到苏州了。", "总部", "苏州"),
        ("我们公司总部已经搬到苏州了。", "总部", "苏州"),
        ("我们总部在深圳。", "总部", "深圳"),
        ("集团总部设在深圳。", "总部", "深圳"),
        ("公司仓库迁到了苏州工业园区了。", "仓库地址", "苏州工业园区"),
        ("The company headquarters has moved to Hamburg.", "headquarters", "Hamburg"),
        ("Our company's head office has moved to Hamburg.", "headquarters", "Hamburg"),
        ("The head office is now in Leeds.", "headquarters", "Leeds"),
    ],
)
def test_a_place(text: str, attribute: str, value: str) -> None:
    finding = only(text)
    assert (finding.attribute, finding.value) == (attribute, value)
    assert (finding.kind == "timeline", finding.happened_at, finding.valid_from) == (False, None, None)


def test_a_place_is_the_same_attribute_in_both_languages() -> None:
    assert concept("办公地址") == concept("office address") == concept("office")
    assert concept("地址") == concept("address") != concept("office")


@pytest.mark.parametrize(
    "text",
    [
        "We moved to Slack.",
        "We moved to Postgres last week.",
        "Our office is in chaos.",
        "Our office is at its limit.",
        "Our shop is in London and Paris.",
        "The shop is in Berlin.",
        "Please change my background to Blue.",
        "Please change the address format to Long.",
        "We moved to 8 new servers.",
        "办公室在装修。",
        "办公室在开会。",
        "公司在路上给我打电话。",
        "仓库在盘点。",
        "我们在机场。",
        "我们搬到了三楼。",
        "办公室不在上海。",
        "公司在广告上花了很多钱。",
    ],
)
def test_no_place(text: str) -> None:
    found = {finding.attribute for finding in read(text, subject="Nordwind")}
    assert not [name for name in found if "address" in name or "office" in name or "地址" in name or "地点" in name]
