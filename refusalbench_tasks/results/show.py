"""The main metrics of runs: a compact table of models and metrics with 95 % CIs, and
one line per number.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from refusalbench_tasks.metrics.hedging_table import missing_confidences
from refusalbench_tasks.metrics.metric_table import label_of
from refusalbench_tasks.metrics.spending import spending
from refusalbench_tasks.replies.outside_text import one_line
from refusalbench_tasks.results.measures import arm_measures, main_names, measures
from refusalbench_tasks.results.names import labels
from refusalbench_tasks.results.read_offline import run_bounds
from refusalbench_tasks.results.slices import SMALL, against_rest, part_of, values_of
from refusalbench_tasks.results.table import Run
from refusalbench_tasks.stats.estimate import Estimate
from refusalbench_tasks.stats.mcnemar import holm
from refusalbench_tasks.tables import GAP, Table, TableRow, aligned

if TYPE_CHECKING:
    import pandas as pd

COUNTS = ("replies", "no reply", "unscored", "errors", "not run")


@dataclass(frozen=True)
class Shown:
    """One run as it is shown: its metrics, counts of its samples, and what it is called
    beside the others.
    """

    run: Run
    name: str
    found: Mapping[str, Estimate]
    counts: Mapping[str, int] = field(default_factory=dict)


def shown_runs(runs: Sequence[Run]) -> list[list[Shown]]:
    """Return the runs by task, rows and protocol, each with its metrics."""
    groups: dict[tuple[str, ...], list[Run]] = defaultdict(list)
    for run in runs:
        groups[run.task, run.fingerprint or run.data, run.protocol].append(run)
    return [
        [
            Shown(run, name, measures(run), counts(run))
            for run, name in zip(group, labels(group), strict=True)
        ]
        for group in groups.values()
    ]


def sliced(group: Sequence[Shown], column: str) -> list[Shown]:
    """Return a line for each run and value of a column, in the order of the values;
    small parts are marked.

    Rows without a value are in none. Raises DataError for a column that no row has, or
    that has too many values.
    """
    found = []
    for one in group:
        for value in values_of(one.run, column, f"--by {column}"):
            part = part_of(one.run, {column: value}, "")
            small = part.main["cluster"].nunique() < SMALL
            name = f"{one.name}, {one_line(value)}{' (small)' if small else ''}"
            found.append(Shown(part, name, measures(part), counts(part)))
    return found


def apart_table(groups: Sequence[Sequence[Shown]], column: str) -> Table:
    """Return how each part of each run differs from the rest of it; p is adjusted by
    Holm over the table.
    """
    rows: list[TableRow] = [
        {"run": one.name} | row
        for group in groups
        for one in group
        for row in against_rest(one.run, column)
    ]
    for row, p in zip(rows, holm([row.pop("p") for row in rows]), strict=True):
        row["p (Holm)"] = p
    note = (
        "Each part against the rest of its run; p by question, adjusted by Holm over"
        " this table."
    )
    return Table("parts", note, rows, caption=note)


def counts(run: Run) -> dict[str, int]:
    """Return how many samples there are of each kind: scored, without a reply of the
    model, unscored, failed.
    """
    outcome = run.replies["outcome"]
    numbers = (
        len(run.replies),
        (outcome == "no_reply").sum(),
        (outcome == "unscored").sum(),
        len(run.lost),
    )
    return dict(zip(COUNTS, (*map(int, numbers), run.never_run), strict=True))


def text_tables(groups: Sequence[Sequence[Shown]], width: int = 120) -> str:
    """Return one text table per task, rows and protocol: models down, metrics across,
    as wide as the terminal.
    """
    return "\n\n".join(f"{_title(group)}\n\n{_text(group, width)}" for group in groups)


def _text(group: Sequence[Shown], width: int) -> str:
    names = _columns(group)
    lines = [["", *names, *COUNTS]]
    for one in group:
        cells = [_cell(one.found.get(name)) for name in names]
        lines.append([one.name, *cells, *(str(one.counts[name]) for name in COUNTS)])
    notes = [_n_note(group, names), *_notes(group)]
    return "\n".join([_fitted(lines, width), "", *notes])


def paper_tables(groups: Sequence[Sequence[Shown]]) -> list[Table]:
    """Return the same tables for a paper: spoken names, CIs in brackets, n in a column,
    what was run in a caption.
    """
    made = []
    for k, group in enumerate(groups):
        names = _columns(group)
        rows = [
            {"Model": one.name}
            | {_heading(name): _paper_cell(one.found.get(name)) for name in names}
            | {"n": one.counts["replies"]}
            for one in group
        ]
        notes = " ".join([_n_note(group, names), *_notes(group)])
        made.append(
            Table(
                f"summary-{k}", _title(group), rows, caption=f"{_title(group)}. {notes}"
            )
        )
    return made


def _heading(metric: str) -> str:
    label = label_of(metric)
    return label[:1].upper() + label[1:]


def long_table(groups: Sequence[Sequence[Shown]], every: bool = False) -> Table:
    """Return one table with a row per run and number: the value, its 95 % CI and its n;
    a count has no n.

    The main metrics, or with `every` all metrics, those by arm, and what replies cost.
    `lowest` and `highest` are what a rate could be, whatever the undecided replies are;
    blank where all is known.
    """
    rows: list[TableRow] = []
    for one in (one for group in groups for one in group):
        found = {**arm_measures(one.run), **one.found} if every else one.found
        names = found if every else main_names(one.run)
        bounds = run_bounds(one.run)
        numbers = [
            _number(name, found[name], bounds.get(name))
            for name in names
            if name in found
        ]
        numbers += [
            _number(name, Estimate(float(n))) | {"n": None}
            for name, n in one.counts.items()
        ]
        numbers += [
            _number(name, found)
            for name, found in (spending(one.run.replies) if every else {}).items()
        ]
        rows += [_about(one) | number for number in numbers]
    return Table("summary", "Main metrics", rows)


def _about(one: Shown) -> TableRow:
    run = one.run
    return {
        "task": run.task,
        "data": run.data,
        "rows": run.fingerprint,
        "protocol": run.protocol,
        "run": one.name,
        "model": run.model,
        "grader": run.grader,
        "status": run.status,
    }


def _number(
    name: str, found: Estimate, bounds: tuple[float, float] | None = None
) -> TableRow:
    lowest, highest = bounds or (None, None)
    return {
        "metric": name,
        "value": found.value,
        "95 % low": found.low,
        "95 % high": found.high,
        "lowest": lowest,
        "highest": highest,
        "n": round(found.n),
    }


def _columns(group: Sequence[Shown]) -> list[str]:
    return list(dict.fromkeys(name for one in group for name in main_names(one.run)))


def _title(group: Sequence[Shown]) -> str:
    run = group[0].run
    data = f" on {run.data}" if run.data else ""
    rows = f", rows {run.fingerprint[:8]}" if run.fingerprint else ""
    graders = sorted({one.run.grader for one in group})
    protocol = f", scored by {run.protocol}" if run.protocol != "paper" else ""
    return one_line(f"{run.task}{data}{rows}{protocol}; grader: {' | '.join(graders)}")


def _n_note(group: Sequence[Shown], names: Sequence[str]) -> str:
    """Return the n of each metric, once for those that have the same in all runs."""
    by_n: dict[str, list[str]] = defaultdict(list)
    for name in names:
        ns = sorted({int(one.found[name].n) for one in group if name in one.found})
        by_n[
            " to ".join(map(str, (ns[0], ns[-1]) if len(ns) > 1 else ns)) or "0"
        ].append(name)
    parts = (f"{n} ({', '.join(own)})" for n, own in by_n.items())
    return f"95 % CI in brackets; n: {', '.join(parts)}."


def _notes(group: Sequence[Shown]) -> list[str]:
    """Return what a reader has to know of runs before reading their numbers."""
    told = []
    for one in group:
        replies = one.run.replies
        name = one.name
        if one.run.status != "success":
            told.append(
                f"Warning: {name}: the run did not finish (status: {one.run.status})."
            )
        lost = None if one.run.refusal else missing_confidences(replies)
        told += [f"Warning: {name}: {lost}"] if lost else []
        if replies["self_graded"].any():
            told.append(
                f"Warning: {name}: the model graded itself"
                f" ({int(replies['self_graded'].sum())} replies)."
            )
        told += [f"Warning: {name}: {text}." for text in grader_warnings(replies)]
        if one.counts["unscored"]:
            reasons = replies.loc[
                replies["outcome"] == "unscored", "reason"
            ].value_counts()
            why = ", ".join(f"{n} {reason}" for reason, n in reasons.items())
            told.append(
                f"{name}: {one.counts['unscored']} of {one.counts['replies']} replies"
                f" are unscored ({why})."
            )
        first = main_names(one.run)[0]
        if first in one.found and not one.found[first].known and one.counts["unscored"]:
            told.append(
                f"{name}: no {first}, as it is defined for less than half of the rows,"
                " or for none."
            )
    return told


def grader_warnings(replies: "pd.DataFrame") -> list[str]:
    """Return what the check of the graders said of them, once each."""
    texts = replies["grader_check"].unique()
    return [one_line(str(text)) for text in texts if text]


def _cell(found: Estimate | None) -> str:
    if found is None or not found.known:
        return "undefined"
    return f"{found.value:.3f}" + (
        f" [{found.low:.3f}, {found.high:.3f}]" if found.has_interval else " [no CI]"
    )


def _paper_cell(found: Estimate | None) -> str | None:
    if found is None or not found.known:
        return None
    return f"{found.value:.3f}" + (
        f" [{found.low:.3f}, {found.high:.3f}]" if found.has_interval else ""
    )


def _fitted(lines: Sequence[Sequence[str]], width: int) -> str:
    """Return aligned columns, in blocks that fit the width: each has
    the first column.
    """
    widths = [max(len(line[k]) for line in lines) for k in range(len(lines[0]))]
    blocks: list[list[int]] = [[]]
    for k in range(1, len(widths)):
        taken = widths[0] + sum(widths[i] + len(GAP) for i in blocks[-1])
        if blocks[-1] and taken + len(GAP) + widths[k] > width:
            blocks.append([])
        blocks[-1].append(k)
    chosen = [[0, *block] for block in blocks]
    return "\n\n".join(
        aligned([[line[k] for k in ks] for line in lines], [False] * len(ks))
        for ks in chosen
    )
