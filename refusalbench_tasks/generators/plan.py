"""Which items a run is to generate: base questions x classes x intensities x levers."""

from collections import Counter
from collections.abc import Sequence

from refusalbench_tasks.datasets.draw import Shard, grouped, rank, take_turns
from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.taxonomy import Intensity, PerturbationClass

from .kit.answers import answer_type
from .kit.maker import shard_slots
from .levers import Lever, Levers
from .perturb_settings import Coverage
from .slot import ItemSlot, Sibling, Slots

Plan = list[ItemSlot]

Cell = tuple[PerturbationClass, Intensity]


def make_plan(
    bases: Sequence[RefusalItem],
    levers: Levers,
    coverage: Coverage = "balanced",
    seed: int = 0,
) -> Plan:
    """Return the slots of a run, in an order whose prefixes are balanced over cells.

    `balanced`: one slot per base and cell with a lever that can be applied to the base;
    the levers of a cell are used as evenly as that allows (`spread`), and a slot knows
    the others in `alternatives`, the least used first. A base to which no lever of a
    cell can be applied has no slot there. `all`: one per base and
    lever, whether it can be applied or not (the paper's procedure). The plan depends on
    the bases, the levers and the seed only. Raises DataError without bases or levers,
    for two bases with one id, and if nothing can be applied.
    """
    if not bases or not levers:
        raise DataError(
            "there is nothing to plan: give at least one base question and one lever"
        )
    if len({base.item_id for base in bases}) < len(bases):
        raise DataError("two base questions have the same id; give each its own 'id'")
    cells = grouped(levers, lambda lever: (lever.perturbation, lever.intensity))
    ordered = sorted(bases, key=lambda base: rank(base.item_id, seed))
    planned = []
    for cell, of_cell in cells.items():
        ranks = {lever: rank("|".join((*cell, lever.name)), seed) for lever in of_cell}
        shuffled = sorted(ranks, key=ranks.__getitem__)
        in_cell = _all_levers if coverage == "all" else _balanced
        planned.append(in_cell(ordered, cell, shuffled))
    plan = take_turns(planned)
    if not plan:
        raise DataError(
            "there is nothing to plan: none of the levers can be applied to any of the"
            " base questions; coverage=all plans them all the same"
        )
    return plan


def shard_plan(
    plan: Slots,
    shard: Shard | None,
    seed: int,
) -> Plan:
    """Return the slots of one part of a plan, all of a base question together; each
    knows how many its part holds.

    Levers were chosen over the whole plan, so the parts together are the plan. Errors
    as in `shard_entries`.
    """
    return shard_slots(
        plan,
        shard,
        seed,
        lambda slot: slot.base.source_id,
        lambda slot: f"{slot.perturbation}|{slot.intensity}",
    )


def with_siblings(plan: Slots) -> Plan:
    """Return the plan with each slot knowing the others of its base and class, which
    are written in one call with it.

    Raises DataError for a plan with several slots for a base, a class and an intensity.
    """
    kin = grouped(plan, lambda slot: (slot.base.item_id, slot.perturbation))
    for slots in kin.values():
        if max(Counter(slot.intensity for slot in slots).values()) > 1:
            raise DataError(
                "together=true needs one planned lever for each cell: coverage=balanced"
            )
    whole = []
    for slot in plan:
        siblings = [
            Sibling(intensity=other.intensity, lever=other.lever)
            for other in kin[slot.base.item_id, slot.perturbation]
            if other is not slot
        ]
        whole.append(slot.model_copy(update={"siblings": tuple(siblings)}))
    return whole


def _all_levers(
    bases: Sequence[RefusalItem],
    cell: Cell,
    levers: Levers,
) -> Plan:
    return [_slot(base, cell, lever.name) for base in bases for lever in levers]


def _balanced(
    bases: Sequence[RefusalItem],
    cell: Cell,
    levers: Levers,
) -> Plan:
    fits = []
    for base in bases:
        fits.append([applicable(lever, base) for lever in levers])
    chosen = spread(fits)
    uses = Counter(chosen)
    order = sorted(range(len(levers)), key=lambda at: uses[at])
    slots = []
    for base, at, row in zip(
        bases,
        chosen,
        fits,
        strict=True,
    ):
        if at is not None:
            others = [levers[k].name for k in order if k != at and row[k]]
            slots.append(
                _slot(
                    base,
                    cell,
                    levers[at].name,
                    tuple(others),
                )
            )
    return slots


def _slot(
    base: RefusalItem,
    cell: Cell,
    lever: str,
    alternatives: tuple[str, ...] = (),
) -> ItemSlot:
    # every value is typed already, and validating 7,200 copies of base items would cost
    # seconds
    perturbation, intensity = cell
    return ItemSlot.model_construct(
        base=base,
        perturbation=perturbation,
        intensity=intensity,
        lever=lever,
        alternatives=alternatives,
    )


def applicable(lever: Lever, base: RefusalItem) -> bool:
    """Whether a lever can be done on a base question, as far as code can know.

    That is the type of the answer and the number of passages: the noise of one passage
    is none. Whatever else a lever needs, its writer finds out, and declines.
    """
    without_noise = 1 < len(base.passages) == len(set(base.signal))
    if without_noise and lever.multi == "one_noise":
        return False
    return lever.fits(answer_type(base.query, base.answers or base.references))


def spread(fits: Sequence[Sequence[bool]]) -> list[int | None]:
    """Return for each base (row) the lever (column) that it takes; None where no lever
    fits.

    A flow of least cost: every base with a lever that fits gets one, and the k-th use
    of a lever costs k, so that the sum of k (k + 1) / 2 over the levers' uses is the
    least there is. No other assignment then has a smaller difference between the most
    and the least used lever that could be traded (optimal semi-matching, Harvey et al.
    2006). With as many uses as there are bases this is an assignment problem (scipy).
    """
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    chosen: list[int | None] = [None] * len(fits)
    rows = [number for number, row in enumerate(fits) if any(row)]
    if not rows:
        return chosen
    table = np.asarray([fits[row] for row in rows], dtype=bool)
    uses = table.sum(axis=0)
    levers = np.repeat(np.arange(table.shape[1]), uses)
    nth = np.concatenate([np.arange(1, count + 1) for count in uses])
    never = float(len(rows) + 1) ** 2
    cost = np.where(
        table[:, levers],
        nth.astype(float),
        never,
    )
    for row, column in zip(*linear_sum_assignment(cost), strict=True):
        chosen[rows[row]] = int(levers[column])
    return chosen


def never_usable(bases: Sequence[RefusalItem], levers: Levers) -> tuple[Lever, ...]:
    """Return the levers that can be applied to none of the base questions."""
    never = []
    for lever in levers:
        if not any(applicable(lever, base) for base in bases):
            never.append(lever)
    return tuple(never)
