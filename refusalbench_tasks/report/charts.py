"""A figure of a report before anybody draws it: one of five kinds of charts, each of
which is also a table.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from refusalbench_tasks.stats.estimate import NAN, Estimate
from refusalbench_tasks.tables import Table, TableRow

from .estimate_cells import cells

Limits = tuple[float, float] | None


@dataclass(frozen=True)
class Dots:
    """A panel for each series, and in it a dot with its CI for each name.

    `marks` are values by series that a name's dot is to be compared with, in the order
    of the names; `limits` is the axis, None to fit the values.
    """

    names: Sequence[str]
    series: Mapping[str, Sequence[Estimate]]
    limits: Limits = (0.0, 1.0)
    marks: Mapping[str, Sequence[float]] = field(default_factory=dict)
    notes: Mapping[str, Sequence[float]] = field(default_factory=dict)
    """Further numbers of the names, which only the table has."""

    def table(self) -> list[TableRow]:
        """Return one row per dot."""
        rows = []
        for series, values in self.series.items():
            marks = self.marks.get(series, [NAN] * len(self.names))
            for i, name in enumerate(self.names):
                row = {
                    "name": name,
                    "series": series,
                    **cells(values[i]),
                }
                if self.marks:
                    row["compare with"] = marks[i]
                for note, numbers in self.notes.items():
                    row[note] = numbers[i]
                rows.append(row)
        return rows


@dataclass(frozen=True)
class Grid:
    """Numbers by row and column, drawn as coloured cells: a panel for each title."""

    panels: Mapping[str, Mapping[tuple[str, str], Estimate]]
    rows: Sequence[str]
    columns: Sequence[str]
    limits: tuple[float, float] = (0.0, 1.0)
    row_axis: str = ""
    column_axis: str = ""

    def table(self) -> list[TableRow]:
        """Return one row per cell."""
        rows = []
        for title, panel in self.panels.items():
            for row in self.rows:
                for column in self.columns:
                    about = {
                        "panel": title,
                        self.row_axis or "row": row,
                        self.column_axis or "column": column,
                    }
                    rows.append(about | cells(panel.get((row, column), Estimate())))
        return rows


@dataclass(frozen=True)
class Point:
    """One point: x and y, each with its CI and n where it has one."""

    x: Estimate
    y: Estimate


@dataclass(frozen=True)
class Scatter:
    """Named points on two axes, hollow ones for references, and what is said of the
    points as a whole.
    """

    points: Mapping[str, Point]
    x_axis: str
    y_axis: str
    references: Mapping[str, Point] = field(default_factory=dict)
    note: str = ""
    limits: Limits = (0.0, 1.0)
    reach: Mapping[str, Sequence[Sequence[float]]] = field(default_factory=dict)
    """The lowest and the highest x and y that a point could have, whatever is not
    known of it; empty where all is known.
    """

    @property
    def every_point(self) -> dict[str, Point]:
        """Return the points and the references."""
        return {**self.points, **self.references}

    def table(self) -> list[TableRow]:
        """Return one row per point."""
        return [
            {
                "name": name,
                **cells(point.x, self.x_axis),
                **cells(point.y, self.y_axis),
            }
            for name, point in self.every_point.items()
        ]


@dataclass(frozen=True)
class Curves:
    """A line for each name.

    `ticks` names the x positions 0, 1, ….
    """

    lines: Mapping[str, Sequence[Point]]
    x_axis: str
    y_axis: str = ""
    ticks: Sequence[str] = ()
    diagonal: bool = False

    def table(self) -> list[TableRow]:
        """Return one row per point."""
        rows = []
        for name, points in self.lines.items():
            for point in points:
                x = point.x.value
                shown = self.ticks[int(x)] if self.ticks else x
                rows.append(
                    {
                        "name": name,
                        self.x_axis: shown,
                        **cells(point.y),
                    }
                )
        return rows


@dataclass(frozen=True)
class Stacks:
    """For each name how many there are of each exclusive part, drawn as shares of all.

    `colours` has the parts, in their order: what else is counted is left out.
    `patterns` are matplotlib's hatches; `as_counts` writes numbers, not per cents.
    """

    counts: Mapping[str, Counter[str]]
    colours: Mapping[str, str]
    patterns: Mapping[str, str] = field(default_factory=dict)
    as_counts: bool = False

    @property
    def parts(self) -> list[str]:
        """Return the parts that some name has."""
        used: Counter[str] = Counter()
        for count in self.counts.values():
            used.update(count)
        return [part for part in self.colours if used[part]]

    def n(self, name: str) -> int:
        """Return how many there are of all parts."""
        return sum(self.counts[name][part] for part in self.colours)

    def share(self, name: str, part: str) -> float:
        """Return the share of a part, 0 of nothing."""
        return self.counts[name][part] / max(1, self.n(name))

    def table(self) -> list[TableRow]:
        """Return one row per name and part."""
        return [
            {
                "name": name,
                "part": part,
                "share": self.share(name, part),
                "n": self.n(name),
            }
            for part in self.parts
            for name in self.counts
        ]


Chart = Dots | Grid | Scatter | Curves | Stacks


@dataclass(frozen=True)
class Figure:
    """A chart with the name of its files, its title, and the formula of what it shows,
    as its caption has it.
    """

    key: str
    title: str
    formula: str
    chart: Chart
    source: str = ""
    """Which figures of a paper it stands for; the catalogue tells."""

    def table(self) -> Table:
        """Return its numbers."""
        return Table(
            self.key,
            self.title,
            self.chart.table(),
        )
