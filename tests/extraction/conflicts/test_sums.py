"""Of one customer many sums are told: one of them contradicts another only where both are of the same."""

from __future__ import annotations

import pytest

from extraction.contradiction import clash


@pytest.mark.parametrize(
    ("held", "new"),
    [
        ("The budget of Elm Bakery is now 31,500 euros.", "Elm Bakery pays 450 euros a month for support."),
        ("The budget of Elm Bakery is now 31,500 euros.", "Elm Bakery signed a contract for 80,000 euros."),
        ("Elm Bakery now pays 450 dollars a month for support.", "Elm Bakery spent 2,000 dollars on training."),
        ("榆树面包房的预算现在是31500欧元。", "榆树面包房每月为支持支付450欧元。"),
        ("榆树面包房的预算现在是31500元。", "榆树面包房签了8万元的合同。"),
    ],
)
def test_sums_of_two_matters_do_not_contradict(held: str, new: str) -> None:
    assert clash(held, new) == clash(new, held) == ""


@pytest.mark.parametrize(
    ("held", "new"),
    [
        ("The budget is 85,000 euros.", "The budget is now 90,000 euros."),
        ("The budget of Elm Bakery is 31,500 euros.", "The budget of Elm Bakery has risen to 40,000 euros."),
        ("The support fee is 450 dollars.", "The support fee is now 500 dollars."),
        ("榆树面包房的预算是31500元。", "榆树面包房的预算现在提高到40000元。"),
    ],
)
def test_another_sum_of_the_same_does(held: str, new: str) -> None:
    assert clash(held, new) == clash(new, held) == "value"
