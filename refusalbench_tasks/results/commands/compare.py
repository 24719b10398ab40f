"""`refusalbench compare`: runs against each other, sample by sample."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from refusalbench_tasks.command_output import Output, format_option, output, tell_left_out
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.tables import Format, Table, TableRow, p_text
from refusalbench_tasks.terminal import one_line

if TYPE_CHECKING:
    from refusalbench_tasks.results.choice import Choice
    from refusalbench_tasks.results.comparison import Comparison, Draws

HEADLINES = ("calibrated_refusal_score", "detection_f1", "asi")
"""An overview shows the first of these that a comparison has."""


@click.command()
@click.argument("logs", nargs=-1, type=click.Path(exists=True))
@click.option("--against", help="Compare each run with this one: a model, or its log.")
@click.option("--pairs", is_flag=True, help="Compare all pairs, also of single logs.")
@click.option("--any-data", is_flag=True, help="Compare logs of different data over the samples that both have.")
@click.option("--static", type=click.Path(exists=True), help="A log on a released set, for the contamination gap.")
@click.option("--fresh", type=click.Path(exists=True), help="A log of the same model on a fresh set.")
@click.option("--resamples", default=1000, show_default=True, type=click.IntRange(100), help="Bootstrap resamples.")
@click.option("--seed", default=0, show_default=True, help="Seed of the bootstrap.")
@click.option("--threshold", is_flag=True, help="Choose a threshold of stated confidence on half of a log's questions.")
@click.option("--latency", is_flag=True, help="Compare latency too, for which whole logs are read.")
@format_option
def compare(
    logs: tuple[str, ...], against: str | None, pairs: bool, any_data: bool, static: str | None, fresh: str | None,
    resamples: int, seed: int, threshold: bool, latency: bool, form: Format,
) -> None:  # fmt: skip
    """Compare each of LOGS with the first, sample by sample.

    A folder stands for the newest run of each model and task in it. If it holds several, all pairs are compared, or
    each with the run that --against names. If it holds treatments of a model and its run by the plain prompt, each
    treatment is compared with that.

    \b
    Example: refusalbench compare logs --against openai/gpt-4o
    """
    from refusalbench_tasks.results.choice import choose_runs
    from refusalbench_tasks.results.comparison import Draws

    if (static is None) != (fresh is None):
        raise DataError("compare: --static and --fresh go together")
    if not logs and static is None:
        raise DataError("compare: give two or more logs, a folder of them, or --static and --fresh")
    draws = Draws(resamples, seed, resamples)
    with output(form) as out:
        if threshold:
            _show_threshold(out, logs, draws)
        elif logs:
            _compare(out, choose_runs(logs, texts=latency), logs, against, pairs, any_data, draws)
        if static is not None and fresh is not None:
            _show_gap(out, static, fresh, draws)


def _compare(
    out: Output, chosen: "Choice", logs: tuple[str, ...], against: str | None, every: bool, any_data: bool,
    draws: "Draws",
) -> None:  # fmt: skip
    """Print the treatments of a model against its plain prompt where the logs hold such pairs, else all comparisons."""
    from refusalbench_tasks.results.comparison import compare_pairs
    from refusalbench_tasks.results.treatments import treated_pairs

    treated = [] if against or every else treated_pairs(chosen.runs)
    if not treated:
        _show_all(out, _made(chosen, logs, against, every, any_data, draws))
        return
    used = {id(run) for pair in treated for run in pair}
    alone = [(run.name, "no plain run beside it, or no treatment") for run in chosen.runs if id(run) not in used]
    tell_left_out([*chosen.left_out, *alone])
    _show_treatments(out, compare_pairs(treated, draws=draws))


def _show_treatments(out: Output, made: "Sequence[Comparison]") -> None:
    from refusalbench_tasks.results.treatments import treatment_tables

    arms, gaps = treatment_tables(made)
    arms = replace(arms, formats={name: p_text for name in arms.columns if name[:2] == "p "})
    out.table(arms, end="\n")
    out.table(gaps, "Treated minus plain, over the same rows, with 95 % CI by question\n")
    out.remark("\np by question flips all rows of a question together, and is adjusted by Holm over all treatments")


def _show_threshold(out: Output, logs: tuple[str, ...], draws: "Draws") -> None:
    from refusalbench_tasks.results.choice import refusal_runs
    from refusalbench_tasks.results.treatments import choose_threshold, threshold_table

    for run in refusal_runs(logs).runs:
        chosen = choose_threshold(run, draws.resamples, draws.seed)
        table = threshold_table(chosen)
        out.remark(one_line(f"{run.model} ({run.name})"))
        out.table(table, f"{table.title}\n", about={"log": run.name})
        out.remark("\nthe threshold has the lowest mean of both rates on the rows that chose it\n")


def _made(
    chosen: "Choice", logs: tuple[str, ...], against: str | None, every: bool, any_data: bool, draws: "Draws"
) -> "list[Comparison]":
    """Return the comparisons: of the first log with each other one, or of what folders hold."""
    from refusalbench_tasks.results.choice import pairs_of
    from refusalbench_tasks.results.comparison import compare_pairs

    tell_left_out(chosen.left_out)
    first, *others = chosen.runs
    if not others:
        raise DataError(f"compare: {', '.join(logs)} is one run; give two or more logs, or a folder of them")
    pairs = [(first, other) for other in others]
    if against or every or not chosen.one_each:
        pairs, alone = pairs_of(chosen.runs, against, any_data)
        tell_left_out([(run.name, f"no run to compare it with ({run.task})") for run in alone])
    return compare_pairs(pairs, any_data, draws)


def _show_all(out: Output, made: "Sequence[Comparison]") -> None:
    from refusalbench_tasks.results.names import labels

    _warn(made)
    runs = list({run.name: run for one in made for run in (one.a, one.b)}.values())
    names = dict(zip([run.name for run in runs], labels(runs), strict=True))
    if len(made) > 2:
        out.table(overview(made, names), "All comparisons\n", end="\n")
    caption = _caption(made) if out.form in ("markdown", "latex") else ""
    for one in made:
        paths = {"log A": one.a.name, "log B": one.b.name, "model A": one.a.model, "model B": one.b.model}
        about: TableRow = paths if out.form == "json" else {"run A": names[one.a.name], "run B": names[one.b.name]}
        _show(out, one, about, caption)


def _warn(made: "Sequence[Comparison]") -> None:
    told = []
    if any(one.a.graders != one.b.graders for one in made):
        told.append("the logs were graded by different graders; a difference may be theirs.")
    if any(one.a.prompt != one.b.prompt for one in made):
        told.append("the models were given different prompts; a difference may be the prompt's.")
    told += [f"{one.a.name} is compared with itself." for one in made if one.a.name == one.b.name]
    told += [f"{one.note}." for one in made if one.note]
    for line in dict.fromkeys(told):
        click.echo(one_line(f"Warning: {line}") + "\n", err=True)


def overview(made: "Sequence[Comparison]", names: Mapping[str, str]) -> Table:
    """Return one row per comparison: the difference of its headline, and the tests' adjusted p by question."""
    rows: list[TableRow] = []
    for one in made:
        known = {d.metric: d for d in one.differences}
        first = next((known[name] for name in HEADLINES if name in known), None)
        if first is None:
            continue
        gap = first.difference
        about: TableRow = {
            "task": one.a.task, "A": names[one.a.name], "B": names[one.b.name], "metric": first.metric,
            "B - A": gap.value, "95 % low": gap.low, "95 % high": gap.high, "n": one.counts["n"],
        }  # fmt: skip
        rows.append(about | {f"p (Holm), {test.name}": test.p_holm for test in one.tests})
    columns = list(rows[0]) if rows else []
    return Table("overview", "All comparisons", rows, formats={name: p_text for name in columns if name[:2] == "p "})


def _show(out: Output, one: "Comparison", about: TableRow, caption: str) -> None:
    for side, run in (("A", one.a), ("B", one.b)):
        out.remark(one_line(f"{side}: {run.model} ({run.name})"))
    counts = one.counts
    out.remark(f"{counts['n']} samples of {counts['questions']} questions are decided in both")
    left_out = f"{counts['A only']} in A only, {counts['B only']} in B only"
    out.remark(f"left out: {counts['undecided']} undecided in A or B, {left_out}")
    if counts["ungraded"]:
        out.remark(f"left out of correctness: {counts['ungraded']} with an answer that is ungraded in A or B")
    out.remark()
    out.numbers(Table("samples", "Samples behind a comparison", [dict(counts)]), about)
    out.table(_differences(one, bool(caption), caption), about=about)
    out.remark()
    out.table(_tests(one, bool(caption)), about=about)
    if one.cluster == "row":
        out.remark("both runs take rows for independent (cluster=row), and so do the CIs and p by question")
    elif counts["n"] > counts["questions"]:
        out.remark("p by question flips all rows and epochs of a question together; p (McNemar) takes them as if")
        out.remark("they were independent, and is not adjusted")
    out.remark()


def _differences(one: "Comparison", marked: bool, caption: str) -> Table:
    rows = [
        {
            "metric": d.metric, "A": d.a, "B": d.b, "B - A": d.difference.value, "95 % low": d.difference.low,
            "95 % high": d.difference.high, "n A": int(d.n), "n B": int(d.n_b),
            "minimum detectable difference": d.detectable,
        }
        | ({"mark": "*" if d.difference.low > 0 or d.difference.high < 0 else ""} if marked else {})
        for d in one.differences
    ]  # fmt: skip
    return Table("differences", "Differences", rows, caption=caption)


def _tests(one: "Comparison", marked: bool) -> Table:
    names = ("reply is", "A only", "B only", "n", "p by question", "p (Holm)", "p (McNemar)")
    cells = [(t.name, t.only_a, t.only_b, t.n, t.p_question, t.p_holm, t.p) for t in one.tests]
    rows: list[TableRow] = [dict(zip(names, line, strict=True)) for line in cells]
    if marked:
        rows = [row | {"mark": stars(row["p (Holm)"])} for row in rows]
    formats = dict.fromkeys(names[4:], p_text)
    note = "Sign-flip tests by question. After Holm, over all tests: * p < 0.05, ** p < 0.01, *** p < 0.001." * marked
    return Table("tests", "Tests", rows, names=[*names, *["mark"] * marked], formats=formats, caption=note)


def _caption(made: "Sequence[Comparison]") -> str:
    """Return what the tables of comparisons rest on, for a paper."""
    from refusalbench_tasks.results.log_files import versions_of

    runs = {run.name: run for one in made for run in (one.a, one.b)}
    data = sorted({f"{r.task}, data {r.data or 'unknown'} ({r.fingerprint or 'unknown'})" for r in runs.values()})
    samples = " to ".join(map(str, sorted({pick(one.counts["n"] for one in made) for pick in (min, max)})))
    unit = " or ".join(sorted({f"{one.cluster}s" for one in made}))
    versions = versions_of(run.header for run in runs.values())
    return (
        f"Paired differences B - A on {'; '.join(data)}: {samples} samples decided in both. 95 % CIs resample "
        f"{unit}, those of consistency whole quads. * marks a CI without 0, not adjusted for several metrics."
        + f" {versions}."
        * bool(versions)
    )


def stars(p: float) -> str:
    """Return the marks of a p: * below 0.05, ** below 0.01, *** below 0.001, else (and if undefined) none."""
    return "*" * sum(p < level for level in (0.05, 0.01, 0.001))


def _show_gap(out: Output, static: str, fresh: str, draws: "Draws") -> None:
    from refusalbench_tasks.results.choice import refusal_runs
    from refusalbench_tasks.results.contamination import contamination_gap

    one, other = refusal_runs((static, fresh)).runs
    if one.graders != other.graders:
        click.echo("Warning: the logs were graded by different graders; a drop may be theirs.\n", err=True)
    gap = contamination_gap(one, other, draws)
    out.table(Table("drops", "From the static to the fresh set", gap.drops))
    out.remark(f"\n{gap.promise['rows static']} rows (static), {gap.promise['rows fresh']} rows (fresh)")
    if not gap.same_mix:
        out.remark("the two sets have other shares of classes or intensities, so a drop may be due to these")
    out.remark(
        "if the world drifted by the largest drop of an accuracy, the static set promises an error of "
        f"{gap.promise['promised error']:.3f} at best, with 95 % (Theorem 3.1 with its {gap.promise['questions']} base "
        "questions as n)"
    )
    out.numbers(Table("promise", "The error that the static set promises", [gap.promise]))
