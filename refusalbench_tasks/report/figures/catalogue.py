"""The figures of a report: a new one is a function from a group of runs to a `Figure`,
or to why there is none, and a line here with the papers' figures that it stands for.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from refusalbench_tasks.report.figures import (
    calibration,
    confusion,
    generation,
    hedges,
    rates,
    traits,
)
from refusalbench_tasks.report.figures.figure import Figure
from refusalbench_tasks.report.groups import Group
from refusalbench_tasks.results.verifier_panel import Panel

Of = TypeVar("Of")
"""What a figure is made from: the runs of a section, or the votes on what was made."""


@dataclass(frozen=True)
class FigureEntry(Generic[Of]):
    """What makes a figure, its name if there is none, and the numbers of the paper's
    figures; without any it is ours.

    Of `by_task` only the number of the group's task counts.
    """

    make: Callable[[Of], Figure | str]
    name: str
    numbers: tuple[int, ...] = ()
    by_task: Mapping[str, int] | None = None

    def source(self, paper: str, task: str) -> str:
        """Return which figures of the paper it is, for people."""
        numbers = (
            *self.numbers,
            *([self.by_task[task]] if self.by_task and task in self.by_task else []),
        )
        return (
            f"{paper}, Figure {', '.join(map(str, numbers))}"
            if numbers
            else "not in the papers"
        )


REFUSAL: tuple[FigureEntry[Group], ...] = (
    FigureEntry(rates.kinds_of_reply, "kinds of reply", (26,)),
    FigureEntry(rates.dashboard, "main metrics", by_task={"nq": 24, "garage": 25}),
    FigureEntry(rates.errors, "false against missed refusals", (22,)),
    FigureEntry(rates.accuracies, "answer against refusal accuracy", (5,)),
    FigureEntry(rates.detection, "whether to refuse against why", (6, 18)),
    FigureEntry(rates.by_intensity, "refusals by intensity", (20,)),
    FigureEntry(rates.by_class, "refusal accuracy by class", (21,)),
    FigureEntry(confusion.of_each_model, "confusion matrices", (29,)),
    FigureEntry(calibration.quality_of_attempts, "quality of the attempts", (27,)),
    FigureEntry(calibration.error_by_part, "calibration error", (7,)),
    FigureEntry(calibration.reliability_diagram, "reliability diagram", (7, 19)),
    FigureEntry(rates.by_domain, "accuracies by domain", (11,)),
    FigureEntry(traits.thinking, "thinking tokens", (32,)),
)
HEDGING: tuple[FigureEntry[Group], ...] = (
    FigureEntry(hedges.index, "ambiguity sensitivity index", (5,)),
    FigureEntry(hedges.index_against_correctness, "ASI against correctness", (3,)),
    FigureEntry(hedges.hedge_quality, "do hedges mark wrong answers", (4,)),
    FigureEntry(
        hedges.against("refusal_sensitivity", "faithfulness"),
        "faithfulness against refusal sensitivity",
        (6,),
    ),
    FigureEntry(
        hedges.against("refusal_count", "answer_correctness"),
        "correctness against refusals",
        (13,),
    ),
    FigureEntry(
        hedges.against("missed_refusals", "answer_correctness"),
        "correctness against missed refusals",
        (14,),
    ),
    FigureEntry(hedges.reliability_diagram, "reliability diagram"),
)
GENERATION: tuple[FigureEntry[Panel], ...] = (
    FigureEntry(generation.verdicts, "pass rates by writer and verifier", (3,)),
    FigureEntry(generation.self_and_cross, "pass rates by oneself and by others", (3,)),
    FigureEntry(generation.pass_rates("class"), "pass rates by class", (4, 16)),
    FigureEntry(generation.kappa, "agreement of the verifiers", (14,)),
    FigureEntry(generation.pass_rates("intensity"), "pass rates by intensity", (15,)),
    FigureEntry(generation.self_bias_by_class, "self-evaluation bias by class", (17,)),
)


def figures_of(group: Group) -> tuple[list[Figure], list[tuple[str, str]]]:
    """Return the figures that a group's runs allow, and the names of the others, each
    with its reason.
    """
    refusal = group.task != "bluff"
    paper, entries = ("RefusalBench", REFUSAL) if refusal else ("BLUFF-1000", HEDGING)
    return drawn(entries, paper, group.task, group)


def drawn(
    entries: Iterable[FigureEntry[Of]], paper: str, task: str, of: Of
) -> tuple[list[Figure], list[tuple[str, str]]]:
    """Return the figures of some entries, and the names of those that can't be drawn,
    each with its reason.
    """
    made = []
    undrawn = []
    for entry in entries:
        source = entry.source(paper, task)
        found = entry.make(of)
        if isinstance(found, str):
            undrawn.append((f"{entry.name} ({source})", found))
        else:
            made.append(replace(found, source=source))
    return made, undrawn
