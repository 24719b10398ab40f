"""`refusalbench compare`: logs against a first one, sample by sample."""

import click

from refusalbench_tasks.command_output import Output, format_option, output
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.results.commands.comparisons import Question, show_comparisons
from refusalbench_tasks.results.commands.ranks import show_ranks
from refusalbench_tasks.results.readable import readable_runs
from refusalbench_tasks.tables import Format, Table


@click.command()
@click.argument("logs", nargs=-1, type=click.Path(exists=True))
@click.option(
    "--against", help="Compare each run with this one: a model, or its log. Without it all pairs of a folder."
)
@click.option("--pairs", is_flag=True, help="Compare all pairs, also of single logs.")
@click.option("--any-data", is_flag=True, help="Compare logs of different data over the samples that both have.")
@click.option("--static", type=click.Path(exists=True), help="A log on a released set, for the contamination gap.")
@click.option("--fresh", type=click.Path(exists=True), help="A log of the same model on a fresh set.")
@click.option("--resamples", default=1000, show_default=True, type=click.IntRange(100), help="Bootstrap resamples.")
@click.option("--seed", default=0, show_default=True, help="Seed of the bootstrap.")
@click.option("--ranks", is_flag=True, help="Compare how two sets order the models: LOGS are one folder a set.")
@format_option
def compare(
    logs: tuple[str, ...], against: str | None, pairs: bool, any_data: bool, static: str | None, fresh: str | None,
    resamples: int, seed: int, ranks: bool, form: Format,
) -> None:  # fmt: skip
    """Compare each of LOGS with the first, sample by sample.

    A folder stands for the newest run of each model and task in it. If it holds several, all pairs are compared, or
    each with the run that --against names. With --ranks what is compared is the order of the models.
    """
    if (static is None) != (fresh is None):
        raise DataError("compare: --static and --fresh go together")
    if ranks and len(logs) < 2:
        raise DataError("compare: --ranks needs two or more folders, each with the logs of one set")
    if not logs and static is None:
        raise DataError("compare: give two or more logs, a folder of them, or --static and --fresh")
    with output(form) as out:
        if ranks:
            show_ranks(out, logs, resamples, seed)
        elif logs:
            show_comparisons(out, Question(logs, against, pairs, any_data, resamples, seed))
        if static is not None and fresh is not None:
            _show_gap(out, static, fresh, resamples, seed)


def _show_gap(out: Output, static: str, fresh: str, resamples: int, seed: int) -> None:
    from refusalbench_tasks.results.compare.contamination import contamination_gap
    from refusalbench_tasks.results.logs.find import refusal_run

    pair = [refusal_run(run) for run in readable_runs((static, fresh), 2)]
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
    if not gap.same_mix:
        out.remark("the two sets have other shares of classes or intensities, so a drop may be due to these")
    out.remark(
        "if the world drifted by the largest drop of an accuracy, the static set promises an error of "
        f"{gap.promised:.3f} at best, with 95 % (Theorem 3.1 with its {gap.questions} base questions as n)"
    )
    promise = {"rows static": gap.n_static, "rows fresh": gap.n_fresh, "questions": gap.questions,
               "promised error": gap.promised}  # fmt: skip
    out.numbers(Table("promise", "The error that the static set promises", [promise]))
