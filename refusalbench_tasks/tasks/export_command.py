"""`refusalbench export`: a data set from the logs of `perturb`, `question` or
`collect`.
"""

from pathlib import Path
from typing import Any

import click

from refusalbench_tasks.command_output import (
    PATH,
    logs_argument,
    reject_options,
    tell_left_out,
)
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.log_reading import LogHeaders, read_headers, task_of

Options = dict[str, Any]
TASKS = ("perturb", "question", "collect")
OF_PERTURB = (
    "per_stratum",
    "per_generator",
    "everything",
    "drop",
    "sheets",
    "language",
    "per_cell",
)
"""The options for logs of `perturb` alone."""


@click.command("export")
@logs_argument
@click.option(
    "-o",
    "--output",
    required=True,
    type=PATH,
    help="The folder to write.",
)
@click.option(
    "--per-stratum",
    type=click.IntRange(1),
    default=22,
    help="Per class x intensity.",
)
@click.option(
    "--per-generator",
    type=click.IntRange(1),
    default=400,
    help="Rows per writer.",
)
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="No draw: every accepted item.",
)
@click.option(
    "--drop",
    multiple=True,
    type=PATH,
    help="A filled sheet; leave out items that fail.",
)
@click.option(
    "--sheet",
    "sheets",
    multiple=True,
    type=PATH,
    help="A filled sheet; its results are printed.",
)
@click.option(
    "--language",
    default="en",
    help="Comma list of the rows' languages, for the card.",
)
@click.option(
    "--seed",
    default=42,
    help="Seed of draw and sheet.",
)
@click.option(
    "--per-cell",
    type=click.IntRange(1),
    default=10,
    help="Items per cell in the sheet.",
)
@click.option(
    "--licence", help="Licence of the set; the default is that of the base questions."
)
def export_logs(
    logs: tuple[str, ...],
    output: Path,
    **options: Any,
) -> None:
    """Merge the accepted items of LOGS into a data set that `nq` or `garage` runs.

    Of logs of `question` it makes base questions for `perturb`, `bases.jsonl`, and with
    those that no document answers `index.jsonl`; of logs of `collect` records with
    clear and ambiguous sources, `records.jsonl`, for `bluff`.

    \b
    Example: refusalbench export logs -o rows
    """
    headers = read_headers(logs)
    finished: set[str] = set()
    unfinished: set[str] = set()
    for header in headers.logs:
        group = finished if header.status == "success" else unfinished
        group.add(task_of(header))
    tasks = [task for task in TASKS if task in finished]
    if len(tasks) > 1:
        named = " and of ".join(f"`{task}`" for task in tasks)
        raise DataError(
            f"these logs mix runs of {named}; export each task's into a folder of"
            " its own"
        )
    tasks += [task for task in TASKS if task in unfinished]
    task = tasks[0] if tasks else "perturb"
    if task != "perturb":
        why = f"does nothing for logs of `{task}`; leave it out"
        reject_options(OF_PERTURB, why)
    export = {"question": _export_questions, "collect": _export_records}
    export.get(task, _export_rows)(headers, output, options)


def _export_rows(headers: LogHeaders, output: Path, options: Options) -> None:
    from refusalbench_tasks.arguments import names_of
    from refusalbench_tasks.generators.export import ExportSettings, export_rows
    from refusalbench_tasks.generators.generation_logs import read_runs
    from refusalbench_tasks.generators.validation_sheet import people_found

    logs = read_runs(headers)
    tell_left_out(logs.left_out)
    values = options | {"language": names_of(options["language"])}
    if values.pop("everything"):
        values |= {"per_stratum": None, "per_generator": None}
    settings = ExportSettings(**values)
    done = export_rows(logs.runs, output, settings)
    click.echo(f"{done.rows} rows, {done.controls} controls")
    left = done.distinct
    click.echo(
        f"left out: {left.repeats} repeats, {left.conflicts} with conflicting labels,"
        f" {left.near} near-duplicates with different labels, {left.unchanged} without"
        " a changed word"
    )
    if settings.drop:
        click.echo(f"dropped: {done.dropped} that read like an item that people failed")
    if settings.sheets:
        click.echo(people_found(settings.sheets))
    click.echo("\n".join(map(str, done.files)))


def _export_records(headers: LogHeaders, output: Path, options: Options) -> None:
    from refusalbench_tasks.collect.export_records import (
        export_records,
        find_record_runs,
    )
    from refusalbench_tasks.collect.record import COLLECT

    runs = COLLECT.require(find_record_runs(headers))
    tell_left_out(runs.left_out)
    done, files = export_records(
        runs,
        output,
        options["seed"],
        options["licence"],
    )
    click.echo(f"{len(done.rows)} records")
    click.echo(
        f"left out: {done.same_question} repeated questions, {done.same_gold_page}"
        " repeated gold pages"
    )
    click.echo("\n".join(map(str, files)))


def _export_questions(headers: LogHeaders, output: Path, options: Options) -> None:
    from refusalbench_tasks.own.questions.export_questions import (
        export_questions,
        find_question_runs,
    )
    from refusalbench_tasks.own.questions.question_scoring import QUESTION

    runs = QUESTION.require(find_question_runs(headers))
    tell_left_out(runs.left_out)
    click.echo("\n".join(export_questions(runs, output, options["licence"])))
