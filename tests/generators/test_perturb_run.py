"""Which attempts follow."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.scorer import Score, accuracy, scorer

from refusalbench_tasks.generators.kit.runs import (
    newest_score,
    read_task_runs,
)
from refusalbench_tasks.generators.perturb_run import Attempts
from tests.generators.panel import add, named, verdict, write_well
from tests.models import fake, part
from tests.tasks.generation import (
    metrics,
    run,
)

pytestmark = pytest.mark.usefixtures("_elsewhere")
FEW: dict[str, Any] = {"classes": "Ambiguity", "intensities": "LOW"}


def test_a_rejected_candidate_is_asked_for_anew_with_the_reasons() -> None:
    prompts: list[str] = []

    def write(prompt: str) -> dict[str, Any]:
        prompts.append(prompt)
        return add(
            write_well(prompt),
            "Told for the third time:" if "This is attempt 3" in prompt else "Told:",
        )

    panel = [named("v", lambda prompt: verdict("the third time" in prompt))]
    m = metrics(
        run(write, panel, classes="FalsePremise", intensities="LOW", attempts=3)
    )
    assert (m["n_candidates"], m["n_items"], m["n_accepted"], m["yield"]) == (
        9,
        3,
        3,
        1.0,
    )
    assert prompts[0].count("REASONS") == 0
    told = prompts[-1][prompts[-1].index("This is attempt") :]
    assert part(told, "REASONS") == "- It is too easy."
    assert part(told, "LAST QUESTION").startswith("Told:")


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


def test_samples_that_were_added_later_are_read_too(tmp_path: Path) -> None:
    def following(sample: Any) -> tuple[Sample, int] | None:
        return (Sample(id="a", input="again"), 2) if sample.epoch == 1 else None

    run_attempts(tmp_path, source=Attempts([Sample(id="a", input="a")], following))
    found = read_task_runs([str(tmp_path)], "made", said)
    assert (sorted(found.items), found.runs[0].samples) == (["a", "again"], 1)
