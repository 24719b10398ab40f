"""What a data card says of how many items came of a plan: by writer, by cell, by lever and base, and why not."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from refusalbench_tasks.generators.counted import Counted, CountedRank, CountedRun
from refusalbench_tasks.generators.judged import Row, broken_share
from refusalbench_tasks.taxonomy import CLASSES, PERTURBED


def yields(runs: Sequence[CountedRun]) -> list[Row]:
    """Return by writer: slots, candidates, accepted, undecided, and the share of the slots with an accepted item."""
    return [{"writer": run.header.eval.model, "slots": run.slots, **_yield(run.items, run.slots)} for run in runs]


def yields_by_cell(items: Sequence[Counted]) -> list[Row]:
    """Return the same by class and intensity, with the share of written items that a rule rejected."""
    cells: dict[tuple[str, str], list[Counted]] = defaultdict(list)
    for one in items:
        cells[one.perturbation, one.intensity].append(one)
    rows: list[Row] = []
    for name in CLASSES:
        for level in PERTURBED:
            own = cells[name, level]
            if own:
                slots = len({(one.writer, one.slot_id) for one in own})
                cell: Row = {"class": name.value, "intensity": level.value, "slots": slots}
                rows.append(cell | _yield(own, slots) | broken_share(own))
    return rows


def _yield(items: Sequence[Counted], slots: int) -> Row:
    accepted = [(item.writer, item.slot_id) for item in items if item.accepted]
    return {
        "candidates": len(items),
        "accepted": len(accepted),
        "accepted slots": len(set(accepted)),
        "undecided": sum(item.accepted is None for item in items),
        "yield": len(set(accepted)) / slots if slots else float("nan"),
    }


def without_verdict(items: Sequence[Counted]) -> list[Row]:
    """Return why candidates have no verdict, by writer; of undecided ones whose vote is missing, and why."""
    counts: Counter[tuple[str, str]] = Counter()
    for item in items:
        if item.accepted is None:
            failed = [f"{vote.verifier}: {vote.failure}" for vote in item.votes if vote.passed is None]
            for why in failed or [item.reason or "not noted"]:
                counts[item.writer, why[:120]] += 1
    return [{"writer": writer, "why": why, "n": n} for (writer, why), n in sorted(counts.items())]


def coverage(runs: Sequence[CountedRun], drawn: Sequence[Counted]) -> list[str]:
    """Return how many levers and bases the rows have, and which levers fitted no base, a line each."""
    levers = Counter(item.used_lever.casefold() for item in drawn)
    bases = Counter(item.source_id for item in drawn)
    planned = {item.source_id for run in runs for item in run.items}
    fits: list[Mapping[str, Any]] = [(run.header.eval.metadata or {}).get("fit") or {} for run in runs]
    never = sorted(set.intersection(*(set(fit.get("never_usable", ())) for fit in fits))) if fits else []
    lines = [
        f"levers: {len(levers)}, {_spread(levers)} rows each",
        f"base questions: {len(bases)} of {len(planned)} that were asked for, {_spread(bases)} rows each",
        f"levers that fit no base question: {', '.join(never) or 'none noted'}",
    ]
    pairs = [(fit["pairs"], fit["inapplicable"]) for fit in fits if fit.get("pairs")]
    return lines + [f"of {n} pairs of base and lever {bad} cannot be done" for n, bad in dict.fromkeys(pairs)]


def skipped(items: Sequence[Counted]) -> list[Row]:
    """Return which levers were not tried for a writer that was hardly ever accepted with them, and how often."""
    counts = Counter((item.writer, one.lever) for item in items for one in item.skipped)
    return [{"writer": writer, "lever": lever, "slots": n} for (writer, lever), n in sorted(counts.items())]


def in_order(items: Sequence[Counted]) -> list[Row]:
    """Return by writer and class which share of the pairs of siblings a blind ranker put in the planned order."""
    ranks: dict[tuple[str, str], list[CountedRank]] = defaultdict(list)
    for item in items:
        if item.ranking is not None:
            ranks[item.writer, item.perturbation.value].append(item.ranking)
    rows: list[Row] = []
    for (writer, name), found in sorted(ranks.items()):
        pairs = sum(one.pairs for one in found)
        share = sum(one.in_order for one in found) / pairs if pairs else float("nan")
        rows.append({"writer": writer, "class": name, "pairs": pairs, "in the planned order": share})
    return rows


def _spread(counts: Counter[str]) -> str:
    return f"{min(counts.values(), default=0)} to {max(counts.values(), default=0)}"
