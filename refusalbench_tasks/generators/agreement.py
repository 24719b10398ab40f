"""How writers and verifiers of generation runs agree: the paper's figures 3, 4 and 14 to 17."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from refusalbench_tasks.generators.ballots import Ballot, Ballots
from refusalbench_tasks.generators.counted import Counted
from refusalbench_tasks.generators.judged import Judged, Row, broken_of, judged, matched, rate_of
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


def panel_tables(items: Iterable[Counted] | Ballots) -> Panel:
    """Return the agreement tables of candidates with votes.

    Pass rates and agreement are those of first attempts that the whole panel judged whatever the outcome: of runs with
    `verify=all`, or of audited slots, each weighed by 1 / the probability of being drawn. Later attempts exist only
    where an earlier one was rejected. All pass rates are over the matched set: the slots that are so judged for every
    writer (paper §4.2). Kappa is over all judged candidates, since it compares verifiers on the same ones.
    """
    ballots = items if isinstance(items, Ballots) else Ballots.of(items)
    found, verifiers = judged(ballots), _verifiers(ballots)
    same = matched(found, ballots.writers)
    tables = {
        "pass_rates": _pass_rates(ballots, same, verifiers),
        "self_and_cross_means": self_and_cross_means(same),
        "self_against_cross": self_against_cross(same),
        "self_against_cross_by_class": self_against_cross_by_class(same),
        "kappa": _kappa(found, verifiers),
        "class_ranking": ranking(ballots, same, "class", _class),
        "intensity_ranking": ranking(ballots, same, "intensity", _intensity),
        "writer_ranking": ranking(ballots, same, "writer", lambda kind: kind.writer),
        "by_class": by_group(ballots, same, _class),
        "by_intensity": by_group(ballots, same, _intensity),
        "by_lever": by_group(ballots, same, _lever),
    }
    return Panel(tables, EARLY_STOP if verifiers and not len(found) else "")


def verifiers_agree(items: Iterable[Counted]) -> tuple[list[Row], str]:
    """Return the kappa of each two verifiers over all judged candidates, and why there is none where there can't be."""
    ballots = Ballots.without_places(items)
    found, verifiers = judged(ballots), _verifiers(ballots)
    return _kappa(found, verifiers), EARLY_STOP if verifiers and not len(found) else ""


def _verifiers(items: Ballots) -> list[str]:
    return sorted({verifier for kind in items.kinds for verifier, _ in kind.votes})


def _class(kind: Ballot) -> str:
    return kind.perturbation.value


def _intensity(kind: Ballot) -> str:
    return kind.intensity.value


def _lever(kind: Ballot) -> str:
    return kind.lever


def _pass_rates(items: Ballots, same: Judged, verifiers: Sequence[str]) -> list[Row]:
    rows: list[Row] = []
    for writer in same.items.writers:
        own = same.of_writer(writer)
        row: Row = {"writer": writer, "n": len(own)}
        for name in verifiers:
            votes = _votes(own, name)
            row[name] = rate_of(votes[votes >= 0] > 0, own.weights[votes >= 0])
        rows.append(row | broken_of((kind, n) for kind, n in items.numbers() if kind.writer == writer))
    return rows


def _votes(found: Judged, verifier: str) -> NDArray[np.int8]:
    """Return what a verifier said of each: 1 passed, 0 not, -1 nothing."""
    return found.items.each(lambda kind: kind.cast.get(verifier, -1), np.int8)


def _kappa(found: Judged, verifiers: Sequence[str]) -> list[Row]:
    votes = {name: _votes(found, name) for name in verifiers}
    rows: list[Row] = []
    for one, other in combinations(verifiers, 2):
        both = (votes[one] >= 0) & (votes[other] >= 0)
        first, second, weights = votes[one][both] > 0, votes[other][both] > 0, found.weights[both]
        kappa = cohen_kappa(first.tolist(), second.tolist(), weights.tolist())
        agreeing = rate_of(first == second, weights)
        rows.append({"verifier": one, "other": other, "n": len(weights), "agreement": agreeing, "kappa": kappa})
    return rows
