"""The key of a picture: a mark and a name each, and names along an axis."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from refusalbench_tasks.report.drawing.letters import width_of
from refusalbench_tasks.report.drawing.scene import Group, Item, Scene, Text, disc
from refusalbench_tasks.report.drawing.style import colour, shape, shown_names

SIZE, LINE = 11.0, 18.0
_SAMPLE = 20.0


@dataclass(frozen=True)
class Key:
    """An entry of the legend: what is written, whose it is, and its sample at a place around (0, 0), 16 wide."""

    text: str
    name: str
    sample: Sequence[Item]


def legend_rows(keys: Sequence[Key], width: float) -> list[list[Key]]:
    """Return the entries in rows of at most a width."""
    rows: list[list[Key]] = []
    room = 0.0
    for key in keys:
        wide = _wide(key)
        if not rows or wide > room:
            rows.append([])
            room = width
        rows[-1].append(key)
        room -= wide
    return rows


def add_legend(scene: Scene, keys: Sequence[Key], top: float, width: float | None = None) -> None:
    """Put the entries below what is there, and make the picture high enough."""
    rows = legend_rows(keys, (width or scene.width) - 24)
    for row in rows:
        top += LINE
        left = (scene.width - sum(map(_wide, row))) / 2
        for key in row:
            items = [_moved(item, left + 8, top - 4) for item in key.sample]
            scene.add(Group([*items, Text(left + _SAMPLE, top, key.text, SIZE)], key.name, is_key=True))
            left += _wide(key)
    scene.height = max(scene.height, top + 10)


def model_mark(x: float, y: float, look: int, radius: float = 4.5) -> Item:
    """Return the mark of a model."""
    return disc(x, y, shape(look), radius, colour(look))


def side_names(names: Sequence[str], looks: Mapping[str, int], most: float = 300.0) -> tuple[list[list[str]], float]:
    """Return the lines of the names beside an axis, and how wide they are with their marks."""
    lines = [name.split("\n") for name in shown_names(names)]
    wide = max((width_of(line, 11.5) for parts in lines for line in parts), default=0.0)
    return lines, min(wide + (18 if any(name in looks for name in names) else 6) + 8, most)


def add_side_name(items: list[Item], lines: Sequence[str], right: float, y: float, look: int | None) -> None:
    """Put a name left of an axis at a height, its model's mark beside it."""
    end = right - 8 - (14 if look is not None else 0)
    for k, text in enumerate(lines):
        items.append(Text(end, y + 4 + (k - (len(lines) - 1) / 2) * 13, text, 11.5, "end"))
    if look is not None:
        items.append(model_mark(right - 13, y, look))


def _wide(key: Key) -> float:
    return _SAMPLE + width_of(key.text, SIZE) + 16


def _moved(item: Item, x: float, y: float) -> Item:
    from dataclasses import replace

    match item:
        case Text():
            return replace(item, x=item.x + x, y=item.y + y)
        case Group():
            return replace(item, items=[_moved(one, x, y) for one in item.items])
        case _:
            return replace(item, points=[(a + x, b + y) for a, b in item.points])
