"""`refusalbench export`: a data set from the logs of `perturb`, `question` or
`collect`.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from refusalbench_tasks.command_output import tell_left_out
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.log_reading import task_of

if TYPE_CHECKING:
    from refusalbench_tasks.log_reading import LogHeaders

OPTIONS = {
    "perturb": (
        "per_stratum",
        "per_generator",
        "everything",
        "drop",
        "sheet",
        "language",
        "per_cell",
        "prefix",
    ),
    "question": (),
    "collect": (),
}
"""The options for logs of one task alone."""


@click.command()
@click.argument("logs", nargs=-1, required=True, type=click.Path(exists=True))
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    help="The folder to write.",
)
@click.option(
    "--per-stratum",
    type=click.IntRange(1),
    default=22,
    show_default=True,
    help="Per class x intensity.",
)
@click.option(
    "--per-generator",
    type=click.IntRange(1),
    default=400,
    show_default=True,
    help="Rows per writer.",
)
@click.option("--all", "everything", is_flag=True, help="No draw: every accepted item.")
@click.option(
    "--drop",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A filled sheet; leave out items that fail.",
)
@click.option(
    "--sheet",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A filled sheet; its results are printed.",
)
@click.option(
    "--language",
    default="en",
    show_default=True,
    help="Comma list of the rows' languages, for the card.",
)
@click.option("--seed", default=42, show_default=True, help="Seed of draw and sheet.")
@click.option(
    "--per-cell",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    help="Items per cell in the sheet.",
)
@click.option(
    "--prefix", default="RB-FRESH", show_default=True, help="How row ids begin."
)
@click.option(
    "--licence", help="Licence of the set; the default is that of the base questions."
)
def export(logs: tuple[str, ...], output: Path, **options: Any) -> None:
    """Merge the accepted items of LOGS into a data set that `nq` or `garage` runs.

    Of logs of `question` it makes base questions for `perturb`, `bases.jsonl`, and with
    those that no document answers `index.jsonl`; of logs of `collect` records with
    clear and ambiguous sources, `records.jsonl`, for `bluff`.

    \b
    Example: refusalbench export logs -o rows
    """
    from refusalbench_tasks.log_reading import read_headers

    headers = read_headers(logs)
    task = _task_of(headers)
    _check_options(task)
    {
        "perturb": _export_rows,
        "question": _export_questions,
        "collect": _export_records,
    }[task](headers, output, options)


def _task_of(headers: "LogHeaders") -> str:
    """Return the task of which there are finished runs, else unfinished ones.

    Raises DataError for runs of several.
    """
    runs = [(task_of(header), header.status) for header in headers.logs]
    finished = [task for task in OPTIONS if (task, "success") in runs]
    if len(finished) > 1:
        named = " and of ".join(f"`{task}`" for task in finished)
        raise DataError(
            f"these logs mix runs of {named}; export each task's into a folder of"
            " its own"
        )
    return (*finished, *(task for task, _ in runs if task in OPTIONS), "perturb")[0]


def _check_options(task: str) -> None:
    """Raise DataError for an option that was given although it is for logs of another
    task.
    """
    context = click.get_current_context()
    others = {
        name for other, names in OPTIONS.items() if other != task for name in names
    }
    for option in context.command.params:
        if (
            option.name in others
            and context.get_parameter_source(option.name) is ParameterSource.COMMANDLINE
        ):
            raise DataError(
                f"export: {option.opts[0]} does nothing for logs of `{task}`; leave"
                " it out"
            )


def _export_rows(headers: "LogHeaders", output: Path, of: dict[str, Any]) -> None:
    from refusalbench_tasks.arguments import names_of
    from refusalbench_tasks.generators.export import ExportSettings, export
    from refusalbench_tasks.generators.generation_logs import read_runs
    from refusalbench_tasks.generators.validation_sheet import people_found

    found = read_runs(headers)
    tell_left_out(found.left_out)
    drawn = {"per_stratum": None, "per_generator": None} if of["everything"] else {}
    named = {
        name: of[name]
        for name in (
            "per_stratum",
            "per_generator",
            "seed",
            "per_cell",
            "prefix",
            "licence",
            "drop",
        )
    }
    settings = ExportSettings(
        **(named | drawn), sheets=of["sheet"], language=names_of(of["language"])
    )
    done = export(found.runs, output, settings)
    click.echo(f"{done.rows} rows, {done.controls} controls")
    left = done.distinct
    click.echo(
        f"left out: {left.repeats} repeats, {left.conflicts} with conflicting labels,"
        f" {left.near} near-duplicates with different labels, {left.unchanged} without"
        " a changed word"
    )
    if of["drop"]:
        click.echo(f"dropped: {done.dropped} that read like an item that people failed")
    if of["sheet"]:
        click.echo(people_found(of["sheet"]))
    click.echo("\n".join(map(str, done.files)))


def _export_records(headers: "LogHeaders", output: Path, of: dict[str, Any]) -> None:
    from refusalbench_tasks.collect.export_records import (
        export_records,
        find_record_runs,
    )
    from refusalbench_tasks.collect.record import COLLECT

    found = COLLECT.require(find_record_runs(headers))
    tell_left_out(found.left_out)
    done, files = export_records(found, output, of["seed"], of["licence"])
    click.echo(f"{len(done.rows)} records")
    click.echo(
        f"left out: {done.same_question} repeated questions, {done.same_gold_page}"
        " repeated gold pages"
    )
    click.echo("\n".join(map(str, files)))


def _export_questions(headers: "LogHeaders", output: Path, of: dict[str, Any]) -> None:
    from refusalbench_tasks.own.questions.export_questions import (
        export_questions,
        find_question_runs,
    )
    from refusalbench_tasks.own.questions.question_scoring import QUESTION

    found = QUESTION.require(find_question_runs(headers))
    tell_left_out(found.left_out)
    click.echo("\n".join(export_questions(found, output, of["licence"])))
