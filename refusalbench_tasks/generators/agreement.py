"""How writers and verifiers of generation runs agree: the paper's figures 3, 4 and 14 to 17."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from refusalbench_tasks.generators.counted import Counted
from refusalbench_tasks.generators.judged import Judged, Row, broken_share, is_judged, matched, rate_of
from refusalbench_tasks.generators.rankings import by_group, ranking
from refusalbench_tasks.generators.self_bias import (
    self_against_cross,
    self_against_cross_by_class,
    self_and_cross_means,
)
from refusalbench_tasks.stats.agreement import cohen_kappa

EARLY_STOP = (
    "not measurable: early stop. A verifier that is asked only where the earlier ones passed shows no rate of its own; "
    "run perturb with -T verify=all, or with -T audit_share=0.1"
)


@dataclass(frozen=True)
class Panel:
    """Tables by name, each a list of rows with the same columns; and why votes cannot be read, where they can't."""

    tables: dict[str, list[Row]]
    note: str = ""


def panel_tables(items: Sequence[Counted]) -> Panel:
    """Return the agreement tables of candidates with votes.

    Pass rates and agreement are those of first attempts that the whole panel judged whatever the outcome: of runs with
    `verify=all`, or of audited slots, each weighed by 1 / the probability of being drawn. Later attempts exist only
    where an earlier one was rejected. All pass rates are over the matched set: the slots that are so judged for every
    writer (paper §4.2). Kappa is over all judged candidates, since it compares verifiers on the same ones.
    """
    judged, verifiers = _judged(items)
    same = matched(judged, {item.writer for item in items})
    tables = {
        "pass_rates": _pass_rates(items, same, verifiers),
        "self_and_cross_means": self_and_cross_means(same),
        "self_against_cross": self_against_cross(same),
        "self_against_cross_by_class": self_against_cross_by_class(same),
        "kappa": _kappa(judged, verifiers),
        "class_ranking": ranking(items, same, "class", _class),
        "intensity_ranking": ranking(items, same, "intensity", _intensity),
        "writer_ranking": ranking(items, same, "writer", lambda item: item.writer),
        "by_class": by_group(items, same, _class),
        "by_intensity": by_group(items, same, _intensity),
        "by_lever": by_group(items, same, _lever),
    }
    return Panel(tables, EARLY_STOP if verifiers and not judged else "")


def verifiers_agree(items: Sequence[Counted]) -> tuple[list[Row], str]:
    """Return the kappa of each two verifiers over all judged candidates, and why there is none where there can't be."""
    judged, verifiers = _judged(items)
    return _kappa(judged, verifiers), EARLY_STOP if verifiers and not judged else ""


def _judged(items: Sequence[Counted]) -> tuple[list[Counted], list[str]]:
    return [item for item in items if is_judged(item)], sorted({vote.verifier for item in items for vote in item.votes})


def _class(item: Counted) -> str:
    return item.perturbation.value


def _intensity(item: Counted) -> str:
    return item.intensity.value


def _lever(item: Counted) -> str:
    return item.lever


def _pass_rates(items: Sequence[Counted], same: Sequence[Judged], verifiers: Sequence[str]) -> list[Row]:
    rows: list[Row] = []
    for writer in sorted({one.item.writer for one in same}):
        own = [one for one in same if one.item.writer == writer]
        row: Row = {"writer": writer, "n": len(own)}
        cells = {name: [(one.votes[name], one.weight) for one in own if name in one.votes] for name in verifiers}
        broken = broken_share([item for item in items if item.writer == writer])
        rows.append(row | {name: rate_of(cell) for name, cell in cells.items()} | broken)
    return rows


def _kappa(items: Sequence[Counted], verifiers: Sequence[str]) -> list[Row]:
    judged = [Judged(item, 1 / item.panel_share) for item in items]
    rows: list[Row] = []
    for one, other in combinations(verifiers, 2):
        pairs = [(j.votes[one], j.votes[other], j.weight) for j in judged if one in j.votes and other in j.votes]
        kappa = cohen_kappa([a for a, *_ in pairs], [b for _, b, _ in pairs], [w for *_, w in pairs])
        agreeing = rate_of([(a == b, w) for a, b, w in pairs])
        rows.append({"verifier": one, "other": other, "n": len(pairs), "agreement": agreeing, "kappa": kappa})
    return rows
