"""Values that may change later carry a stable name, so that a later one can be seen to contradict them."""

import pytest

from extraction.attributes import concept

from .reading import only, read, topic

CUSTOMER = topic("Nordwind", kind="customer")


@pytest.mark.parametrize(
    ("text", "attribute", "value", "unit"),
    [
        ("The budget is $84,000 a year.", "budget", "84000", "USD/year"),
        ("Our total budget is about €50k.", "budget", "50000", "EUR"),
        ("The marketing budget is 1.5 million dollars.", "marketing budget", "1500000", "USD"),
        ("We raised the budget from $40,000 to $45,000.", "budget", "45000", "USD"),
        ("The budget is €120,000, not €100,000.", "budget", "120000", "EUR"),
        ("The contract value is 1.2 million euros.", "contract value", "1200000", "EUR"),
        ("We have 38 drivers.", "drivers", "38", ""),
        ("I now lead a team of five engineers.", "engineers", "5", ""),
        ("Our headcount is 120 people.", "headcount", "120", "people"),
        ("They asked for a 15% discount.", "discount", "15", "%"),
        ("The onboarding costs $1,200 per month.", "onboarding cost", "1200", "USD/month"),
        ("预算是15万元。", "预算", "150000", "CNY"),
        ("我们的总预算是十五万元。", "预算", "150000", "CNY"),
        ("预算从15万调整到18万。", "预算", "180000", "CNY"),
        ("报价是3.5万美元。", "价格", "35000", "USD"),
        ("月租金是4500元。", "房租", "4500", "CNY/month"),
        ("我们有38名司机。", "司机", "38", "名"),
        ("我现在带领5名工程师。", "工程师", "5", "名"),
        ("毛利率是35%。", "毛利率", "35", "%"),
        ("毛利率是百分之三十五。", "毛利率", "35", "%"),
    ],
)
def test_a_number_has_attribute_value_and_unit(text: str, attribute: str, value: str, unit: str) -> None:
    finding = only(text, subject=CUSTOMER)
    assert (finding.attribute, finding.value, finding.unit) == (attribute, value, unit)
    assert finding.kind in ("number", "decision")


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("The success rate of the login flow is 95%.", "login flow success rate", "95"),
        ("The login flow's success rate is 95%.", "login flow success rate", "95"),
        ("The success rate of the payment flow is 80%.", "payment flow success rate", "80"),
        ("The payment success rate is 80%.", "payment success rate", "80"),
        ("Our success rate is 80%.", "success rate", "80"),
        ("The success rate of Nordwind is 80%.", "success rate", "80"),
        ("We have a success rate of 80% for refunds.", "refunds success rate", "80"),
        ("Our market share in France is 20%.", "france market share", "20"),
        ("Our conversion rate is 3% in May.", "conversion rate", "3"),
        ("The interest rate on the loan is 5%.", "loan interest rate", "5"),
        ("The price of apples is $3.", "apples price", "3"),
        ("The cost of the renovation is $5,000.", "renovation cost", "5000"),
        ("The renovation costs $5,000.", "renovation cost", "5000"),
        ("The budget for the project is 5,000 USD.", "budget", "5000"),
        ("登录的成功率是95%。", "登录成功率", "95"),
        ("登录成功率提高到95%。", "登录成功率", "95"),
        ("我们登录流程的成功率是95%。", "登录流程成功率", "95"),
        ("支付成功率是80%。", "支付成功率", "80"),
        ("目前的成功率是80%。", "成功率", "80"),
        ("Nordwind的成功率是80%。", "成功率", "80"),
        ("我们苹果的价格是3元。", "苹果价格", "3"),
    ],
)
def test_a_rate_is_of_something(text: str, attribute: str, value: str) -> None:
    finding = only(text, subject=CUSTOMER)
    assert (finding.attribute, finding.value) == (attribute, value)


@pytest.mark.parametrize("text", ["效率提升了30%。", "成功率提高了5%。", "Our success rate grew by 5%."])
def test_by_how_much_a_rate_changed_is_not_the_rate(text: str) -> None:
    assert only(text, subject=CUSTOMER).value == ""


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("I live in Berlin.", "residence", "Berlin"),
        ("I just moved to Munich with my wife.", "residence", "Munich"),
        ("I work at Nordwind Energy.", "employer", "Nordwind Energy"),
        ("I'm a software engineer.", "occupation", "software engineer"),
        ("I'm originally from Porto.", "hometown", "Porto"),
        ("My email is mia@example.com.", "email", "mia@example.com"),
        ("My favorite dish is lasagna.", "favourite dish", "lasagna"),
        ("My favourite dish is ramen now.", "favourite dish", "ramen now"),
        ("I'm married.", "marital status", "married"),
        ("我住在上海。", "居住地", "上海"),
        ("去年我搬到了杭州。", "居住地", "杭州"),
        ("我在腾讯工作。", "工作单位", "腾讯"),
        ("我是一名护士。", "职业", "护士"),
        ("我今年三十五岁。", "年龄", "35"),
        ("我最喜欢的颜色是蓝色。", "最喜欢的颜色", "蓝色"),
    ],
)
def test_what_is_true_of_a_person_once_at_a_time(text: str, attribute: str, value: str) -> None:
    finding = only(text)
    assert (finding.attribute, finding.value) == (attribute, value)


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("The deadline is 30 June 2024.", "deadline", "2024-06-30"),
        ("The deadline moved to July 15.", "deadline", "2024-07-15"),
        ("The deadline for the audit is 3 June.", "audit deadline", "2024-06-03"),
        ("We have a deadline of 3 June for the audit.", "audit deadline", "2024-06-03"),
        ("Our plan now has a new audit deadline of 5 June.", "audit deadline", "2024-06-05"),
        ("截止日期改到6月30日。", "截止日期", "2024-06-30"),
        ("Our project manager is Anna Schmidt.", "project manager", "Anna Schmidt"),
        ("We migrated the database from MySQL to PostgreSQL.", "database", "PostgreSQL"),
        ("We decided to go with option B.", "option", "B"),
        ("我们决定采用方案A。", "方案", "A"),
        ("通讯协议从WiFi换成了Zigbee。", "通讯协议", "Zigbee"),
        ("项目经理是王芳。", "项目经理", "王芳"),
        ("客户地址：上海市浦东新区世纪大道100号", "地址", "上海市浦东新区世纪大道100号"),
        ("- Decision maker: Lena Fischer", "decision maker", "Lena Fischer"),
        ("后端由李娜负责。", "后端负责人", "李娜"),
    ],
)
def test_what_is_true_of_a_project_once_at_a_time(text: str, attribute: str, value: str) -> None:
    finding = only(text, subject=CUSTOMER)
    assert (finding.attribute, finding.value) == (attribute, value)


@pytest.mark.parametrize(
    ("text", "attribute"),
    [
        ("我同事的电话是15300000000。", "同事电话"),
        ("我叔叔的邮箱是uncle@example.com。", "叔叔邮箱"),
        ("春季展会的地点是上海。", "春季展会地点"),
        ("My landlord's phone number is +49 30 1234567.", "landlord phone"),
    ],
)
def test_somebody_elses_value_is_not_confused_with_ones_own(text: str, attribute: str) -> None:
    assert only(text).attribute == attribute


def test_a_birthday_is_a_property_and_no_event() -> None:
    finding = only("我表弟的生日是7月15日。")
    assert (finding.kind, finding.attribute, finding.happened_at) == ("fact", "表弟生日", None)


def test_two_values_in_one_sentence_are_two_findings() -> None:
    findings = read("硬件预算5万元，软件预算3万元。", subject=CUSTOMER)
    assert [(f.attribute, f.value) for f in findings] == [("硬件预算", "50000"), ("软件预算", "30000")]


@pytest.mark.parametrize(
    "text",
    [
        "The budget is $10,000 to $15,000.",
        "预算是10到15万元。",
        "Revenue grew 12% in 2023.",
        "The budget was cut by 20%.",
        "We spent $300 on lamps.",
    ],
)
def test_a_range_a_growth_and_a_spending_set_no_value(text: str) -> None:
    assert [finding.attribute for finding in read(text, subject=CUSTOMER) if finding.attribute] == []


@pytest.mark.parametrize("text", ["I enjoy hiking and chess.", "我喜欢徒步和下棋。", "最近我在考虑找新工作。"])
def test_what_may_have_many_values_has_no_attribute(text: str) -> None:
    assert only(text).attribute == ""


def test_an_attribute_is_the_same_concept_in_both_languages() -> None:
    assert concept("预算") == concept("budget") == "budget"
    assert concept("司机") == "司机"
