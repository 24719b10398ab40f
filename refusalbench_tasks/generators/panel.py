"""How writers and verifiers of generation runs agree: the paper's figures 3, 4 and 14 to 17."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from refusalbench_tasks.generators.generated import Generated
from refusalbench_tasks.stats.agreement import cohen_kappa
from refusalbench_tasks.stats.cluster import bootstrap, cluster_sums

Row = dict[str, str | float | int]
NEUTRAL = 0.05
"""A self-evaluation gap within this is called neutral (paper, figure 17)."""


@dataclass(frozen=True)
class Panel:
    """Tables by name, each a list of rows with the same columns."""

    tables: dict[str, list[Row]]


def panel_tables(items: Sequence[Generated]) -> Panel:
    """Return the agreement tables of candidates with votes.

    Matched are the slots for which every writer has a candidate with a vote of every verifier (paper §4.2); runs with
    `verify=until_fail` have few of them, since their rejected candidates lack votes.
    """
    written = [item for item in items if item.candidate is not None]
    voted = [item for item in written if item.votes]
    verifiers = sorted({vote.verifier for item in voted for vote in item.votes})
    matched = _matched(voted, verifiers)
    return Panel(
        {
            "pass_rates": _pass_rates(matched, verifiers),
            "self_against_cross": _self_against_cross(matched, verifiers),
            "kappa": _kappa(voted, verifiers),
            "by_class": _by(written, lambda item: item.slot.perturbation.value),
            "by_intensity": _by(written, lambda item: item.slot.intensity.value),
            "by_lever": _by(written, lambda item: item.slot.lever or (item.candidate.lever if item.candidate else "")),
        }
    )


def _cast(item: Generated) -> dict[str, bool]:
    return {vote.verifier: vote.passed for vote in item.votes if vote.passed is not None}


def _matched(items: Sequence[Generated], verifiers: Sequence[str]) -> list[Generated]:
    writers = {item.writer for item in items}
    full = {(item.writer, item.slot.slot_id): item for item in items if len(_cast(item)) == len(verifiers)}
    slots = {slot for _, slot in full}
    return [full[w, slot] for slot in sorted(slots) if all((w, slot) in full for w in writers) for w in sorted(writers)]


def _pass_rates(items: Sequence[Generated], verifiers: Sequence[str]) -> list[Row]:
    rows: list[Row] = []
    for writer in sorted({item.writer for item in items}):
        own = [_cast(item) for item in items if item.writer == writer]
        row: Row = {"writer": writer, "n": len(own)}
        rows.append(row | {name: _share([votes[name] for votes in own]) for name in verifiers})
    return rows


def _self_against_cross(items: Sequence[Generated], verifiers: Sequence[str]) -> list[Row]:
    rows: list[Row] = []
    for writer in sorted({item.writer for item in items} & set(verifiers)):
        own = [item for item in items if item.writer == writer]
        others = [name for name in verifiers if name != writer]
        if not others:
            continue
        votes = [_cast(item) for item in own]
        cells = np.array([[v[writer], np.mean([v[name] for name in others]), 1] for v in votes], dtype=float)
        gap = float((cells[:, 0] - cells[:, 1]).mean())
        sums = cluster_sums(cells, [item.slot.base.source_id for item in own])
        interval = bootstrap(sums, lambda t: ((t[..., 0] - t[..., 1]) / t[..., 2])[..., None])
        called = "neutral" if abs(gap) <= NEUTRAL else "favours itself" if gap > 0 else "stricter with itself"
        rows.append(
            {
                "writer": writer,
                "n": len(own),
                "self": float(cells[:, 0].mean()),
                "cross": float(cells[:, 1].mean()),
                "gap": gap,
                "ci_low": float(interval.low[0]),
                "ci_high": float(interval.high[0]),
                "reading": called,
            }
        )
    return rows


def _kappa(items: Sequence[Generated], verifiers: Sequence[str]) -> list[Row]:
    rows: list[Row] = []
    for one, other in combinations(verifiers, 2):
        pairs = [(v[one], v[other]) for v in map(_cast, items) if one in v and other in v]
        first, second = [a for a, _ in pairs], [b for _, b in pairs]
        agreeing = _share([a == b for a, b in pairs])
        kappa = cohen_kappa(first, second)
        rows.append({"verifier": one, "other": other, "n": len(pairs), "agreement": agreeing, "kappa": kappa})
    return rows


def _by(items: Sequence[Generated], group: Callable[[Generated], str]) -> list[Row]:
    groups: dict[tuple[str, str], list[Generated]] = defaultdict(list)
    for item in items:
        groups[group(item), item.writer].append(item)
    rows: list[Row] = []
    for (name, writer), own in groups.items():
        votes = [passed for item in own for passed in _cast(item).values()]
        decided = [item.accepted for item in own if item.accepted is not None]
        rows.append(
            {
                "group": name,
                "writer": writer,
                "n": len(own),
                "pass_rate": _share(votes),
                "accepted": _share([bool(a) for a in decided]),
            }
        )
    return sorted(rows, key=lambda row: (str(row["group"]), -float(row["pass_rate"]), str(row["writer"])))


def _share(values: Sequence[bool]) -> float:
    return sum(values) / len(values) if values else float("nan")
