"""Whether replies are as sure as they should be, and how good the answers are."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from refusalbench_tasks.metrics.calibration import Bin, level_bins, with_confidence
from refusalbench_tasks.replies.confidence import MIDPOINTS
from refusalbench_tasks.report.charts import Curves, Dots, Point
from refusalbench_tasks.report.figures.figure import Figure
from refusalbench_tasks.report.system import Group
from refusalbench_tasks.stats.estimate import Estimate
from refusalbench_tasks.stats.proportion import wilson

INTERVALS = "95 % Wilson CIs, with the bin's questions for its n"
_PARTS = {
    "ece": "all replies",
    "ece_answers": "answers",
    "ece_refusals": "refusals",
    "ece_answerable": "answerable rows",
    "ece_unanswerable": "unanswerable rows",
}
_QUALITY = {
    "eligibility_attempts": "eligibility",
    "unadjusted_factuality_attempts": "unadjusted factuality",
    "raf_attempts": "RAF",
}
_NO_CONFIDENCE = "no run has stated confidence; run with -T confidence=true"


def error_by_part(group: Group) -> Figure | str:
    """Return the calibration error over all replies, by what the reply is, and by what
    the row is.
    """
    stated = [
        one for one in group.systems if one.calibration and one.calibration["ece"].known
    ]
    if not stated:
        return _NO_CONFIDENCE
    series = {
        name: [one.calibration[key] for one in stated] for key, name in _PARTS.items()
    }
    return Figure(
        "calibration-error",
        "Expected calibration error",
        "sum over the five levels of n_level / n x |share right - midpoint of the"
        " level's range|; answers and refusals are by what the reply is (paper, F.2),"
        " answerable and unanswerable rows by what the row is (released script); 95 %"
        " CIs by base question",
        Dots([one.label for one in stated], series),
    )


def reliability_diagram(group: Group) -> Figure | str:
    """Return the share of right replies by stated level."""
    lines = {}
    for one in group.systems:
        rows = with_confidence(one.run.replies)
        if len(rows):
            lines[one.label] = reliability_points(
                level_bins(one.run.replies), _midpoints(rows), rows["cluster"]
            )
    if not lines:
        return _NO_CONFIDENCE
    return Figure(
        "reliability",
        "Reliability diagram",
        "share of right replies by stated level, drawn at the midpoint of the level's"
        f" range; the diagonal is perfect calibration; {INTERVALS}; systems stand side"
        " by side at a level",
        Curves(lines, "stated confidence", "share right", diagonal=True, joined=False),
    )


def _midpoints(rows: Any) -> Any:
    return (
        rows["level"]
        .map({level.value: midpoint for level, midpoint in MIDPOINTS.items()})
        .astype(float)
    )


def reliability_points(
    bins: Sequence[Bin], confidence: Sequence[float], units: Sequence[str]
) -> list[Point]:
    """Return a point for each bin that is not empty, the least confident first.

    `confidence` and `units` are of the rows that the bins were made of; bins hold
    neighbours in confidence. Rows of one unit, which is the question by default, are
    not independent, so a CI rests on the number of units.
    """
    order = np.argsort(np.asarray(confidence, dtype=float), kind="stable")
    points = []
    start = 0
    named = list(units)
    for one in sorted((b for b in bins if b.n), key=lambda b: b.confidence):
        inside = order[start : start + one.n]
        start += one.n
        n = len({named[i] for i in inside})
        low, high = wilson(one.accuracy * n, n)
        points.append(
            Point(
                Estimate(one.confidence),
                Estimate(one.accuracy, one.n, low=low, high=high),
            )
        )
    return points


def quality_of_attempts(group: Group) -> Figure | str:
    """Return how good the attempts to answer are, where a grader compared them with the
    passages.
    """
    if not any(one.run.replies["grounded"].any() for one in group.systems):
        return "needs a run of garage, whose answers are graded for grounding"
    graded = [one for one in group.systems if one.shares["raf_attempts"].known]
    if not graded:
        return "no attempt was graded"
    raf = "factual by the relevant passages"
    raf = (
        raf
        if group.systems[0].run.protocol == "official-code"
        else f"eligible and {raf}"
    )
    return Figure(
        "answer-quality",
        "Quality of the attempts",
        "over graded attempts on answerable rows: eligibility; unadjusted factuality"
        f" (all claims); RAF = {raf}; 95 % CIs by base question",
        Dots(
            [one.label for one in graded],
            {name: [one.shares[k] for one in graded] for k, name in _QUALITY.items()},
        ),
    )
