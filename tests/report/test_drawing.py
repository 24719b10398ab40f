"""Charts as pictures and as tables."""

import re
from typing import Any

import pytest

from refusalbench_tasks.report.charts import (
    Chart,
    Curves,
    Dots,
    Grid,
    Point,
    Scatter,
    Stacks,
)
from refusalbench_tasks.report.drawing import Picture, draw_chart
from refusalbench_tasks.report.styles import Look
from refusalbench_tasks.stats.estimate import NAN, Estimate

EVIL = "<b>$x_1$\n\x00 & \ud800 \\frac{"
NAMES = [EVIL, "b"]
ONE = Estimate(0.4, 20, low=0.2, high=0.7)
NONE = Estimate()
CHARTS: dict[str, Chart] = {
    "dots": Dots(
        NAMES, {"rate": [ONE, NONE], EVIL: [ONE, ONE]}, marks={"rate": [0.5, 0.6]}
    ),
    "differences": Dots(NAMES, {"ASI": [Estimate(-0.3, 3), ONE]}, limits=None),
    "grid": Grid({EVIL: {(EVIL, "c"): ONE}, "": {}}, NAMES, ["c", "d"]),
    "scatter": Scatter(
        {EVIL: Point(ONE, ONE)}, "x", "y", {"ref": Point(ONE, ONE)}, "r = 1"
    ),
    "curve": Curves(
        {EVIL: [Point(Estimate(0.1), ONE)]}, "x", "y", diagonal=True, joined=False
    ),
    "ticks": Curves({"b": [Point(Estimate(1.0), ONE)]}, "x", ticks=["one", EVIL]),
    "stacks": Stacks(
        NAMES,
        {"good": [0.25, 1.0], "bad": [0.75, NAN]},
        [4, 0],
        {"good": "#009e73", "bad": "#e69f00"},
    ),
}


@pytest.fixture(params=CHARTS)
def picture(request: Any) -> Picture:
    return draw_chart(CHARTS[request.param], {EVIL: Look(1)}, EVIL)


def test_outside_text_is_drawn_letter_by_letter(picture: Picture) -> None:
    for svg in (picture.svg, picture.on_page):
        assert "<b>" not in svg
        assert "\x00" not in svg
        svg.encode()
    assert picture.pdf.startswith(b"%PDF")


def test_a_picture_has_the_pages_colours_and_no_style_or_id_of_its_own(
    picture: Picture,
) -> None:
    assert "currentColor" in picture.on_page
    assert "#1b1f23" not in picture.on_page
    assert "<style" not in picture.on_page
    assert "<metadata" not in picture.on_page
    used = set(re.findall(r'(?:url\(|href=")#([\w-]+)', picture.on_page))
    assert set(re.findall(r' id="([\w.-]+)"', picture.on_page)) <= used
    assert 'role="img"' in picture.on_page


def test_a_system_has_its_colour_in_every_kind_of_chart() -> None:
    look = Look(3)
    for name in ("dots", "scatter", "curve"):
        assert look.colour in draw_chart(CHARTS[name], {EVIL: look}, name).svg
