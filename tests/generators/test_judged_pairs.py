"""Which planned pairs of a base and a lever a reader could not do: 216 of two default plans, judged one by one.

The reader had written neither the levers nor their needs. `fits` can be done; `forced` only by inventing what the base
does not speak of, or against its sense; `cannot` not at all within what the lever may change. `bundled` are bases of
the bundled rows; `unseen` are bases of labelled cases that were written after the needs, each without the levers that
it was written for.
"""

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.generators.applicability import applicable
from refusalbench_tasks.generators.kit.bases import load_bases
from refusalbench_tasks.generators.levers import bundled_levers
from refusalbench_tasks.taxonomy import CLASSES, PERTURBED, Label
from tests.generators.test_rule_cases import ROWS

PAIRS: list[dict[str, Any]] = [
    json.loads(line) for line in Path(__file__).with_name("judged_pairs.jsonl").read_text("utf-8").splitlines()
]
LEVERS = {lever.name: lever for lever in bundled_levers()}
NAMED: dict[str, Any] = {"item_id": "b", "source_id": "b", "expected": Label.ANSWER}


@cache
def bases() -> dict[str | int, RefusalItem]:
    """Return the judged base questions by their source's id, or by the id of a labelled case."""
    cases = {row["id"]: RefusalItem.model_validate(row["base"] | NAMED) for row in ROWS}
    return cases | {base.source_id: base for name in ("nq_sample", "garage_sample") for base in load_bases(name)}


def fits(pair: dict[str, Any]) -> bool:
    return not applicable(LEVERS[pair["lever"]], bases()[pair["base"]])


@pytest.mark.parametrize(
    ("sample", "verdicts"),
    [("bundled", {"fits": 99, "forced": 8, "cannot": 1}), ("unseen", {"fits": 93, "forced": 14, "cannot": 1})],
)
def test_at_most_one_in_twenty_of_what_was_planned_could_not_be_done(sample: str, verdicts: dict[str, int]) -> None:
    own = [pair for pair in PAIRS if pair["sample"] == sample]
    cells = Counter((LEVERS[pair["lever"]].perturbation, LEVERS[pair["lever"]].intensity) for pair in own)
    assert cells == {(name, level): 6 for name in CLASSES for level in PERTURBED}
    assert len({(pair["base"], pair["lever"]) for pair in own}) == 108
    assert Counter(pair["verdict"] for pair in own) == verdicts
    planned = [pair["verdict"] for pair in own if fits(pair)]
    assert len(planned) >= 0.9 * len(own)
    assert planned.count("cannot") / len(planned) <= 0.05


def test_what_could_not_be_done_is_planned_no_more_and_what_fits_still_is() -> None:
    assert [pair for pair in PAIRS if pair["verdict"] == "cannot" and fits(pair)] == []
    lost = [pair for pair in PAIRS if pair["verdict"] == "fits" and not fits(pair)]
    assert len(lost) <= 0.02 * len(PAIRS), lost
