"""A scene as PNG: shapes by matplotlib's renderer, without its axes and layouts, and texts by Pillow.

Each is the fast part of its library.
"""

import io
import math
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, cast

import numpy as np

from refusalbench_tasks.report.drawing.letters import font_file
from refusalbench_tasks.report.drawing.scene import Area, Group, Item, Line, Scene, Text
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
        font, place = _font(text.size, text.bold), (text.x * ZOOM, text.y * ZOOM)
        if text.turn:
            _turned(image, text, font)
        else:
            draw.text(place, text.text, fill=text.ink, font=font, anchor=_ANCHORS[text.anchor])


def _turned(image: Any, text: Text, font: Any) -> None:
    """Draw a text on a square around its anchor, and lay that on the image turned."""
    from PIL import Image, ImageDraw

    half = math.ceil(font.getlength(text.text) + 2 * font.size)
    square = Image.new("L", (2 * half, 2 * half))
    ImageDraw.Draw(square).text((half, half), text.text, fill=255, font=font, anchor=_ANCHORS[text.anchor])
    mask = square.rotate(text.turn, resample=Image.Resampling.BICUBIC)
    image.paste(text.ink, (round(text.x * ZOOM) - half, round(text.y * ZOOM) - half), mask)


@cache
def _font(size: float, bold: bool) -> Any:
    from PIL import ImageFont

    return ImageFont.truetype(font_file(bold), size * ZOOM, layout_engine=ImageFont.Layout.BASIC)
