"""Commands that compare logs."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from refusalbench_tasks.commands.text import columns, write_csv
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.terminal import one_line

if TYPE_CHECKING:
    from refusalbench_tasks.logs.run import AnyRun


@click.command()
@click.argument("logs", nargs=-1, type=click.Path(exists=True))
@click.option("--any-data", is_flag=True, help="Compare logs of different data over the samples that both have.")
@click.option("--static", type=click.Path(exists=True), help="A log on a released set, for the contamination gap.")
@click.option("--fresh", type=click.Path(exists=True), help="A log of the same model on a fresh set.")
@click.option("--resamples", default=1000, show_default=True, type=click.IntRange(100), help="Bootstrap resamples.")
@click.option("--seed", default=0, show_default=True, help="Seed of the bootstrap.")
def compare(
    logs: tuple[str, ...], any_data: bool, static: str | None, fresh: str | None, resamples: int, seed: int
) -> None:
    """Compare each of LOGS with the first, sample by sample (folders stand for their newest log)."""
    if (static is None) != (fresh is None):
        raise DataError("compare: --static and --fresh go together")
    if len(logs) < 2 and static is None:
        raise DataError("compare: give two or more logs, or --static and --fresh")
    if len(logs) >= 2:
        _show_comparisons(logs, any_data, resamples, seed)
    if static is not None and fresh is not None:
        _show_gap(static, fresh, resamples, seed)


def _show_comparisons(logs: tuple[str, ...], any_data: bool, resamples: int, seed: int) -> None:
    from refusalbench_tasks.compare.comparison import compare as pairwise

    first, *others = _readable(logs, 2)
    # what can't be compared must be told before what to mind in a comparison
    made = pairwise(first, others, any_data, resamples, seed)
    if len({log.graders for log in (first, *others)}) > 1:
        click.echo("Warning: the logs were graded by different judges; a difference may be theirs.\n", err=True)
    if len({log.prompt for log in (first, *others)}) > 1:
        click.echo("Warning: the models were given different prompts; a difference may be the prompt's.\n", err=True)
    for one in made:
        click.echo(
            "\n".join(one_line(f"{side}: {log.model} ({log.name})") for side, log in (("A", one.a), ("B", one.b)))
        )
        click.echo(f"{one.n} samples of {one.clusters} questions are decided in both")
        click.echo(f"left out: {one.undecided} undecided in A or B, {one.only_a} in A only, {one.only_b} in B only")
        if one.ungraded:
            click.echo(f"left out of correctness: {one.ungraded} with an answer that is ungraded in A or B")
        click.echo()
        rows = [
            [d.metric, d.a, d.b, d.difference, d.low, d.high, int(d.n), int(d.n_b), d.smallest] for d in one.differences
        ]
        click.echo(
            columns(rows, ["metric", "A", "B", "B - A", "95 % low", "95 % high", "n A", "n B", "smallest visible"])
        )
        tests = [
            [t.name, t.mcnemar.only_first, t.mcnemar.only_second, t.mcnemar.n]
            + [_p(p) for p in (t.mcnemar.p, t.p_holm, t.p_clusters)]
            for t in one.tests
        ]
        click.echo("\n" + columns(tests, ["McNemar", "A only", "B only", "n", "p", "p (Holm)", "p by question"]))
        if one.n > one.clusters:
            click.echo(
                "several samples share a question, and McNemar's test takes them for independent: read p by question"
            )
        click.echo()


def _show_gap(static: str, fresh: str, resamples: int, seed: int) -> None:
    from refusalbench_tasks.compare.contamination import contamination_gap
    from refusalbench_tasks.logs.find import refusal_run

    pair = [refusal_run(run) for run in _readable((static, fresh), 2)]
    if pair[0].graders != pair[1].graders:
        click.echo("Warning: the logs were graded by different judges; a drop may be theirs.\n", err=True)
    gap = contamination_gap(pair[0], pair[1], resamples, seed)
    rows = [[d.metric, d.static, d.fresh, d.drop, d.low, d.high, int(d.n_static), int(d.n_fresh)] for d in gap.drops]
    click.echo(columns(rows, ["metric", "static", "fresh", "drop", "95 % low", "95 % high", "n static", "n fresh"]))
    click.echo(f"\n{gap.n_static} rows (static), {gap.n_fresh} rows (fresh)")
    click.echo(
        "if the world drifted by the largest drop of an accuracy, the static set promises an error of "
        f"{gap.promised:.3f} at best, with 95 % (Theorem 3.1 with its {gap.questions} base questions as n)"
    )


def _p(value: float) -> str:
    if math.isnan(value):
        return "undefined"
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


@click.command()
@click.argument("logs", nargs=-1, type=click.Path(exists=True))
@click.option(
    "--as", "names", multiple=True, metavar="MODEL=PUBLISHED", help="Which published model a log's stands for."
)
@click.option("--csv", "csv_file", type=click.Path(path_type=Path), help="Write the table to a CSV file as well.")
@click.option("--measured", is_flag=True, help="Show only the numbers that a log has.")
def reproduce(logs: tuple[str, ...], names: tuple[str, ...], csv_file: Path | None, measured: bool) -> None:
    """Show the papers' numbers beside those of LOGS; without LOGS, what each published number needs."""
    from refusalbench_tasks.published.papers import published_papers
    from refusalbench_tasks.published.reproduction import read_headers, without_a_place
    from refusalbench_tasks.published.reproduction import reproduce as side_by_side

    if any("=" not in name for name in names):
        raise DataError("reproduce: --as needs MODEL=PUBLISHED, for instance --as vllm/my-llama=Llama-3.3")
    papers = published_papers()
    stands_for, headers = dict(name.split("=", 1) for name in names), read_headers(logs)
    for name, reason in headers.left_out:
        click.echo(f"Warning: left out: {name.rpartition('/')[2]}: {reason}", err=True)
    for model in without_a_place(papers, headers.used, stands_for):
        click.echo(f"Warning: no published number is taken to be of {model}; --as MODEL=PUBLISHED names it", err=True)
    rows = side_by_side(papers, headers.used, stands_for)
    cells = [
        {
            "paper": r.paper, "task": r.row.task, "model": r.row.model, "metric": r.row.metric, "where": r.row.where,
            "published": r.row.value, "measured": r.measured, "n": "" if math.isnan(r.n) else int(r.n),
            "95 % low": r.low, "95 % high": r.high,
            "reading": r.reading, "what differs": "; ".join(r.differences), "log": r.log.rpartition("/")[2],
        }
        for r in rows
        if r.log or not measured
    ]  # fmt: skip
    if csv_file:
        write_csv(csv_file, cells)
    hidden = ("paper",) if any(row["log"] for row in cells) else ("paper", "what differs", "log")
    shown = [[cell for name, cell in row.items() if name not in hidden] for row in cells]
    click.echo(columns(shown, [name for name in cells[0] if name not in hidden] if cells else ()))
    for paper in papers:
        click.echo(f"\n{paper.paper}: {paper.notes['all']}")
        click.echo("\n".join(f"  {model}: {note}" for model, note in paper.notes.items() if model != "all"))
    click.echo(
        "\nA number needs a finished run of its task by its model on the released data, with the published settings; "
        "--as names another model."
    )


def _readable(paths: Sequence[str], needed: int) -> "list[AnyRun]":
    """Return the runs that could be read, the others named; the first one, to which the rest relate, must be."""
    from refusalbench_tasks.logs.find import newest_run
    from refusalbench_tasks.logs.parallel import each

    logs = each(newest_run, paths, "logs")
    runs = [log.run for log in logs if log.run is not None]
    unread = [log.damaged[0] for log in logs if log.run is None]
    if unread and (logs[0].run is None or len(runs) < needed):
        raise DataError(unread[0])
    for problem in (problem for log in logs for problem in log.damaged):
        click.echo(f"Warning: left out: {problem}", err=True)
    return runs


@click.command()
@click.argument("logs", nargs=-1, required=True, type=click.Path(exists=True))
@click.option("--draw", type=click.Path(path_type=Path), help="Write a blind sheet of replies of the first log.")
@click.option("--n", default=100, show_default=True, type=click.IntRange(1), help="Replies in the sheet.")
@click.option("--seed", default=0, show_default=True, help="Seed of the sheet.")
@click.option("--sheet", type=click.Path(path_type=Path), help="A filled sheet, to correct the first log's rates by.")
def audit(logs: tuple[str, ...], draw: Path | None, n: int, seed: int, sheet: Path | None) -> None:
    """Show how graders of scored copies of a log agree; draw a sheet for people, and correct rates by a filled one."""
    from refusalbench_tasks.audit.agreement import judge_agreement
    from refusalbench_tasks.audit.sheet import (
        corrected_rates,
        draw_replies,
        judge_sheet,
        known_readings,
        read_judge_sheet,
    )
    from refusalbench_tasks.files.writing import write_whole
    from refusalbench_tasks.logs.find import refusal_run

    copies = [refusal_run(run) for run in _readable(logs, 1)]
    if len(copies) > 1:
        pairs, alpha = judge_agreement(copies)
        rows = [[p.first, p.second, p.n, p.equal, p.kappa, p.n_graded, p.rank] for p in pairs]
        click.echo(columns(rows, ["grader", "other", "n", "equal", "kappa", "n graded", "rank correlation"]))
        click.echo(f"Krippendorff's alpha over {len(copies)} copies: {alpha:.3f}")
    if draw is not None:
        keys = draw_replies(copies[0], n, seed)
        text, unread = judge_sheet(copies[0], keys)
        write_whole(draw, text)
        for name, epoch in unread:
            click.echo(f"Warning: left out: {name} (epoch {epoch}): the sample cannot be read", err=True)
        drawn = len(keys) - len(unread)
        click.echo(f"{drawn} judged replies in {draw}; fill in label (ANSWER or a code) and correct (yes or no)")
    if sheet is not None:
        readings = read_judge_sheet(sheet)
        for name, epoch in known_readings(copies[0], readings)[1]:
            click.echo(f"Warning: {sheet.name}: {name} (epoch {epoch}) is no reply of this log; not read", err=True)
        rates = corrected_rates(copies[0], readings)
        rows = [[k, c.judged, c.corrected, c.low, c.high, c.n, c.n_read] for k, c in rates.items()]
        click.echo(columns(rows, ["judged replies", "judge", "corrected", "95 % low", "95 % high", "n", "read"]))
    if len(copies) < 2 and draw is None and sheet is None:
        raise DataError("audit: give two or more scored copies of a log, or --draw, or --sheet")


@click.command()
@click.argument("logs", nargs=-1, required=True, type=click.Path(exists=True))
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="Folder for the report.")
@click.option("--title", default="Refusal and hedging report", show_default=True, help="Title of the page.")
def report(logs: tuple[str, ...], output: Path, title: str) -> None:
    """Write a page with the tables and figures that LOGS (files or folders, any mix of our tasks) allow."""
    from refusalbench_tasks.report.build import write_report

    made = write_report(logs, output, title)
    for warning in made.warnings:
        click.echo(f"Warning: {one_line(warning)}", err=True)
    click.echo(
        f"{made.page}: {made.runs} {'run' if made.runs == 1 else 'runs'}, {made.figures} figures, {made.tables} tables"
    )
