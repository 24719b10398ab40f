"""A picture before it is written to a file: shapes and texts at places in pixels, y downwards."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from refusalbench_tasks.report.drawing.style import INK

XY = tuple[float, float]
Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True, slots=True)
class Line:
    """A line through points; `dash` are the lengths of strokes and gaps, none for a whole line."""

    points: Sequence[XY]
    ink: str = INK
    width: float = 1.0
    dash: tuple[float, ...] = ()
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Area:
    """A filled polygon, or its outline alone where `fill` is none."""

    points: Sequence[XY]
    fill: str | None
    edge: str | None = None
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text, its baseline at a place; `turn` in degrees against the clock."""

    x: float
    y: float
    text: str
    size: float = 11.0
    anchor: Anchor = "start"
    ink: str = INK
    turn: float = 0.0
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """Items that stand for one thing: a value (`tip` tells it in words), or the key of a name in the legend."""

    items: Sequence["Item"]
    name: str = ""
    """Whose it is: the model or series that can be hidden."""
    tip: str = ""
    is_key: bool = False


Item = Line | Area | Text | Group


@dataclass
class Scene:
    """The size of a picture, and what is in it, from back to front."""

    width: float
    height: float
    items: list[Item] = field(default_factory=list)

    def add(self, *items: Item) -> None:
        """Put items in front of what is there."""
        self.items.extend(items)


def box(x: float, y: float, width: float, height: float, fill: str | None, edge: str | None = None) -> Area:
    """Return a rectangle; a negative width goes to the left."""
    return Area(((x, y), (x + width, y), (x + width, y + height), (x, y + height)), fill, edge)


def disc(x: float, y: float, shape: Sequence[XY], radius: float, fill: str | None, edge: str | None = None,
         opacity: float = 1.0) -> Area:  # fmt: skip
    """Return a marker of a shape from -1 to 1 at a place."""
    return Area([(x + radius * a, y + radius * b) for a, b in shape], fill, edge, opacity)
