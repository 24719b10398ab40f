"""What a run has in the place of a published number."""

import pytest

from tests.results.published.published_runs import (
    NQ_ARGS,
    of_nq,
    one_row,
    samples,
)


def test_numbers_about_the_rows_need_no_settings() -> None:
    of = of_nq(
        "none/none", task_args=NQ_ARGS | {"judge": "offline", "prompt": "mine.txt"}
    )
    found = one_row(of, label="rows", model="data set")
    assert (found.measured.value, found.reading, found.differences) == (
        20,
        "not consistent",
        (),
    )


def test_numbers_that_follow_from_several() -> None:
    ratio = one_row(of_nq(), label="false_to_missed_ratio")
    assert ratio.measured.value == pytest.approx(6)
    rates = {
        "openai/gpt-4o": (6, 1),
        "openai/o4-mini": (2, 3),
        "openai/gpt-4.1": (4, 2),
    }
    runs = [of_nq(model, samples(x, y)) for model, (x, y) in rates.items()]
    best = one_row(*runs, model="all models", label="highest refusal_accuracy")
    assert (best.measured.value, best.differences[0]) == (0.9, "3 of 9 models")
    r = one_row(
        *runs,
        model="all models",
        label="correlation of false_refusal_rate and missed_refusal_rate",
    )
    assert r.measured.value == pytest.approx(-1)
