"""Commands that compare logs."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from refusalbench_tasks.commands.output import Output, format_option, output, write_csv
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.tables import Format, Table, TableRow
from refusalbench_tasks.terminal import one_line

if TYPE_CHECKING:
    from refusalbench_tasks.compare.differences import Comparison
    from refusalbench_tasks.logs.run import AnyRun, RefusalRun
    from refusalbench_tasks.published.reproduction import Reproduced

_REPRODUCTION = "Published and measured numbers"


@click.command()
@click.argument("logs", nargs=-1, type=click.Path(exists=True))
@click.option("--any-data", is_flag=True, help="Compare logs of different data over the samples that both have.")
@click.option("--static", type=click.Path(exists=True), help="A log on a released set, for the contamination gap.")
@click.option("--fresh", type=click.Path(exists=True), help="A log of the same model on a fresh set.")
@click.option("--resamples", default=1000, show_default=True, type=click.IntRange(100), help="Bootstrap resamples.")
@click.option("--seed", default=0, show_default=True, help="Seed of the bootstrap.")
@format_option
def compare(
    logs: tuple[str, ...], any_data: bool, static: str | None, fresh: str | None, resamples: int, seed: int,
    form: Format,
) -> None:  # fmt: skip
    """Compare each of LOGS with the first, sample by sample (folders stand for their newest log)."""
    if (static is None) != (fresh is None):
        raise DataError("compare: --static and --fresh go together")
    if len(logs) < 2 and static is None:
        raise DataError("compare: give two or more logs, or --static and --fresh")
    with output(form) as out:
        if len(logs) >= 2:
            _show_comparisons(out, logs, any_data, resamples, seed)
        if static is not None and fresh is not None:
            _show_gap(out, static, fresh, resamples, seed)


def _show_comparisons(out: Output, logs: tuple[str, ...], any_data: bool, resamples: int, seed: int) -> None:
    from refusalbench_tasks.compare.comparison import compare as pairwise

    first, *others = _readable(logs, 2)
    # what can't be compared must be told before what to mind in a comparison
    made = pairwise(first, others, any_data, resamples, seed)
    if len({log.graders for log in (first, *others)}) > 1:
        click.echo("Warning: the logs were graded by different judges; a difference may be theirs.\n", err=True)
    if len({log.prompt for log in (first, *others)}) > 1:
        click.echo("Warning: the models were given different prompts; a difference may be the prompt's.\n", err=True)
    for one in made:
        _show_comparison(out, one)


def _show_comparison(out: Output, one: "Comparison") -> None:
    about = {"log A": one.a.name, "log B": one.b.name, "model A": one.a.model, "model B": one.b.model}
    for side, log in (("A", one.a), ("B", one.b)):
        out.remark(one_line(f"{side}: {log.model} ({log.name})"))
    out.remark(f"{one.n} samples of {one.clusters} questions are decided in both")
    out.remark(f"left out: {one.undecided} undecided in A or B, {one.only_a} in A only, {one.only_b} in B only")
    if one.ungraded:
        out.remark(f"left out of correctness: {one.ungraded} with an answer that is ungraded in A or B")
    out.remark()
    out.numbers(_samples(one), about)
    out.table(_differences(one), about=about)
    out.remark()
    out.table(_tests(one), about=about)
    if one.n > one.clusters:
        out.remark(
            "several samples share a question, and McNemar's test takes them for independent: read p by question"
        )
    out.remark()


def _samples(one: "Comparison") -> Table:
    counts = {"n": one.n, "questions": one.clusters, "undecided": one.undecided, "A only": one.only_a,
              "B only": one.only_b, "ungraded": one.ungraded}  # fmt: skip
    return Table("samples", "Samples behind a comparison", [counts])


def _differences(one: "Comparison") -> Table:
    rows = [
        {
            "metric": d.metric, "A": d.a, "B": d.b, "B - A": d.difference, "95 % low": d.low, "95 % high": d.high,
            "n A": int(d.n), "n B": int(d.n_b), "smallest visible": d.smallest,
        }
        for d in one.differences
    ]  # fmt: skip
    return Table("differences", "Differences", rows)


def _tests(one: "Comparison") -> Table:
    names = ("McNemar", "A only", "B only", "n", "p", "p (Holm)", "p by question")
    cells = [
        (t.name, t.mcnemar.only_first, t.mcnemar.only_second, t.mcnemar.n, t.mcnemar.p, t.p_holm, t.p_clusters)
        for t in one.tests
    ]
    rows = [dict(zip(names, line, strict=True)) for line in cells]
    return Table("tests", "McNemar's tests", rows, names=names, formats=dict.fromkeys(names[4:], _p))


def _show_gap(out: Output, static: str, fresh: str, resamples: int, seed: int) -> None:
    from refusalbench_tasks.compare.contamination import contamination_gap
    from refusalbench_tasks.logs.find import refusal_run

    pair = [refusal_run(run) for run in _readable((static, fresh), 2)]
    if pair[0].graders != pair[1].graders:
        click.echo("Warning: the logs were graded by different judges; a drop may be theirs.\n", err=True)
    gap = contamination_gap(pair[0], pair[1], resamples, seed)
    rows = [
        {
            "metric": d.metric, "static": d.static, "fresh": d.fresh, "drop": d.drop, "95 % low": d.low,
            "95 % high": d.high, "n static": int(d.n_static), "n fresh": int(d.n_fresh),
        }
        for d in gap.drops
    ]  # fmt: skip
    out.table(Table("drops", "From the static to the fresh set", rows))
    out.remark(f"\n{gap.n_static} rows (static), {gap.n_fresh} rows (fresh)")
    out.remark(
        "if the world drifted by the largest drop of an accuracy, the static set promises an error of "
        f"{gap.promised:.3f} at best, with 95 % (Theorem 3.1 with its {gap.questions} base questions as n)"
    )
    promise = {"rows static": gap.n_static, "rows fresh": gap.n_fresh, "questions": gap.questions,
               "promised error": gap.promised}  # fmt: skip
    out.numbers(Table("promise", "The error that the static set promises", [promise]))


def _p(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


@click.command()
@click.argument("logs", nargs=-1, type=click.Path(exists=True))
@click.option(
    "--as", "names", multiple=True, metavar="MODEL=PUBLISHED", help="Which published model a log's stands for."
)
@click.option("--csv", "csv_file", type=click.Path(path_type=Path), help="Write the table to a CSV file as well.")
@click.option("--available", "--measured", is_flag=True, help="Hide the numbers that LOGS say nothing about.")
@format_option
def reproduce(
    logs: tuple[str, ...], names: tuple[str, ...], csv_file: Path | None, available: bool, form: Format
) -> None:
    """Show the papers' numbers beside those of LOGS; without LOGS, what each published number needs."""
    from refusalbench_tasks.published.papers import published_papers
    from refusalbench_tasks.published.reproduction import WITHOUT, without_a_place
    from refusalbench_tasks.published.reproduction import reproduce as side_by_side
    from refusalbench_tasks.published.runs import read_headers

    if any("=" not in name for name in names):
        raise DataError("reproduce: --as needs MODEL=PUBLISHED, for instance --as vllm/my-llama=Llama-3.3")
    papers = published_papers()
    stands_for, headers = dict(name.split("=", 1) for name in names), read_headers(logs)
    for name, reason in headers.left_out:
        click.echo(f"Warning: left out: {name.rpartition('/')[2]}: {reason}", err=True)
    for model in without_a_place(papers, headers.used, stands_for):
        click.echo(f"Warning: no published number is taken to be of {model}; --as MODEL=PUBLISHED names it", err=True)
    rows = side_by_side(papers, headers.used, stands_for, headers.generation)
    cells = [_published_cells(one) for one in rows if one.reading not in WITHOUT or not available]
    if csv_file:
        write_csv(csv_file, Table("reproduction", _REPRODUCTION, cells))
    hidden = {"paper", "published low", "published high"}
    hidden |= set() if any(row["log"] for row in cells) else {"what differs", "log"}
    shown = [name for name in cells[0] if name not in hidden] if cells and form == "text" else ()
    with output(form) as out:
        out.table(Table("reproduction", _REPRODUCTION, cells, names=shown))
        for paper in papers:
            out.remark(f"\n{paper.paper}: {paper.notes['all']}")
            out.remark("\n".join(f"  {model}: {note}" for model, note in paper.notes.items() if model != "all"))
        out.remark(
            "\nA number needs a finished run of its task by its model on the released data, with the published "
            "settings; --as names another model."
        )


def _published_cells(one: "Reproduced") -> TableRow:
    row = one.row
    return {
        "paper": one.paper, "task": row.task, "model": row.model, "metric": row.label, "where": row.where,
        "sign": "" if row.sign == "=" else row.sign, "published": row.value, "published low": row.low,
        "published high": row.high, "measured": one.measured, "n": None if math.isnan(one.n) else int(one.n),
        "95 % low": one.low, "95 % high": one.high, "reading": one.reading,
        "what differs": "; ".join(one.differences), "log": one.log.rpartition("/")[2],
    }  # fmt: skip


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
@format_option
def audit(logs: tuple[str, ...], draw: Path | None, n: int, seed: int, sheet: Path | None, form: Format) -> None:
    """Show how graders of scored copies of a log agree; draw a sheet for people, and correct rates by a filled one."""
    from refusalbench_tasks.logs.find import refusal_run

    copies = [refusal_run(run) for run in _readable(logs, 1)]
    if len(copies) < 2 and draw is None and sheet is None:
        raise DataError("audit: give two or more scored copies of a log, or --draw, or --sheet")
    with output(form) as out:
        if len(copies) > 1:
            _show_agreement(out, copies)
        if draw is not None:
            _draw_sheet(out, copies[0], draw, n, seed)
        if sheet is not None:
            _show_corrected(out, copies[0], sheet)


def _show_agreement(out: Output, copies: "Sequence[RefusalRun]") -> None:
    from refusalbench_tasks.audit.agreement import judge_agreement

    pairs, alpha = judge_agreement(copies)
    rows = [
        {
            "grader": p.first, "other": p.second, "n": p.n, "equal": p.equal, "kappa": p.kappa,
            "n graded": p.n_graded, "rank correlation": p.rank,
        }
        for p in pairs
    ]  # fmt: skip
    out.table(Table("pairs", "Agreement of two graders", rows))
    out.remark(f"Krippendorff's alpha over {len(copies)} copies: {alpha:.3f}")
    out.numbers(Table("alpha", "Agreement of all graders", [{"copies": len(copies), "alpha": alpha}]))


def _draw_sheet(out: Output, replies: "RefusalRun", path: Path, n: int, seed: int) -> None:
    from refusalbench_tasks.audit.sheet import draw_replies, judge_sheet
    from refusalbench_tasks.files.writing import write_whole

    keys = draw_replies(replies, n, seed)
    text, unread = judge_sheet(replies, keys)
    write_whole(path, text)
    for name, epoch in unread:
        click.echo(f"Warning: left out: {name} (epoch {epoch}): the sample cannot be read", err=True)
    drawn = len(keys) - len(unread)
    out.remark(f"{drawn} judged replies in {path}; fill in label (ANSWER or a code) and correct (yes or no)")


def _show_corrected(out: Output, replies: "RefusalRun", sheet: Path) -> None:
    from refusalbench_tasks.audit.sheet import corrected_rates, known_readings, read_judge_sheet

    readings = read_judge_sheet(sheet)
    for name, epoch in known_readings(replies, readings)[1]:
        click.echo(f"Warning: {sheet.name}: {name} (epoch {epoch}) is no reply of this log; not read", err=True)
    rows = [
        {
            "judged replies": name, "judge": rate.judged, "corrected": rate.corrected, "95 % low": rate.low,
            "95 % high": rate.high, "n": rate.n, "read": rate.n_read,
        }
        for name, rate in corrected_rates(replies, readings).items()
    ]  # fmt: skip
    out.table(Table("corrected", "Rates among judged replies", rows))


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
