"""The tables of `show`: main metrics by model, in text and for a paper."""

import pytest

from refusalbench_tasks.results.show import (
    long_table,
    paper_tables,
    shown_runs,
    text_tables,
)
from refusalbench_tasks.taxonomy import Intensity, Label
from tests.results.synthetic import NAN, row, run

SAMPLES = [
    *(row(f"a{k}", Label.ANSWER, intensity=Intensity.LOW) for k in range(8)),
    *(row(f"b{k}", Label.MISSING) for k in range(8)),
    row("c", None, reason="grader_failed"),
]
GROUPS = shown_runs([run(SAMPLES, "lab/m")])


def test_a_narrow_terminal_has_blocks_that_each_begin_with_the_models() -> None:
    wide = text_tables(GROUPS, width=1000)
    narrow = text_tables(GROUPS, width=60)
    tables = [part for part in narrow.split("\n\n") if "\nm " in part]
    assert len(tables) > 1
    assert all(len(line) <= 60 for part in tables for line in part.splitlines())
    assert wide.count("\nm ") == 1


def test_notes_tell_the_n_and_why_replies_are_unscored() -> None:
    text = text_tables(GROUPS)
    assert "16 (calibrated_refusal_score, " in text
    assert "m: 1 of 17 replies are unscored (1 grader_failed)." in text


def test_a_paper_has_headings_in_words_and_the_notes_in_a_caption() -> None:
    [table] = paper_tables(GROUPS)
    [line] = table.rows
    assert str(line["Answer accuracy"]).startswith("1.000 [")
    assert line["n"] == 17
    assert "1 of 17 replies are unscored" in str(table.caption)


def test_bounds_stand_beside_rates_that_an_unscored_reply_could_move() -> None:
    lines = {line["metric"]: line for line in long_table(GROUPS).rows}
    missed = lines["missed_refusal_rate"]
    bounds = (missed["value"], missed["lowest"], missed["highest"])
    assert bounds == pytest.approx((0, 0, 1 / 9))
    assert lines["unscored"]["value"] == 1


def test_a_note_says_what_to_do_where_an_answer_could_not_be_graded_offline() -> None:
    ungraded = row("d", Label.ANSWER, intensity=Intensity.LOW, numbers={"right": NAN})
    text = text_tables(shown_runs([run([*SAMPLES, ungraded])]))
    names = "calibrated_refusal_score, answer_accuracy"
    assert f"m: no {names}: 8 of 9 replies to answerable rows could be" in text
    assert text.count("add other wordings to `answers` or name a grader") == 1
    assert text.count(": no ") == 1
