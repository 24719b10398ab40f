"""Samples that follow from finished ones."""

from pathlib import Path
from typing import Any

from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.scorer import Score, accuracy, scorer

from refusalbench_tasks.generators.kit.attempts import Attempts
from refusalbench_tasks.generators.kit.runs import (
    newest_score,
    read_task_runs,
)
from tests.models import fake


@scorer(metrics=[accuracy()])
def twice() -> Any:
    async def made(state: Any, target: Any) -> Score:
        return Score(value=1, answer=state.input_text)

    return made


def run(
    folder: Path,
    name: str = "made",
    texts: tuple[str, ...] = ("a", "b"),
    source: Any = None,
) -> EvalLog:
    data = source or MemoryDataset([Sample(id=text, input=text) for text in texts])
    task = Task(dataset=data, scorer=twice(), name=name)
    (log,) = eval(task, model=fake(lambda _: ""), log_dir=str(folder), display="none")
    return read_eval_log(log.location)


def said(header: EvalLog, sample: Any) -> str | None:
    score = newest_score(sample.scores, "twice")
    return None if score is None else str(score.answer)


def test_samples_that_were_added_later_are_read_too(tmp_path: Path) -> None:
    def following(sample: Any) -> tuple[Sample, int] | None:
        return (Sample(id="a", input="again"), 2) if sample.epoch == 1 else None

    run(tmp_path, source=Attempts([Sample(id="a", input="a")], following))
    found = read_task_runs([str(tmp_path)], "made", said)
    assert (sorted(found.items), found.runs[0].samples) == (["a", "again"], 1)
