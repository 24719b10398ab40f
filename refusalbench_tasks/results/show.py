"""The main metrics of runs: a compact table of models and metrics with 95 % CIs, and
one line per number.
"""

from collections.abc import Sequence
from functools import partial
from itertools import chain

from refusalbench_tasks.datasets.draw import grouped
from refusalbench_tasks.metrics.metric_table import label_of
from refusalbench_tasks.replies.outside_text import one_line
from refusalbench_tasks.stats.estimate import Estimate
from refusalbench_tasks.stats.mcnemar import holm
from refusalbench_tasks.tables import GAP, Table, TableRow, aligned

from .coverage import (
    coverage,
    is_uneven,
    span_text,
    uneven_note,
    why_withheld,
)
from .interval_rules import interval_cells
from .labels import labels
from .read_offline import Bounds, run_bounds
from .run_view import COUNTS, GroupKey, RunView
from .slices import SMALL, against_rest, run_part, values_of
from .table import Run

Group = Sequence[RunView]
"""The runs of one table."""


def shown_runs(runs: Sequence[Run], last: int | None = None) -> list[list[RunView]]:
    """Return the runs of each table by what they have in common, labelled.

    With `last` of each system its last runs alone, with their times, the oldest first.
    """
    shown = []
    for group in grouped(runs, lambda run: RunView(run).group_key).values():
        if last:
            ordered = sorted(group, key=lambda run: run.created)
            by_system = grouped(ordered, lambda run: (run.model, run.treatment))
            group = [run for runs in by_system.values() for run in runs[-last:]]
        names = labels(group)
        if last:
            names = [
                f"{name}, {run.created[:16]}"
                for name, run in zip(names, group, strict=True)
            ]
        shown.append(list(map(RunView, group, names)))
    return shown


def sliced(group: Group, column: str) -> list[RunView]:
    """Return a line for each run and value of a column, in the order of the values;
    small parts are marked.

    Rows without a value are in none. Raises DataError for a column that no row has, or
    that has too many values.
    """
    parts = []
    for view in group:
        for value in values_of(view.run, column, f"--by {column}"):
            part = run_part(view.run, {column: value}, "")
            small = " (small)" if part.main["cluster"].nunique() < SMALL else ""
            parts.append(RunView(part, f"{view.label}, {one_line(value)}{small}"))
    return parts


def apart_table(groups: Sequence[Group], column: str) -> Table:
    """Return how each part of each run differs from the rest of it; p is adjusted by
    Holm over the table.
    """
    rows: list[TableRow] = []
    for view in chain.from_iterable(groups):
        for row in against_rest(view.run, column):
            rows.append({"run": view.label} | row)
    adjusted = iter(holm([row.pop("p") for row in rows]))
    for row in rows:
        row["p (Holm)"] = next(adjusted)
    note = (
        "Each part against the rest of its run, by decided replies; p by question,"
        " adjusted by Holm over this table. Lowest and highest: what the difference can"
        " be, whatever the undecided replies are."
    )
    return Table(
        "parts",
        note,
        rows,
        caption=note,
    )


def text_tables(groups: Sequence[Group], width: int = 120) -> str:
    """Return one text table per task, rows and protocol: models down, metrics across,
    as wide as the terminal.
    """
    keys = [group[0].group_key for group in groups]
    tables = []
    for group in groups:
        names = _columns(group)
        lines = [["", *names, *COUNTS]]
        for view in group:
            bounds = _leading_bounds(view, group)
            cells = []
            for name in names:
                cells.append(_cell(view.number(name), bounds.get(name)))
            lines.append([view.label, *cells, *map(str, view.counts.values())])
        # aligned columns, in blocks that fit the width: each has the first column
        first, *columns = zip(*lines, strict=True)
        blocks = [[first]]
        taken = max(map(len, first))
        room = taken
        for column in columns:
            needed = len(GAP) + max(map(len, column))
            if len(blocks[-1]) > 1 and room + needed > width:
                blocks.append([first])
                room = taken
            blocks[-1].append(column)
            room += needed
        texts = [_title(group, keys)]
        for block in blocks:
            rows = list(zip(*block, strict=True))
            texts.append(aligned(rows, [False] * len(block)))
        notes = [_n_note(group, names), *_notes(group)]
        tables.append("\n".join(["\n\n".join(texts), "", *notes]))
    return "\n\n".join(tables)


def paper_tables(groups: Sequence[Group]) -> list[Table]:
    """Return the same tables for a paper: headings in words, CIs in brackets, n in a
    column, what was run in a caption.
    """
    tables = []
    keys = [group[0].group_key for group in groups]
    for k, group in enumerate(groups):
        names = _columns(group)
        rows: list[TableRow] = []
        for view in group:
            row: TableRow = {"Model": view.label}
            bounds = _leading_bounds(view, group)
            for name in names:
                estimate = view.number(name)
                label = label_of(name)
                heading = label[:1].upper() + label[1:]
                row[heading] = str(estimate) if estimate.known else None
                if name in bounds:
                    row[heading] = _cell(estimate, bounds[name])
            rows.append(row | {"n": view.counts["replies"]})
        notes = " ".join([_n_note(group, names), *_notes(group)])
        title = _title(group, keys)
        tables.append(
            Table(
                f"summary-{k}",
                title,
                rows,
                caption=f"{title}. {notes}",
            )
        )
    return tables


def long_table(groups: Sequence[Group], every: bool = False) -> Table:
    """Return one table with a row per run and number: the value, its 95 % CI and its n;
    a count has no n.

    The main metrics, or with `every` all metrics, those by arm, and what replies cost.
    `lowest` and `highest` are what a rate could be, whatever the undecided replies are;
    blank where all is known.
    """
    rows = []
    for view in chain.from_iterable(groups):
        bounds = run_bounds(view.run)
        known = view.every if every else view.numbers
        names = known if every else view.main_names
        about = _about(view)
        for name in names:
            if name in known:
                rows.append(
                    about
                    | _number(
                        name,
                        known[name],
                        bounds.get(name),
                    )
                )
        for name, n in view.counts.items():
            rows.append(about | _number(name, Estimate(float(n))) | {"n": None})
        for name, cost in view.spending.items() if every else ():
            rows.append(about | _number(name, cost))
    return Table("summary", "Main metrics", rows)


def _about(view: RunView) -> TableRow:
    run = view.run
    return {
        "task": run.task,
        "data": run.data,
        "rows": run.fingerprint,
        "protocol": run.protocol,
        "run": view.label,
        "model": run.model,
        "grader": run.grader,
        "status": run.status,
    }


def _number(
    name: str,
    estimate: Estimate,
    bounds: tuple[float, float] | None = None,
) -> TableRow:
    lowest, highest = bounds or (None, None)
    return {
        "metric": name,
        "value": estimate.value,
        **interval_cells(estimate),
        "lowest": lowest,
        "highest": highest,
        "n": round(estimate.n),
    }


def _columns(group: Group) -> list[str]:
    return list(dict.fromkeys(name for view in group for name in view.main_names))


def _title(group: Group, keys: Sequence[GroupKey]) -> str:
    run = group[0].run
    data = f" on {run.data}" if run.data else ""
    rows = f", rows {run.fingerprint[:8]}" if run.fingerprint else ""
    graders = sorted({view.run.grader for view in group})
    apart = group[0].group_key.told_apart(keys)
    return one_line(f"{run.task}{data}{rows}{apart}; grader: {' | '.join(graders)}")


def _n_note(group: Group, names: Sequence[str]) -> str:
    """Return the n of each metric, once for those that have the same in all runs."""

    def span(name: str) -> str:
        ns = [int(view.numbers[name].n) for view in group if name in view.numbers]
        ends = dict.fromkeys([min(ns, default=0), max(ns, default=0)])
        return " to ".join(map(str, ends))

    by_n = grouped(names, span)
    parts = (f"{n} ({', '.join(metrics)})" for n, metrics in by_n.items())
    return f"95 % CI in brackets; n: {', '.join(parts)}."


def _notes(group: Group) -> list[str]:
    """Return what a reader has to know of runs before reading their numbers."""
    notes = _coverage_notes(group)
    for view in group:
        notes += [f"Warning: {view.label}: {text}" for text in view.warnings]
        withheld = grouped(view.main_names, partial(why_withheld, view))
        withheld.pop("", None)
        for why, names in withheld.items():
            notes.append(f"{view.label}: no {', '.join(names)}: {why}.")
        unscored = view.counts["unscored"]
        if not unscored:
            continue
        why = ", ".join(f"{n} {reason}" for reason, n in view.reasons.most_common())
        notes.append(
            f"{view.label}: {unscored} of {view.counts['replies']} replies are unscored"
            f" ({why})."
        )
        first = view.main_names[0]
        told = why_withheld(view, first) or first not in view.numbers
        if not told and not view.numbers[first].known:
            notes.append(
                f"{view.label}: no {first}, as it is defined for less than half of the"
                " rows, or for none."
            )
    return notes


def part_coverages(group: Group) -> list[float]:
    """Return how much is decided of each part of the rows in a table; empty for whole
    runs.
    """
    return [coverage(view.run.replies) for view in group if view.run.part]


def _leading_bounds(view: RunView, group: Group) -> Bounds:
    """Return the bounds that values of a run have before them: none in a table whose
    lines are alike in what is decided.
    """
    return run_bounds(view.run) if is_uneven(part_coverages(group)) else {}


def _coverage_notes(group: Group) -> list[str]:
    """Return what bounds before values mean, where there are any."""
    note = uneven_note(part_coverages(group))
    if not note:
        return []
    bounded = set[str]()
    for view in group:
        bounded |= set(run_bounds(view.run))
    if not bounded:
        return [f"{note}, and the values are of decided replies alone."]
    others = ", ".join(name for name in _columns(group) if name not in bounded)
    more = f" {others}: of decided replies alone." if others else ""
    return [
        f"{note}: compare the lowest and the highest value that what is not known"
        " leaves possible; the value of decided replies stands behind in parentheses."
        f"{more}"
    ]


def _cell(estimate: Estimate, bounds: tuple[float, float] | None = None) -> str:
    """Return a value with its CI, or that there is none, behind bounds if given."""
    without = estimate.known and not estimate.has_interval
    text = f"{estimate} [no CI]" if without else str(estimate)
    return f"{span_text(bounds)} ({text})" if bounds else text
