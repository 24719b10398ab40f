"""Which slots the whole panel judges."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.audit import audit_probability
from refusalbench_tasks.generators.kit.bases import load_bases
from refusalbench_tasks.generators.levers import bundled_levers
from refusalbench_tasks.generators.plan import make_plan

SLOTS = make_plan(load_bases("nq_sample"), bundled_levers())


@given(st.floats(0, 1), st.floats(0, 1))
def test_a_larger_share_holds_a_smaller_one(one: float, other: float) -> None:
    small, large = sorted((one, other))
    for slot in SLOTS[:50]:
        assert audit_probability(slot, small) in (0.0, small)
        assert not audit_probability(slot, small) or audit_probability(slot, large) == large


def test_the_share_is_about_the_share_of_the_slots() -> None:
    assert not any(audit_probability(slot, 0) for slot in SLOTS)
    assert all(audit_probability(slot, 1) for slot in SLOTS)
    assert 0.2 < sum(audit_probability(slot, 0.3) > 0 for slot in SLOTS) / len(SLOTS) < 0.4


def test_a_later_attempt_is_not_audited() -> None:
    assert not any(audit_probability(slot.again(("too easy",)), 1) for slot in SLOTS)


@pytest.mark.parametrize("bad", [-0.1, 1.5, float("nan"), True, "some"])
def test_anything_else_than_a_share_is_an_error(bad: Any) -> None:
    with pytest.raises(DataError, match="audit_share: expected a number from 0 to 1"):
        audit_probability(SLOTS[0], bad)
