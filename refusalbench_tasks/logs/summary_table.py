"""Summaries of logs as text: one table per task and data, fitted to a terminal."""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from refusalbench_tasks.metrics.missing_confidence import confidence_warning
from refusalbench_tasks.logs.model_names import short_names
from refusalbench_tasks.logs.show import Summary
from refusalbench_tasks.terminal import one_line

MANY = 4
"""With more models than this, models are the rows."""
_GAP = "  "
Lines = list[list[str]]


def tables(summaries: Sequence[Summary], width: int = 120) -> str:
    """Return one text table per task, data and protocol of the scores, each under a line that names them.

    One column per run, or one row with more than four; what does not fit the width goes on below.
    """
    groups: dict[tuple[str, str, str], list[Summary]] = defaultdict(list)
    for one in summaries:
        groups[one.task, one.fingerprint or one.data, one.protocol].append(one)
    return "\n\n".join(f"{_title(own)}\n\n{table(own, width)}" for own in groups.values())


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
    told = [
        f"Warning: {name}: {warning}"
        for name, one in zip(names, summaries, strict=True)
        if (warning := confidence_warning(one.metrics))
    ]
    return "\n".join([shown, *told])


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


def _title(own: Sequence[Summary]) -> str:
    first = own[0]
    data = f" on {first.data}" if first.data else ""
    rows = f", rows {first.fingerprint[:8]}" if first.fingerprint else ""
    protocol = f", scored by {first.protocol}" if first.protocol else ""
    return one_line(f"{first.task}{data}{rows}{protocol} ({len(own)} {'column' if len(own) == 1 else 'columns'})"
                    if len(own) <= MANY else f"{first.task}{data}{rows}{protocol} ({len(own)} rows)")  # fmt: skip


def _rate_lines(summaries: Sequence[Summary]) -> Lines:
    layout, lines = summaries[0].layout, []
    for name, n in layout.rates.items():
        if name in layout.optional and not any(_known(s.metrics, name) for s in summaries):
            continue
        lines.append([name, *[_cell(s.metrics, name, n) for s in summaries]])
    return lines


def _count_lines(summaries: Sequence[Summary]) -> Lines:
    layout = summaries[0].layout
    reasons = sorted({name for s in summaries for name in layout.reasons if s.metrics.get(name)})
    lines = [
        [name, *[_count(s.metrics.get(name, 0.0 if name in reasons else math.nan)) for s in summaries]]
        for name in (*layout.counts, *reasons)
    ]
    return [*lines, ["errors", *[f"{s.samples - s.completed} of {s.samples} ({s.status})" for s in summaries]]]


def _fitted(lines: Lines, width: int) -> str:
    """Return aligned columns, in blocks that fit the width: each has the first column."""
    widths = [max(len(line[k]) for line in lines) for k in range(len(lines[0]))]
    blocks: list[list[int]] = [[]]
    for k in range(1, len(widths)):
        taken = widths[0] + sum(widths[i] + len(_GAP) for i in blocks[-1])
        if blocks[-1] and taken + len(_GAP) + widths[k] > width:
            blocks.append([])
        blocks[-1].append(k)
    return "\n\n".join(
        "\n".join(_GAP.join(line[k].ljust(widths[k]) for k in (0, *block)).rstrip() for line in lines)
        for block in blocks
    )


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
