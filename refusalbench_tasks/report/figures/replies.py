"""What kinds of replies there are, and how good the answers among them are."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from refusalbench_tasks.metrics.grounding import BUCKETS, Grounded, bucket, quality
from refusalbench_tasks.metrics.refusal import Floats
from refusalbench_tasks.metrics.refusal_values import grounded
from refusalbench_tasks.report.charts import Bars, Mark, Scatter, Stacks, Value
from refusalbench_tasks.report.figures.figure import Absent, Figure, Found
from refusalbench_tasks.report.tally import Tally
from refusalbench_tasks.stats.cluster import bootstrap, cluster_sums
from refusalbench_tasks.taxonomy import Label

_ON_ATTEMPTS = {
    "eligibility": "eligibility_attempts",
    "unadjusted factuality": "unadjusted_factuality_attempts",
    "RAF": "raf_attempts",
}


def reply_figures(tallies: Sequence[Tally], task: str) -> Found:
    """Return the six kinds of reply, the answers' risk against their coverage, and the quality of attempts."""
    return [_distribution(tallies), _operating_points(tallies), _attempts(tallies, task)]


def _distribution(tallies: Sequence[Tally]) -> Figure:
    found = [Counter(bucket(Grounded(row.outcome)) for row in t.rows if row.outcome.right is not None) for t in tallies]
    totals = [sum(counts.values()) for counts in found]
    parts = {
        name.replace("_", " "): [c[name] / n if n else float("nan") for c, n in zip(found, totals, strict=True)]
        for name in BUCKETS
    }
    return Figure(
        "distribution",
        "Six kinds of reply",
        "each kind / replies that are known to be right or wrong; the kinds exclude each other",
        Stacks([t.label for t in tallies], parts, totals),
        "RefusalBench",
        (26,),
    )


def _operating_points(tallies: Sequence[Tally]) -> Figure:
    marks = [mark for mark in map(_operating_point, tallies) if mark.y.value == mark.y.value]
    return Figure(
        "operating-points",
        "Risk of the answers that are given",
        "coverage = replies that answer / replies known to be right or wrong; risk = wrong among those answers (an "
        "answer to an unanswerable row is wrong); crosses are 95 % intervals by base question",
        Scatter(marks, "coverage", "risk of the answers"),
    )


def _operating_point(tally: Tally) -> Mark:
    known = [(row.outcome, cluster) for row, cluster in zip(tally.rows, tally.clusters, strict=True)
             if row.outcome.right is not None]  # fmt: skip
    answered = [outcome.predicted is Label.ANSWER for outcome, _ in known]
    wrong = [outcome.predicted is Label.ANSWER and not outcome.right for outcome, _ in known]
    cells = np.array([answered, wrong, [True] * len(known)], dtype=float).T.reshape(-1, 3)
    sums = cluster_sums(cells, [cluster for _, cluster in known])

    def statistic(totals: Floats) -> Floats:
        a, w, n = (totals[..., i] for i in range(3))
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.stack([a / n, w / a], axis=-1)

    both, interval = statistic(sums.sum(axis=0)), bootstrap(sums, statistic)
    ns = (len(known), sum(answered))
    x, y = (Value(float(both[i]), float(interval.low[i]), float(interval.high[i]), ns[i]) for i in range(2))
    return Mark(tally.label, x, y)


def _attempts(tallies: Sequence[Tally], task: str) -> Figure | Absent:
    if task != "garage":
        return Absent("RefusalBench", (27,), "needs a run of garage, whose answers are graded for grounding")
    found = {t.label: quality([grounded(row) for row in t.rows]) for t in tallies}
    chart = Bars(
        list(found),
        {
            name: [Value(values[key], n=values[f"{key}_n"]) for values in found.values()]
            for name, key in _ON_ATTEMPTS.items()
        },
        "share of attempts",
    )
    if not any(values["raf_attempts_n"] for values in found.values()):
        return Absent("RefusalBench", (27,), "no attempt was graded")
    return Figure(
        "answer-quality",
        "Quality of the attempts",
        "over graded attempts on answerable rows: eligibility; unadjusted factuality (all claims); RAF = eligible and "
        "factual by the relevant passages",
        chart,
        "RefusalBench",
        (27,),
    )
