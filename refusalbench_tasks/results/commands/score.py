"""`refusalbench score`: replies that exist already, scored without a model and without
a run of Inspect.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from refusalbench_tasks.command_output import (
    PATH,
    Output,
    format_option,
    output,
    reject_options,
    sheet_rows_option,
    task_args_option,
)
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.safe_writing import (
    jsonl,
    not_an_input,
    write_log,
    write_whole,
)
from refusalbench_tasks.sheets import keep_filled
from refusalbench_tasks.tables import Format, Table, TableRow

if TYPE_CHECKING:
    import pandas as pd

Options = Mapping[str, Any]
TASKS = ("nq", "garage", "bluff")
OF_TASKS = ("data", "task_args", "system", "log_file")
OF_PRODUCTION = ("columns", "draw", "n", "sheet")


@click.command()
@click.argument("replies", type=click.Path())
@click.option(
    "--task",
    "name",
    type=click.Choice(TASKS),
    help="The task of the replies; without it, they are production logs.",
)
@click.option(
    "--data",
    metavar="DATA",
    help="The rows: hub, sample or a file, as the task takes them.",
)
@task_args_option
@click.option(
    "--map",
    "mapping",
    multiple=True,
    metavar="MAPPING",
    help="openinference, langfuse or otel: REPLIES are traces; or FIELD=JSONPATH.",
)
@click.option(
    "--name",
    "system",
    help="Name of the system in tables; by default the `model` in the file.",
)
@click.option(
    "--by",
    "columns",
    metavar="COLUMNS",
    help="Without --task: refusal rates by columns (comma list).",
)
@click.option(
    "--refusals",
    metavar="FILE",
    help="Phrases with which your system refuses, one per line.",
)
@click.option(
    "--reader",
    metavar="NAME",
    help="What tells answers from refusals in words; by default ngrams.",
)
@click.option(
    "--undecided",
    type=PATH,
    metavar="FILE.jsonl",
    help="Write the replies that were not decided, with the reason.",
)
@click.option(
    "--draw",
    type=PATH,
    help="Without --task: write a blind sheet of replies to label.",
)
@sheet_rows_option
@click.option(
    "--sheet",
    type=PATH,
    help="A filled sheet, which corrects the rates.",
)
@format_option
@click.option(
    "--log",
    "log_file",
    metavar="FILE.eval",
    help="Write an Inspect log for report, compare, gate and rows.",
)
def score(
    replies: str,
    name: str | None,
    form: Format,
    **options: Any,
) -> None:
    """Score a file of REPLIES (or a log's) without a model, and print the main metrics.

    With a task it scores them as judge=offline does, by that task's rows. Without one,
    REPLIES are what a system answered in production: how often it refuses, by the
    columns that you name.

    \b
    Example: refusalbench score replies.jsonl --task nq --data rows.jsonl
    Example: refusalbench score production.csv --by language,version
    Example: refusalbench score traces.jsonl --map langfuse
    """
    with output(form) as out:
        if name:
            reject_options(OF_PRODUCTION, "is for replies without a task")
            _score_task(
                out,
                replies,
                name,
                options,
            )
        else:
            reject_options(OF_TASKS, "is for replies to a --task")
            _score_production(out, replies, options)


def _score_task(
    out: Output,
    replies: str,
    name: str,
    options: Options,
) -> None:
    import refusalbench_tasks
    from refusalbench_tasks.results.log_files import scorer_of
    from refusalbench_tasks.results.offline import offline_log
    from refusalbench_tasks.results.show import shown_runs
    from refusalbench_tasks.results.table import run_of
    from refusalbench_tasks.results.undecided import undecided_replies
    from refusalbench_tasks.solvers.recorded import read_recorded

    from .show import print_shown

    arguments = _task_arguments(options)
    log_file = options["log_file"]
    undecided = options["undecided"]
    inputs = (replies, str(arguments.get("data", "")))
    _check_place(log_file, ".eval", inputs)
    _check_place(undecided, ".jsonl", inputs)
    mapping = options["mapping"]
    recorded = read_recorded(replies, mapping)
    task = getattr(refusalbench_tasks, name)(**arguments)
    questions = {str(row.id): str(row.metadata["query"]) for row in task.dataset}
    log = offline_log(
        name,
        task,
        arguments,
        {"replies": replies} | ({"map": list(mapping)} if mapping else {}),
        recorded.match(questions),
        options["system"],
    )
    if log_file is not None:
        write_log(log, log_file)
    run = run_of(
        log,
        log.samples or [],
        scorer_of(log) or "",
    )
    print_shown(out, shown_runs([run]))
    if undecided is not None:
        rows = undecided_replies(run)
        replied = run.replies["reason"] != "not_in_file"
        out.remark(_write_undecided(undecided, rows, int(replied.sum())))


def _task_arguments(options: Options) -> dict[str, Any]:
    """Return the arguments of a task that the options give. Raises DataError."""
    arguments = arguments_of(options["task_args"])
    for argument in ("data", "refusals", "reader"):
        if options[argument] is not None:
            arguments[argument] = options[argument]
    if arguments.setdefault("judge", "offline") != "offline":
        raise DataError(
            "score: only judge=offline; with a judge use inspect eval --solver"
            " refusalbench_tasks/replay"
        )
    return arguments


def _check_place(
    name: str | Path | None,
    suffix: str,
    inputs: Sequence[str],
) -> None:
    """Raise DataError for a file that can't be written to: by its suffix, or one that
    is read.
    """
    if name is None:
        return
    if Path(name).suffix != suffix:
        raise DataError(
            f"score: '{name}' is no name of such a file; end it with {suffix}"
        )
    not_an_input(Path(name), *filter(None, inputs))


def _write_undecided(undecided: Path, rows: Sequence[TableRow], replies: int) -> str:
    """Write the rows of undecided replies, and return how many of all these are."""
    write_whole(undecided, jsonl(rows))
    return f"\n{undecided}: {len(rows)} of {replies} replies were not decided"


def _score_production(
    out: Output,
    name: str,
    options: Options,
) -> None:
    from refusalbench_tasks.arguments import names_of
    from refusalbench_tasks.replies.readers import DEFAULT_READER
    from refusalbench_tasks.replies.reading import load_phrases
    from refusalbench_tasks.replies.reading_errors import errors_sentence
    from refusalbench_tasks.results import production
    from refusalbench_tasks.results.undecided import undecided_in_production

    refusals = options["refusals"]
    columns = options["columns"]
    phrases = load_phrases(refusals) if refusals else ()
    undecided = options["undecided"]
    _check_place(undecided, ".jsonl", (name,))
    reader = options["reader"] or DEFAULT_READER
    replies = production.read_production(
        name,
        phrases,
        reader,
        options["mapping"],
    )
    by = names_of(columns) if columns else ()
    rows = production.refusal_rates(replies, by, reader)
    out.table(Table("refusals", "Refusals, read without a grader", rows))
    for sentence in production.uneven_slices(rows):
        out.remark(f"\n{sentence}")
    if replies["kind"].isin(["refusal", "answer"]).any():
        out.remark(f"\n{errors_sentence(reader)}")
    if options["draw"] is not None:
        _draw_sheet(
            out,
            name,
            replies,
            options,
        )
    if options["sheet"] is not None:
        _print_corrected(out, replies, options["sheet"])
    if undecided is not None:
        listed = undecided_in_production(replies)
        out.remark(_write_undecided(undecided, listed, len(replies)))


def _draw_sheet(
    out: Output,
    name: str,
    replies: "pd.DataFrame",
    options: Options,
) -> None:
    """Write a sheet of replies to label."""
    from refusalbench_tasks.results import production

    draw = options["draw"]
    not_an_input(draw, name)
    keep_filled(draw, production.FILLED)
    write_whole(draw, production.label_sheet(replies, options["n"]))
    out.remark(
        f"\n{draw}: fill in label (answer or refusal), and expected where you know"
        " what was due"
    )


def _print_corrected(out: Output, replies: "pd.DataFrame", sheet: Path) -> None:
    """Print the rates as the labels of a filled sheet correct them."""
    from refusalbench_tasks.results import production
    from refusalbench_tasks.results.audit.sheet import (
        corrected_row,
        read_labels,
        refuses,
    )

    labels = read_labels(sheet, "expected", refuses)
    rates = [
        {"replies that": name, **corrected_row("read as", rate)}
        for name, rate in production.labelled_rates(replies, labels).items()
    ]
    title = "\ncorrected by the labels"
    out.table(Table("labelled", "Corrected by the labels", rates), title)


def arguments_of(given: tuple[str, ...]) -> dict[str, Any]:
    """Return the arguments of a task as Inspect reads them: values are YAML, and a text
    with commas is a list.
    """
    from refusalbench_tasks.bounded_reading import yaml_value

    arguments = {}
    for argument in given:
        name, equals, text = argument.partition("=")
        if not equals or not name.strip():
            raise DataError(f"-T: expected NAME=VALUE, got '{argument}'")
        value = yaml_value(text, f"-T {name}")
        if isinstance(value, str) and "," in value:
            value = value.split(",")
        arguments[name.strip()] = value
    return arguments
