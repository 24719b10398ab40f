"""Time of the metrics with 1,000 cluster resamples."""

import time

from inspect_ai.scorer import SampleScore, Score

from benchmarks.result import Result
from benchmarks.rows import synthetic_items
from refusalbench_tasks.metrics.refusal import every_number
from refusalbench_tasks.metrics.reply_table import of_scores
from refusalbench_tasks.taxonomy import REFUSALS, Label


def scores(n: int) -> list[SampleScore]:
    """Return n scores as the task's scorer makes them."""
    made = []
    for k, item in enumerate(synthetic_items(n)):
        label = Label.ANSWER if k % 3 == 0 else REFUSALS[k * 31 % 7]
        value = {
            "refused": float(label.is_refusal),
            "hit": float(label is item.expected),
            "right": float(k % 5 > 0) if label is item.expected else 0.0,
            "grade": float("nan"),
            "confidence": float("nan"),
            "unscored": 0.0,
        }
        metadata = {"protocol": "paper", "decided_by": "parse"}
        score = Score(value=value, answer=label.value, metadata=metadata)
        made.append(
            SampleScore(
                score=score,
                sample_id=item.item_id,
                sample_metadata=item.model_dump(mode="json"),
            )
        )
    return made


def seconds(n: int, repeats: int) -> float:
    """Return the best processor time of all metrics with their
    intervals over n scores.
    """
    made = scores(n)
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        every_number(of_scores(made))
        best = min(best, time.process_time() - start)
    return best


def results() -> list[Result]:
    """Return the time at 1,600 rows, and how it grows to 160,000."""
    small = seconds(1_600, 5)
    large = seconds(160_000, 1)
    method = (
        "processor time of all metrics, 1,000 resamples of source questions, best of 5"
        " / one run"
    )
    return [
        Result("intervals of all metrics, 1,600 rows", f"{small:.3f} s", method),
        Result(
            "the same, 160,000 rows (100 times as many)",
            f"{large / small:.0f}×, {large:.1f} s",
            method,
        ),
    ]
