"""The figure of rates by difficulty, over rows whose knobs and replies are known by construction."""

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.report.charts import CurvePanels, Curves, Point, Value
from refusalbench_tasks.report.drawing.picture import picture
from refusalbench_tasks.report.figures.difficulty import rates_by_knob
from refusalbench_tasks.report.figures.figure import Absent, Figure
from refusalbench_tasks.report.knob_bins import Bins, knob_bins
from refusalbench_tasks.report.tally import RefusalGroup, Tally
from refusalbench_tasks.results.logs.find import read_logs
from refusalbench_tasks.stats.proportion import wilson
from refusalbench_tasks.taxonomy import Intensity, Label
from tests.results.logs.synthetic import row, write_log


def group(folder: Path) -> RefusalGroup:
    return RefusalGroup([Tally(run, run.model) for run in read_logs([str(folder)]).refusal])


def quads(folder: Path, model: str, lost_at_two_hops: int) -> None:
    """Write ten quads of two answerable and two unanswerable rows, half of them of two hops."""
    made = []
    for quad in range(10):
        hops = 1 + quad % 2
        right = hops == 1 or quad // 2 >= lost_at_two_hops
        for cell in range(4):
            knobs = {"hops": hops, "distance": float(4 * quad + cell), "register": "table" if quad < 4 else "memo"}
            facts: dict[str, Any] = {"source_id": f"quad{quad}", "knobs": knobs}
            if cell % 3 == 0:
                label = Label.ANSWER if right else Label.MISSING
                made.append(row(f"{quad}-{cell}", label, intensity=Intensity.LOW, **facts))
            else:
                made.append(row(f"{quad}-{cell}", Label.MISSING if right else Label.ANSWER, **facts))
    write_log(folder, model, made)


def test_rates_are_those_of_the_rows_of_a_group(tmp_path: Path) -> None:
    quads(tmp_path, "a", 3)
    quads(tmp_path, "b", 0)
    figure = rates_by_knob(group(tmp_path))
    assert isinstance(figure, Figure)
    assert isinstance(figure.chart, CurvePanels)
    assert list(figure.chart.rows) == ["distance", "hops", "register"]
    hops = figure.chart.rows["hops"]
    found = {
        (rate, name, panel.ticks[int(point.x)]): (point.y.value, point.y.n)
        for rate, panel in hops.items()
        for name, points in panel.lines.items()
        for point in points
    }
    # five quads of each number of hops, two answerable rows in each; a is wrong in three of those with two hops
    assert found["answer accuracy", "a", "1"] == (1.0, 10)
    assert found["false refusal rate", "a", "2"] == (0.6, 10)
    assert found["missed refusal rate", "a", "2"] == (0.6, 10)
    assert found["refusal accuracy", "a", "2"] == (0.4, 10)
    assert found["refusal accuracy", "b", "2"] == (1.0, 10)
    # four of the refusals that are due are given, with the code that is due
    assert found["category accuracy", "a", "2"] == (1.0, 4)
    # quads are the units: no error in five of them, not in ten rows
    none = hops["missed refusal rate"].lines["b"][1].y
    assert (none.low, none.high) == pytest.approx(wilson(0, 5))
    assert figure.chart.rows["distance"]["answer accuracy"].ticks == ("0 to 8", "9 to 18", "19 to 28", "29 to 39")
    assert figure.chart.rows["register"]["answer accuracy"].ticks == ("memo", "table")
    assert not figure.chart.rows["register"]["answer accuracy"].joined
    assert hops["answer accuracy"].joined
    assert {"knob": "register", "panel": "answer accuracy", "name": "a", "group": "table"}.items() <= (
        next(one for one in figure.chart.table() if one["knob"] == "register" and one["group"] == "table").items()
    )


def test_without_codes_there_are_no_panels_about_them(tmp_path: Path) -> None:
    quads(tmp_path, "a", 3)
    (run,) = read_logs([str(tmp_path)]).refusal
    rows: Any = {key: replace(one, outcome=replace(one.outcome, codes=False)) for key, one in run.rows.items()}
    figure = rates_by_knob(RefusalGroup([Tally(replace(run, rows=rows), run.model)]))
    assert isinstance(figure, Figure)
    assert isinstance(figure.chart, CurvePanels)
    assert list(figure.chart.rows["hops"]) == ["answer accuracy", "false refusal rate", "missed refusal rate"]


def test_rows_without_knobs_have_no_such_figure(tmp_path: Path) -> None:
    write_log(tmp_path / "none", "m", [row("1", Label.MISSING)])
    absent = rates_by_knob(group(tmp_path / "none"))
    assert isinstance(absent, Absent)
    assert "data=worlds" in absent.reason
    write_log(tmp_path / "alike", "m", [row(str(k), Label.MISSING, knobs={"hops": 1}) for k in range(3)])
    assert rates_by_knob(group(tmp_path / "alike")) == Absent("all rows are as hard as each other, by every knob")


def test_what_stands_in_place_of_knobs_is_no_knob(tmp_path: Path) -> None:
    for k, stored in enumerate(("Key removed from summary (> 1k)", [1, 2], {"hops": [1]})):
        write_log(tmp_path / str(k), "m", [row("1", Label.MISSING, knobs=stored)])
        assert isinstance(rates_by_knob(group(tmp_path / str(k))), Absent)


def test_groups_are_quartiles_and_equal_numbers_stay_together() -> None:
    # the quartiles of 1 1 1 1 1 2 3 4 5 6 7 8 begin at its 1st, 3rd, 6th and 9th number: 1, 1, 2 and 5
    found = knob_bins([{"x": n} for n in (1, 1, 1, 1, 1, 2, 3, 4, 5, 6, 7, 8)])
    assert found == {"x": Bins(("1", "2 to 4", "5 to 8"), (1, 2, 5))}
    assert [found["x"].place(n) for n in (1, 2, 4, 5, 8, None, "1", math.nan)] == [0, 1, 1, 2, 2, -1, -1, -1]


def test_knobs_that_make_no_groups_are_left_out() -> None:
    many = [{"word": f"w{k}", "both": "a" if k else 1, "one": 1, "nan": math.nan} for k in range(13)]
    assert knob_bins(many) == {}
    assert knob_bins(many[:12]) == {"word": Bins(tuple(sorted(f"w{k}" for k in range(12))))}


@given(st.lists(st.integers(-50, 50) | st.floats(0, 1), min_size=1, max_size=60))
def test_every_number_is_in_one_group_and_the_order_is_kept(numbers: list[float]) -> None:
    for bins in knob_bins([{"x": n} for n in numbers]).values():
        places = [bins.place(n) for n in sorted(numbers)]
        assert places == sorted(places)
        assert set(places) == set(range(len(bins.names)))
        assert len(bins.names) <= 4


def test_the_picture_names_groups_with_their_n() -> None:
    panel = Curves({"m": [Point(0, Value(0.5, 0.4, 0.6, 30)), Point(1, Value(0.2, n=12))]}, "group", "r", ("1", "2"))
    wide = Curves({"m": [Point(k, Value(0.5, n=7)) for k in range(6)]}, "group", "r", tuple("abcdef"))
    drawn = picture(CurvePanels({"hops": {"r": panel}, "register": {"r": wide}}, "knob"))
    assert all(text in drawn.svg for text in ("n 30", "n 12", "f, n 7", ">hops<", ">register<"))
