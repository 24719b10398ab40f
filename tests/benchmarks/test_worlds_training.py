"""What training on rows of worlds did: the page has the table of the runs that are kept
beside it, and the picture is drawn of them.
"""

from pathlib import Path

import pytest

from benchmarks.worlds_training import (
    ENDS,
    PAGE,
    PICTURE,
    SHARES,
    draw,
    estimates,
    path,
    saved,
    share,
    table,
    values,
)

TESTS = {"worlds", "nq", "plain"}


def test_the_page_has_the_table() -> None:
    assert table(saved()) in PAGE.read_text(encoding="utf-8")


def test_two_settings_ran_to_their_end_with_two_seeds_each() -> None:
    lines = saved()
    for end in ENDS:
        for run in path(end):
            assert [line for line in lines if line["run"] == run], run
        tests = {line.get("rows") for line in lines if line["run"] == end}
        assert tests >= TESTS
        assert len(values(lines, [end])) == 8


def test_the_picture_is_drawn_of_what_was_saved(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    draw(saved(), tmp_path / "picture.svg")
    drawn = (tmp_path / "picture.svg").read_text(encoding="utf-8")
    assert drawn.count("<path") == PICTURE.read_text(encoding="utf-8").count("<path")
    assert all(f">{name}<" in drawn for name in (*SHARES, *ENDS))


def test_a_share_is_of_the_rows_it_names() -> None:
    line = {
        "id": [f"RBW11.0.0.{place}" for place in range(4)],
        "answerable": [1, 1, 0, 0],
        "right": [1, 0, 0, 0],
        "refuses": [0, 1, 0, 1],
        "gives": [1, 1, 0, 1],
    }
    right = share(line, SHARES["right answers"])
    assert (right.value, right.n, right.units) == (0.5, 2, 1)
    assert share(line, SHARES["false refusals"]).value == 0.5
    assert share(line, SHARES["refusals due"]).value == 0.5
    assert share(line, SHARES["answers, nq"]).value == 1


def test_the_numbers_of_a_run_are_those_at_its_end() -> None:
    numbers = estimates(saved(), "before")
    assert list(numbers) == [*SHARES, "reward"]
