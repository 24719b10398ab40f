"""Tables as the page shows them."""

from refusalbench_tasks.report.page.html_table import ShownCell, shown_table
from refusalbench_tasks.stats.estimate import NAN
from refusalbench_tasks.tables import Table

ROWS = [
    {"system": "a", "rate": 0.5, "rate low": 0.25, "rate high": 0.75, "rate n": 1200},
    {"system": "b", "rate": NAN, "rate low": NAN, "rate high": NAN, "rate n": 0},
    {"system": "c", "rate": NAN, "rate low": NAN, "rate high": NAN, "rate n": 3},
]


def test_a_value_its_ci_and_its_n_share_a_cell() -> None:
    table = shown_table(Table("overview", "Main metrics", ROWS, "A note."), "nq")
    assert (table.title, table.file) == ("Main metrics", "nq-overview")
    assert table.heads == [("system", "text"), ("rate", "number")]
    (_, known), (_, none), (_, withheld) = table.rows
    assert known == ShownCell("0.500", "number", "[0.250, 0.750]\nn=1,200", 0.5)
    # a rate without a value says why
    assert none == ShownCell("", "number", "nothing to count, n=0")
    assert withheld == ShownCell("", "number", "too few decided\nor graded, n=3")


def test_a_column_without_any_value_is_left_out() -> None:
    rows = [{"log": "a", "licence": "", "cost": NAN}]
    assert shown_table(Table("logs", "Logs", rows), "report").heads == [("log", "text")]


def test_a_long_text_gets_a_wide_column_and_a_count_no_decimals() -> None:
    rows = [{"settings": "x" * 41, "samples": 1800, "share": 1.0}]
    (cells,) = shown_table(Table("logs", "Logs", rows), "report").rows
    assert [cell.kind for cell in cells] == ["long", "number", "number"]
    assert [cell.text for cell in cells[1:]] == ["1,800", "1.000"]
