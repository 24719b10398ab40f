"""`refusalbench compare`: runs against each other, sample by sample."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from refusalbench_tasks.command_output import (
    Output,
    format_option,
    output,
    tell_left_out,
)
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.replies.outside_text import one_line
from refusalbench_tasks.tables import Format, Table, TableRow

if TYPE_CHECKING:
    from refusalbench_tasks.results.comparison import Comparison
    from refusalbench_tasks.results.table import Run


@click.command()
@click.argument("logs", nargs=-1, required=True, type=click.Path(exists=True))
@click.option("--against", help="Compare each run with this one: a model, or its log.")
@click.option(
    "--any-data",
    is_flag=True,
    help="Compare logs of different data over the samples that both have.",
)
@click.option(
    "--threshold",
    is_flag=True,
    help="Choose a threshold of stated confidence on half of a log's questions.",
)
@click.option(
    "--latency", is_flag=True, help="Compare latency too; this reads whole logs."
)
@format_option
def compare(
    logs: tuple[str, ...],
    against: str | None,
    any_data: bool,
    threshold: bool,
    latency: bool,
    form: Format,
) -> None:
    """Compare LOGS sample by sample: every pair, or each with one baseline (--against).

    A folder stands for the newest run of each model and task in it. If there are
    treatments of a model and its run by the plain prompt, each treatment is compared
    with that.

    \b
    Example: refusalbench compare logs --against openai/gpt-4o
    """
    from refusalbench_tasks.results.comparison import compare_pairs
    from refusalbench_tasks.results.run_selection import choose_runs, pairs_of
    from refusalbench_tasks.results.treatments import treated_pairs

    with output(form) as out:
        if threshold:
            _show_threshold(out, logs)
            return
        runs, left_out = choose_runs(logs, texts=latency)
        if len(runs) < 2:
            tell_left_out(left_out)
            raise DataError(
                f"compare: {', '.join(logs)} is one run; give two or more logs, or a"
                " folder of them"
            )
        pairs = treated = [] if against else treated_pairs(runs)
        if not treated:
            # of two runs that do not fit each other it is told why
            pairs = (
                [(runs[0], runs[1])]
                if len(runs) == 2 and not against
                else pairs_of(runs, against, any_data)
            )
        used = {id(run) for pair in pairs for run in pair}
        alone = [
            (run.name, f"no run to compare it with ({run.task})")
            for run in runs
            if id(run) not in used
        ]
        tell_left_out([*left_out, *alone])
        made = compare_pairs(pairs, any_data)
        _warn(made)
        if treated:
            _show_treatments(out, made)
        else:
            _show_all(out, made)


def _show_treatments(out: Output, made: "Sequence[Comparison]") -> None:
    from refusalbench_tasks.results.treatments import treatment_tables

    arms, gaps = treatment_tables(made)
    out.table(arms, end="\n")
    out.table(gaps, f"{gaps.title}, with 95 % CI by question\n")
    out.remark(
        "\np by question flips all rows of a question together, and is adjusted by Holm"
        " over all treatments"
    )


def _show_threshold(out: Output, logs: tuple[str, ...]) -> None:
    from refusalbench_tasks.results.run_selection import refusal_runs
    from refusalbench_tasks.results.treatments import threshold_table

    for run in refusal_runs(logs):
        table = threshold_table(run)
        out.remark(one_line(f"{run.model} ({run.name})"))
        out.table(table, f"{table.title}\n", about={"log": run.name})
        out.remark(
            "\nthe threshold has the lowest mean of both rates on the rows that chose"
            " it\n"
        )


def _warn(made: "Sequence[Comparison]") -> None:
    told = []
    if any(one.a.graders != one.b.graders for one in made):
        told.append(
            "the logs were graded by different graders; a difference may be theirs."
        )
    if any(one.a.prompt != one.b.prompt for one in made):
        told.append(
            "the models were given different prompts; a difference may be the prompt's."
        )
    told += [f"{one.note}." for one in made if one.note]
    for line in dict.fromkeys(told):
        click.echo(one_line(f"Warning: {line}") + "\n", err=True)


def _show_all(out: Output, made: "Sequence[Comparison]") -> None:
    from refusalbench_tasks.results.labels import labels

    runs = {run.name: run for one in made for run in (one.a, one.b)}
    names = dict(zip(runs, labels(list(runs.values())), strict=True))
    caption = _caption(made, list(runs.values()))
    for one in made:
        _show(
            out, one, {"run A": names[one.a.name], "run B": names[one.b.name]}, caption
        )


def _show(out: Output, one: "Comparison", about: TableRow, caption: str) -> None:
    for side, run in (("A", one.a), ("B", one.b)):
        out.remark(one_line(f"{side}: {run.model} ({run.name})"))
    counts = one.counts
    out.remark(
        f"{counts['n']} samples of {counts['questions']} questions are decided in both"
    )
    left_out = f"{counts['A only']} in A only, {counts['B only']} in B only"
    out.remark(f"left out: {counts['undecided']} undecided in A or B, {left_out}")
    if counts["ungraded"]:
        out.remark(
            f"left out of correctness: {counts['ungraded']} with an answer that is"
            " ungraded in A or B"
        )
    out.remark()
    out.numbers(Table("samples", "Samples behind a comparison", [dict(counts)]), about)
    out.table(_differences(one, caption), about=about)
    out.remark()
    out.table(_tests(one), about=about)
    if one.cluster == "row":
        out.remark(
            "both runs take rows for independent (cluster=row), and so do the CIs and p"
            " by question"
        )
    out.remark()


def _differences(one: "Comparison", caption: str) -> Table:
    rows = [
        {
            "metric": d.metric,
            "A": d.a,
            "B": d.b,
            "B - A": d.difference.value,
            "95 % low": d.difference.low,
            "95 % high": d.difference.high,
            "n A": int(d.n),
            "n B": int(d.n_b),
            "minimum detectable difference": d.detectable,
        }
        for d in one.differences
    ]
    return Table("differences", "Differences", rows, caption=caption)


def _tests(one: "Comparison") -> Table:
    names = (
        "reply is",
        "A only",
        "B only",
        "n",
        "p by question",
        "p (Holm)",
        "p (McNemar)",
    )
    cells = [
        (t.name, t.only_a, t.only_b, t.n, t.p_question, t.p_holm, t.p)
        for t in one.tests
    ]
    rows: list[TableRow] = [dict(zip(names, line, strict=True)) for line in cells]
    return Table("tests", "Tests", rows, names=names)


def _caption(made: "Sequence[Comparison]", runs: "Sequence[Run]") -> str:
    """Return what the tables of comparisons rest on, for a paper."""
    data = sorted(
        {
            f"{run.task}, data {run.data or 'unknown'} ({run.fingerprint or 'unknown'})"
            for run in runs
        }
    )
    samples = " to ".join(
        map(str, sorted({pick(one.counts["n"] for one in made) for pick in (min, max)}))
    )
    unit = " or ".join(sorted({f"{one.cluster}s" for one in made}))
    return (
        f"Paired differences B - A on {'; '.join(data)}: {samples} samples decided in"
        f" both. 95 % CIs resample {unit}, those of consistency whole quads, and are"
        " not adjusted for several metrics."
    )
