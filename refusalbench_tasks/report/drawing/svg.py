"""A scene as SVG, for a file or for the page."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from refusalbench_tasks.report.drawing.scene import XY, Area, Group, Item, Line, Scene, Text
from refusalbench_tasks.report.drawing.style import GRID, INK, PAPER

FONT = "system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif"
ON_PAGE = {INK: "currentColor", GRID: "var(--grid)", PAPER: "var(--paper)"}
"""The page's own colours, which follow its light or dark setting."""


def svg_file(scene: Scene) -> str:
    """Return the picture as a file of its own, on white."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {_size(scene)} font-family="{escape(FONT)}">'
    paper = f'<rect width="{_number(scene.width)}" height="{_number(scene.height)}" fill="{PAPER}"/>'
    return f"{head}{paper}{''.join(_items(scene.items, {}))}</svg>\n"


def svg_on_page(scene: Scene, title: str) -> str:
    """Return the picture for the page, in the page's colours, with the values that scripts show and hide."""
    return f'<svg role="img" aria-label="{escape(title)}" {_size(scene)}>{"".join(_items(scene.items, ON_PAGE))}</svg>'


def _size(scene: Scene) -> str:
    width, height = _number(scene.width), _number(scene.height)
    return f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'


def _items(items: Iterable[Item], inks: dict[str, str]) -> Iterator[str]:
    for item in items:
        match item:
            case Line():
                yield _line(item, inks)
            case Area():
                yield _area(item, inks)
            case Text():
                yield _text(item, inks)
            case Group():
                yield from _group(item, inks)


def _group(group: Group, inks: dict[str, str]) -> Iterator[str]:
    name = f' data-name="{escape(group.name)}"' if group.name else ""
    kind = "key" if group.is_key else "mark"
    title = f"<title>{escape(group.tip)}</title>" if group.tip else ""
    yield f'<g class="{kind}"{name}>{title}'
    yield from _items(group.items, inks)
    yield "</g>"


def _line(line: Line, inks: dict[str, str]) -> str:
    dash = f' stroke-dasharray="{" ".join(map(_number, line.dash))}"' if line.dash else ""
    ink = inks.get(line.ink, line.ink)
    width = "" if line.width == 1 else f' stroke-width="{_number(line.width)}"'
    return f'<path d="{_path(line.points)}" fill="none" stroke="{ink}"{width}{dash}{_opacity(line.opacity)}/>'


def _area(area: Area, inks: dict[str, str]) -> str:
    fill = inks.get(area.fill, area.fill) if area.fill else "none"
    edge = f' stroke="{inks.get(area.edge, area.edge)}"' if area.edge else ""
    return f'<path d="{_path(area.points)}Z" fill="{fill}"{edge}{_opacity(area.opacity)}/>'


def _text(text: Text, inks: dict[str, str]) -> str:
    x, y = _number(text.x), _number(text.y)
    anchor = "" if text.anchor == "start" else f' text-anchor="{text.anchor}"'
    turn = f' transform="rotate({_number(-text.turn)} {x} {y})"' if text.turn else ""
    bold = ' font-weight="600"' if text.bold else ""
    ink = inks.get(text.ink, text.ink)
    place = f'x="{x}" y="{y}" font-size="{_number(text.size)}"'
    return f'<text {place}{anchor} fill="{ink}"{bold}{turn}>{escape(text.text)}</text>'


def _path(points: Sequence[XY]) -> str:
    return "M" + "L".join(f"{_number(x)} {_number(y)}" for x, y in points)


def _opacity(opacity: float) -> str:
    return "" if opacity == 1 else f' opacity="{_number(opacity)}"'


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
