"""What the tables of replies of all tasks share."""

import math

import pandas as pd

from refusalbench_tasks.metrics.reply_columns import (
    frame_of,
    no_reply,
    numbers_of,
    texts_of,
)


def test_a_frame_has_the_columns_of_the_blank_row_without_rows_too() -> None:
    blank = {"name": "", "n": 1, "score": math.nan}
    assert list(frame_of([], blank).columns) == ["name", "n", "score"]
    [row] = frame_of([{"name": "a", "more": 2}], blank).to_dict("records")
    assert (row["name"], row["n"], row["more"]) == ("a", 1, 2)
    assert math.isnan(row["score"])


def test_null_is_no_number_and_no_text() -> None:
    numbers = numbers_of({"a": None, "b": 2}, ("a", "b", "c"))
    assert numbers["b"] == 2.0
    assert math.isnan(numbers["a"])
    assert math.isnan(numbers["c"])
    assert texts_of({"a": None, "b": "x"}, ("a", "b")) == {"a": "", "b": "x"}


def test_a_row_that_was_never_asked_is_not_known_to_lack_a_reply() -> None:
    table = pd.DataFrame(
        {
            "outcome": ["decided", "no_reply", "unscored", "error"],
            "reason": ["", "empty", "not_in_file", ""],
        }
    )
    silent = no_reply(table).tolist()
    assert silent[:2] == [0.0, 1.0]
    assert all(map(math.isnan, silent[2:]))
