"""Replies a second of `refusalbench score`, against the solver `replay` through Inspect."""

import json
import tempfile
import time
from pathlib import Path
from statistics import median

from click.testing import CliRunner
from inspect_ai import Task, eval

from benchmarks.result import Result
from benchmarks.rows import synthetic_items
from refusalbench_tasks.cli import main
from refusalbench_tasks.scorers.offline import offline_log
from refusalbench_tasks.solvers.recorded import read_recorded
from refusalbench_tasks.solvers.replay import replay
from refusalbench_tasks.tasks.nq import nq

ROWS, EPOCHS, RUN = 8_000, 2, 1_000


def written(folder: Path, rows: int) -> tuple[Path, Path]:
    """Write rows and, twice each, replies to them: half bare codes, half short answers and free words."""
    said = ("{code}", "It was opened in {year}.", "{code}", "The passage does not really tell us when, it seems.")
    folder.mkdir(exist_ok=True)
    data, replies = folder / "rows.jsonl", folder / "replies.jsonl"
    with data.open("w") as lines, replies.open("w") as answers:
        for k, item in enumerate(synthetic_items(rows)):
            row = {
                "id": item.item_id, "source_id": item.source_id, "perturbed_query": item.query,
                "perturbed_context": item.passages[0], "original_answers": list(item.answers),
                "perturbation_class": item.perturbation, "intensity": item.intensity,
                "lever_selected": item.lever, "generator_model": item.generator,
            }  # fmt: skip
            lines.write(json.dumps(row) + "\n")
            for epoch in range(1, EPOCHS + 1):
                text = said[(k + epoch) % len(said)].replace("{year}", item.answers[0])
                text = text.replace("{code}", "REFUSE_INFO_MISSING_IN_CONTEXT")
                answers.write(json.dumps({"id": item.item_id, "epoch": epoch, "reply": text}) + "\n")
    return data, replies


def task_of(data: Path) -> Task:
    """Return the task over the rows."""
    return nq(data=str(data), judge="offline")


def command_seconds(data: Path, replies: Path) -> float:
    """Return the CPU seconds of the command, from the two files to the table."""
    start = time.process_time()
    done = CliRunner().invoke(main, ["score", str(replies), "--task", "nq", "--data", str(data)])
    assert done.exit_code == 0, done.output
    return time.process_time() - start


def scoring_seconds(data: Path, replies: Path) -> float:
    """Return the CPU seconds that the scores and the metrics of the log take."""
    task = task_of(data)
    matched = read_recorded(str(replies)).match({str(one.id): str(one.input) for one in task.dataset})
    start = time.process_time()
    log = offline_log("nq", task, {}, str(replies), matched)
    assert len(log.samples or []) == ROWS * EPOCHS
    return time.process_time() - start


def inspect_seconds(folder: Path) -> float:
    """Return the CPU seconds of the way through Inspect, on fewer rows."""
    data, replies = written(folder / "run", RUN)
    start = time.process_time()
    (log,) = eval(
        task_of(data), solver=replay(str(replies)), model="none/none", epochs=EPOCHS, display="none",
        log_dir=str(folder / "logs"), score_display=False,
    )  # fmt: skip
    assert log.status == "success"
    return time.process_time() - start


def results() -> list[Result]:
    """Return the rates, medians of three after one run to warm up."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data, replies = written(folder, ROWS)
        command_seconds(data, replies)
        whole = median(command_seconds(data, replies) for _ in range(3))
        alone = median(scoring_seconds(data, replies) for _ in range(3))
        through = inspect_seconds(folder)
    n = ROWS * EPOCHS
    return [
        Result(
            "`refusalbench score`, replies a second",
            f"{n / whole:,.0f} ({n / alone:,.0f} without files, rows and intervals)",
            "≥ 2,000",
            f"{n:,} replies to {ROWS:,} rows of `nq`, half of them bare codes; CPU of one core, from the files to the "
            f"table with its intervals; start-up apart; through Inspect {RUN * EPOCHS / through:,.0f}",
        )
    ]
