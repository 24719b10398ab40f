"""What rates could be if every undecided reply were known."""

from dataclasses import dataclass

from refusalbench_tasks.metrics.refusal_counts import columns
from refusalbench_tasks.stats.cluster import Floats


@dataclass(frozen=True)
class Bounds:
    """The lowest and the highest value that a rate could have, and how many of its rows are not known."""

    low: float
    high: float
    unknown: int


def rate_bounds(counts: Floats, lost_answerable: int = 0, lost_unanswerable: int = 0) -> dict[str, Bounds]:
    """Return the bounds of four rates over all rows, with every unknown row against and for the rate.

    `counts` is a count vector; `lost_...` are rows without a score (errors). With k rows known to count, n known and u
    unknown: k / (n + u) to (k + u) / (n + u) (Manski 1989). Unknown are undecided and lost rows, and for the accuracies
    ungraded attempts and refusals without a known code. NaN without rows.
    """
    c = {name: float(one) for name, one in columns(counts).items() if one.ndim == 0}
    answerable = int(c["unscored_answerable"]) + lost_answerable
    unanswerable = int(c["unscored_unanswerable"]) + lost_unanswerable
    return {
        "answer_accuracy": unknown_bounds(c["correct"], c["graded"], answerable + int(c["ungraded"])),
        "refusal_accuracy": unknown_bounds(c["hits"], c["coded"], unanswerable + int(c["unanswerable"] - c["coded"])),
        "false_refusal_rate": unknown_bounds(c["false_refusals"], c["answerable"], answerable),
        "missed_refusal_rate": unknown_bounds(c["missed"], c["unanswerable"], unanswerable),
    }


def unknown_bounds(part: float, known: float, unknown: int) -> Bounds:
    """Return the bounds of part / known over known + unknown rows, each unknown row worth 0 or 1; NaN without rows."""
    whole = known + unknown
    nan = float("nan")
    return Bounds(part / whole, (part + unknown) / whole, unknown) if whole else Bounds(nan, nan, 0)
