"""`refusalbench export`: a data set from generation logs."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.left_out import tell_left_out

if TYPE_CHECKING:
    from refusalbench_tasks.collect.collection_logs import CollectionRuns
    from refusalbench_tasks.generators.kit.chosen_logs import Headers
    from refusalbench_tasks.own.questions.question_logs import QuestionRuns

PERTURB_ONLY = ("per_stratum", "per_generator", "everything", "paper", "drop", "per_cell", "prefix", "parquet")
QUESTION_ONLY = ("per_kind", "dev")
COLLECT_ONLY = ("no_text",)


@click.command()
@click.argument("logs", nargs=-1, required=True, type=click.Path(exists=True))
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="The folder to write.")
@click.option("--per-stratum", type=click.IntRange(1), default=22, show_default=True, help="Of each class x intensity.")
@click.option("--per-generator", type=click.IntRange(1), default=400, show_default=True, help="Rows per writer.")
@click.option("--all", "everything", is_flag=True, help="No draw: every accepted item.")
@click.option("--paper", is_flag=True, help="Draw by chance inside a stratum, as released, not balanced over levers.")
@click.option(
    "--drop",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A filled sheet; what it fails is left out.",
)
@click.option("--seed", default=42, show_default=True, help="Seed of draw and sheet.")
@click.option("--per-cell", type=click.IntRange(1), default=10, show_default=True, help="Items per cell in the sheet.")
@click.option("--prefix", default="RB-FRESH", show_default=True, help="How row ids begin.")
@click.option("--licence", help="Licence of the set; the default is that of the base questions.")
@click.option("--parquet", is_flag=True, help="Write rows.parquet as well.")
@click.option("--per-kind", type=click.IntRange(1), help="Logs of `question`: at most so many of each kind.")
@click.option(
    "--dev", type=click.FloatRange(0, 1), default=0.2, show_default=True,
    help="Logs of `question`: the share of the dev part, by document.",
)  # fmt: skip
@click.option("--no-text", is_flag=True, help="Logs of `collect`: addresses, hashes and dates, no text of pages.")
def export(
    logs: tuple[str, ...], output: Path, per_stratum: int, per_generator: int, everything: bool, seed: int,
    per_cell: int, prefix: str, licence: str | None, parquet: bool, paper: bool, drop: tuple[Path, ...],
    per_kind: int | None, dev: float, no_text: bool,
) -> None:  # fmt: skip
    """Merge the accepted items of LOGS into a data set that `nq` or `garage` runs.

    Of logs of `question` it makes base questions, `bases.jsonl`, for `perturb`; of logs of `collect` records with
    clear and ambiguous sources, `records.jsonl`, for `bluff`.
    """
    from refusalbench_tasks.generators.export import export as write
    from refusalbench_tasks.generators.kept_runs import keep_runs
    from refusalbench_tasks.generators.kit.chosen_logs import read_headers
    from refusalbench_tasks.generators.validation_sheet import rejected_items

    headers = read_headers(logs)
    records = _collection_runs(headers)
    if records is not None:
        _only("collect", (*PERTURB_ONLY, *QUESTION_ONLY))
        _export_records(records, output, not no_text, seed, licence)
        return
    questions = _question_runs(headers)
    if questions is not None:
        _only("question", (*PERTURB_ONLY, *COLLECT_ONLY))
        _export_questions(questions, output, per_kind, dev, seed, licence)
        return
    _only("perturb", (*QUESTION_ONLY, *COLLECT_ONLY))
    stratum, total = (None, None) if everything else (per_stratum, per_generator)
    with TemporaryDirectory(prefix="refusalbench-") as place:
        found = keep_runs(headers, Path(place))
        tell_left_out(found.left_out)
        rejected = rejected_items(drop)
        done = write(found, output, stratum, total, seed, per_cell, prefix, licence, parquet, paper, rejected)
    click.echo(f"{done.rows} rows, {done.controls} controls")
    click.echo(
        f"left out: {done.repeats} repeats, {done.conflicts} with conflicting labels, {done.near_duplicates} "
        f"near-duplicates with different labels, {done.unchanged} without a changed word"
    )
    if drop:
        click.echo(f"dropped: {done.dropped} of the {len(rejected)} that people failed")
    click.echo("\n".join(str(file) for file in done.files))


def _collection_runs(logs: "Headers") -> "CollectionRuns | None":
    """Return the runs of `collect`; None if there are none. Raises DataError if there are runs of other tasks too."""
    from refusalbench_tasks.collect.collection_logs import TASK, find_collection_runs
    from refusalbench_tasks.generators.kit.chosen_logs import choose_logs

    ours = choose_logs(logs, (TASK,))
    if not ours.headers and not ours.left_out:
        return None
    others = choose_logs(logs, ("perturb", "question"))
    own = [one for one in ours.left_out if one not in others.left_out]
    if ours.headers and others.headers:
        raise DataError("these logs mix runs of `collect` and of other tasks; export each into its own folder")
    if own and not ours.headers and not others.headers:
        (name, reason), *more = own
        behind = f" (and {len(more)} more)" if more else ""
        raise DataError(f"no log of `collect` can be used: {name}: {reason}{behind}")
    return find_collection_runs(logs) if ours.headers else None


def _export_records(found: "CollectionRuns", output: Path, text: bool, seed: int, licence: str | None) -> None:
    from refusalbench_tasks.collect.export_records import export_records

    tell_left_out(found.left_out)
    done = export_records(found.runs, output, text, seed, licence)
    click.echo(f"{done.rows} records, {done.weak} of them weak")
    click.echo(f"left out: {done.same_question} repeated questions, {done.same_gold_page} repeated gold pages")
    click.echo("\n".join(str(file) for file in done.files))


def _question_runs(logs: "Headers") -> "QuestionRuns | None":
    """Return the runs of `question`; None if there are none. Raises DataError if there are runs of `perturb` too."""
    from refusalbench_tasks.generators.kit.chosen_logs import choose_logs
    from refusalbench_tasks.own.questions.question_logs import find_question_runs

    found = find_question_runs(logs)
    others = choose_logs(logs, ("perturb",))
    if found.runs and others.headers:
        raise DataError("these logs mix runs of `question` and of `perturb`; export each into its own folder")
    own = [one for one in found.left_out if one not in others.left_out]
    if own and not found.runs and not others.headers:
        (name, reason), *more = own
        behind = f" (and {len(more)} more)" if more else ""
        raise DataError(f"no generation log can be used: {name}: {reason}{behind}")
    return found if found.runs else None


def _export_questions(
    found: "QuestionRuns", output: Path, per_kind: int | None, dev: float, seed: int, licence: str | None
) -> None:
    from refusalbench_tasks.own.questions.export_questions import export_questions

    tell_left_out(found.left_out)
    done = export_questions(found.runs, output, per_kind, dev, seed, licence)
    click.echo(f"{done.rows} base questions from {done.documents} documents")
    click.echo(
        f"left out: {done.repeats} repeats, {done.conflicts} with different answers to the same words, "
        f"{done.over_quota} beyond --per-kind"
    )
    click.echo("\n".join(str(file) for file in done.files))


def _only(task: str, others: tuple[str, ...]) -> None:
    """Raise DataError for an option that was given although it is for logs of another task."""
    context = click.get_current_context()
    for option in context.command.params:
        given = context.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE
        if option.name in others and given:
            raise DataError(f"export: {option.opts[0]} does nothing for logs of `{task}`; leave it out")
