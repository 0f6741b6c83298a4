"""On what terms somebody does business: in how many days is paid, where invoices go, which premises there are."""

import pytest

from .reading import only, read, topic

CUSTOMER = topic("Nordwind", kind="customer")


@pytest.mark.parametrize("subject", [None, CUSTOMER])
@pytest.mark.parametrize(
    ("text", "attribute", "value", "unit"),
    [
        ("We pay within 30 days.", "payment terms", "30", "days"),
        ("We pay our suppliers within 14 business days.", "payment terms", "14", "business days"),
        ("Our payment terms are 45 days net.", "payment terms", "45", "days"),
        ("Payment terms: net 30.", "payment terms", "30", "days"),
        ("Payment is due within thirty days.", "payment terms", "30", "days"),
        ("Invoices are payable within 14 days.", "payment terms", "14", "days"),
        ("付款期限30天。", "账期", "30", "天"),
        ("付款期限是30天。", "账期", "30", "天"),
        ("我们收到发票后30天内付款。", "账期", "30", "天"),
        ("我们的账期是60天。", "账期", "60", "天"),
        ("月结30天。", "账期", "30", "天"),
        ("Send invoices to ap@example.com.", "invoice email", "ap@example.com", ""),
        ("Please send all invoices to ap@example.com.", "invoice email", "ap@example.com", ""),
        ("Invoices go to 8 Canal Road, Leeds.", "invoice address", "8 Canal Road, Leeds", ""),
        ("Our invoices should be sent to ap@example.com.", "invoice email", "ap@example.com", ""),
        ("Our billing email is ap@example.com.", "invoice email", "ap@example.com", ""),
        ("Deliveries go to 12 Market Street, York.", "delivery address", "12 Market Street, York", ""),
        ("发票寄到ap@example.com。", "发票邮箱", "ap@example.com", ""),
        ("发票请寄到上海市南京西路100号。", "发票地址", "上海市南京西路100号", ""),
        ("请把发票发到ap@example.com。", "发票邮箱", "ap@example.com", ""),
        ("请将所有发票寄到上海市静安区南京西路100号。", "发票地址", "上海市静安区南京西路100号", ""),
    ],
)
def test_terms_are_values(text: str, attribute: str, value: str, unit: str, subject: None) -> None:
    found = only(text, subject=subject)
    assert (found.attribute, found.value, found.unit, found.certainty) == (attribute, value, unit, "confirmed")


@pytest.mark.parametrize(
    "text",
    [
        "We will pay within 30 days.",
        "We pay 5,000 euros within 30 days.",
        "We paid within 10 days.",
        "We don't pay within 30 days.",
        "Please send the report to anna@example.com.",
        "We sent invoices to ap@example.com.",
        "我们会在30天内付款。",
        "我们30天内付了款。",
        "房东要求我们30天内付清房租。",
        "请把报告发给张伟。",
        "发票寄到了。",
    ],
)
def test_one_payment_and_one_letter_set_no_terms(text: str) -> None:
    assert [f.value for f in read(text, subject=CUSTOMER) if f.value] == []


def test_a_day_by_which_is_paid_is_a_day() -> None:
    assert only("付款期限是2024年6月3日。", subject=CUSTOMER).value == "2024-06-03"


@pytest.mark.parametrize("subject", [None, CUSTOMER])
@pytest.mark.parametrize(
    "text",
    [
        "We have a warehouse in Rotterdam.",
        "We also rent a small office in Leeds.",
        "我们在鹿特丹有一个仓库。",
        "我们有个仓库在鹿特丹。",
        "我们在杭州设有研发中心。",
    ],
)
def test_premises_are_kept(text: str, subject: None) -> None:
    assert (only(text, subject=subject).kind, only(text, subject=subject).value) == ("fact", "")


@pytest.mark.parametrize("subject", [None, CUSTOMER])
@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("We have more than 40 stores.", "stores", "40"),
        ("We have at least 15 drivers.", "drivers", "15"),
        ("We run no fewer than 12 restaurants.", "restaurants", "12"),
        ("We have 40+ stores.", "stores", "40"),
        ("我们有40多家门店。", "门店", "40"),
        ("我们有超过40家门店。", "门店", "40"),
        ("我们在全国有40余家门店。", "门店", "40"),
        ("我们的门店数量为40家。", "门店", "40"),
        ("司机一共有12名。", "司机", "12"),
    ],
)
def test_a_rough_count_is_a_count(text: str, attribute: str, value: str, subject: None) -> None:
    found = only(text, subject=subject)
    assert (found.attribute, found.value) == (attribute, value)


@pytest.mark.parametrize("text", ["We have a question.", "我们有一个问题。", "我的问题是3个。", "他是5个人中的一个。"])
def test_what_counts_nothing(text: str) -> None:
    assert read(text) == []
