"""`refusalbench audit`: graders against each other and against people."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from refusalbench_tasks.command_output import (
    PATH,
    Output,
    format_option,
    logs_argument,
    output,
    sheet_rows_option,
)
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.replies.outside_text import one_line
from refusalbench_tasks.safe_writing import not_an_input, write_whole
from refusalbench_tasks.sheets import keep_filled
from refusalbench_tasks.tables import Format, Table

if TYPE_CHECKING:
    from refusalbench_tasks.results.table import Run


@click.command()
@logs_argument
@click.option(
    "--draw",
    type=PATH,
    help="Write a blind sheet of replies of the first log.",
)
@sheet_rows_option
@click.option(
    "--sheet",
    type=PATH,
    help="A filled sheet, which corrects the first log's rates.",
)
@click.option(
    "--keep",
    type=PATH,
    help="With --sheet: write the grader's errors to a JSON file.",
)
@click.option(
    "--calibration",
    type=PATH,
    help="Such a file, which corrects rates.",
)
@format_option
def audit(
    logs: tuple[str, ...],
    draw: Path | None,
    n: int,
    sheet: Path | None,
    keep: Path | None,
    calibration: Path | None,
    form: Format,
) -> None:
    """Compare graders on scored copies of a log; draw a sheet for people to grade, and
    correct rates by it.

    \b
    Example: refusalbench audit logs/nq.eval --draw sheet.csv --n 100
    """
    from refusalbench_tasks.results.audit.sheet import FILLED, judge_sheet
    from refusalbench_tasks.results.run_selection import refusal_runs

    if keep is not None and sheet is None:
        raise DataError(
            "audit: --keep needs --sheet, from which the grader is calibrated"
        )
    with output(form) as out:
        copies = refusal_runs(logs)
        if calibration is not None:
            _show_calibrated(out, copies, calibration)
        elif len(copies) > 1:
            _show_agreement(out, copies)
        elif draw is None and sheet is None:
            raise DataError(
                "audit: give two or more scored copies of a log, or --draw, --sheet or"
                " --calibration"
            )
        if draw is not None:
            keep_filled(draw, FILLED)
            write_whole(draw, judge_sheet(copies[0], n))
            out.remark(
                f"{draw}: fill in label (answer, refusal or a code) and, for an answer,"
                " correct (yes or no)"
            )
        if sheet is not None:
            _show_corrected(
                out,
                copies[0],
                sheet,
                keep,
            )


def _show_agreement(out: Output, copies: "Sequence[Run]") -> None:
    from refusalbench_tasks.results.audit.agreement import grader_agreement

    rows, alpha = grader_agreement(copies)
    out.table(Table("pairs", "Agreement of two graders", rows))
    out.remark(f"Krippendorff's alpha over {len(copies)} copies: {alpha:.3f}")
    of_all = [{"copies": len(copies), "alpha": alpha}]
    out.numbers(Table("alpha", "Agreement of all graders", of_all))


def _show_corrected(
    out: Output,
    log: "Run",
    sheet: Path,
    keep: Path | None,
) -> None:
    from refusalbench_tasks.results.audit.grader_calibration import calibrate
    from refusalbench_tasks.results.audit.sheet import (
        corrected_rates,
        corrected_row,
        judged,
        read_labels,
    )

    people = read_labels(sheet)
    foreign = people.keys() - set(judged(log).index)
    for key in sorted(foreign):
        warning = (
            f"Warning: {sheet.name}: {key} is no judged reply of this log; not read"
        )
        click.echo(one_line(warning), err=True)
    if len(foreign) == len(people):
        raise DataError("audit: no row of the sheet is a judged reply of this log")
    rows = [
        {"judged replies": name, **corrected_row("grader", rate)}
        for name, rate in corrected_rates(log, people).items()
    ]
    out.table(Table("corrected", "Rates among judged replies", rows))
    if keep is not None:
        not_an_input(keep, sheet)
        write_whole(keep, calibrate(log, people).model_dump_json(indent=1) + "\n")
        out.remark(
            f"{keep}: how the grader did; give it as --calibration for later runs of"
            " the same grader"
        )


def _show_calibrated(out: Output, runs: "Sequence[Run]", file: Path) -> None:
    from refusalbench_tasks.results.audit.grader_calibration import GraderCalibration
    from refusalbench_tasks.results.audit.sheet import corrected_row

    known = GraderCalibration.read(file)
    rows = []
    for run in runs:
        for name, rate in known.corrected(run).items():
            about = {"log": run.name, "judged replies": name}
            rows.append(about | corrected_row("grader", rate))
    title = "Rates among judged replies, by the calibration"
    out.table(Table("calibrated", title, rows))
