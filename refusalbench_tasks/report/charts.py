"""What a figure shows, before anybody draws it: seven kinds of charts, each of which is also a table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

from refusalbench_tasks.report.value import NAN, Value
from refusalbench_tasks.tables import TableRow

__all__ = [
    "NAN",
    "BarMarks",
    "Bars",
    "Chart",
    "CurvePanels",
    "Curves",
    "HeatMap",
    "HeatMaps",
    "Mark",
    "Point",
    "Scatter",
    "Stacks",
    "Value",
]


@dataclass(frozen=True)
class BarMarks:
    """What the bars of a series are to be compared with: one value per name, drawn as a mark on the bar."""

    name: str
    series: str
    values: Sequence[float]


@dataclass(frozen=True)
class Bars:
    """For each name (a model, a class) one bar per series; `apart` draws each series in a panel of its own.

    `lines` are reference values by series, `marks` such values by name; `notes` is a number per name that is written
    beside its bars, by the number's own name. `limits` is the axis, None to fit the values.
    """

    names: Sequence[str]
    series: Mapping[str, Sequence[Value]]
    axis: str
    lines: Mapping[str, float] = field(default_factory=dict)
    limits: tuple[float, float] | None = (0.0, 1.0)
    apart: bool = False
    marks: Sequence[BarMarks] = ()
    notes: Mapping[str, Sequence[float]] = field(default_factory=dict)
    looks: Mapping[str, int] = field(default_factory=dict)
    """The colour and marker of each name that is a model's."""

    def table(self) -> list[TableRow]:
        """Return one row per bar and per mark; the numbers that stand beside a bar are columns."""
        marked = {mark.name: [Value(value) for value in mark.values] for mark in self.marks}
        return [
            {"name": name, "series": series} | values[i].cells() | {key: one[i] for key, one in self.notes.items()}
            for series, values in {**self.series, **marked}.items()
            for i, name in enumerate(self.names)
        ]


@dataclass(frozen=True)
class HeatMap:
    """A grid of numbers, NaN for none; `counts` are the n behind them. `limits` None for counts."""

    rows: Sequence[str]
    columns: Sequence[str]
    values: Sequence[Sequence[float]]
    counts: Sequence[Sequence[float]] = ()
    limits: tuple[float, float] | None = (0.0, 1.0)
    row_axis: str = ""
    column_axis: str = ""
    looks: Mapping[str, int] = field(default_factory=dict)
    """As in `Bars`, of rows."""
    bounds: Sequence[Sequence[tuple[float, float]]] = ()
    """The 95 % interval of each number, where there are some."""

    @classmethod
    def of(cls, rows: Sequence[str], columns: Sequence[str], values: Sequence[Sequence[Value]]) -> Self:
        """Return the grid of values with their n and intervals."""
        return cls(
            rows,
            columns,
            [[one.value for one in line] for line in values],
            [[one.n for one in line] for line in values],
            bounds=[[(one.low, one.high) for one in line] for line in values],
        )

    def value(self, i: int, j: int) -> Value:
        """Return the number of a cell with what is known of it."""
        low, high = self.bounds[i][j] if self.bounds else (NAN, NAN)
        return Value(self.values[i][j], low, high, self.counts[i][j] if self.counts else NAN)

    def table(self) -> list[TableRow]:
        """Return one row per cell."""
        return [
            {"row": row, "column": column, "value": self.values[i][j]}
            | (dict(zip(("low", "high"), self.bounds[i][j], strict=True)) if self.bounds else {})
            | ({"n": self.counts[i][j]} if self.counts else {})
            for i, row in enumerate(self.rows)
            for j, column in enumerate(self.columns)
        ]

    def matrix(self) -> list[TableRow]:
        """Return one row per row of the grid, its cells as columns; each with its n, if there is one."""
        head = self.row_axis or "row"
        rows: list[TableRow] = []
        for i, name in enumerate(self.rows):
            row: TableRow = {head: name}
            for j, column in enumerate(self.columns):
                # a column may be called as the rows are
                key = column if column != head else f"{column} "
                row |= self.value(i, j).cells(key) if self.counts else {key: self.values[i][j]}
            rows.append(row)
        return rows


@dataclass(frozen=True)
class HeatMaps:
    """Several grids of one shape, each with a title."""

    maps: Mapping[str, HeatMap]

    def table(self) -> list[TableRow]:
        """Return one row per cell of each grid."""
        return [{"name": name} | row for name, one in self.maps.items() for row in one.table()]

    def matrix(self) -> list[TableRow]:
        """Return one row per row of each grid, its cells as columns."""
        return [{"name": name} | row for name, one in self.maps.items() for row in one.matrix()]


@dataclass(frozen=True)
class Point:
    """One point of a curve: x, and y with its interval and n."""

    x: float
    y: Value


@dataclass(frozen=True)
class Curves:
    """One line per name. `ticks` names the x positions 0, 1, ...; `diagonal` draws x = y.

    Without `joined` the points stand alone, the larger the larger their n. `notes` is a number per line that its legend
    shows, by the number's own name. `looks` gives a name the colour and marker of that number, on every page the same.
    """

    lines: Mapping[str, Sequence[Point]]
    x_axis: str
    y_axis: str
    ticks: Sequence[str] = ()
    diagonal: bool = False
    log_x: bool = False
    joined: bool = True
    notes: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    looks: Mapping[str, int] = field(default_factory=dict)

    def table(self) -> list[TableRow]:
        """Return one row per point."""
        return [
            {"name": name, self.x_axis: self.ticks[int(point.x)] if self.ticks else point.x}
            | point.y.cells()
            | {key: values[name] for key, values in self.notes.items()}
            for name, points in self.lines.items()
            for point in points
        ]


@dataclass(frozen=True)
class CurvePanels:
    """Small charts of curves in rows, each row and each chart of it with a name; `looks` as in `Curves`."""

    rows: Mapping[str, Mapping[str, Curves]]
    row_axis: str
    looks: Mapping[str, int] = field(default_factory=dict)

    def table(self) -> list[TableRow]:
        """Return one row per point of each chart."""
        return [
            {self.row_axis: row, "panel": name} | point
            for row, panels in self.rows.items()
            for name, panel in panels.items()
            for point in panel.table()
        ]


@dataclass(frozen=True)
class Mark:
    """One point of a scatter plot; `size` in [0, 1] is the area of its bubble, NaN for a plain dot."""

    name: str
    x: Value
    y: Value
    size: float = NAN


@dataclass(frozen=True)
class Scatter:
    """Points on two axes, reference points drawn hollow, and what is said of the points as a whole (r).

    `looks` as in `Curves`.
    """

    marks: Sequence[Mark]
    x_axis: str
    y_axis: str
    references: Sequence[Mark] = ()
    size_is: str = ""
    note: str = ""
    limits: tuple[float, float] | None = (0.0, 1.0)
    x_limits: tuple[float, float] | None = (0.0, 1.0)
    looks: Mapping[str, int] = field(default_factory=dict)

    def table(self) -> list[TableRow]:
        """Return one row per point."""
        return [
            {"name": mark.name}
            | mark.x.cells(self.x_axis)
            | mark.y.cells(self.y_axis)
            | ({self.size_is: mark.size} if self.size_is else {})
            for mark in (*self.marks, *self.references)
        ]


@dataclass(frozen=True)
class Stacks:
    """For each name the shares of exclusive parts, which sum to 1, and n; `colours` of parts with their own."""

    names: Sequence[str]
    parts: Mapping[str, Sequence[float]]
    n: Sequence[float]
    colours: Mapping[str, str] = field(default_factory=dict)
    looks: Mapping[str, int] = field(default_factory=dict)
    """As in `Bars`."""

    def table(self) -> list[TableRow]:
        """Return one row per name and part."""
        return [
            {"name": name, "part": part, "share": shares[i], "n": self.n[i]}
            for part, shares in self.parts.items()
            for i, name in enumerate(self.names)
        ]


Chart = Bars | HeatMap | HeatMaps | Curves | CurvePanels | Scatter | Stacks
