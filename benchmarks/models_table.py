"""Fill docs/real-models.md from recorded replies, which are scored anew: `python -m
benchmarks.models_table`.
"""

import json
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspect_ai import Task, eval
from inspect_ai.log import EvalLog

from benchmarks.real.conversations import CONVERSATIONS
from benchmarks.real.conversations import replayed as held_again
from benchmarks.real.record import ASKING, CROSSED, TWINS
from benchmarks.real.weights import open_models
from refusalbench_tasks import bluff, garage, nq
from refusalbench_tasks.datasets.languages import ENGLISH, LANGUAGES
from refusalbench_tasks.datasets.rows import RECORDED
from refusalbench_tasks.replies.ab_probability import MIN_MASS, from_logprobs
from refusalbench_tasks.results.read_offline import right_counts
from refusalbench_tasks.results.run_view import RunView
from refusalbench_tasks.results.slices import run_part
from refusalbench_tasks.results.table import Run, read_logs
from refusalbench_tasks.safe_writing import write_whole
from refusalbench_tasks.solvers.replay import replay
from refusalbench_tasks.stats.estimate import Estimate
from refusalbench_tasks.tables import Table, TableRow
from refusalbench_tasks.taxonomy import PerturbationClass

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "real-models.md"
REPLIES = ROOT / "examples" / "replies"
SYNTHETIC = "worlds"
TASKS: dict[str, Callable[..., Task]] = {"nq": nq, "garage": garage, "bluff": bluff}
ASKED = {
    "questions back, ambiguous rows": "clarification_rate",
    "questions back, answerable rows": "unneeded_clarification_rate",
    "false refusals": "false_refusal_rate",
    "missed refusals": "missed_refusal_rate",
}
REFUSALS = {
    "false refusals": "false_refusal_rate",
    "missed refusals": "missed_refusal_rate",
    "right category": "category_accuracy",
}
SEARCHING = {
    "evidence found": "evidence_found",
    "gave up early": "premature_refusal",
    "refused with it": "refusal_despite_evidence",
    "answered unseen": "answer_without_evidence",
    "unsupported": "unsupported_answer",
    "ran out": "limit_rate",
    "pairs right": "pair_accuracy",
    "searches": "searches",
    "repeated": "repeated_queries",
    "malformed": "malformed_calls",
}
PASSAGE_GIVEN = {
    "refused with it": "false_refusal_rate",
    "unsupported": "missed_refusal_rate",
}
HEDGING = {
    "refusals, clear": "refusal_rate_clear",
    "refusals, ambiguous": "refusal_rate_ambiguous",
    "ASI": "asi",
    "confidence drop": "confidence_drop",
}


@dataclass(frozen=True)
class Recording:
    """A file of recorded replies: what is known of its run, and its replies."""

    path: Path
    about: Mapping[str, Any]
    replies: Sequence[Mapping[str, Any]]

    @property
    def rows(self) -> str:
        """Return what the rows are: those of a task, or synthetic ones."""
        return str(self.about["rows"])

    def task(self) -> Task:
        """Return the task that was run."""
        return TASKS[self.about["task"]](**self.about["arguments"])


def recordings(folder: Path = REPLIES) -> list[Recording]:
    """Return the files of recorded replies, the smallest model first."""
    found = []
    for path in folder.glob("*.jsonl"):
        first, *rest = (
            json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()
        )
        found.append(Recording(path, first[RECORDED], rest))
    order = [model.title for model in open_models()]
    return sorted(
        found,
        key=lambda recording: (order.index(recording.about["model"]), recording.rows),
    )


def replayed(recording: Recording, logs: Path) -> EvalLog:
    """Return the log of a recording that is scored again."""
    [log] = eval(
        recording.task(),
        solver=replay(str(recording.path), name=recording.path.stem),
        model="none",
        sample_id=sorted({row["id"] for row in recording.replies}),
        epochs=recording.about["epochs"],
        log_dir=str(logs),
        display="none",
        log_realtime=False,
        score_display=False,
    )
    return log


def read_run_of(recording: Recording, logs: Path) -> Run:
    """Return a recording's run, with the texts of its replies."""
    log = replayed(recording, logs)
    [run] = read_logs([log.location], texts=True, makers=False).runs
    return run


def table_row(recording: Recording, run: Run) -> TableRow:
    """Return a recording's line in its table."""
    row: TableRow = {"model": recording.about["model"]} | _numbers(run)
    if not run.refusal:
        row["A or B hold the mass"] = letters_share(recording)
    return row


def _numbers(run: Run) -> TableRow:
    """Return the numbers of a run that a table has."""
    view = RunView(run)
    found = view.numbers
    number = view.counts
    columns = REFUSALS if run.refusal else HEDGING
    row: TableRow = {
        title: cell(found.get(metric)) for title, metric in columns.items()
    }
    if run.refusal:
        known, possible, answerable = right_counts(run)
        row["right answers"] = f"{known} to {possible} of {answerable}"
    return row | {"undecided": number["unscored"], "no reply": number["no reply"]}


def cell(estimate: Estimate | None) -> str:
    """Return a value with its CI and n, two digits each: samples of this size tell no
    more.
    """
    if estimate is None or not estimate.known:
        return "undefined"
    ends = (
        f" [{estimate.low:.2f}, {estimate.high:.2f}]" if estimate.has_interval else ""
    )
    return f"{estimate.value:.2f}{ends}, n {estimate.n:.0f}"


def letters_share(recording: Recording) -> str:
    """Return in how many of the questions about confidence the two letters hold more
    than half of the probability.
    """
    asked = [row["logprobs"] for row in recording.replies if row.get("logprobs")]
    readings = [from_logprobs(letters.items()) for letters in asked]
    held = [
        reading
        for reading in readings
        if reading is not None and reading.mass >= MIN_MASS
    ]
    return f"{len(held)} of {len(asked)}"


def tokens(recording: Recording) -> str:
    """Return the tokens of a run, read and written, in thousands."""
    usages = [row["usage"] for row in recording.replies if row.get("usage")]
    read = sum(usage["input_tokens"] for usage in usages)
    written = sum(usage["output_tokens"] for usage in usages)
    return f"{read / 1000:.0f}k in, {written / 1000:.1f}k out"


def tables(logs: Path, folder: Path = REPLIES) -> dict[str, str]:
    """Return the tables in Markdown, by what the rows are, and one of what was run."""
    rows: dict[str, list[TableRow]] = {}
    runs: dict[tuple[str, str], Run] = {}
    for recording in recordings(folder):
        run = read_run_of(recording, logs)
        runs[recording.about["model"], recording.rows] = run
        rows.setdefault("runs", []).append(run_row(recording))
        if recording.rows.endswith((ASKING, TWINS)) or CROSSED in recording.rows:
            continue
        lines = rows.setdefault(recording.rows, [])
        if recording.about["epochs"] == 1:
            lines.append(table_row(recording, run))
        else:
            lines += epoch_rows(recording, run)
    rows["ask"] = asking_rows(runs)
    rows["classes"] = class_rows(runs)
    rows["languages"] = language_rows(runs)
    rows["crossed"] = crossed_rows(runs)
    given = {model: run for (model, name), run in runs.items() if name == "nq"}
    rows["search"] = search_rows(logs, given, folder / CONVERSATIONS.name)
    return {
        name: Table(name, name, lines).as_markdown() for name, lines in rows.items()
    }


def asking_rows(runs: Mapping[tuple[str, str], Run]) -> list[TableRow]:
    """Return for each run in which the model may ask back a line of that without and of
    that with it.
    """
    lines = []
    for model, name in runs:
        if not name.endswith(ASKING):
            continue
        ids = runs[model, name].replies["sample_id"]
        for rows in (name.removesuffix(ASKING), name):
            run = runs[model, rows]
            view = RunView(run.of_rows(run.replies["sample_id"].isin(ids)))
            line: TableRow = {
                "model": model,
                "rows": name.removesuffix(ASKING),
                "may ask": "yes" if rows == name else "no",
            }
            line |= {
                title: cell(view.numbers.get(metric)) for title, metric in ASKED.items()
            }
            lines.append(line | {"undecided": view.counts["unscored"]})
    return lines


def class_rows(runs: Mapping[tuple[str, str], Run]) -> list[TableRow]:
    """Return for each model a line a class: missed refusals on bundled and on synthetic
    rows.
    """
    lines: list[TableRow] = []
    for model, name in runs:
        if name != SYNTHETIC:
            continue
        for label in PerturbationClass:
            line: TableRow = {"model": model, "class": label.short}
            for rows in ("nq", SYNTHETIC):
                part = run_part(
                    runs[model, rows], {"class": label}, "the table of classes"
                )
                missed = RunView(part).numbers.get("missed_refusal_rate")
                line[f"missed refusals, {rows}"] = cell(missed)
            lines.append(line)
    return lines


def language_rows(runs: Mapping[tuple[str, str], Run]) -> list[TableRow]:
    """Return for each run in several languages a line a language."""
    lines: list[TableRow] = []
    for (model, name), run in runs.items():
        if not name.endswith(TWINS):
            continue
        for language in LANGUAGES:
            part = run_part(run, {"language": language}, "the table of languages")
            lines.append({"model": model, "language": language} | _numbers(part))
    return lines


def crossed_rows(runs: Mapping[tuple[str, str], Run]) -> list[TableRow]:
    """Return for each run of questions on English passages a line, below one of the
    same rows with questions in English.
    """
    lines: list[TableRow] = []
    for (model, name), run in runs.items():
        rows, mark, language = name.partition(CROSSED)
        if not mark:
            continue
        questions = {"model": model, "questions": ENGLISH}
        if not lines or lines[-1]["model"] != model:
            ids = run.replies["sample_id"]
            english = runs[model, rows]
            same = english.of_rows(english.replies["sample_id"].isin(ids))
            lines.append(questions | _numbers(same))
        lines.append(questions | {"questions": language} | _numbers(run))
    return lines


def search_rows(
    logs: Path,
    given: Mapping[str, Run],
    folder: Path = CONVERSATIONS,
) -> list[TableRow]:
    """Return a line for each file of recorded conversations, and behind those of a
    model one of the same rows with the passage `given`, by its run of `nq`.
    """
    lines: list[TableRow] = []
    rows: dict[str, set[str]] = {}
    for path in sorted(folder.glob("*.jsonl")):
        log = held_again(path, logs)
        [run] = read_logs([log.location], texts=True, makers=False).runs
        model = run.model.rpartition("/")[2]
        rows.setdefault(model, set()).update(run.replies["sample_id"])
        lines.append({"model": model, "agent": run.agent or "react"} | _searched(run))
    for model, ids in rows.items():
        run = given[model]
        view = RunView(run.of_rows(run.replies["sample_id"].isin(ids)))
        known = {
            title: cell(view.numbers.get(metric))
            for title, metric in PASSAGE_GIVEN.items()
        }
        line: TableRow = {"model": model, "agent": "none, passage given"}
        line |= dict.fromkeys(SEARCHING, "") | known
        lines.append(line | {"undecided": view.counts["unscored"]})
    return sorted(lines, key=lambda line: str(line["model"]))


def _searched(run: Run) -> TableRow:
    view = RunView(run)
    line: TableRow = {
        title: cell(view.numbers.get(metric)) for title, metric in SEARCHING.items()
    }
    return line | {"undecided": view.counts["unscored"]}


def epoch_rows(recording: Recording, run: Run) -> list[TableRow]:
    """Return a line for each epoch of a recording, and one for all."""
    lines = []
    for epoch in range(1, recording.about["epochs"] + 1):
        part = run.of_rows(run.replies["epoch"] == epoch)
        lines.append({"run": str(epoch)} | _numbers(part))
    return [*lines, {"run": "all"} | _numbers(run)]


def run_row(recording: Recording) -> TableRow:
    """Return what was run: the model's file, the rows, when, how
    long, and the tokens.
    """
    about = recording.about
    return {
        "model": f"{about['model']}, {about['quantization']}",
        "rows": recording.rows,
        "replies": len(recording.replies),
        "date": about["date"],
        "minutes": f"{about['minutes']:g}",
        "tokens": tokens(recording),
    }


def filled(page: str, made: Mapping[str, str]) -> str:
    """Return a page with each table between its marks."""
    for name, table in made.items():
        begin = f"<!-- table: {name} -->\n"
        end = "<!-- end -->"
        head, mark, rest = page.partition(begin)
        if mark:
            page = f"{head}{begin}{table.strip()}\n{end}{rest.partition(end)[2]}"
    return page


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        logs = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(place)
        write_whole(PAGE, filled(PAGE.read_text(encoding="utf-8"), tables(logs)))
