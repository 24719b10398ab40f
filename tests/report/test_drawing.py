"""Charts as pictures and as tables."""

import re
from typing import Any

import pytest

from refusalbench_tasks.report.drawing import Picture, draw_chart
from refusalbench_tasks.report.styles import Look
from tests.report.sample_charts import CHARTS, EVIL


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
