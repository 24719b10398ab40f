"""The count of mutants: what is killed, what is alive, and what was not tried."""

import pytest

from benchmarks.mutants import Tally, draw, is_enough, table, tally


def test_a_failed_test_and_a_timeout_kill_and_a_mutant_without_a_test_lives() -> None:
    exits: dict[str, dict[str, int | None]] = {
        "b.py": {"b1": 1, "b2": -24, "b3": 33, "b4": 0, "b5": None},
        "a.py": {"a1": 3},
        "c.py": {"c1": None},
    }
    assert tally(exits) == [Tally("a.py", 1, 1), Tally("b.py", 2, 4)]


def test_the_table_ends_with_the_sum_and_its_interval() -> None:
    lines = table([Tally("a.py", 17, 20), Tally("b.py", 0, 4)]).splitlines()
    assert lines[0].split() == ["17", "of", "20", "85.0%", "a.py"]
    assert lines[-1].split() == ["17", "of", "24", "70.8%", "killed", "[50.8%,", "85.1%]"]


@pytest.mark.parametrize(("killed", "n", "enough"), [(17, 20, True), (16, 20, False), (0, 0, False)])
def test_less_than_the_goal_fails_and_so_does_nothing(killed: int, n: int, enough: bool) -> None:
    assert is_enough([Tally("a.py", killed, n)]) is enough


def test_the_sample_follows_from_the_seed_alone() -> None:
    names = [f"m{i}" for i in range(100)]
    assert draw(names, 10, 1) == draw(names[::-1], 10, 1) != draw(names, 10, 2)
    assert draw(names, 200, 0) == sorted(names)
