"""What a figure shows, before anybody draws it: five kinds of charts, each of which is
also a table.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from refusalbench_tasks.report.estimate_cells import cells
from refusalbench_tasks.stats.estimate import NAN, Estimate
from refusalbench_tasks.tables import TableRow

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
        return [
            {"name": name, "series": series, **cells(values[i])}
            | (
                {"compare with": self.marks.get(series, [NAN] * len(self.names))[i]}
                if self.marks
                else {}
            )
            | {key: numbers[i] for key, numbers in self.notes.items()}
            for series, values in self.series.items()
            for i, name in enumerate(self.names)
        ]


@dataclass(frozen=True)
class Grid:
    """Numbers by row and column, drawn as coloured cells: a panel for each title;
    `limits` None for counts.
    """

    panels: Mapping[str, Mapping[tuple[str, str], Estimate]]
    rows: Sequence[str]
    columns: Sequence[str]
    limits: Limits = (0.0, 1.0)
    row_axis: str = ""
    column_axis: str = ""

    def table(self) -> list[TableRow]:
        """Return one row per cell."""
        return [
            {
                "panel": title,
                self.row_axis or "row": row,
                self.column_axis or "column": column,
            }
            | cells(of.get((row, column), Estimate()))
            for title, of in self.panels.items()
            for row in self.rows
            for column in self.columns
        ]


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
    arrows: Sequence[tuple[str, str]] = ()
    """Pairs of names of points: from one to what became of it."""

    def table(self) -> list[TableRow]:
        """Return one row per point."""
        return [
            {"name": name, **cells(one.x, self.x_axis), **cells(one.y, self.y_axis)}
            for name, one in (*self.points.items(), *self.references.items())
        ]


@dataclass(frozen=True)
class Curves:
    """A line for each name.

    `ticks` names the x positions 0, 1, …. Without `joined` the points stand alone.
    """

    lines: Mapping[str, Sequence[Point]]
    x_axis: str
    y_axis: str = ""
    ticks: Sequence[str] = ()
    diagonal: bool = False
    joined: bool = True

    def table(self) -> list[TableRow]:
        """Return one row per point."""
        return [
            {
                "name": name,
                self.x_axis: self.ticks[int(x)] if self.ticks else x,
                **cells(point.y),
            }
            for name, points in self.lines.items()
            for point in points
            for x in (point.x.value,)
        ]


@dataclass(frozen=True)
class Stacks:
    """For each name the shares of exclusive parts, which sum to 1, and n; `colours` by
    part.
    """

    names: Sequence[str]
    parts: Mapping[str, Sequence[float]]
    n: Sequence[float]
    colours: Mapping[str, str]

    def table(self) -> list[TableRow]:
        """Return one row per name and part."""
        return [
            {"name": name, "part": part, "share": shares[i], "n": self.n[i]}
            for part, shares in self.parts.items()
            for i, name in enumerate(self.names)
        ]


Chart = Dots | Grid | Scatter | Curves | Stacks
