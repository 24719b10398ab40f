"""How a candidate is written for a slot."""

from typing import Any

import pytest

from refusalbench_tasks.generators.generation_logs import read_runs
from tests.generators.panel import field, write_well
from tests.models import part
from tests.tasks.generation import (
    metrics,
    run,
    verifier,
)

pytestmark = pytest.mark.usefixtures("_elsewhere")
FEW: dict[str, Any] = {"classes": "Ambiguity", "intensities": "LOW"}


def test_a_writer_that_returns_no_item_is_unscored() -> None:
    m = metrics(run(lambda _: "no", [verifier("v")], **FEW))
    assert (m["n_writer_no_payload"], m["n_unscored"], m["n_candidates"]) == (3, 3, 3)


def declining(levers: int) -> Any:
    """Return a writer that can do none of the first so many levers of each base
    question.
    """
    tried: dict[str, set[str]] = {}

    def write(prompt: str) -> dict[str, Any]:
        of = tried.setdefault(part(prompt, "QUESTION"), set())
        of.add(field(prompt, "Lever"))
        return (
            write_well(prompt)
            if len(of) > levers
            else {"applicable": False, "why_not": "There is no such thing."}
        )

    return write


CELL: dict[str, Any] = {
    "classes": "MissingInfo",
    "intensities": "MEDIUM",
    "max_failures": 0,
}


def test_the_next_lever_is_tried_in_the_same_attempt_and_recorded() -> None:
    m = metrics(run(declining(2), [verifier("v")], **CELL))
    assert (m["n_items"], m["n_candidates"], m["n_accepted"], m["calls"]) == (
        3,
        3,
        3,
        3 * 5,
    )
    assert (
        m["n_declined"]
        == sum(n for name, n in m.items() if name.startswith("declined/"))
        == 6
    )
    (found,) = read_runs(["logs"]).runs
    assert not any(item.slot.lever == item.slot.planned_lever for item in found.items)
    assert found.samples == 3
