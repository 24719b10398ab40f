"""`refusalbench compare --ranks`: how two sets order the same models."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from refusalbench_tasks.command_output import Output
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.tables import Table
from refusalbench_tasks.terminal import one_line

if TYPE_CHECKING:
    from refusalbench_tasks.results.compare.ranks import RankComparison
    from refusalbench_tasks.results.logs.run import RefusalRun


def show_ranks(out: Output, places: Sequence[str], resamples: int, seed: int) -> None:
    """Print the rank correlations of each further place's set with the first's. Raises DataError as they do."""
    from refusalbench_tasks.results.compare.ranks import rank_comparison

    sets = [_runs(place) for place in places]
    if len({run.graders for runs in sets for run in runs}) > 1:
        click.echo("Warning: the logs were graded by different judges; an order may be theirs.\n", err=True)
    for place, runs in zip(places[1:], sets[1:], strict=True):
        made = rank_comparison(sets[0], runs, resamples, seed)
        _show(out, made, places[0], place)


def _runs(place: str) -> "Sequence[RefusalRun]":
    from refusalbench_tasks.results.logs.find import read_logs

    found = read_logs([place])
    for name, reason in found.left_out:
        click.echo(one_line(f"Warning: left out: {name}: {reason}"), err=True)
    if not found.refusal:
        raise DataError(f"{place}: no run of nq or garage; only their models are put in order")
    return found.refusal


def _show(out: Output, made: "RankComparison", first: str, second: str) -> None:
    from refusalbench_tasks.stats.rank_correlation import FEWEST

    out.remark(one_line(f"A: {first}"))
    out.remark(one_line(f"B: {second}"))
    out.remark(one_line(f"{len(made.models)} models on both: {', '.join(made.models) or 'none'}"))
    for side, names in (("A", made.only_first), ("B", made.only_second)):
        if names:
            out.remark(one_line(f"left out, in {side} only: {', '.join(names)}"))
    if len(made.models) < FEWEST:
        out.remark(f"too few models: an order needs {FEWEST} that have a run on both sets")
    out.remark()
    rows = [
        {
            "metric": one.metric, "models": one.models, "Kendall's tau": one.tau, "tau low": one.tau_low,
            "tau high": one.tau_high, "p of tau": one.p, "Spearman's rho": one.rho, "rho low": one.rho_low,
            "rho high": one.rho_high,
        }
        for one in made.correlations
    ]  # fmt: skip
    out.table(Table("ranks", "Rank correlation over models", rows), about={"set A": first, "set B": second})
    out.remark()
    out.remark("the intervals (95 %) draw the questions of both sets again, for these models; p is about the models")
    out.remark()
