"""Runs of `nq` and `bluff` as the papers ran them, and what was published of them."""

import inspect
from collections.abc import Sequence
from typing import Any

from inspect_ai.log import EvalSample
from inspect_ai.model import GenerateConfig

from refusalbench_tasks.results.published.papers import published_papers
from refusalbench_tasks.results.published.reproduction import (
    PublishedLogs,
    Reproduced,
    beside_published,
)
from refusalbench_tasks.results.table import Run
from refusalbench_tasks.tasks.bluff import bluff
from refusalbench_tasks.tasks.nq import nq
from refusalbench_tasks.taxonomy import Intensity, Label, PerturbationClass
from tests.results.synthetic import hedging_sample, row, run

PAPERS = published_papers()


NQ_ARGS = {
    name: one.default for name, one in inspect.signature(nq).parameters.items()
} | {"judge": "always"}


BLUFF_ARGS = {
    name: one.default for name, one in inspect.signature(bluff).parameters.items()
}


AS_PUBLISHED = BLUFF_ARGS | {"protocol": "official-code", "official_lists": "hub"}


CLEAR = (PerturbationClass.AMBIGUITY, Intensity.LOW)


def samples(false: int = 6, missed: int = 1, n: int = 10) -> list[EvalSample]:
    """Return n answerable rows, of which some are refused, and n others, of which some
    are answered.
    """
    answerable = [
        row(f"a{k}", Label.MISSING if k < false else Label.ANSWER, *CLEAR)
        for k in range(n)
    ]
    return answerable + [
        row(f"u{k}", Label.ANSWER if k < missed else Label.MISSING) for k in range(n)
    ]


def of_nq(
    model: str = "openai/gpt-4o",
    rows: Sequence[EvalSample] = (),
    tokens: int | None = None,
    **given: Any,
) -> Run:
    own = list(rows) or samples()
    facts: dict[str, Any] = {
        "data": "hub",
        "selected_rows": len(own),
        "task_args": NQ_ARGS,
    } | given
    generate = GenerateConfig(temperature=1.0, top_p=1.0, reasoning_tokens=tokens)
    return run(own, model, **({"generate": generate} | facts))


def of_bluff(args: dict[str, Any] | None = None, n: int = 500, **given: Any) -> Run:
    arms = ("clear", "ambiguous")
    own = [
        hedging_sample(f"q{k}", arm, refused=float(k % 3 == 0), hedges=k % 2)
        for k in range(n)
        for arm in arms
    ]
    facts: dict[str, Any] = {"data": "hub", "selected_rows": len(own)} | given
    generate = GenerateConfig(temperature=0.3)
    return run(
        own,
        "x/m",
        "bluff",
        task_args=AS_PUBLISHED if args is None else args,
        generate=generate,
        **facts,
    )


def bluff_rows(of: Run, model: str = "Llama-3.3") -> dict[str, Reproduced]:
    return {
        one.row.metric: one
        for one in beside_published(PAPERS, PublishedLogs([of], names={"x/m": model}))
        if one.row.model == model
    }


def one_row(
    *runs: Run, label: str, model: str = "GPT-4o", names: dict[str, str] | None = None
) -> Reproduced:
    found = [
        one
        for one in beside_published(PAPERS, PublishedLogs(runs, names=names or {}))
        if (one.row.task, one.row.model, one.row.label) == ("nq", model, label)
        and not one.row.read_off
    ]
    return found[0]
