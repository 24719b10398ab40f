"""The order in which verifiers are asked."""

from collections import Counter

import pytest

from refusalbench_tasks.generators.kit.bases import load_bases
from refusalbench_tasks.generators.levers import bundled_levers
from refusalbench_tasks.generators.order import KNOWN_FROM, Order
from refusalbench_tasks.generators.plan import make_plan
from refusalbench_tasks.taxonomy import PerturbationClass

SLOTS = make_plan(load_bases("nq_sample"), bundled_levers())
NAMES = ["mild", "strict", "fair"]
FAILS = {"mild": 1, "strict": 6, "fair": 3}
AMBIGUITY, MISSING = PerturbationClass.AMBIGUITY, PerturbationClass.MISSING_INFO


def learnt(prices: dict[str, float] | None = None) -> Order:
    order = Order(prices)
    for name, fails in FAILS.items():
        for k in range(KNOWN_FROM):
            order.add(name, AMBIGUITY, k >= fails)
    return order


def test_the_estimate_is_that_of_the_class_drawn_to_that_of_all() -> None:
    order = learnt()
    # all: (6 + 1) / (10 + 2) = 7/12; class: (6 + 4 x 7/12) / (10 + 4)
    assert order.strictness("strict", AMBIGUITY) == pytest.approx((6 + 4 * 7 / 12) / 14)
    assert order.strictness("strict", MISSING) == pytest.approx(7 / 12)
    assert Order().strictness("new", MISSING) == 0.5


def test_until_each_is_known_every_verifier_is_first_in_turn() -> None:
    firsts = Counter(Order().of(NAMES, slot)[0] for slot in SLOTS)
    assert firsts.keys() == set(NAMES)
    assert min(firsts.values()) > len(SLOTS) / 5


def test_then_the_strict_ones_are_first_but_for_a_share_that_keeps_measuring() -> None:
    order = learnt()
    asked = Counter(tuple(order.of(NAMES, slot)) for slot in SLOTS)
    assert asked.most_common(1)[0][0] == ("strict", "fair", "mild")
    assert 0.75 < asked["strict", "fair", "mild"] / len(SLOTS) < 0.95
    assert len({one[0] for one in asked}) == 3


def test_a_verifier_that_costs_ten_times_as_much_is_asked_later() -> None:
    order = learnt({"mild": 1.0, "strict": 10.0, "fair": 1.0})
    assert Counter(tuple(order.of(NAMES, slot)) for slot in SLOTS).most_common(1)[0][0] == ("fair", "mild", "strict")
    # a price that is not known makes the others useless
    order.prices = {"strict": 10.0}
    assert Counter(tuple(order.of(NAMES, slot)) for slot in SLOTS).most_common(1)[0][0][0] == "strict"


def test_everyone_is_asked_once_whatever_the_order() -> None:
    for order in (Order(), learnt()):
        assert all(sorted(order.of(NAMES, slot)) == sorted(NAMES) for slot in SLOTS[:50])
