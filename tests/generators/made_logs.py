"""Logs of a task that scores each sample as made, for tests of what is read of them."""

from pathlib import Path
from typing import Any

from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.scorer import Score, accuracy, scorer

from refusalbench_tasks.generators.kit.runs import newest_score
from tests.models import fake


@scorer(metrics=[accuracy()])
def twice() -> Any:
    async def made(state: Any, target: Any) -> Score:
        return Score(value=1, answer=state.input_text)

    return made


def run_attempts(
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
