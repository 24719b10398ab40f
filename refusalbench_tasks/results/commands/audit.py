"""`refusalbench audit`: graders against each other and against people."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from refusalbench_tasks.command_output import Output, format_option, output
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.results.readable import readable_runs
from refusalbench_tasks.tables import Format, Table

if TYPE_CHECKING:
    from refusalbench_tasks.results.logs.run import RefusalRun


@click.command()
@click.argument("logs", nargs=-1, required=True, type=click.Path(exists=True))
@click.option("--draw", type=click.Path(path_type=Path), help="Write a blind sheet of replies of the first log.")
@click.option("--n", default=100, show_default=True, type=click.IntRange(1), help="Replies in the sheet.")
@click.option("--seed", default=0, show_default=True, help="Seed of the sheet.")
@click.option("--sheet", type=click.Path(path_type=Path), help="A filled sheet, to correct the first log's rates by.")
@format_option
def audit(logs: tuple[str, ...], draw: Path | None, n: int, seed: int, sheet: Path | None, form: Format) -> None:
    """Show how graders of scored copies of a log agree; draw a sheet for people, and correct rates by a filled one."""
    from refusalbench_tasks.results.logs.find import refusal_run

    copies = [refusal_run(run) for run in readable_runs(logs, 1)]
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
    from refusalbench_tasks.results.audit.agreement import judge_agreement

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
    from refusalbench_tasks.results.audit.sheet import FILLED, draw_replies, judge_sheet
    from refusalbench_tasks.safe_writing import write_whole
    from refusalbench_tasks.sheets import keep_filled

    keep_filled(path, FILLED)
    keys = draw_replies(replies, n, seed)
    text, unread = judge_sheet(replies, keys)
    write_whole(path, text)
    for name, epoch in unread:
        click.echo(f"Warning: left out: {name} (epoch {epoch}): the sample cannot be read", err=True)
    drawn = len(keys) - len(unread)
    out.remark(f"{drawn} judged replies in {path}; fill in label (ANSWER or a code) and correct (yes or no)")


def _show_corrected(out: Output, replies: "RefusalRun", sheet: Path) -> None:
    from refusalbench_tasks.results.audit.sheet import corrected_rates, known_readings, read_judge_sheet

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
