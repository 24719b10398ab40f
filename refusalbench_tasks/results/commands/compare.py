"""`refusalbench compare`: runs against each other, sample by sample."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from refusalbench_tasks.command_output import (
    Output,
    format_option,
    logs_argument,
    output,
    tell_left_out,
)
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.replies.outside_text import one_line
from refusalbench_tasks.tables import Format, Table, TableRow

_MOST = 40
"""Lines of a list in text."""

if TYPE_CHECKING:
    from refusalbench_tasks.results.comparison import Comparison
    from refusalbench_tasks.results.table import Run


@click.command()
@logs_argument
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
    "--by",
    type=click.Choice(["language"]),
    help="Compare the twins of each run, by their language.",
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
    by: str | None,
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
    from refusalbench_tasks.results.twins import twin_table

    with output(form) as out:
        if threshold:
            _show_threshold(out, logs)
            return
        if by:
            table = twin_table(logs)
            out.table(table, f"{table.title}\n")
            return
        runs, left_out = choose_runs(logs, texts=latency)
        if len(runs) < 2:
            tell_left_out(left_out)
            raise DataError(
                f"compare: {', '.join(logs)} is one run; give two or more logs, or a"
                " folder of them"
            )
        pairs = treated = [] if against else treated_pairs(runs)
        if len(runs) == 2 and not treated and not against:
            # of two runs that do not fit each other it is told why
            pairs = [(runs[0], runs[1])]
        elif not treated:
            pairs = pairs_of(runs, against, any_data)
        used = {id(run) for pair in pairs for run in pair}
        for run in runs:
            if id(run) not in used:
                left_out.append((run.name, f"no run to compare it with ({run.task})"))
        tell_left_out(left_out)
        comparisons = compare_pairs(pairs, any_data)
        _warn(comparisons)
        if treated:
            _show_treatments(out, comparisons)
        else:
            _show_all(out, comparisons)


def _show_treatments(out: Output, comparisons: "Sequence[Comparison]") -> None:
    from refusalbench_tasks.results.treatments import treatment_tables

    arms, gaps = treatment_tables(comparisons)
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
        out.table(
            table,
            f"{table.title}\n",
            about={"log": run.name},
        )
        out.remark(
            "\nthe threshold has the lowest mean of both rates on the rows that chose"
            " it\n"
        )


def _warn(comparisons: "Sequence[Comparison]") -> None:
    warnings = []
    for comparison in comparisons:
        a = comparison.a
        b = comparison.b
        if a.graders != b.graders:
            warnings.append(
                "the logs were graded by different graders; a difference may be theirs"
            )
        elif a.reader != b.reader:
            warnings.append(
                f"the replies were read by {a.reader} and by {b.reader}; a difference"
                " may be theirs"
            )
        if a.prompt != b.prompt:
            warnings.append(
                "the models were given different prompts; a difference may be the"
                " prompt's"
            )
        if comparison.note:
            warnings.append(comparison.note)
    for text in dict.fromkeys(warnings):
        click.echo(one_line(f"Warning: {text}.") + "\n", err=True)


def _show_all(out: Output, comparisons: "Sequence[Comparison]") -> None:
    from refusalbench_tasks.results.labels import labels

    runs: dict[str, Run] = {}
    for comparison in comparisons:
        runs |= {run.name: run for run in (comparison.a, comparison.b)}
    every = list(runs.values())
    names = dict(zip(runs, labels(every), strict=True))
    data = set()
    for run in every:
        rows = f"{run.data or 'unknown'} ({run.fingerprint or 'unknown'})"
        data.add(f"{run.task}, data {rows}")
    ns = [comparison.counts["n"] for comparison in comparisons]
    samples = " to ".join(map(str, dict.fromkeys((min(ns), max(ns)))))
    units = {f"{comparison.cluster}s" for comparison in comparisons}
    caption = (
        f"Paired differences B - A on {'; '.join(sorted(data))}: {samples} samples"
        f" decided in both. 95 % CIs resample {' or '.join(sorted(units))}, those of"
        " consistency whole quads, and are not adjusted for several metrics."
    )
    for comparison in comparisons:
        about = {
            "run A": names[comparison.a.name],
            "run B": names[comparison.b.name],
        }
        _show(
            out,
            comparison,
            about,
            caption,
        )


def _show(
    out: Output,
    comparison: "Comparison",
    about: TableRow,
    caption: str,
) -> None:
    counts = comparison.counts
    for side, run in (("A", comparison.a), ("B", comparison.b)):
        out.remark(one_line(f"{side}: {run.model} ({run.name})"))
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
    out.table(_differences(comparison, caption), about=about)
    out.remark()
    out.table(_tests(comparison), about=about)
    rows = comparison.one_sided.to_dict("records")
    if rows:
        shown = rows[:_MOST] if out.form == "text" else rows
        title = f"Decided in one run alone: {len(rows)}"
        out.table(
            Table("alone", title, shown),
            f"\n{title}\n",
            about=about,
        )
    if comparison.cluster == "row":
        out.remark(
            "both runs take rows for independent (cluster=row), and so do the CIs and p"
            " by question"
        )
    out.remark()


def _differences(comparison: "Comparison", caption: str) -> Table:
    from refusalbench_tasks.results.interval_rules import interval_cells

    rows = [
        {
            "metric": gap.metric,
            "A": gap.a,
            "B": gap.b,
            "B - A": gap.difference.value,
            **interval_cells(gap.difference),
            "n A": int(gap.n),
            "n B": int(gap.n_b),
            "minimum detectable difference": gap.detectable,
        }
        for gap in comparison.differences
    ]
    return Table(
        "differences",
        "Differences",
        rows,
        caption=caption,
    )


def _tests(comparison: "Comparison") -> Table:
    rows = [
        {
            "reply is": test.name,
            "A only": test.only_a,
            "B only": test.only_b,
            "n": test.n,
            "p by question": test.p_question,
            "p (Holm)": test.p_holm,
            "p (McNemar)": test.p,
        }
        for test in comparison.tests
    ]
    return Table("tests", "Tests", rows)
