"""How wide texts are."""

from functools import cache
from pathlib import Path
from typing import Any


def width_of(text: str, size: float = 11.0) -> float:
    """Return the width of a line of text in pixels, in DejaVu Sans, which is wider than most."""
    return sum(map(_share, text)) * size


def font_file(bold: bool = False) -> str:
    """Return the path of DejaVu Sans, which comes with matplotlib."""
    import matplotlib

    return str(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / f"DejaVuSans{'-Bold' if bold else ''}.ttf")


@cache
def _share(letter: str) -> float:
    """Return the width of a letter as a share of the size of its font."""
    return float(_font().getlength(letter)) / 100


@cache
def _font() -> Any:
    from PIL import ImageFont

    return ImageFont.truetype(font_file(), 100, layout_engine=ImageFont.Layout.BASIC)
