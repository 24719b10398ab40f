"""Whether replies are as sure as they should be, and how good the answers are."""

from refusalbench_tasks.replies.confidence import LEVELS, MIDPOINTS
from refusalbench_tasks.report.charts import Curves, Dots, Point
from refusalbench_tasks.report.figures.figure import Figure
from refusalbench_tasks.report.groups import Group
from refusalbench_tasks.stats.estimate import Estimate

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
    stated = [system for system in group.systems if system.number("ece").known]
    if not stated:
        return _NO_CONFIDENCE
    series = {name: [one.number(key) for one in stated] for key, name in _PARTS.items()}
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
        " range; the diagonal is perfect calibration; 95 % CIs by base question;"
        " systems stand side by side at a level",
        Curves(lines, "stated confidence", "share right", diagonal=True, joined=False),
    )


def quality_of_attempts(group: Group) -> Figure | str:
    """Return how good the attempts to answer are, where a grader compared them with the
    passages.
    """
    if not any(one.run.replies["grounded"].any() for one in group.systems):
        return "needs a run of garage, whose answers are graded for grounding"
    graded = [one for one in group.systems if one.number("raf_attempts").known]
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
            {name: [one.number(k) for one in graded] for k, name in _QUALITY.items()},
        ),
    )
