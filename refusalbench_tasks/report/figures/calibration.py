"""Whether replies are as sure as they should be, and how good the answers are."""

from refusalbench_tasks.replies.confidence import LEVELS, MIDPOINTS
from refusalbench_tasks.report.charts import Curves, Figure, Point
from refusalbench_tasks.report.groups import Group
from refusalbench_tasks.stats.estimate import Estimate

from .metric_charts import metric_dots

_PARTS = {
    "all replies": "ece",
    "answers": "ece_answers",
    "refusals": "ece_refusals",
    "answerable rows": "ece_answerable",
    "unanswerable rows": "ece_unanswerable",
}
_QUALITY = {
    "eligibility": "eligibility_attempts",
    "unadjusted factuality": "unadjusted_factuality_attempts",
    "RAF": "raf_attempts",
}
_NO_CONFIDENCE = "no run has stated confidence; run with -T confidence=true"


def error_by_part(group: Group) -> Figure | str:
    """Return the calibration error over all replies, by what the reply is, and by what
    the row is.
    """
    stated = [system for system in group.systems if system.number("ece").known]
    if not stated:
        return _NO_CONFIDENCE
    return Figure(
        "calibration-error",
        "Expected calibration error",
        "sum over the five levels of n_level / n x |share right - midpoint of the"
        " level's range|; answers and refusals are by what the reply is (paper, F.2),"
        " answerable and unanswerable rows by what the row is (released script); 95 %"
        " CIs by base question",
        metric_dots(stated, _PARTS),
    )


def reliability_diagram(group: Group) -> Figure | str:
    """Return the share of right replies by stated level."""
    lines = {}
    for system in group.systems:
        points = [
            Point(Estimate(MIDPOINTS[level]), system.number(f"{level}/accuracy"))
            for level in reversed(LEVELS)
        ]
        known = [point for point in points if point.y.known]
        if known:
            lines[system.label] = known
    if not lines:
        return _NO_CONFIDENCE
    return Figure(
        "reliability",
        "Reliability diagram",
        "share of right replies by stated level, drawn at the midpoint of the level's"
        " range; the diagonal is perfect calibration; 95 % CIs by base question",
        Curves(
            lines,
            "stated confidence",
            "share right",
            diagonal=True,
        ),
    )


def quality_of_attempts(group: Group) -> Figure | str:
    """Return how good the attempts to answer are, where a grader compared them with the
    passages.
    """
    if not any(system.run.replies["grounded"].any() for system in group.systems):
        return "needs a run of garage, whose answers are graded for grounding"
    graded = [system for system in group.systems if system.number("raf_attempts").known]
    if not graded:
        return "no attempt was graded"
    official = group.systems[0].run.protocol == "official-code"
    raf = f"{'' if official else 'eligible and '}factual by the relevant passages"
    return Figure(
        "answer-quality",
        "Quality of the attempts",
        "over graded attempts on answerable rows: eligibility; unadjusted factuality"
        f" (all claims); RAF = {raf}; 95 % CIs by base question",
        metric_dots(graded, _QUALITY),
    )
