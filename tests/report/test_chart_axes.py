"""Each kind of chart, drawn."""

from refusalbench_tasks.report.drawing import draw_chart
from refusalbench_tasks.report.styles import Look
from tests.report.sample_charts import CHARTS, EVIL


def test_a_system_has_its_colour_in_every_kind_of_chart() -> None:
    look = Look(3)
    for name in ("dots", "scatter", "curve"):
        assert look.colour in draw_chart(CHARTS[name], {EVIL: look}, name).svg
