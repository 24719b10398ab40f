"""Which items a run is to generate: base questions x classes x intensities x levers."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Literal

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.datasets.selection import rank
from refusalbench_tasks.datasets.turns import take_turns
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.levers import Lever
from refusalbench_tasks.generators.slot import Slot
from refusalbench_tasks.taxonomy import Intensity, PerturbationClass

Coverage = Literal["balanced", "all", "model"]
Cell = tuple[PerturbationClass, Intensity]


def make_plan(
    bases: Sequence[RefusalItem], levers: Sequence[Lever], coverage: Coverage = "balanced", seed: int = 0
) -> list[Slot]:
    """Return the slots of a run, in an order whose prefixes are balanced over cells.

    `balanced`: one slot per base and cell; over the bases the levers of a cell take turns, so that their numbers
    differ by at most one. `all`: one per base and lever. `model`: one per base and cell, without a lever. The plan
    depends on the ids, the levers and the seed only. Raises DataError without bases or levers, and for two bases with
    one id.
    """
    if not bases or not levers:
        raise DataError("there is nothing to plan: give at least one base question and one lever")
    if len({base.item_id for base in bases}) < len(bases):
        raise DataError("two base questions have the same id; give each its own 'id'")
    cells: dict[Cell, list[Lever]] = defaultdict(list)
    for lever in levers:
        cells[lever.perturbation, lever.intensity].append(lever)
    ordered = sorted(bases, key=lambda base: rank(base.item_id, seed))
    return take_turns([_in_cell(ordered, cell, cells[cell], coverage, seed) for cell in cells])


def _in_cell(
    bases: Sequence[RefusalItem], cell: Cell, levers: Sequence[Lever], coverage: Coverage, seed: int
) -> list[Slot]:
    perturbation, intensity = cell
    names = sorted((lever.name for lever in levers), key=lambda name: rank(f"{perturbation}|{intensity}|{name}", seed))

    def slot(base: RefusalItem, lever: str | None) -> Slot:
        # every value is typed already, and validating 7,200 copies of base items would cost seconds
        return Slot.model_construct(
            base=base, perturbation=perturbation, intensity=intensity, lever=lever, attempt=1, feedback=()
        )

    if coverage == "model":
        return [slot(base, None) for base in bases]
    if coverage == "all":
        return [slot(base, name) for base in bases for name in names]
    return [slot(base, names[k % len(names)]) for k, base in enumerate(bases)]
