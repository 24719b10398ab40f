"""`refusalbench compare`: logs against a first one, sample by sample."""

from typing import TYPE_CHECKING

import click

from refusalbench_tasks.commands.output import Output, format_option, output
from refusalbench_tasks.commands.ranks import show_ranks
from refusalbench_tasks.commands.readable import readable_runs
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.tables import Format, Table, TableRow
from refusalbench_tasks.terminal import one_line

if TYPE_CHECKING:
    from refusalbench_tasks.compare.differences import Comparison


@click.command()
@click.argument("logs", nargs=-1, type=click.Path(exists=True))
@click.option("--any-data", is_flag=True, help="Compare logs of different data over the samples that both have.")
@click.option("--static", type=click.Path(exists=True), help="A log on a released set, for the contamination gap.")
@click.option("--fresh", type=click.Path(exists=True), help="A log of the same model on a fresh set.")
@click.option("--resamples", default=1000, show_default=True, type=click.IntRange(100), help="Bootstrap resamples.")
@click.option("--seed", default=0, show_default=True, help="Seed of the bootstrap.")
@click.option("--ranks", is_flag=True, help="Compare how two sets order the models: LOGS are one folder a set.")
@format_option
def compare(
    logs: tuple[str, ...], any_data: bool, static: str | None, fresh: str | None, resamples: int, seed: int,
    ranks: bool, form: Format,
) -> None:  # fmt: skip
    """Compare each of LOGS with the first, sample by sample (folders stand for their newest log).

    With --ranks a folder stands for all of its logs, and what is compared is the order of the models.
    """
    if (static is None) != (fresh is None):
        raise DataError("compare: --static and --fresh go together")
    if ranks and len(logs) < 2:
        raise DataError("compare: --ranks needs two or more folders, each with the logs of one set")
    if len(logs) < 2 and static is None:
        raise DataError("compare: give two or more logs, or --static and --fresh")
    with output(form) as out:
        if ranks:
            show_ranks(out, logs, resamples, seed)
        elif len(logs) >= 2:
            _show_comparisons(out, logs, any_data, resamples, seed)
        if static is not None and fresh is not None:
            _show_gap(out, static, fresh, resamples, seed)


def _show_comparisons(out: Output, logs: tuple[str, ...], any_data: bool, resamples: int, seed: int) -> None:
    from refusalbench_tasks.compare.comparison import compare as pairwise
    from refusalbench_tasks.logs.model_names import short_names
    from refusalbench_tasks.logs.run_labels import labels

    first, *others = readable_runs(logs, 2)
    # what can't be compared must be told before what to mind in a comparison
    made = pairwise(first, others, any_data, resamples, seed)
    if len({log.graders for log in (first, *others)}) > 1:
        click.echo("Warning: the logs were graded by different judges; a difference may be theirs.\n", err=True)
    if len({log.prompt for log in (first, *others)}) > 1:
        click.echo("Warning: the models were given different prompts; a difference may be the prompt's.\n", err=True)
    runs = [first, *others]
    names = labels(runs, short_names([run.model for run in runs]))
    for one, name in zip(made, names[1:], strict=True):
        _show_comparison(out, one, _paths(one) if out.form == "json" else {"run A": names[0], "run B": name})


def _paths(one: "Comparison") -> TableRow:
    return {"log A": one.a.name, "log B": one.b.name, "model A": one.a.model, "model B": one.b.model}


def _show_comparison(out: Output, one: "Comparison", about: TableRow) -> None:
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
    if one.cluster == "row":
        out.remark("both runs take rows for independent (cluster=row), and so do the intervals and p by question")
    elif one.n > one.clusters:
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


def _p(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"{value:.3f}"
