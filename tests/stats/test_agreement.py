"""Kappa and alpha, against worked values."""

import math

import pytest

from refusalbench_tasks.stats.agreement import cohen_kappa, krippendorff_alpha


def test_kappa_by_hand() -> None:
    # 20 yes/yes, 5 yes/no, 10 no/yes, 15 no/no: p_o = .7, p_e = .5 * .6 + .5 * .4 = .5
    first = ["y"] * 25 + ["n"] * 25
    second = ["y"] * 20 + ["n"] * 5 + ["y"] * 10 + ["n"] * 15
    assert cohen_kappa(first, second) == pytest.approx(0.4)
    assert cohen_kappa(first, first) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("first", "second"),
    [([1, 1, 1], [1, 1, 1]), ([1, 1, 1, 1], [1, 0, 1, 1]), ([], [])],
)
def test_kappa_is_undefined_where_a_rater_does_not_vary(
    first: list[int], second: list[int]
) -> None:
    assert math.isnan(cohen_kappa(first, second))
    assert math.isnan(cohen_kappa(second, first))


def test_alpha_by_hand_and_with_missing_labels() -> None:
    # Krippendorff's own example of two observers and ten units (2011): 0.095
    first = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0]
    second = [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    assert krippendorff_alpha(list(zip(first, second, strict=True))) == pytest.approx(
        0.095, abs=5e-4
    )
    assert krippendorff_alpha([["a", "a"], ["b", "b"], ["a", None]]) == pytest.approx(
        1.0
    )
    assert math.isnan(krippendorff_alpha([["a", "a"], ["a", "a"]]))
    assert math.isnan(krippendorff_alpha([["a", None]]))


def test_alpha_of_three_raters_by_hand() -> None:
    # units aab, abb, and b by one rater alone, which says nothing: 3 a and 3 b are
    # paired observed: (9 - 4 - 1) / 2 per unit, so 4; expected: 36 - 9 - 9 = 18; alpha
    # = 1 - 5 * 4 / 18
    assert krippendorff_alpha(
        [["a", "a", "b"], ["a", "b", "b"], ["b", None, None]]
    ) == pytest.approx(1 - 20 / 18)
    # 0 and False are labels, not missing ones
    assert krippendorff_alpha([[0, 0], [1, 1]]) == 1.0


def test_kappa_where_one_rater_knows_a_label_that_the_other_never_gives() -> None:
    # 2 of 3 agree; by chance a 1/3 * 1/3, b 1/3 * 2/3, c 1/3 * 0
    assert cohen_kappa("abc", "abb") == pytest.approx((2 / 3 - 1 / 3) / (1 - 1 / 3))
    assert cohen_kappa("abb", "abc") == pytest.approx(1 / 2)
    with pytest.raises(ValueError, match="shorter"):
        cohen_kappa("aba", "ab")
