"""The main metrics of runs: a compact table of models and metrics with 95 % CIs, and
one line per number.
"""

from collections import defaultdict
from collections.abc import Sequence

from refusalbench_tasks.metrics.metric_table import label_of
from refusalbench_tasks.replies.outside_text import one_line
from refusalbench_tasks.results.labels import labels
from refusalbench_tasks.results.read_offline import run_bounds
from refusalbench_tasks.results.run_view import COUNTS, GroupKey, RunView
from refusalbench_tasks.results.slices import SMALL, against_rest, part_of, values_of
from refusalbench_tasks.results.table import Run
from refusalbench_tasks.stats.estimate import Estimate
from refusalbench_tasks.stats.mcnemar import holm
from refusalbench_tasks.tables import GAP, Table, TableRow, aligned

Group = Sequence[RunView]
"""The runs of one table."""


def shown_runs(runs: Sequence[Run]) -> list[list[RunView]]:
    """Return the runs of each table by what they have in common, labelled."""
    groups: dict[GroupKey, list[Run]] = defaultdict(list)
    for run in runs:
        groups[RunView(run).group_key].append(run)
    return [list(map(RunView, group, labels(group))) for group in groups.values()]


def sliced(group: Group, column: str) -> list[RunView]:
    """Return a line for each run and value of a column, in the order of the values;
    small parts are marked.

    Rows without a value are in none. Raises DataError for a column that no row has, or
    that has too many values.
    """
    parts = []
    for view in group:
        for value in values_of(view.run, column, f"--by {column}"):
            part = part_of(view.run, {column: value}, "")
            small = part.main["cluster"].nunique() < SMALL
            label = f"{view.label}, {one_line(value)}{' (small)' if small else ''}"
            parts.append(RunView(part, label))
    return parts


def apart_table(groups: Sequence[Group], column: str) -> Table:
    """Return how each part of each run differs from the rest of it; p is adjusted by
    Holm over the table.
    """
    rows: list[TableRow] = [
        {"run": view.label} | row
        for group in groups
        for view in group
        for row in against_rest(view.run, column)
    ]
    for row, p in zip(rows, holm([row.pop("p") for row in rows]), strict=True):
        row["p (Holm)"] = p
    note = (
        "Each part against the rest of its run; p by question, adjusted by Holm over"
        " this table."
    )
    return Table("parts", note, rows, caption=note)


def text_tables(groups: Sequence[Group], width: int = 120) -> str:
    """Return one text table per task, rows and protocol: models down, metrics across,
    as wide as the terminal.
    """
    keys = [group[0].group_key for group in groups]
    return "\n\n".join(
        f"{_title(group, keys)}\n\n{_text(group, width)}" for group in groups
    )


def _text(group: Group, width: int) -> str:
    names = _columns(group)
    lines = [["", *names, *COUNTS]]
    for view in group:
        cells = [_cell(view.number(name)) for name in names]
        counts = [str(view.counts[name]) for name in COUNTS]
        lines.append([view.label, *cells, *counts])
    notes = [_n_note(group, names), *_notes(group)]
    return "\n".join([_fitted(lines, width), "", *notes])


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
            cells = {_heading(name): _paper_cell(view.number(name)) for name in names}
            rows.append({"Model": view.label, **cells, "n": view.counts["replies"]})
        notes = " ".join([_n_note(group, names), *_notes(group)])
        title = _title(group, keys)
        tables.append(Table(f"summary-{k}", title, rows, caption=f"{title}. {notes}"))
    return tables


def _heading(metric: str) -> str:
    label = label_of(metric)
    return label[:1].upper() + label[1:]


def long_table(groups: Sequence[Group], every: bool = False) -> Table:
    """Return one table with a row per run and number: the value, its 95 % CI and its n;
    a count has no n.

    The main metrics, or with `every` all metrics, those by arm, and what replies cost.
    `lowest` and `highest` are what a rate could be, whatever the undecided replies are;
    blank where all is known.
    """
    rows: list[TableRow] = []
    for view in (view for group in groups for view in group):
        bounds = run_bounds(view.run)
        known = view.every if every else view.numbers
        numbers = [
            _number(name, known[name], bounds.get(name))
            for name in (known if every else view.main_names)
            if name in known
        ]
        numbers += [
            _number(name, Estimate(float(n))) | {"n": None}
            for name, n in view.counts.items()
        ]
        if every:
            numbers += [_number(name, cost) for name, cost in view.spending.items()]
        rows += [_about(view) | number for number in numbers]
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
    name: str, estimate: Estimate, bounds: tuple[float, float] | None = None
) -> TableRow:
    lowest, highest = bounds or (None, None)
    return {
        "metric": name,
        "value": estimate.value,
        "95 % low": estimate.low,
        "95 % high": estimate.high,
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
    by_n: dict[str, list[str]] = defaultdict(list)
    for name in names:
        ns = sorted(
            {int(view.numbers[name].n) for view in group if name in view.numbers}
        )
        span = (ns[0], ns[-1]) if len(ns) > 1 else ns
        by_n[" to ".join(map(str, span)) or "0"].append(name)
    parts = (f"{n} ({', '.join(metrics)})" for n, metrics in by_n.items())
    return f"95 % CI in brackets; n: {', '.join(parts)}."


def _notes(group: Group) -> list[str]:
    """Return what a reader has to know of runs before reading their numbers."""
    notes = []
    for view in group:
        notes += [f"Warning: {view.label}: {text}" for text in view.warnings]
        unscored = view.counts["unscored"]
        if not unscored:
            continue
        why = ", ".join(f"{n} {reason}" for reason, n in view.reasons.most_common())
        notes.append(
            f"{view.label}: {unscored} of {view.counts['replies']} replies are unscored"
            f" ({why})."
        )
        first = view.main_names[0]
        if first in view.numbers and not view.numbers[first].known:
            notes.append(
                f"{view.label}: no {first}, as it is defined for less than half of the"
                " rows, or for none."
            )
    return notes


def _cell(estimate: Estimate, without: str = " [no CI]") -> str:
    """Return a value with its CI, or what stands in its place without one."""
    if not estimate.known:
        return "undefined"
    interval = f" [{estimate.low:.3f}, {estimate.high:.3f}]"
    return f"{estimate.value:.3f}{interval if estimate.has_interval else without}"


def _paper_cell(estimate: Estimate) -> str | None:
    return _cell(estimate, "") if estimate.known else None


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
