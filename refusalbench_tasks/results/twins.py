"""Twins of one run beside each other: error rates by language, row by row."""

from collections.abc import Sequence
from dataclasses import replace

from refusalbench_tasks.datasets.languages import ENGLISH
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.stats.mcnemar import holm
from refusalbench_tasks.tables import Table, TableRow
from refusalbench_tasks.taxonomy import Label

from .comparison import Comparison, compare_pairs
from .interval_rules import interval_cells
from .labels import labels
from .run_selection import refusal_runs
from .slices import run_part, values_of
from .table import Run
from .treatments import ERROR_RATES


def twin_table(logs: Sequence[str]) -> Table:
    """Return false and missed refusals in each language of each run, and the paired
    difference to English.

    Rows are paired by their id without its ending `@LANGUAGE`. p is that of the
    sign-flip test by question of which replies refuse, adjusted by Holm over the table.
    Raises DataError for runs without English or in English alone, and for languages
    without a twin that is decided in both.
    """
    runs = refusal_runs(logs)
    pairs = []
    rows = []
    for run, label in zip(runs, labels(runs), strict=True):
        for language in values_of(run, "language", "compare --by language"):
            if language == ENGLISH:
                continue
            for metric in ERROR_RATES:
                pairs.append(
                    (_side(run, ENGLISH, metric), _side(run, language, metric))
                )
                rows.append({"run": label, "metric": metric, "language": language})
    if not rows:
        raise DataError("compare: rows in English alone; run with -T language=all")
    comparisons = compare_pairs(pairs, any_data=True)
    for row, comparison, p in zip(
        rows,
        comparisons,
        # of which replies refuse
        holm([comparison.tests[0].p_question for comparison in comparisons]),
        strict=True,
    ):
        row |= _difference(comparison, row["metric"]) | {"p (Holm)": p}
    return Table(
        "languages",
        "Twins within a run: 95 % CI and p by question, Holm over this table",
        rows,
    )


def _difference(comparison: Comparison, metric: object) -> TableRow:
    (gap,) = [gap for gap in comparison.differences if gap.metric == metric]
    return {
        "in English": gap.a,
        "value": gap.b,
        "difference": gap.difference.value,
        **interval_cells(gap.difference),
        "n": comparison.counts["n"],
        "undecided": comparison.counts["undecided"],
    }


def _side(run: Run, language: str, metric: str) -> Run:
    """Return the rows of a language that an error rate is about, named as their twins
    are.
    """
    part = run_part(
        run,
        {"language": language},
        "compare --by language",
    )
    answerable = part.replies["expected"] == Label.ANSWER
    part = part.of_rows(answerable == (metric == "false_refusal_rate"))
    names = part.replies["sample_id"].str.removesuffix(f"@{language}")
    return replace(
        part,
        name=f"{run.name} ({language})",
        replies=part.replies.assign(sample_id=names),
    )
