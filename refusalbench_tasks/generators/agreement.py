"""How writers and verifiers of generation runs agree: the paper's figures 3, 4 and 14 to 17."""

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from refusalbench_tasks.generators.generation_logs import Generated
from refusalbench_tasks.stats.agreement import cohen_kappa
from refusalbench_tasks.stats.cluster import bootstrap, cluster_sums

Row = dict[str, str | float | int]
NEUTRAL = 0.05
"""A self-evaluation gap within this is called neutral (paper, figure 17)."""


EARLY_STOP = (
    "not measurable: early stop. A verifier that is asked only where the earlier ones passed shows no rate of its own; "
    "run perturb with -T verify=all, or with -T audit_share=0.1"
)


@dataclass(frozen=True)
class Panel:
    """Tables by name, each a list of rows with the same columns; and why votes cannot be read, where they can't."""

    tables: dict[str, list[Row]]
    note: str = ""


def panel_tables(items: Sequence[Generated]) -> Panel:
    """Return the agreement tables of candidates with votes.

    Pass rates and agreement are those of first attempts that the whole panel judged whatever the outcome: of runs with
    `verify=all`, or of audited slots, each weighed by 1 / the probability of being drawn. Later attempts exist only
    where an earlier one was rejected. Matched are the slots that are so judged for every writer (paper §4.2).
    """
    judged = [item for item in items if _is_judged(item)]
    verifiers = sorted({vote.verifier for item in items for vote in item.votes})
    matched = _matched(judged, {item.writer for item in items})
    tables = {
        "pass_rates": _pass_rates(matched, verifiers),
        "self_against_cross": _self_against_cross(matched),
        "kappa": _kappa(judged, verifiers),
        "by_class": _by(items, lambda item: item.slot.perturbation.value),
        "by_intensity": _by(items, lambda item: item.slot.intensity.value),
        "by_lever": _by(items, lambda item: item.slot.lever or (item.candidate.lever if item.candidate else "(none)")),
    }
    return Panel(tables, EARLY_STOP if verifiers and not judged else "")


@dataclass(frozen=True)
class _Judged:
    """A candidate with the votes of its whole panel, and how many like it it stands for."""

    item: Generated
    weight: float

    @property
    def votes(self) -> dict[str, bool]:
        return {vote.verifier: vote.passed for vote in self.item.votes if vote.passed is not None}


def _is_judged(item: Generated) -> bool:
    complete = bool(item.votes) and all(vote.passed is not None for vote in item.votes)
    return item.slot.attempt == 1 and item.panel_share > 0 and complete


def _matched(items: Sequence[Generated], writers: Collection[str]) -> list[_Judged]:
    full = {(item.writer, item.slot.slot_id): item for item in items}
    found: list[_Judged] = []
    for slot in sorted({slot for _, slot in full}):
        own = [full[writer, slot] for writer in sorted(writers) if (writer, slot) in full]
        if len(own) == len(writers):
            # smaller shares lie within larger ones, so that the smallest is the chance of being drawn for all
            found += [_Judged(item, 1 / min(one.panel_share for one in own)) for item in own]
    return found


def _pass_rates(matched: Sequence[_Judged], verifiers: Sequence[str]) -> list[Row]:
    rows: list[Row] = []
    for writer in sorted({one.item.writer for one in matched}):
        own = [one for one in matched if one.item.writer == writer]
        row: Row = {"writer": writer, "n": len(own)}
        cells = {name: [(one.votes[name], one.weight) for one in own if name in one.votes] for name in verifiers}
        rows.append(row | {name: _rate(cell) for name, cell in cells.items()})
    return rows


def _self_against_cross(matched: Sequence[_Judged]) -> list[Row]:
    rows: list[Row] = []
    for writer in sorted({one.item.writer for one in matched}):
        own = [one for one in matched if one.item.writer == writer and writer in one.votes and len(one.votes) > 1]
        if not own:
            continue
        cells = np.array([[one.weight * share for share in (*_self_and_cross(one), 1.0)] for one in own])
        self_rate, cross_rate = cells[:, :2].sum(axis=0) / cells[:, 2].sum()
        gap = float(self_rate - cross_rate)
        sums = cluster_sums(cells, [one.item.slot.base.source_id for one in own])
        interval = bootstrap(sums, lambda t: ((t[..., 0] - t[..., 1]) / t[..., 2])[..., None])
        called = "neutral" if abs(gap) <= NEUTRAL else "favours itself" if gap > 0 else "stricter with itself"
        rows.append(
            {
                "writer": writer,
                "n": len(own),
                "self": float(self_rate),
                "cross": float(cross_rate),
                "gap": gap,
                "ci_low": float(interval.low[0]),
                "ci_high": float(interval.high[0]),
                "reading": called,
            }
        )
    return rows


def _self_and_cross(one: _Judged) -> tuple[float, float]:
    others = [passed for name, passed in one.votes.items() if name != one.item.writer]
    return float(one.votes[one.item.writer]), sum(others) / len(others)


def _kappa(items: Sequence[Generated], verifiers: Sequence[str]) -> list[Row]:
    judged = [_Judged(item, 1 / item.panel_share) for item in items]
    rows: list[Row] = []
    for one, other in combinations(verifiers, 2):
        pairs = [(j.votes[one], j.votes[other], j.weight) for j in judged if one in j.votes and other in j.votes]
        kappa = cohen_kappa([a for a, *_ in pairs], [b for _, b, _ in pairs], [w for *_, w in pairs])
        agreeing = _rate([(a == b, w) for a, b, w in pairs])
        rows.append({"verifier": one, "other": other, "n": len(pairs), "agreement": agreeing, "kappa": kappa})
    return rows


def _by(items: Sequence[Generated], group: Callable[[Generated], str]) -> list[Row]:
    """Return, by group and writer, pass rates over n judged first attempts, and what became of slots and candidates.

    `accepted` is accepted / decided candidates, every attempt counted; `yield` accepted / all slots, however often one
    was asked for.
    """
    groups: dict[tuple[str, str], list[Generated]] = defaultdict(list)
    for item in items:
        groups[group(item), item.writer].append(item)
    rows: list[Row] = []
    for (name, writer), own in groups.items():
        judged = [_Judged(item, 1 / item.panel_share) for item in own if _is_judged(item)]
        decided = [item.accepted for item in own if item.accepted is not None]
        slots = {item.slot.slot_id for item in own}
        done = {item.slot.slot_id for item in own if item.accepted}
        rows.append(
            {
                "group": name,
                "writer": writer,
                "n": len(judged),
                "pass_rate": _rate([(passed, one.weight) for one in judged for passed in one.votes.values()]),
                "slots": len(slots),
                "candidates": len(own),
                "decided": len(decided),
                "accepted": _rate([(accepted, 1.0) for accepted in decided]),
                "yield": len(done) / len(slots),
            }
        )
    return sorted(rows, key=_rank)


def _rank(row: Row) -> tuple[str, float, float, str]:
    """Return where a row stands within its group: the best writers first, unknown rates last."""
    rates = [float(row[name]) for name in ("pass_rate", "accepted")]
    first, second = (1.0 if math.isnan(rate) else -rate for rate in rates)
    return str(row["group"]), first, second, str(row["writer"])


def _rate(values: Sequence[tuple[bool, float]]) -> float:
    total = sum(weight for _, weight in values)
    return sum(weight for value, weight in values if value) / total if total else float("nan")
