"""The figures of a report: one table a kind of run.

A new figure is a function from the runs to `Figure` or `Absent`, and an entry here.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from refusalbench_tasks.datasets.benchmarks import tasks_text
from refusalbench_tasks.generators.agreement import Panel
from refusalbench_tasks.report.beside import Beside
from refusalbench_tasks.report.figures import (
    beside,
    calibration,
    confusion,
    data_set,
    difficulty,
    domains,
    factors,
    generation,
    hedging,
    hedging_calibration,
    ranking,
    replies,
    strata,
    tradeoffs,
    traits,
)
from refusalbench_tasks.report.figures.figure import Absent, Figure, Paper
from refusalbench_tasks.report.hedging_tally import HedgingTally
from refusalbench_tasks.report.tally import RefusalGroup

Runs = TypeVar("Runs")
"""What a figure is made from: the runs of one section, or of two beside each other, as they were counted."""


@dataclass(frozen=True)
class Entry(Generic[Runs]):
    """What makes a figure, and the paper's figures that it stands for; none are ours."""

    make: Callable[[Runs], Figure | Absent]
    numbers: tuple[int, ...] = ()
    by_task: Mapping[str, int] = field(default_factory=dict)
    """The number by task, of a figure that the paper prints once for each data set."""
    places: str = ""
    """Where the paper's text has the finding that it shows, if no figure of the paper does."""

    def numbers_of(self, task: str) -> tuple[int, ...]:
        """Return the paper's figures that it stands for in a section of the task."""
        return (*self.numbers, *((self.by_task[task],) if task in self.by_task else ()))


@dataclass(frozen=True)
class Catalogue(Generic[Runs]):
    """The figures of one kind of run, in their order on the page."""

    paper: Paper
    tasks: str
    """The tasks whose runs these are, for a message."""
    entries: tuple[Entry[Runs], ...]
    tables: tuple[int, ...] = ()
    """The paper's figures that are tables of numbers, which a section has at its head."""

    def figures(self, runs: Runs, task: str) -> list[Figure | Absent]:
        """Return every figure, or why there is none, with the paper's numbers."""
        return [
            replace(entry.make(runs), paper=self._paper(entry, numbers), numbers=numbers, places=entry.places)
            for entry, numbers in self._numbered(task)
        ]

    def all_absent(self, reason: str, task: str) -> list[Absent]:
        """Return one reason for every figure and every place of the paper."""
        return [
            Absent(reason, self.paper, numbers, entry.places)
            for entry, numbers in self._numbered(task)
            if self._paper(entry, numbers)
        ]

    def needs(self) -> dict[int, str]:
        """Return the paper's figures with what each needs at least."""
        any_task = f"needs a run of {self.tasks}"
        of_all = dict.fromkeys((*self.tables, *(k for entry in self.entries for k in entry.numbers)), any_task)
        return of_all | {k: f"needs a run of {task}" for entry in self.entries for task, k in entry.by_task.items()}

    def needs_of_places(self) -> dict[str, str]:
        """Return the places of the paper's text that figures stand for, with what each needs at least."""
        return {entry.places: f"needs runs of {self.tasks}" for entry in self.entries if entry.places}

    def _paper(self, entry: Entry[Runs], numbers: tuple[int, ...]) -> Paper:
        return self.paper if numbers or entry.places else ""

    def _numbered(self, task: str) -> Iterator[tuple[Entry[Runs], tuple[int, ...]]]:
        return ((entry, entry.numbers_of(task)) for entry in self.entries)


REFUSAL: Catalogue[RefusalGroup] = Catalogue(
    "RefusalBench",
    tasks_text(),
    (
        Entry(data_set.coverage, (2,)),
        Entry(data_set.generator_shares, (12,)),
        Entry(data_set.generators_by_class, (12,)),
        Entry(data_set.domain_shares, (13,)),
        Entry(tradeoffs.accuracies, (5,)),
        Entry(tradeoffs.detection, (6, 18)),
        Entry(tradeoffs.errors, (22,)),
        Entry(tradeoffs.error_rates, (22,)),
        Entry(confusion.average, (8,)),
        Entry(confusion.of_each_model, (29,)),
        Entry(confusion.of_medium_rows, (28,)),
        Entry(strata.refusals_by_intensity, (20,)),
        Entry(strata.accuracy_by_class, (21,)),
        Entry(ranking.by_refusal_accuracy, (23,)),
        Entry(ranking.dashboard, by_task={"nq": 24, "garage": 25}),
        Entry(replies.distribution_of_kinds, (26,)),
        Entry(replies.operating_points),
        Entry(replies.quality_of_attempts, (27,)),
        Entry(calibration.error_by_part, (7,)),
        Entry(calibration.reliability_diagram, (7, 19)),
        Entry(calibration.risk_against_coverage),
        Entry(domains.accuracies, (11,)),
        Entry(domains.champions, (30,)),
        Entry(domains.difficulty, (31,)),
        Entry(difficulty.rates_by_knob),
        Entry(traits.size, (9,)),
        Entry(traits.training, (10,)),
        Entry(traits.thinking, (32,)),
    ),
)
_FOR_BOTH = "text of 4.2, F.7 and F.8"
BESIDE: Catalogue[Sequence[Beside]] = Catalogue(
    "RefusalBench",
    tasks_text(word="and"),
    (Entry(beside.rates, places=_FOR_BOTH), Entry(beside.differences, places=_FOR_BOTH)),
)
HEDGING: Catalogue[Sequence[HedgingTally]] = Catalogue(
    "BLUFF-1000",
    "bluff",
    (
        Entry(hedging.index_against_correctness, (3,)),
        Entry(hedging.hedge_quality, (4,)),
        Entry(hedging.index, (5,)),
        Entry(hedging.refusal_sensitivity),
        Entry(hedging.faithfulness_against_sensitivity, (6,)),
        Entry(hedging.correctness_against_refusals, (13,)),
        Entry(hedging.correctness_against_missed_refusals, (14,)),
        Entry(hedging_calibration.reliability_diagram),
        Entry(hedging_calibration.risk_against_coverage),
        Entry(factors.main_effects),
    ),
    tables=(2,),
)
GENERATION: Catalogue[Panel] = Catalogue(
    "RefusalBench",
    "perturb",
    (
        Entry(generation.verdicts, (3,)),
        Entry(generation.self_and_cross, (3,)),
        Entry(generation.self_bias),
        Entry(generation.pass_rates_by_class, (4,)),
        Entry(generation.kappa, (14,)),
        Entry(generation.pass_rates_by_intensity, (15,)),
        Entry(generation.intensity_ranking, (15,)),
        Entry(generation.class_ranking, (16,)),
        Entry(generation.self_bias_by_class, (17,)),
        Entry(generation.writer_ranking),
        Entry(generation.pass_rates_by_lever),
    ),
)
CATALOGUES = (REFUSAL, BESIDE, GENERATION, HEDGING)
