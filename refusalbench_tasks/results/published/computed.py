"""Published numbers that are no metric of a log, but follow from several."""

import math
from collections.abc import Callable, Mapping

Values = Mapping[str, float]
DOMAINS = ("Science", "Health", "Business & Industrial", "Law & Government", "Finance")
"""The domains of RefusalBench-GaRAGe (paper, C.1)."""
_NAN = math.nan


def _of(values: Values, key: str) -> float:
    return values.get(key, _NAN)


def _ratio(top: float, bottom: float) -> float:
    return top / bottom if bottom else _NAN


def _rows(values: Values) -> float:
    return _of(values, "n_answerable") + _of(values, "n_unanswerable")


def _difficulty(values: Values, subset: str) -> float:
    """Return the mean share of a domain's rows that is wrong, both sides alike (our reading of Figure 31)."""
    return 1 - (_of(values, f"{subset}/answer_accuracy") + _of(values, f"{subset}/refusal_accuracy")) / 2


def _range(found: list[float]) -> float:
    """Return the largest less the smallest; NaN if one is not known."""
    return _NAN if any(map(math.isnan, found)) else max(found) - min(found)


def _lowest(found: list[float]) -> float:
    return _NAN if any(map(math.isnan, found)) else min(found)


COMPUTED: Mapping[str, Callable[[Values, str], float]] = {
    "rows": lambda values, _: _rows(values),
    "share": lambda values, subset: (
        # a level's share of the stated ones is a metric; a domain's share of the rows follows from its n
        _of(values, f"{subset}/share")
        if f"{subset}/share" in values
        else _ratio(_of(values, f"{subset}/n"), _rows(values))
    ),
    "domain_share_range": lambda values, _: _range([_ratio(_of(values, f"{one}/n"), _rows(values)) for one in DOMAINS]),
    "false_to_missed_ratio": lambda values, _: _ratio(
        _of(values, "false_refusal_rate"), _of(values, "missed_refusal_rate")
    ),
    "refusal_rise_from_medium": lambda values, _: (
        _of(values, "HIGH/correct_refusal_rate") - _of(values, "MEDIUM/correct_refusal_rate")
    ),
    "raf_minus_unadjusted_factuality": lambda values, _: (
        _of(values, "raf_attempts") - _of(values, "unadjusted_factuality_attempts")
    ),
    "lowest_domain_refusal_accuracy": lambda values, _: _lowest(
        [_of(values, f"{one}/refusal_accuracy") for one in DOMAINS]
    ),
    "domain_answer_range": lambda values, _: _range([_of(values, f"{one}/answer_accuracy") for one in DOMAINS]),
    "difficulty": _difficulty,
    "difficulty_range": lambda values, _: _range([_difficulty(values, one) for one in DOMAINS]),
}
"""What each is, from the metrics of one log and the subset that the number is about; NaN where a metric is missing."""
