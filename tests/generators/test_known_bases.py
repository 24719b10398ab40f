"""Slots of samples whose base question was read before."""

from typing import Any

import pytest
from pydantic import ValidationError

from refusalbench_tasks.generators import known_bases
from refusalbench_tasks.generators.known_bases import KnownBases
from refusalbench_tasks.generators.slot import Slot


def noted(name: str = "1", **changed: Any) -> dict[str, Any]:
    base = {"item_id": name, "source_id": name, "query": "Who?", "passages": ["Ole."], "answers": ["Ole"],
            "expected": "ANSWER_CORRECTLY", "intensity": "CLEAN"}  # fmt: skip
    return {"base": base | changed, "perturbation": "P-Ambiguity", "intensity": "LOW", "lever": "x"}


def test_a_known_base_is_shared_and_one_that_differs_is_read_anew() -> None:
    bases = KnownBases()
    first, again, other = (bases.slot_of(one) for one in (noted(), noted(), noted(query="Whom?")))
    assert again.base is first.base
    assert [first, again, other] == [Slot.model_validate(one) for one in (noted(), noted(), noted(query="Whom?"))]
    assert bases.slot_of(noted()).base == first.base


@pytest.mark.parametrize(
    "bad", [None, [], {}, {"base": None}, noted(query=7), noted() | {"intensity": "NO"}, noted() | {"base": ["1"]}]
)
def test_what_is_no_slot_is_told_as_ever_beside_a_known_base(bad: Any) -> None:
    bases = KnownBases()
    bases.slot_of(noted())
    with pytest.raises(ValidationError) as told:
        bases.slot_of(bad)
    with pytest.raises(ValidationError) as wanted:
        Slot.model_validate(bad)
    assert [(one["loc"], one["msg"]) for one in told.value.errors()] == [
        (one["loc"], one["msg"]) for one in wanted.value.errors()
    ]


def test_only_so_many_bases_are_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_bases, "_MOST", 2)
    bases = KnownBases()
    first, second, _ = (bases.slot_of(noted(name)).base for name in "123")
    assert bases.slot_of(noted("2")).base is second
    assert bases.slot_of(noted("1")).base is not first
