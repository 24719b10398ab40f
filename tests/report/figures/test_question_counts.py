"""The counts of a system of one's own, and its last runs, as pictures."""

from refusalbench_tasks.report.charts import Curves, Stacks
from refusalbench_tasks.report.drawing import draw_chart
from refusalbench_tasks.report.figures.question_counts import counts_of_questions, trend
from tests.report.figures.drawn import shown
from tests.report.own_runs import NO, NOW, A, own_group, own_run, sample


def test_counts_stand_beside_those_of_the_last_run() -> None:
    chart = shown(counts_of_questions(own_group()))
    assert isinstance(chart, Stacks)
    assert list(chart.counts) == [
        "answerable",
        "answerable, before",
        "unanswerable",
        "unanswerable, before",
    ]
    now = chart.counts["answerable"]
    assert now == {"answered right": 1, "no reply": 1, "answered, ungraded": 2}
    assert chart.n("unanswerable, before") == 2


def test_two_runs_of_one_day_have_bars_of_their_own() -> None:
    earlier = own_run("02", sample("a1", NO), hour="08")
    chart = shown(counts_of_questions(own_group(earlier, NOW)))
    assert chart.counts["answerable"] != chart.counts["answerable, before"]


def test_what_nobody_knows_is_hatched() -> None:
    chart = counts_of_questions(own_group()).chart
    assert "<pattern" in draw_chart(chart, {}, "counts").on_page


def test_the_caption_speaks_of_what_is_drawn() -> None:
    formula = counts_of_questions(own_group()).formula
    assert "; before: in the last run of the system; " in formula
    assert "; no reply: an empty reply" in formula
    assert "ended in error" not in formula
    first = own_run("01", sample("a1", A))
    assert counts_of_questions(own_group(first)).formula == "numbers of questions"


def test_the_last_runs_are_a_line_for_each_rate() -> None:
    chart = shown(trend(own_group()))
    assert isinstance(chart, Curves)
    assert chart.ticks == ["2026-01-01", "2026-01-02"]
    false = [point.y.value for point in chart.lines["false refusals"]]
    assert false == [0.25, 0.0]
    assert trend(own_group(NOW)) == "one run alone"
