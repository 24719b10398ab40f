"""A scene as PNG: shapes by matplotlib's renderer, without its axes and layouts, and texts by Pillow.

Each is the fast part of its library.
"""

import io
import math
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import Any, cast

import numpy as np

from refusalbench_tasks.report.drawing.letters import font_file
from refusalbench_tasks.report.drawing.scene import Anchor, Area, Group, Item, Line, Scene, Text
from refusalbench_tasks.report.drawing.style import PAPER

ZOOM = 1.5
"""Pixels of the file for one of the scene."""
_ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}


def png(scene: Scene) -> bytes:
    """Return the picture on white, half again as large as the scene; texts are in front of all shapes."""
    from matplotlib.backends import backend_agg
    from PIL import Image

    items = list(_flat(scene.items))
    renderer = cast(Any, backend_agg).RendererAgg(round(scene.width * ZOOM), round(scene.height * ZOOM), 72 * ZOOM)
    paper = ((0.0, 0.0), (scene.width, 0.0), (scene.width, scene.height), (0.0, scene.height))
    _shapes(renderer, [Area(paper, PAPER), *items])
    image = Image.fromarray(np.asarray(renderer.buffer_rgba())).convert("RGB")
    _texts(image, [item for item in items if isinstance(item, Text)])
    file = io.BytesIO()
    image.save(file, format="PNG", compress_level=3)
    return file.getvalue()


def _flat(items: Iterable[Item]) -> Iterator[Item]:
    for item in items:
        if isinstance(item, Group):
            yield from _flat(item.items)
        else:
            yield item


def _shapes(renderer: Any, items: Iterable[Item]) -> None:
    from matplotlib.colors import to_rgba
    from matplotlib.path import Path
    from matplotlib.transforms import Affine2D

    # the renderer's y goes up
    place = Affine2D().scale(ZOOM, -ZOOM).translate(0, renderer.height)
    for item in items:
        match item:
            case Line(opacity=0) | Area(opacity=0):
                # something to point at, on the page
                continue
            case Line():
                context = _context(renderer, item.ink, item.width, item.opacity)
                if item.dash:
                    context.set_dashes(0, list(item.dash))
                renderer.draw_path(context, Path(item.points), place)
            case Area():
                context = _context(renderer, item.edge or PAPER, 1.0 if item.edge else 0.0, item.opacity)
                fill = to_rgba(item.fill, item.opacity) if item.fill else None
                renderer.draw_path(context, Path([*item.points, item.points[0]], closed=True), place, fill)


def _context(renderer: Any, ink: str, width: float, opacity: float) -> Any:
    context = renderer.new_gc()
    context.set_linewidth(width)
    context.set_foreground(ink)
    context.set_alpha(opacity)
    return context


def _texts(image: Any, texts: Iterable[Text]) -> None:
    from PIL import ImageDraw

    draw = ImageDraw.Draw(image)
    for text in texts:
        place = (text.x * ZOOM, text.y * ZOOM)
        if text.turn:
            mask = _turned(text.text, text.size, text.bold, text.anchor, text.turn)
            half = mask.width // 2
            image.paste(text.ink, (round(place[0]) - half, round(place[1]) - half), mask)
        else:
            font = _font(text.size, text.bold)
            draw.text(place, text.text, fill=text.ink, font=font, anchor=_ANCHORS[text.anchor])


@lru_cache(maxsize=128)
def _turned(text: str, size: float, bold: bool, anchor: Anchor, turn: float) -> Any:
    """Return a text on a square around its anchor, turned; kept, because many figures have the same names."""
    from PIL import Image, ImageDraw

    font = _font(size, bold)
    half = math.ceil(font.getlength(text) + 2 * font.size)
    square = Image.new("L", (2 * half, 2 * half))
    ImageDraw.Draw(square).text((half, half), text, fill=255, font=font, anchor=_ANCHORS[anchor])
    return square.rotate(turn, resample=Image.Resampling.BICUBIC)


@cache
def _font(size: float, bold: bool) -> Any:
    from PIL import ImageFont

    return ImageFont.truetype(font_file(bold), size * ZOOM, layout_engine=ImageFont.Layout.BASIC)
