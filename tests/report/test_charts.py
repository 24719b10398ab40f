"""A chart is also a table."""

from tests.report.sample_charts import CHARTS, EVIL


def test_a_chart_is_a_table_with_a_row_for_each_number_its_interval_and_n() -> None:
    first, *_ = CHARTS["dots"].table()
    assert first == {
        "name": EVIL,
        "series": "rate",
        "value": 0.4,
        "value low": 0.2,
        "value high": 0.7,
        "value n": 20,
        "compare with": 0.5,
    }
    assert [len(chart.table()) for chart in CHARTS.values()] == [4, 2, 8, 2, 1, 1, 4]
    assert CHARTS["ticks"].table()[0]["x"] == EVIL
