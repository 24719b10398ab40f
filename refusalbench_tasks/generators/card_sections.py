"""What the data card of a generation run says beside the common template: composition,
yield, what was left out.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

from refusalbench_tasks.generators.distinct import DistinctItems
from refusalbench_tasks.generators.generation_logs import Generated, GenerationRun
from refusalbench_tasks.generators.kit.card import (
    agreement_row,
    bullets,
    counts_table,
    table,
)
from refusalbench_tasks.generators.perturb_record import SCORER
from refusalbench_tasks.tables import TableRow
from refusalbench_tasks.taxonomy import CLASSES, PERTURBED, Intensity

NAME = "Fresh refusal questions"
EARLY_STOP = (
    "Not measurable: one verifier, or early stop (`verify=all` has every vote)."
)


def card_sections(
    runs: Sequence[GenerationRun], distinct: DistinctItems, drawn: Sequence[Generated]
) -> list[tuple[str, list[str]]]:
    """Return the sections of the card, each a heading with its
    paragraphs in Markdown.
    """
    items = [item for run in runs for item in run.items]
    kappa = verifiers_agree(items)
    left_out = (
        f"Of the accepted items {distinct.repeats} repeat another's input and"
        f" {distinct.conflicts} share an input with an item of another label;"
        f" {distinct.unchanged} are to be refused although no word of their original"
        f" changed; {distinct.near} are near-duplicates with different labels. All of"
        " these are left out."
    )
    explained = (
        "A slot is a planned item; each attempt at it is a candidate. `yield` is"
        " accepted slots / slots, `broken` the share of the written first attempts that"
        " a check rejected."
    )
    return [
        ("Composition", [_composition(drawn), bullets(_coverage(runs, drawn))]),
        (
            "Yield",
            [
                explained,
                table(_by_run(runs)),
                table(_by_cell(items)),
                "Candidates without a verdict:",
                without_verdict(items) or "None.",
            ],
        ),
        ("Left out", [left_out]),
        ("Agreement of the verifiers", [table(kappa) or EARLY_STOP]),
    ]


def _composition(drawn: Sequence[Generated]) -> str:
    counts = Counter((item.slot.perturbation, item.slot.intensity) for item in drawn)
    return table(
        [
            {
                "class": one.value,
                **{level.value: counts[one, level] for level in PERTURBED},
            }
            for one in CLASSES
        ]
    )


def _by_run(runs: Sequence[GenerationRun]) -> list[TableRow]:
    """Return by writer: slots, candidates, accepted, undecided, yield, and calls per
    accepted item.
    """
    rows = []
    for run in runs:
        scores = run.header.results.scores if run.header.results else []
        noted = [
            one.metrics["calls_per_accepted"].value
            for one in scores
            if one.scorer == SCORER and "calls_per_accepted" in one.metrics
        ]
        calls = {"calls per accepted": noted[-1] if noted else float("nan")}
        rows.append(
            {"writer": run.header.eval.model, "slots": run.samples}
            | _yield(run.items, run.samples)
            | calls
        )
    return rows


def _by_cell(items: Sequence[Generated]) -> list[TableRow]:
    """Return the same by class and intensity, with the share of written items that a
    check rejected.
    """
    cells: dict[tuple[str, str], list[Generated]] = defaultdict(list)
    for one in items:
        cells[one.slot.perturbation, one.slot.intensity].append(one)
    rows: list[TableRow] = []
    for name, level in sorted(
        cells, key=lambda cell: (cell[0], PERTURBED.index(Intensity(cell[1])))
    ):
        own = cells[name, level]
        slots = len({(one.writer, one.slot.slot_id) for one in own})
        rows.append(
            {"class": name, "intensity": level, "slots": slots}
            | _yield(own, slots)
            | broken_share(own)
        )
    return rows


def _yield(items: Sequence[Generated], slots: int) -> TableRow:
    accepted = [(item.writer, item.slot.slot_id) for item in items if item.accepted]
    return {
        "candidates": len(items),
        "accepted": len(accepted),
        "accepted slots": len(set(accepted)),
        "undecided": sum(item.accepted is None for item in items),
        "yield": len(set(accepted)) / slots if slots else float("nan"),
    }


def broken_share(items: Sequence[Generated]) -> TableRow:
    """Return which share of the written first attempts checks rejected, and which a
    blind annotation: nobody voted.
    """
    first = [
        one for one in items if one.slot.attempt == 1 and one.candidate is not None
    ]
    n = len(first) or float("nan")
    unvoted = [one for one in first if not one.votes and one.accepted is False]
    broken = sum(bool(one.broken) for one in unvoted)
    return {
        "broken": broken / n,
        "gated": (len(unvoted) - broken) / n,
        "written": len(first),
    }


def verifiers_agree(items: Iterable[Generated]) -> list[TableRow]:
    """Return Cohen's kappa of each two verifiers over first attempts that the whole
    panel judged; [] without any.
    """
    cast = [item.cast for item in items if item.judged]
    names = sorted({name for votes in cast for name in votes})
    rows = []
    for first, second in combinations(names, 2):
        both = [
            (votes[first], votes[second])
            for votes in cast
            if first in votes and second in votes
        ]
        rows.append({"verifier": first, "other": second, **agreement_row(both)})
    return rows


def without_verdict(items: Iterable[Generated]) -> str:
    """Return a table of why candidates have no verdict, by writer; of undecided ones
    whose vote is missing, and why.
    """
    reasons = []
    for item in items:
        if item.accepted is not None:
            continue
        failed = [
            f"{vote.verifier}: {vote.failure}"
            for vote in item.votes
            if vote.passed is None
        ]
        for why in failed or [item.reason or "not noted"]:
            reasons.append((item.writer, why[:120]))
    return counts_table(reasons, "writer", "why", "n")


def _coverage(runs: Sequence[GenerationRun], drawn: Sequence[Generated]) -> list[str]:
    """Return how many levers and bases the rows have, and which levers fitted no base,
    a line each.
    """
    levers = Counter(
        item.candidate.lever.casefold() for item in drawn if item.candidate
    )
    bases = Counter(item.slot.base.source_id for item in drawn)
    planned = {item.slot.base.source_id for run in runs for item in run.items}
    fits: list[Mapping[str, Any]] = [
        (run.header.eval.metadata or {}).get("fit") or {} for run in runs
    ]
    never = (
        sorted(set.intersection(*(set(fit.get("never_usable", ())) for fit in fits)))
        if fits
        else []
    )
    pairs = {
        (fit["pairs"], fit["inapplicable"]): None for fit in fits if fit.get("pairs")
    }
    return [
        f"levers: {len(levers)}, {_spread(levers)} rows each",
        (
            f"base questions: {len(bases)} of {len(planned)} that were asked for,"
            f" {_spread(bases)} rows each"
        ),
        f"levers that fit no base question: {', '.join(never) or 'none noted'}",
        *(
            f"of {n} pairs of base and lever {bad} cannot be done, as far as code can"
            " know"
            for n, bad in pairs
        ),
    ]


def _spread(counts: Counter[str]) -> str:
    return f"{min(counts.values(), default=0)} to {max(counts.values(), default=0)}"
