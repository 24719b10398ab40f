"""Which items a run is to generate: base questions x classes x intensities x levers."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Literal

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.datasets.shard import Shard, part_of
from refusalbench_tasks.datasets.turns import rank, take_turns
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.applicability import applicable
from refusalbench_tasks.generators.levers import Lever
from refusalbench_tasks.generators.slot import Slot
from refusalbench_tasks.generators.spread import spread
from refusalbench_tasks.taxonomy import Intensity, PerturbationClass

Coverage = Literal["balanced", "rotation", "all", "model"]
Cell = tuple[PerturbationClass, Intensity]


def make_plan(
    bases: Sequence[RefusalItem], levers: Sequence[Lever], coverage: Coverage = "balanced", seed: int = 0
) -> list[Slot]:
    """Return the slots of a run, in an order whose prefixes are balanced over cells.

    `balanced`: one slot per base and cell with a lever that can be applied to the base; the levers of a cell are used
    as evenly as that allows (`spread`), and a slot knows the others in `alternatives`, the least used first. A base to
    which no lever of a cell can be applied has no slot there (`survey` names them). `rotation`: one slot per base and
    cell; the levers take turns, whether they can be applied or not. `all`: one per base and lever (the paper's
    procedure). `model`: one per base and cell, without a lever. The plan depends on the bases, the levers and the seed
    only. Raises DataError without bases or levers, for two bases with one id, and if nothing can be applied.
    """
    if not bases or not levers:
        raise DataError("there is nothing to plan: give at least one base question and one lever")
    if len({base.item_id for base in bases}) < len(bases):
        raise DataError("two base questions have the same id; give each its own 'id'")
    cells: dict[Cell, list[Lever]] = defaultdict(list)
    for lever in levers:
        cells[lever.perturbation, lever.intensity].append(lever)
    ordered = sorted(bases, key=lambda base: rank(base.item_id, seed))
    planned = take_turns([_in_cell(ordered, cell, cells[cell], coverage, seed) for cell in cells])
    if not planned:
        raise DataError(
            "there is nothing to plan: none of the levers can be applied to any of the base questions; "
            "coverage=rotation plans them all the same"
        )
    return planned


def shard_plan(plan: Sequence[Slot], shard: Shard | None, seed: int) -> list[Slot]:
    """Return the slots of one part of a plan, all of a base question together; each knows how many its part holds.

    Levers were chosen over the whole plan, so the parts together are the plan. Errors as in `part_of`.
    """
    if shard is None:
        return [slot.model_copy(update={"planned": len(plan)}) for slot in plan]
    part = part_of(
        plan, shard, seed, lambda slot: slot.base.source_id, lambda slot: f"{slot.perturbation}|{slot.intensity}"
    )
    return [slot.model_copy(update={"planned": len(part), "shard": shard.shard}) for slot in part]


def _in_cell(
    bases: Sequence[RefusalItem], cell: Cell, levers: Sequence[Lever], coverage: Coverage, seed: int
) -> list[Slot]:
    shuffled = sorted(levers, key=lambda lever: rank("|".join((*cell, lever.name)), seed))
    names = [lever.name for lever in shuffled]
    if coverage == "model":
        return [_slot(base, cell, None) for base in bases]
    if coverage == "all":
        return [_slot(base, cell, name) for base in bases for name in names]
    if coverage == "rotation":
        return [_slot(base, cell, names[k % len(names)]) for k, base in enumerate(bases)]
    return _balanced(bases, cell, shuffled)


def _balanced(bases: Sequence[RefusalItem], cell: Cell, levers: Sequence[Lever]) -> list[Slot]:
    fits = [[not applicable(lever, base) for lever in levers] for base in bases]
    chosen = spread(fits)
    uses = Counter(chosen)
    order = sorted(range(len(levers)), key=lambda at: uses[at])
    return [
        _slot(base, cell, levers[at].name, tuple(levers[k].name for k in order if k != at and row[k]))
        for base, at, row in zip(bases, chosen, fits, strict=True)
        if at is not None
    ]


def _slot(base: RefusalItem, cell: Cell, lever: str | None, alternatives: tuple[str, ...] = ()) -> Slot:
    # every value is typed already, and validating 7,200 copies of base items would cost seconds
    perturbation, intensity = cell
    return Slot.model_construct(
        base=base, perturbation=perturbation, intensity=intensity, lever=lever, alternatives=alternatives
    )
