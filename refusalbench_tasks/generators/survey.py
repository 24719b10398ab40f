"""Which levers fit which base questions: what a plan can and cannot cover."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.generators.applicability import applicable
from refusalbench_tasks.generators.levers import Lever
from refusalbench_tasks.taxonomy import Intensity, PerturbationClass


@dataclass(frozen=True)
class Survey:
    """What can be applied to a set of base questions. A pair is a base question and a lever."""

    pairs: int
    inapplicable: int
    """Pairs in which the base lacks something that the lever needs."""
    fits: Counter[str]
    """The number of base questions that each lever can be applied to, by its name; 0 is there too."""
    without: tuple[tuple[str, PerturbationClass, Intensity], ...]
    """Base questions, by id, to which no lever of a class and intensity can be applied."""

    @property
    def never_usable(self) -> tuple[str, ...]:
        """Return the levers that can be applied to none of the base questions."""
        return tuple(name for name, number in self.fits.items() if number == 0)


def survey(bases: Sequence[RefusalItem], levers: Sequence[Lever]) -> Survey:
    """Return what can be applied to the base questions."""
    fits: Counter[str] = Counter({lever.name: 0 for lever in levers})
    covered = set()
    for base in bases:
        for lever in levers:
            if not applicable(lever, base):
                fits[lever.name] += 1
                covered.add((base.item_id, lever.perturbation, lever.intensity))
    cells = dict.fromkeys((lever.perturbation, lever.intensity) for lever in levers)
    without = [(base.item_id, *cell) for base in bases for cell in cells if (base.item_id, *cell) not in covered]
    pairs = len(bases) * len(levers)
    return Survey(pairs, pairs - fits.total(), fits, tuple(without))
