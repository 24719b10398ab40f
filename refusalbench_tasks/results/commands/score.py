"""`refusalbench score`: replies that exist already, scored without a model and without a run of Inspect."""

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from refusalbench_tasks.command_output import format_option, output
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.tables import Format

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample

TASKS = ("nq", "garage", "bluff")


@click.command()
@click.argument("replies", type=click.Path())
@click.option("--task", "name", type=click.Choice(TASKS), required=True, help="The task that the replies are to.")
@click.option("--data", metavar="DATA", help="The rows: hub, sample or a file, as the task takes them.")
@click.option("-T", "given", multiple=True, metavar="NAME=VALUE", help="Any other argument of the task.")
@click.option("--name", "system", help="What the system is called in tables; else its one `model` in the file.")
@format_option
@click.option("-o", "--output", "scores_file", metavar="FILE", help="Write a score a line there (JSONL or Parquet).")
@click.option("--log", "log_file", metavar="FILE.eval", help="Write an Inspect log for report, compare and gate.")
def score(
    replies: str, name: str, data: str | None, given: tuple[str, ...], system: str | None, form: Format,
    scores_file: str | None, log_file: str | None,
) -> None:  # fmt: skip
    """Score a file of REPLIES (or a log's) by form alone, as judge=offline does, and print the main metrics.

    The numbers are those of `inspect eval refusalbench_tasks/TASK --solver refusalbench_tasks/replay -T judge=offline`.

    \b
    Example: refusalbench score replies.jsonl --task nq --data rows.jsonl
    """
    import refusalbench_tasks
    from refusalbench_tasks.safe_writing import not_an_input, write_log
    from refusalbench_tasks.scorers.offline import offline_log
    from refusalbench_tasks.solvers.recorded import match
    from refusalbench_tasks.solvers.replies_file import read_recorded

    if log_file is not None and Path(log_file).suffix != ".eval":
        raise DataError(f"--log: '{log_file}' is no name of a log; end it with .eval")
    arguments = _arguments(given) | ({"data": data} if data is not None else {})
    if arguments.setdefault("judge", "offline") != "offline":
        raise DataError("score: only judge=offline; with a judge use inspect eval --solver refusalbench_tasks/replay")
    for written in (scores_file, log_file):
        if written is not None:
            not_an_input(Path(written), replies, str(arguments.get("data", "")) or None)
    recorded = read_recorded(replies)
    task = getattr(refusalbench_tasks, name)(**arguments)
    matched = match(recorded, {str(one.id): _question(one) for one in task.dataset})
    if told := matched.warning(recorded.source):
        click.echo(f"Warning: {told}", err=True)
    log = offline_log(name, task, arguments, replies, matched, system)
    if scores_file is not None:
        _write_scores(Path(scores_file), log)
    if log_file is not None:
        write_log(log, log_file)
    _print(log, form)


def _arguments(given: tuple[str, ...]) -> dict[str, Any]:
    """Return the arguments of a task as Inspect reads them: values are YAML, and a text with commas is a list."""
    from refusalbench_tasks.bounded_reading import yaml_value

    found: dict[str, Any] = {}
    for one in given:
        name, equals, text = one.partition("=")
        if not equals or not name.strip():
            raise DataError(f"-T: expected NAME=VALUE, got '{one}'")
        value = yaml_value(text, f"-T {name}")
        found[name.strip()] = value.split(",") if isinstance(value, str) and "," in value else value
    return found


def _question(sample: Any) -> str:
    return str(sample.metadata["query"])


def _write_scores(path: Path, log: "EvalLog") -> None:
    from refusalbench_tasks.safe_writing import write_rows

    write_rows(path, map(_row, log.samples or ()))


def _row(sample: "EvalSample") -> dict[str, Any]:
    """Return a score as a row: the label and why there is none, who decided, and every number (null is unknown)."""
    score = (sample.scores or {})[_scorer_of(sample)]
    values: Any = score.value
    numbers = {name: None if math.isnan(number) else number for name, number in values.items()}
    model = sample.output.model if sample.output.choices else ""
    head = {"id": str(sample.id), "epoch": sample.epoch, "model": model}
    decided_by = (score.metadata or {}).get("decided_by")
    return head | {"answer": score.answer, "reason": score.reason, "decided_by": decided_by} | numbers


def _scorer_of(sample: "EvalSample") -> str:
    """Return the name of the score that holds numbers."""
    return next(name for name in sample.scores or {} if name.endswith("_scores"))


def _print(log: "EvalLog", form: Format) -> None:
    import shutil

    from refusalbench_tasks.results.show import long_table, paper_tables, shown_runs, text_tables
    from refusalbench_tasks.results.table import run_of

    samples = log.samples or []
    groups = shown_runs([run_of(log, samples, _scorer_of(samples[0]))])
    with output(form) as out:
        if form == "text":
            out.remark(text_tables(groups, shutil.get_terminal_size((120, 24)).columns))
        else:
            for table in [long_table(groups)] if form in ("csv", "json") else paper_tables(groups):
                out.table(table)
