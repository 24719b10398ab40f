"""The values of the refusal metrics, from the scores of `refusal_scores`.

A row is one sample in one epoch; clusters keep the epochs of a question together.
"""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import cast, get_args

import numpy as np
from inspect_ai.scorer import SampleScore

from refusalbench_tasks.metrics.calibration import Bin, brier_score, expected_calibration_error, reliability
from refusalbench_tasks.metrics.grounding import Grounded, citation_quality, distribution, quality
from refusalbench_tasks.metrics.refusal import (
    METRICS,
    RATES,
    count_rows,
    counts_by_name,
    denominators,
    rates,
)
from refusalbench_tasks.metrics.refusal_rows import RefusalRow, protocol_of, rows_of
from refusalbench_tasks.outcome import DecidedBy, Protocol, Reason
from refusalbench_tasks.replies.confidence import LEVELS, MIDPOINTS, Level
from refusalbench_tasks.stats.cluster import Floats, bounded_bootstrap, cluster_sums, jackknife_stderr
from refusalbench_tasks.taxonomy import Label

WITH_INTERVALS = tuple(name for name, rate in RATES.items() if rate.main)
"""The main metrics: they have intervals in a log and columns in `show`, `report` and `compare`."""
OF_CONTROLS = ("answer_accuracy", "false_refusal_rate")
"""The metrics of unperturbed controls, which carry `control_` before their names."""
_BY_GROUP = ("answer_accuracy", "refusal_accuracy", "false_refusal_rate", "correct_refusal_rate")
# Inspect draws every metric on the screen, again and again: what a log can give later is not a metric.


def _totals(rows: Sequence[RefusalRow]) -> Floats:
    return cast(Floats, count_rows([row.outcome for row in rows]).sum(axis=0))


def main_rates(scores: Sequence[SampleScore]) -> dict[str, float]:
    """Return the paper's metrics over the perturbed rows (App. D), and the clean controls' two rates beside them."""
    rows = rows_of(scores)
    perturbed = [row for row in rows if not row.is_control]
    values = rates(_totals(perturbed), protocol_of(rows))
    result = dict(zip(METRICS, map(float, values), strict=True))
    controls = [row for row in rows if row.is_control]
    if controls:
        totals = _totals(controls)
        clean = dict(zip(METRICS, map(float, rates(totals)), strict=True))
        for name in OF_CONTROLS:
            result[f"control_{name}"] = clean[name]
    return result


def row_counts(scores: Sequence[SampleScore]) -> dict[str, float]:
    """Return how many rows there are of each kind, how they were decided, and why some were not."""
    rows = rows_of(scores)
    perturbed = [row for row in rows if not row.is_control]
    counts = counts_by_name(_totals(perturbed))
    reasons = Counter(row.reason for row in rows if row.outcome.predicted is None)
    deciders = Counter(row.about.get("decided_by") for row in rows)
    result: dict[str, float] = {
        "n": len(rows),
        "n_answerable": sum(row.outcome.expected is Label.ANSWER for row in perturbed),
        "n_unanswerable": sum(row.outcome.expected is not Label.ANSWER for row in perturbed),
        "n_controls": len(rows) - len(perturbed),
        "n_clusters": len({row.outcome.cluster for row in rows}),
        "n_unscored": sum(reasons.values()),
        "n_ungraded": counts["ungraded"],
        "n_self_graded": sum(bool(row.about.get("self_graded")) for row in rows),
    }
    result |= {f"n_{reason}": reasons[reason] for reason in get_args(Reason) if reasons[reason]}
    result |= {f"n_by_{decider}": deciders[decider] for decider in get_args(DecidedBy)}
    return result


def intervals(scores: Sequence[SampleScore], resamples: int, seed: int, cluster: str) -> dict[str, float]:
    """Return n, clustered standard error and 95 % percentile interval of the main metrics, and of the controls' two.

    `cluster` is `source` (resample base questions) or `row` (take rows for independent).
    """
    rows = rows_of(scores)
    counted = [row for row in rows if not row.is_control]
    result = _intervals(counted, WITH_INTERVALS, protocol_of(counted), resamples, seed, cluster)
    controls = [row for row in rows if row.is_control]
    if controls:
        found = _intervals(controls, OF_CONTROLS, "paper", resamples, seed, cluster)
        result |= {f"control_{name}": value for name, value in found.items()}
    return result


def _intervals(
    rows: Sequence[RefusalRow], metrics: Sequence[str], protocol: Protocol, resamples: int, seed: int, cluster: str
) -> dict[str, float]:
    outcomes = [row.outcome for row in rows]
    counts = count_rows(outcomes)
    names = [o.cluster if cluster == "source" else f"{i:09d}" for i, o in enumerate(outcomes)]
    sums = cluster_sums(counts, names)

    def statistic(totals: Floats) -> Floats:
        return rates(totals, protocol)

    interval = bounded_bootstrap(sums, statistic, resamples, seed)
    stderr = jackknife_stderr(sums, statistic)
    ns = denominators(counts.sum(axis=0), protocol)
    result: dict[str, float] = {}
    for name in metrics:
        i = METRICS.index(name)
        result |= {
            f"{name}_n": ns[name],
            f"{name}_stderr": float(stderr[i]),
            f"{name}_bootstrap_stderr": float(interval.stderr[i]),
            f"{name}_ci_low": float(interval.low[i]),
            f"{name}_ci_high": float(interval.high[i]),
        }
    return result


def by_group(scores: Sequence[SampleScore]) -> dict[str, float]:
    """Return four rates and n by class, intensity, generator, domain ..., as `GROUP/METRIC`; only groups that occur.

    The missed refusal rate and the rest follow from a log (`refusalbench show`).
    """
    keys: dict[str, Callable[[RefusalRow], str]] = {
        "class": lambda row: str(row.facts.get("perturbation") or ""),
        "intensity": lambda row: str(row.facts.get("intensity") or ""),
        "generator": lambda row: str(row.facts.get("generator") or ""),
        "domain": lambda row: str(row.facts.get("domain") or ""),
        "type": lambda row: str(row.facts.get("question_type") or ""),
        "complexity": lambda row: str(row.facts.get("question_complexity") or ""),
    }
    rows = [row for row in rows_of(scores) if not row.is_control]
    counts = count_rows([row.outcome for row in rows])
    protocol = protocol_of(rows)
    result: dict[str, float] = {}
    for key in keys.values():
        groups = np.array([key(row) for row in rows], dtype=str)
        for group in sorted(set(groups.tolist()) - {""}):
            totals = counts[groups == group].sum(axis=0)
            values = dict(zip(METRICS, map(float, rates(totals, protocol)), strict=True))
            result |= {f"{group}/{name}": values[name] for name in _BY_GROUP if not math.isnan(values[name])}
            result[f"{group}/n"] = float((groups == group).sum())
    return result


def calibration(scores: Sequence[SampleScore]) -> dict[str, float]:
    """Return ECE over five bins (overall, answerable, unanswerable rows), Brier, and the reliability table.

    Only where a confidence was asked for. A row counts if its correctness is known and its level could be read;
    `confidence_unparsed` counts the decided rows whose level could not.
    """
    rows = [row for row in rows_of(scores) if not row.is_control and row.about.get("confidence_asked")]
    if not rows:
        return {}
    known = [row for row in rows if row.outcome.right is not None]
    stated = with_confidence(rows)
    result: dict[str, float] = {
        "confidence_n": len(stated),
        "confidence_unparsed": len(known) - len(stated),
        "ece": _ece(stated),
        "ece_answers": _ece([row for row in stated if row.outcome.expected is Label.ANSWER]),
        "ece_refusals": _ece([row for row in stated if row.outcome.expected is not Label.ANSWER]),
        "brier": brier_score(*stated_confidence(stated)),
    }
    for level, found in zip(LEVELS, reliability_bins(stated), strict=True):
        result[f"{level}/share"] = found.n / len(stated) if stated else float("nan")
        result[f"{level}/accuracy"] = found.accuracy
        result[f"{level}/n"] = found.n
    return result


def with_confidence(rows: Sequence[RefusalRow]) -> list[RefusalRow]:
    """Return the rows whose reply is known to be right or wrong and states a confidence level."""
    return [row for row in rows if row.outcome.right is not None and row.about.get("level")]


def reliability_bins(rows: Sequence[RefusalRow]) -> list[Bin]:
    """Return the five bins of rows with a confidence, most confident first."""
    return reliability(*stated_confidence(rows), [MIDPOINTS[level] for level in LEVELS])


def stated_confidence(rows: Sequence[RefusalRow]) -> tuple[list[float], list[float]]:
    """Return the confidence of rows that state one, and 1 where the reply is right, else 0."""
    confidence = [MIDPOINTS[Level(row.about["level"])] for row in rows]
    return confidence, [float(row.outcome.right is True) for row in rows]


def _ece(rows: Sequence[RefusalRow]) -> float:
    return expected_calibration_error(reliability_bins(rows))


def grounding(scores: Sequence[SampleScore]) -> dict[str, float]:
    """Return answer quality and the citation metrics of the perturbed rows."""
    replies = [grounded(row) for row in rows_of(scores) if not row.is_control]
    return {**quality(replies), **citation_quality(replies)}


def kinds(scores: Sequence[SampleScore]) -> dict[str, float]:
    """Return the shares of the six kinds of reply among the perturbed rows, with `kinds_n`, the replies behind them."""
    replies = [grounded(row) for row in rows_of(scores) if not row.is_control]
    return {**distribution(replies), "kinds_n": float(sum(reply.known for reply in replies))}


def grounded(row: RefusalRow) -> Grounded:
    """Return a row as the metrics of answer quality see it."""

    def known(key: str) -> float | None:
        value = row.numbers.get(key, float("nan"))
        return None if math.isnan(value) else value

    cited, existing, signal = (int(known(f"citations{part}") or 0) for part in ("", "_existing", "_signal"))
    return Grounded(row.outcome, known("eligible"), known("factual_all"), cited, existing, signal)
