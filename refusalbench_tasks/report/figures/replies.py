"""What kinds of replies there are, and how good the answers among them are."""

import numpy as np

from refusalbench_tasks.metrics.grounding import BUCKETS, QUALITY, UNCODED, UNGRADED, kind_of, quality_cells
from refusalbench_tasks.metrics.refusal_values import replies_of
from refusalbench_tasks.report.charts import Bars, Mark, Scatter, Stacks, Value
from refusalbench_tasks.report.figures.figure import Absent, Figure
from refusalbench_tasks.report.tally import RefusalGroup, Tally
from refusalbench_tasks.stats.cluster import Floats, bounded_bootstrap, cluster_sums
from refusalbench_tasks.stats.uncertainty import ratios_of
from refusalbench_tasks.taxonomy import Label

_COLOURS = {
    "good answer": "#009e73",
    "poor answer": "#cc79a7",
    "correct code refusal": "#0072b2",
    "wrong code refusal": "#56b4e9",
    "uncoded refusal": "#004d80",
    "false refusal": "#e69f00",
    "missed refusal": "#d55e00",
    "ungraded answer": "#7f7f7f",
}
"""What is right is green or blue and what is wrong is warm, so that opposite outcomes are not alike."""
_ON_ATTEMPTS = {
    "eligibility": "eligibility_attempts",
    "unadjusted factuality": "unadjusted_factuality_attempts",
    "RAF": "raf_attempts",
}


def distribution_of_kinds(group: RefusalGroup) -> Figure | Absent:
    """Return the share of each of the six kinds of reply."""
    kinds = [tally.rows.at(tally.rows.decided).counted(lambda row: kind_of(row.outcome)) for tally in group.tallies]
    totals = [counts.total() for counts in kinds]
    if not any(totals):
        return Absent("no reply is decided")
    names = [*BUCKETS, *(name for name in (UNCODED, UNGRADED) if any(counts[name] for counts in kinds))]
    parts = {
        name.replace("_", " "): [c[name] / n if n else float("nan") for c, n in zip(kinds, totals, strict=True)]
        for name in names
    }
    return Figure(
        "distribution",
        "Six kinds of reply",
        "each kind / decided replies; the kinds exclude each other; ungraded answers, and refusals that are due where "
        "no codes were asked for, are parts of their own",
        Stacks([tally.label for tally in group.tallies], parts, totals, _COLOURS),
    )


def operating_points(group: RefusalGroup) -> Figure | Absent:
    """Return the risk of the answers that are given against how many are."""
    marks = [mark for mark in map(_operating_point, group.tallies) if mark.y.known]
    if not marks:
        return Absent("no answer is graded")
    return Figure(
        "operating-points",
        "Risk of the answers that are given",
        "coverage = answers / decided replies; risk = wrong / graded answers (an answer to an unanswerable row is "
        "wrong); crosses are 95 % intervals by base question",
        Scatter(marks, "coverage", "risk of the answers"),
    )


def _operating_point(tally: Tally) -> Mark:
    decided = tally.predicted >= 0
    rows = tally.rows.at(decided)
    outcomes = [row.outcome for row in rows.kinds]
    answered = np.array([outcome.predicted is Label.ANSWER for outcome in outcomes], dtype=bool)
    graded = answered & np.array([outcome.right is not None for outcome in outcomes], dtype=bool)
    wrong = answered & np.array([outcome.right is False for outcome in outcomes], dtype=bool)
    cells = np.column_stack([answered, np.ones(len(outcomes)), wrong, graded]).astype(float)
    sums = cluster_sums(cells, tally.units[decided], rows.which)

    def statistic(totals: Floats) -> Floats:
        with np.errstate(invalid="ignore", divide="ignore"):
            result: Floats = totals[..., [0, 2]] / totals[..., [1, 3]]
        return result

    both, interval = statistic(sums.sum(axis=0)), bounded_bootstrap(sums, statistic)
    ns = (len(rows), int(sums[:, 3].sum()))
    x, y = (Value(float(both[i]), float(interval.low[i]), float(interval.high[i]), ns[i]) for i in range(2))
    return Mark(tally.label, x, y)


def quality_of_attempts(group: RefusalGroup) -> Figure | Absent:
    """Return how good the attempts to answer are, where a grader compared them with the passages."""
    tallies = group.tallies
    if not any(tally.rows.grounded for tally in tallies):
        return Absent("needs a run of garage, whose answers are graded for grounding")
    official = tallies[0].run.protocol == "official-code"
    qualities = {t.label: _quality(t) for t in tallies}
    if not any(values["raf_attempts"].known for values in qualities.values()):
        return Absent("no attempt was graded")
    chart = Bars(
        list(qualities),
        {name: [values[key] for values in qualities.values()] for name, key in _ON_ATTEMPTS.items()},
        "share of attempts",
    )
    return Figure(
        "answer-quality",
        "Quality of the attempts",
        "over graded attempts on answerable rows: eligibility; unadjusted factuality (all claims); RAF = "
        + ("factual by the relevant passages" if official else "eligible and factual by the relevant passages")
        + "; 95 % intervals by base question",
        chart,
    )


def _quality(tally: Tally) -> dict[str, Value]:
    """Return each of `QUALITY` with its n and its 95 % interval by base question."""
    sums = cluster_sums(quality_cells(replies_of(tally.rows)), tally.units)
    totals, interval = sums.sum(axis=0), bounded_bootstrap(sums, ratios_of)
    parts = (ratios_of(totals), interval.low, interval.high, totals[len(QUALITY) :])
    return {name: Value(*map(float, numbers)) for name, *numbers in zip(QUALITY, *parts, strict=True)}
