"""All metrics of a log share one reading of its scores, and never one of other scores."""

from collections.abc import Sequence
from unittest.mock import Mock

import pytest
from inspect_ai.scorer import SampleScore, Score

from refusalbench_tasks.metrics import score_reading
from refusalbench_tasks.metrics.inspect_refusal import calibration_metrics, refusal_counts, refusal_metrics
from refusalbench_tasks.metrics.refusal_rows import refusal_row
from refusalbench_tasks.metrics.score_reading import ReadOnce


def sample(value: float) -> SampleScore:
    numbers = {"right": value, "unscored": 0.0}
    facts = {"expected": "ANSWER_CORRECTLY", "source_id": "q"}
    return SampleScore(score=Score(value=numbers, answer="ANSWER_CORRECTLY"), sample_metadata=facts)


class Reader:
    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, scores: Sequence[SampleScore]) -> tuple[float, ...]:
        self.calls += bool(scores)
        return tuple(one.score.as_dict()["right"] for one in scores)  # type: ignore[misc]


def test_the_same_scores_in_another_list_are_read_once() -> None:
    reader = Reader()
    rows_of, scores = ReadOnce(reader), [sample(1), sample(0)]
    assert rows_of(scores) == rows_of(list(scores)) == (1, 0)
    assert reader.calls == 1


def test_other_scores_are_read_anew() -> None:
    rows_of, scores = ReadOnce(Reader()), [sample(1), sample(0)]
    assert rows_of([]) == ()
    assert rows_of(scores) == (1, 0)
    scores.append(sample(1))  # a run that goes on fills the list that it gave before
    assert rows_of(scores) == (1, 0, 1)
    assert rows_of(scores[:1]) == (1,)
    assert rows_of(scores[::-1]) == (1, 0, 1)[::-1]
    scores[0].score.value = {"right": 0.5, "unscored": 0.0}  # an edited score
    assert rows_of(scores) == (0.5, 0, 1)
    assert rows_of([]) == ()


def test_equal_scores_of_another_log_are_read_for_themselves() -> None:
    reader = Reader()
    rows_of = ReadOnce(reader)
    assert rows_of([sample(1)]) == rows_of([sample(1)])
    assert reader.calls == 2


def test_the_metrics_of_a_log_read_each_score_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read = Mock(wraps=refusal_row)
    monkeypatch.setattr(score_reading, "refusal_row", read)
    scores = [sample(1), sample(0)]
    for metric in (refusal_metrics(), refusal_counts(), calibration_metrics()):
        metric(list(scores))  # type: ignore[arg-type]
    assert read.call_count == len(scores)
