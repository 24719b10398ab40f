"""`refusalbench audit`: graders against each other and against people; verifiers of generation runs."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from refusalbench_tasks.command_output import Output, format_option, output, tell_left_out
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.tables import Format, Table

if TYPE_CHECKING:
    from refusalbench_tasks.results.table import Run


@click.command()
@click.argument("logs", nargs=-1, required=True, type=click.Path(exists=True))
@click.option("--draw", type=click.Path(path_type=Path), help="Write a blind sheet of replies of the first log.")
@click.option("-n", "--n", "n", default=100, show_default=True, type=click.IntRange(1), help="Rows of the sheet.")
@click.option("--seed", default=0, show_default=True, help="Seed of the sheet.")
@click.option("--sheet", type=click.Path(path_type=Path), help="A filled sheet, to correct the first log's rates by.")
@click.option("--keep", type=click.Path(path_type=Path), help="With --sheet: write how the grader did to a JSON file.")
@click.option("--calibration", type=click.Path(path_type=Path), help="Such a file, by which rates are corrected.")
@click.option("--verifiers", is_flag=True, help="LOGS are of perturb: how their writers and verifiers agree.")
@format_option
def audit(
    logs: tuple[str, ...], draw: Path | None, n: int, seed: int, sheet: Path | None, keep: Path | None,
    calibration: Path | None, verifiers: bool, form: Format,
) -> None:  # fmt: skip
    """Show how graders of scored copies of a log agree; draw a sheet for people, and correct rates by a filled one.

    \b
    Example: refusalbench audit logs/nq.eval --draw sheet.csv --n 100
    """
    from refusalbench_tasks.results.choice import refusal_runs

    with output(form) as out:
        if verifiers:
            _show_verifiers(out, logs)
            return
        copies = refusal_runs(logs)
        if len(copies) < 2 and draw is None and sheet is None and calibration is None:
            raise DataError("audit: give two or more scored copies of a log, or --draw, --sheet or --calibration")
        if keep is not None and sheet is None:
            raise DataError("audit: --keep needs --sheet, from which the grader is calibrated")
        if calibration is not None:
            _show_calibrated(out, copies, calibration)
        elif len(copies) > 1:
            _show_agreement(out, copies)
        if draw is not None:
            _draw_sheet(out, copies[0], draw, n, seed)
        if sheet is not None:
            _show_corrected(out, copies[0], sheet, keep)


def _show_agreement(out: Output, copies: "Sequence[Run]") -> None:
    from refusalbench_tasks.results.audit.agreement import grader_agreement

    pairs, alpha = grader_agreement(copies)
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


def _draw_sheet(out: Output, replies: "Run", path: Path, n: int, seed: int) -> None:
    from refusalbench_tasks.results.audit.sheet import FILLED, draw_replies, judge_sheet
    from refusalbench_tasks.safe_writing import write_whole
    from refusalbench_tasks.sheets import keep_filled

    keep_filled(path, FILLED)
    keys = draw_replies(replies, n, seed)
    write_whole(path, judge_sheet(replies, keys))
    out.remark(f"{len(keys)} judged replies in {path}; fill in label (ANSWER or a code) and correct (yes or no)")


def _show_corrected(out: Output, replies: "Run", sheet: Path, keep: Path | None) -> None:
    from refusalbench_tasks.results.audit.grader_calibration import calibrate
    from refusalbench_tasks.results.audit.sheet import corrected_rates, corrected_row, known_readings, read_judge_sheet
    from refusalbench_tasks.safe_writing import not_an_input, write_whole

    readings = read_judge_sheet(sheet)
    for name, epoch in known_readings(replies, readings)[1]:
        click.echo(f"Warning: {sheet.name}: {name} (epoch {epoch}) is no reply of this log; not read", err=True)
    rows = [
        {"judged replies": name, **corrected_row("grader", rate)}
        for name, rate in corrected_rates(replies, readings).items()
    ]
    out.table(Table("corrected", "Rates among judged replies", rows))
    if keep is not None:
        not_an_input(keep, sheet)
        write_whole(keep, calibrate(replies, readings).model_dump_json(indent=1) + "\n")
        out.remark(f"{keep}: how the grader did; give it as --calibration for later runs of the same grader")


def _show_calibrated(out: Output, runs: "Sequence[Run]", file: Path) -> None:
    from refusalbench_tasks.results.audit.grader_calibration import GraderCalibration, calibrated_rates

    known = GraderCalibration.read(file)
    rows = [
        {
            "log": run.name, "judged replies": name, "grader": rate.judged, "corrected": rate.corrected,
            "95 % low": rate.low, "95 % high": rate.high, "n": rate.n,
        }
        for run in runs
        for name, rate in calibrated_rates(run, known).items()
    ]  # fmt: skip
    out.table(Table("calibrated", "Rates among judged replies, by the calibration", rows))


def _show_verifiers(out: Output, logs: tuple[str, ...]) -> None:
    from refusalbench_tasks.results.log_files import read_headers, task_of
    from refusalbench_tasks.results.votes import EARLY_STOP, panel_of, read_votes, vote_tables

    headers = read_headers(logs)
    found, left_out = read_votes([header for header in headers.logs if task_of(header) == "perturb"])
    tell_left_out([*headers.left_out, *left_out])
    if not found:
        raise DataError("audit: no finished log of perturb there; they are made by `inspect eval` of that task")
    panel = panel_of(found)
    if not len(panel.judged):
        out.remark(f"pass rates and agreement: {EARLY_STOP}\n")
    for name, rows in vote_tables(panel).items():
        out.table(Table(name, name.replace("_", " "), rows), title=name, end="\n")
