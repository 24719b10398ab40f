"""The paired comparisons of `refusalbench compare`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from refusalbench_tasks.command_output import Output
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.tables import Table, TableRow
from refusalbench_tasks.terminal import one_line

if TYPE_CHECKING:
    from refusalbench_tasks.results.compare.differences import Comparison, Difference

HEADLINES = ("calibrated_refusal_score", "detection_f1", "asi")
"""An overview shows the first of these that a comparison has."""


@dataclass(frozen=True)
class Question:
    """What `compare` was asked, apart from the contamination gap and the order of models."""

    logs: tuple[str, ...]
    against: str | None
    pairs: bool
    any_data: bool
    resamples: int
    seed: int


def show_comparisons(out: Output, asked: Question) -> None:
    """Print an overview, if there are many, and each comparison. Raises DataError if nothing can be compared."""
    from refusalbench_tasks.results.logs.model_names import short_names
    from refusalbench_tasks.results.logs.run_labels import labels

    made = _made(asked)
    if any(one.a.graders != one.b.graders for one in made):
        click.echo("Warning: the logs were graded by different judges; a difference may be theirs.\n", err=True)
    if any(one.a.prompt != one.b.prompt for one in made):
        click.echo("Warning: the models were given different prompts; a difference may be the prompt's.\n", err=True)
    for name in dict.fromkeys(one.a.name for one in made if one.a.name == one.b.name):
        click.echo(one_line(f"Warning: {name} is compared with itself.") + "\n", err=True)
    for note in dict.fromkeys(one.note for one in made if one.note):
        click.echo(f"Warning: {note}.\n", err=True)
    runs = list({run.name: run for one in made for run in (one.a, one.b)}.values())
    names = dict(zip([run.name for run in runs], labels(runs, short_names([run.model for run in runs])), strict=True))
    if len(made) > 2:
        out.table(overview(made, names), "All comparisons\n", end="\n")
    caption = _caption(made) if out.form in ("markdown", "latex") else ""
    for one in made:
        about = {"run A": names[one.a.name], "run B": names[one.b.name]}
        _show_comparison(out, one, _paths(one) if out.form == "json" else about, caption)


def _made(asked: Question) -> "list[Comparison]":
    """Return the comparisons: of the first log with each other one, or of what folders hold."""
    from refusalbench_tasks.results.compare.chosen import chosen_runs, pairs_of
    from refusalbench_tasks.results.compare.comparison import compare_pairs

    chosen = chosen_runs(asked.logs)
    for problem in chosen.left_out:
        click.echo(one_line(f"Warning: left out: {problem}"), err=True)
    first, *others = chosen.runs
    if not others:
        raise DataError(f"compare: {', '.join(asked.logs)} is one run; give two or more logs, or a folder of them")
    pairs = [(first, other) for other in others]
    if asked.against or asked.pairs or not chosen.one_each:
        pairs, alone = pairs_of(chosen.runs, asked.against, asked.any_data)
        for run in alone:
            click.echo(one_line(f"Warning: left out: {run.name}: no run to compare it with ({run.task})"), err=True)
    return compare_pairs(pairs, asked.any_data, asked.resamples, asked.seed)


def overview(made: "Sequence[Comparison]", names: Mapping[str, str]) -> Table:
    """Return one row per comparison: the difference of its first composite score, and the tests' adjusted p."""
    rows = [
        {
            "task": one.a.task, "A": names[one.a.name], "B": names[one.b.name], "metric": d.metric,
            "B - A": d.difference, "95 % low": d.low, "95 % high": d.high, "n": one.n,
        }
        | {f"p (Holm), {test.name}": test.p_holm for test in one.tests}
        for one in made
        for d in _headline(one.differences)
    ]  # fmt: skip
    columns = list(dict.fromkeys(name for row in rows for name in row))
    whole = [dict.fromkeys(columns) | row for row in rows]
    return Table("overview", "All comparisons", whole, formats={name: _p for name in columns if name[:2] == "p "})


def _headline(differences: "Sequence[Difference]") -> "list[Difference]":
    known = {one.metric: one for one in differences}
    return [known[name] for name in HEADLINES if name in known][:1]


def _paths(one: "Comparison") -> TableRow:
    return {"log A": one.a.name, "log B": one.b.name, "model A": one.a.model, "model B": one.b.model}


def _show_comparison(out: Output, one: "Comparison", about: TableRow, caption: str) -> None:
    for side, log in (("A", one.a), ("B", one.b)):
        out.remark(one_line(f"{side}: {log.model} ({log.name})"))
    out.remark(f"{one.n} samples of {one.clusters} questions are decided in both")
    out.remark(f"left out: {one.undecided} undecided in A or B, {one.only_a} in A only, {one.only_b} in B only")
    if one.ungraded:
        out.remark(f"left out of correctness: {one.ungraded} with an answer that is ungraded in A or B")
    out.remark()
    papers = bool(caption)
    out.numbers(_samples(one), about)
    out.table(_differences(one, papers, caption), about=about)
    out.remark()
    out.table(_tests(one, papers), about=about)
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


def _caption(made: "Sequence[Comparison]") -> str:
    """Return what the tables of comparisons rest on, for a paper."""
    from refusalbench_tasks.files.log_header import short_header
    from refusalbench_tasks.metrics.consistency import CONSISTENCY
    from refusalbench_tasks.results.logs.versions import all_versions, versions_of

    runs = {run.name: run for one in made for run in (one.a, one.b)}
    data = sorted({f"{r.task}, data {r.data or 'unknown'} ({r.fingerprint or 'unknown'})" for r in runs.values()})
    samples = " to ".join(map(str, sorted({pick(one.n for one in made) for pick in (min, max)})))
    unit = " or ".join(sorted({f"{one.cluster}s" for one in made}))
    versions = all_versions(versions_of(short_header(name)) for name in runs)
    # a quad is never cut, whatever the runs were told
    apart = any(d.metric in CONSISTENCY for one in made if one.cluster == "row" for d in one.differences)
    unit += ", those of consistency whole quads" * apart
    return (
        f"Paired differences B - A on {'; '.join(data)}: {samples} samples decided in both. 95 % intervals resample "
        f"{unit}. * marks an interval without 0, not adjusted for several metrics." + f" {versions}." * bool(versions)
    )


def _differences(one: "Comparison", marked: bool, caption: str) -> Table:
    rows = [
        {
            "metric": d.metric, "A": d.a, "B": d.b, "B - A": d.difference, "95 % low": d.low, "95 % high": d.high,
            "n A": int(d.n), "n B": int(d.n_b), "smallest visible": d.smallest,
        }
        | ({"mark": "*" if d.low > 0 or d.high < 0 else ""} if marked else {})
        for d in one.differences
    ]  # fmt: skip
    return Table("differences", "Differences", rows, caption=caption)


def _tests(one: "Comparison", marked: bool) -> Table:
    names = ("McNemar", "A only", "B only", "n", "p", "p (Holm)", "p by question")
    cells = [
        (t.name, t.mcnemar.only_first, t.mcnemar.only_second, t.mcnemar.n, t.mcnemar.p, t.p_holm, t.p_clusters)
        for t in one.tests
    ]
    rows: list[TableRow] = [dict(zip(names, line, strict=True)) for line in cells]
    if marked:
        rows = [row | {"mark": stars(row["p (Holm)"])} for row in rows]
    formats = dict.fromkeys(names[4:], _p)
    caption = "McNemar's exact tests. After Holm, over all tests: * p < 0.05, ** p < 0.01, *** p < 0.001." * marked
    return Table("tests", "McNemar's tests", rows, names=[*names, *["mark"] * marked], formats=formats, caption=caption)


def stars(p: float) -> str:
    """Return the marks of a p: * below 0.05, ** below 0.01, *** below 0.001, else (and if undefined) none."""
    return "*" * sum(p < level for level in (0.05, 0.01, 0.001))


def _p(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"{value:.3f}"
