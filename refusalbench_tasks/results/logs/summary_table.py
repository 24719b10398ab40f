"""Summaries of logs as tables: one per task and data, in text fitted to a terminal, or one line per number."""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from refusalbench_tasks.metrics.missing_confidence import confidence_warning
from refusalbench_tasks.results.logs.model_names import short_names
from refusalbench_tasks.results.logs.show import Summary
from refusalbench_tasks.results.logs.versions import all_versions
from refusalbench_tasks.tables import GAP, Table, TableRow, aligned
from refusalbench_tasks.terminal import one_line

MANY = 4
"""With more models than this, models are the rows."""
Lines = list[list[str]]


def tables(summaries: Sequence[Summary], width: int = 120) -> str:
    """Return one text table per task, data and protocol of the scores, each under a line that names them.

    One column per run, or one row with more than four; what does not fit the width goes on below.
    """
    return "\n\n".join(f"{_title(group)}\n\n{table(group, width)}" for group in _groups(summaries))


def side_by_side(summaries: Sequence[Summary]) -> list[Table]:
    """Return the tables of the text, one per task, data and protocol; each is named in the head of its first column."""
    result = []
    for k, group in enumerate(_groups(summaries)):
        title = _name(group[0])
        lines = [[title, *names_of(group)], *_rate_lines(group), *_count_lines(group)]
        if len(group) > MANY:
            lines = [list(line) for line in zip(*lines, strict=True)]
        rows = [{name: _or_none(cell) for name, cell in zip(lines[0], line, strict=True)} for line in lines[1:]]
        result.append(Table(f"summary-{k}", title, rows, caption=_caption(group)))
    return result


def long_table(summaries: Sequence[Summary]) -> Table:
    """Return one table with a row per run and number: the value, its 95 % interval and its n; a count has no n."""
    rows = [
        _about(one, name) | number
        for group in _groups(summaries)
        for name, one in zip(names_of(group), group, strict=True)
        for number in _numbers(one)
    ]
    return Table("summary", "Main metrics", rows)


def _about(one: Summary, name: str) -> TableRow:
    return {
        "task": one.task, "data": one.data, "rows": one.fingerprint, "protocol": one.protocol, "run": name,
        "model": one.name, "judge": one.judge, "status": one.status,
    }  # fmt: skip


def _numbers(one: Summary) -> list[TableRow]:
    def number(name: str, value: float | None, n: float = math.nan, ends: tuple[float, float] = (math.nan, math.nan)
               ) -> TableRow:  # fmt: skip
        return {"metric": name, "value": value, "95 % low": ends[0], "95 % high": ends[1], "n": _whole(n)}

    known, layout = one.metrics, one.layout
    rates = [
        number(name, known.get(name, math.nan), known.get(n, math.nan),
               (known.get(f"{name}_ci_low", math.nan), known.get(f"{name}_ci_high", math.nan)))
        for name, n in layout.rates.items()
        if name not in layout.optional or _known(known, name)
    ]  # fmt: skip
    counts = [number(name, _whole(known.get(name, math.nan))) for name in layout.counts]
    reasons = [number(name, _whole(known[name])) for name in layout.reasons_in(known)]
    return [*rates, *counts, *reasons, number(_lost(one), one.samples - one.completed, one.samples)]


def _lost(one: Summary) -> str:
    """Return what is known of samples that the log's header does not count as completed."""
    return "errors" if one.status == "success" else "errors or not run"


def _whole(value: float) -> int | None:
    return round(value) if math.isfinite(value) else None


def _groups(summaries: Sequence[Summary]) -> list[list[Summary]]:
    groups: dict[tuple[str, str, str], list[Summary]] = defaultdict(list)
    for one in summaries:
        groups[one.task, one.fingerprint or one.data, one.protocol].append(one)
    return list(groups.values())


def _caption(group: Sequence[Summary]) -> str:
    rows = f" (fingerprint {group[0].fingerprint})" if group[0].fingerprint else ""
    samples = " to ".join(map(str, sorted({min(one.samples for one in group), max(one.samples for one in group)})))
    versions = all_versions(one.versions for one in group)
    return (
        f"{_name(group[0])}{rows}. Values with 95 % intervals in brackets and n, of {samples} samples."
        + f" {versions}." * bool(versions)
    )


def _or_none(cell: str) -> str | None:
    return None if cell in ("undefined", "unknown") else cell


def table(summaries: Sequence[Summary], width: int = 120) -> str:
    """Return the table of runs of one kind: rates with 95 % intervals and n, then counts and errors."""
    names = names_of(summaries)
    rates = [["", *names], *_rate_lines(summaries)]
    counts = [["", *names], *_count_lines(summaries)]
    if len(summaries) > MANY:
        parts = [[list(row) for row in zip(*part, strict=True)] for part in (rates, counts)]
        shown = "\n\n".join(_fitted(part, width) for part in parts)
    else:
        shown = _fitted([*rates, [""] * (len(names) + 1), *counts[1:]], width)
    warnings = [
        f"Warning: {name}: {warning}"
        for name, one in zip(names, summaries, strict=True)
        if (warning := confidence_warning(one.metrics))
    ]
    return "\n".join([shown, *warnings])


def names_of(summaries: Sequence[Summary]) -> list[str]:
    """Return a name for each run, no two alike: its model, the judge of scores that were added, and a number."""
    short = short_names([one.name for one in summaries])
    names = [one_line(short[one.name]) + (f" (judge: {one_line(one.judge)})" if one.again else "") for one in summaries]
    times, seen = Counter(names), Counter[str]()
    result = []
    for name in names:
        seen[name] += 1
        result.append(f"{name} #{seen[name]}" if times[name] > 1 else name)
    return result


def _title(group: Sequence[Summary]) -> str:
    kind = "row" if len(group) > MANY else "column"
    return f"{_name(group[0])} ({len(group)} {kind}{'' if len(group) == 1 else 's'})"


def _name(first: Summary) -> str:
    data = f" on {first.data}" if first.data else ""
    rows = f", rows {first.fingerprint[:8]}" if first.fingerprint else ""
    protocol = f", scored by {first.protocol}" if first.protocol else ""
    return one_line(f"{first.task}{data}{rows}{protocol}")


def _rate_lines(summaries: Sequence[Summary]) -> Lines:
    layout, lines = summaries[0].layout, []
    for name, n in layout.rates.items():
        if name in layout.optional and not any(_known(s.metrics, name) for s in summaries):
            continue
        lines.append([name, *[_cell(s.metrics, name, n) for s in summaries]])
    return lines


def _count_lines(summaries: Sequence[Summary]) -> Lines:
    layout = summaries[0].layout
    reasons = sorted({name for s in summaries for name in layout.reasons_in(s.metrics)})
    lines = [
        [name, *[_count(s.metrics.get(name, 0.0 if name in reasons else math.nan)) for s in summaries]]
        for name in (*layout.counts, *reasons)
    ]
    lost = max(map(_lost, summaries), key=len)
    return [*lines, [lost, *[f"{s.samples - s.completed} of {s.samples} ({s.status})" for s in summaries]]]


def _fitted(lines: Lines, width: int) -> str:
    """Return aligned columns, in blocks that fit the width: each has the first column."""
    widths = [max(len(line[k]) for line in lines) for k in range(len(lines[0]))]
    blocks: list[list[int]] = [[]]
    for k in range(1, len(widths)):
        taken = widths[0] + sum(widths[i] + len(GAP) for i in blocks[-1])
        if blocks[-1] and taken + len(GAP) + widths[k] > width:
            blocks.append([])
        blocks[-1].append(k)
    chosen = [[0, *block] for block in blocks]
    return "\n\n".join(aligned([[line[k] for k in ks] for line in lines], [False] * len(ks)) for ks in chosen)


def _known(metrics: Mapping[str, float], name: str) -> bool:
    return not math.isnan(metrics.get(name, math.nan))


def _count(value: float) -> str:
    return "unknown" if math.isnan(value) else f"{value:.0f}"


def _cell(metrics: Mapping[str, float], name: str, n_name: str) -> str:
    value, n = metrics.get(name, math.nan), metrics.get(n_name, math.nan)
    if math.isnan(value):
        return "undefined"
    low, high = metrics.get(f"{name}_ci_low", math.nan), metrics.get(f"{name}_ci_high", math.nan)
    interval = "" if math.isnan(low) else f"[{low:.3f}, {high:.3f}] "
    return f"{value:.3f} {interval}n={n:.0f}"
