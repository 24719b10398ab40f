"""A scene as SVG, for a file or for the page."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from refusalbench_tasks.report.drawing.scene import XY, Area, Group, Item, Line, Scene, Text
from refusalbench_tasks.report.drawing.style import GRID, INK, PAPER

FONT = "system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif"
ON_PAGE = {INK: "currentColor", GRID: "var(--grid)", PAPER: "var(--paper)"}
"""The page's own colours, which follow its light or dark setting."""
_INKS = {INK: "<ink>", GRID: "<grid>", PAPER: "<paper>"}
"""What stands for these colours until it is known where a picture goes: escaped text has no such thing."""
_ENDS = [(".00", ""), *((f".{digit}0", f".{digit}") for digit in range(1, 10))]
"""Ends of numbers with two decimals that say nothing."""


def svgs(scene: Scene, title: str) -> tuple[str, str]:
    """Return the picture as a file of its own, on white, and for the page.

    The page's has the page's colours, and the values that scripts show and hide; `title` is what a screen reader says.
    """
    items, size = "".join(_items(scene.items)), _size(scene)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{escape(FONT)}">'
    paper = f'<rect width="{_number(scene.width)}" height="{_number(scene.height)}" fill="{PAPER}"/>'
    of_file, of_page = items, items
    for ink, mark in _INKS.items():
        of_file, of_page = of_file.replace(mark, ink), of_page.replace(mark, ON_PAGE[ink])
    on_page = f'<svg role="img" aria-label="{escape(title)}" {size}>{of_page}</svg>'
    return f"{head}{paper}{of_file}</svg>\n", on_page


def _size(scene: Scene) -> str:
    width, height = _number(scene.width), _number(scene.height)
    return f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'


def _items(items: Iterable[Item]) -> Iterator[str]:
    for item in items:
        match item:
            case Line():
                yield _line(item)
            case Area():
                yield _area(item)
            case Text():
                yield _text(item)
            case Group():
                yield from _group(item)


def _group(group: Group) -> Iterator[str]:
    name = f' data-name="{escape(group.name)}"' if group.name else ""
    kind = "key" if group.is_key else "mark"
    title = f"<title>{escape(group.tip)}</title>" if group.tip else ""
    yield f'<g class="{kind}"{name}>{title}'
    yield from _items(group.items)
    yield "</g>"


def _line(line: Line) -> str:
    dash = f' stroke-dasharray="{" ".join(map(_number, line.dash))}"' if line.dash else ""
    ink = _INKS.get(line.ink, line.ink)
    width = "" if line.width == 1 else f' stroke-width="{_number(line.width)}"'
    return f'<path d="{_path(line.points)}" fill="none" stroke="{ink}"{width}{dash}{_opacity(line.opacity)}/>'


def _area(area: Area) -> str:
    fill = _INKS.get(area.fill, area.fill) if area.fill else "none"
    edge = f' stroke="{_INKS.get(area.edge, area.edge)}"' if area.edge else ""
    return f'<path d="{_path(area.points)}Z" fill="{fill}"{edge}{_opacity(area.opacity)}/>'


def _text(text: Text) -> str:
    x, y = _number(text.x), _number(text.y)
    anchor = "" if text.anchor == "start" else f' text-anchor="{text.anchor}"'
    turn = f' transform="rotate({_number(-text.turn)} {x} {y})"' if text.turn else ""
    bold = ' font-weight="600"' if text.bold else ""
    ink = _INKS.get(text.ink, text.ink)
    place = f'x="{x}" y="{y}" font-size="{_number(text.size)}"'
    return f'<text {place}{anchor} fill="{ink}"{bold}{turn}>{escape(text.text)}</text>'


def _path(points: Sequence[XY]) -> str:
    text = "M" + "L".join([f"{x:.2f} {y:.2f}" for x, y in points])
    # every number has two decimals, so these are nothing but their ends
    for end, short in _ENDS:
        text = text.replace(end, short)
    return text


def _opacity(opacity: float) -> str:
    return "" if opacity == 1 else f' opacity="{_number(opacity)}"'


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
