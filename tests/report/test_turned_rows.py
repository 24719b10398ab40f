"""The rows that turned since the last run, by name."""

from refusalbench_tasks.report.turned_rows import turned_rows
from tests.report.own_runs import NO, NOW, A, own_group, own_run, sample


def test_rows_that_turned_are_named_those_that_got_worse_first() -> None:
    group = own_group()
    table = turned_rows(group, group.shown[0])
    turned = [(row["row"], row["got"], row["before"], row["now"]) for row in table.rows]
    assert turned == [
        ("a1", "worse", "answered right", "no reply"),
        ("u1", "worse", "declined rightly", "made up"),
        ("a2", "better", "answered wrong", "answered right"),
        # nobody knows whether the answer is right
        ("a3", "other", "declined wrongly", "answered, ungraded"),
    ]


def test_a_first_run_has_nothing_to_turn_from() -> None:
    group = own_group(NOW)
    assert turned_rows(group, group.shown[0]).rows == []


def test_a_run_that_says_the_same_again_turns_nothing() -> None:
    group = own_group(*(own_run(day, sample("u1", NO)) for day in ("01", "02")))
    assert turned_rows(group, group.shown[0]).rows == []


def test_a_sample_that_ended_in_an_error_has_turned() -> None:
    failed = sample("a1", None)
    failed.scores = None
    group = own_group(
        own_run("01", sample("a1", A), sample("u1", NO)),
        own_run("02", failed, sample("u1", NO)),
    )
    [row] = turned_rows(group, group.shown[0]).rows
    turned = (row["row"], row["got"], row["before"], row["now"])
    assert turned == ("a1", "other", "answered right", "ended in error")
