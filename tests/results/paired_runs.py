"""Pairs of runs whose differences are known by construction."""

from collections.abc import Sequence
from typing import Any

from inspect_ai.log import EvalSample

from refusalbench_tasks.results.comparison import compare_pairs
from refusalbench_tasks.results.table import Run
from refusalbench_tasks.taxonomy import Intensity, Label, PerturbationClass
from tests.results.synthetic import hedging_sample, row, run

CLEAR = (PerturbationClass.AMBIGUITY, Intensity.LOW)


def rows(
    right: Sequence[bool | None], start: str = "", **facts: Any
) -> list[EvalSample]:
    """Return answerable rows, two per question, with the given correctness (None is
    unscored).
    """
    return [
        row(
            f"{start}{k:03d}",
            None if ok is None else Label.ANSWER,
            *CLEAR,
            bool(ok),
            source_id=f"q{k // 2}",
            **facts,
        )
        for k, ok in enumerate(right)
    ]


def one(a: Run, b: Run, **options: Any) -> dict[str, Any]:
    (made,) = compare_pairs([(a, b)], **options)
    return (
        {d.metric: d for d in made.differences}
        | {d.name: d for d in made.tests}
        | {"made": made}
    )


def pairs(
    drop: float, hedges: float = 0.0, n: int = 10, **numbers: float
) -> list[EvalSample]:
    """Return both arms of n questions: confidence falls by `drop`, the ambiguous arm
    has `hedges` in ten words.
    """
    made = []
    for k in range(n):
        fallen = {"confidence": 0.9 - drop - 0.01 * (k % 3), "hedges": hedges}
        made.append(hedging_sample(f"q{k}", "clear", **({"confidence": 0.9} | numbers)))
        made.append(hedging_sample(f"q{k}", "ambiguous", **(fallen | numbers)))
    return made


def replies(right: Sequence[bool | None], model: str = "m", **changes: Any) -> Run:
    return run(rows(right), model, **changes)
