"""Votes of two writers on each other's candidates."""

from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalSpec

from refusalbench_tasks.results.published.papers import published_papers
from refusalbench_tasks.results.published.reproduction import (
    PublishedLogs,
    Reproduced,
    beside_published,
)
from refusalbench_tasks.results.verifier_panel import VotedLog
from refusalbench_tasks.taxonomy import Intensity, PerturbationClass

A = "openai/gpt-4o"
B = "bedrock/amazon.nova-pro-v1:0"
AMBIGUITY = PerturbationClass.AMBIGUITY
EPISTEMIC = PerturbationClass.EPISTEMIC


def item(
    writer: str, source: str, one: PerturbationClass, level: Intensity, **votes: bool
) -> dict[str, object]:
    cast = {{"a": A, "b": B}[name]: passed for name, passed in votes.items()}
    return {
        "slot": (source, one, level, ""),
        "source": source,
        "writer": writer,
        "class": one,
        "intensity": level,
        "lever": "",
        "votes": cast,
    }


def run(writer: str, *votes: dict[str, object]) -> VotedLog:
    spec = EvalSpec(
        created="2026-01-01T00:00:00+00:00",
        task="refusalbench_tasks/perturb",
        model=writer,
        task_args={"coverage": "all", "verify": "until_fail"},
        dataset=EvalDataset(),
        config=EvalConfig(),
    )
    return VotedLog(
        EvalLog(status="success", eval=spec, location=f"{writer}.eval"), votes
    )


RUNS = (
    run(
        A,
        item(A, "1", AMBIGUITY, Intensity.LOW, a=True, b=True),
        item(A, "2", AMBIGUITY, Intensity.HIGH, a=True, b=False),
        item(A, "3", EPISTEMIC, Intensity.HIGH, a=True, b=True),
    ),
    run(
        B,
        item(B, "1", AMBIGUITY, Intensity.LOW, a=False, b=True),
        item(B, "2", AMBIGUITY, Intensity.HIGH, a=False, b=False),
        item(B, "3", EPISTEMIC, Intensity.HIGH, a=True, b=True),
    ),
)


def found(
    model: str, label: str, *runs: VotedLog, task: str = "perturb nq"
) -> Reproduced:
    rows = beside_published(published_papers(), PublishedLogs([], runs or RUNS))
    own = [
        one
        for one in rows
        if (one.row.task, one.row.model, one.row.label) == (task, model, label)
    ]
    return own[0]
