"""The figures of a report: a new one is a function from a group of runs to a `Figure`,
or to why there is none, and a line here with the papers' figures that it stands for.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from refusalbench_tasks.report.charts import Figure
from refusalbench_tasks.report.groups import Group
from refusalbench_tasks.results.verifier_panel import Panel

from . import (
    calibration,
    confusion,
    data_sets,
    generation,
    hedges,
    languages,
    question_counts,
    rates,
    searching,
    traits,
)

Shown = TypeVar("Shown")
"""What a figure is made from: the runs of a section, or the votes on what was made."""


@dataclass(frozen=True)
class FigureEntry(Generic[Shown]):
    """What makes a figure, and its name if there is none."""

    make: Callable[[Shown], Figure | str]
    name: str
    source: str = ""
    """Which figures of a paper it stands for; empty for one of ours."""


REFUSAL: tuple[FigureEntry[Group], ...] = (
    FigureEntry(
        rates.errors, "false against missed refusals", "RefusalBench, Figure 22"
    ),
    FigureEntry(rates.kinds_of_reply, "kinds of reply", "RefusalBench, Figure 26"),
    FigureEntry(
        rates.accuracies, "answer against refusal accuracy", "RefusalBench, Figure 5"
    ),
    FigureEntry(
        rates.detection, "whether to refuse against why", "RefusalBench, Figure 6, 18"
    ),
    FigureEntry(rates.by_intensity, "refusals by intensity", "RefusalBench, Figure 20"),
    FigureEntry(
        confusion.confusion_matrices, "confusion matrices", "RefusalBench, Figure 29"
    ),
    FigureEntry(
        confusion.mean_confusion, "mean confusion matrix", "RefusalBench, Figure 8"
    ),
    FigureEntry(
        calibration.quality_of_attempts,
        "quality of the attempts",
        "RefusalBench, Figure 27",
    ),
    FigureEntry(
        calibration.error_by_part, "calibration error", "RefusalBench, Figure 7"
    ),
    FigureEntry(
        calibration.reliability_diagram,
        "reliability diagram",
        "RefusalBench, Figure 7, 19",
    ),
    FigureEntry(traits.by_size, "size", "RefusalBench, Figure 9"),
    FigureEntry(traits.by_tuning, "tuning", "RefusalBench, Figure 10"),
    FigureEntry(traits.thinking, "thinking tokens", "RefusalBench, Figure 32"),
    FigureEntry(data_sets.rows_by_cell, "rows by cell", "RefusalBench, Figure 2"),
)
OWN: tuple[FigureEntry[Group], ...] = (
    FigureEntry(question_counts.counts_of_questions, "what became of the questions"),
    FigureEntry(question_counts.trend, "the last runs"),
    FigureEntry(calibration.quality_of_attempts, "quality of the attempts"),
    FigureEntry(calibration.reliability_diagram, "reliability diagram"),
)
"""Of a system of one's own; the papers' other figures compare models."""
SEARCH: tuple[FigureEntry[Group], ...] = (
    FigureEntry(searching.what_happened, "what happened to the rows"),
    FigureEntry(searching.by_budget, "right replies by searches"),
)
LANGUAGES: tuple[FigureEntry[Group], ...] = (
    FigureEntry(languages.by_language, "error rates by language"),
)
HEDGING: tuple[FigureEntry[Group], ...] = (
    FigureEntry(hedges.index, "ambiguity sensitivity index", "BLUFF-1000, Figure 5"),
    FigureEntry(
        hedges.against("answer_correctness", "asi"),
        "ASI against correctness",
        "BLUFF-1000, Figure 3",
    ),
    FigureEntry(
        hedges.hedge_quality, "do hedges mark wrong answers", "BLUFF-1000, Figure 4"
    ),
    FigureEntry(
        hedges.against("refusal_sensitivity", "faithfulness"),
        "faithfulness against refusal sensitivity",
        "BLUFF-1000, Figure 6",
    ),
    FigureEntry(
        hedges.against("refusal_count", "answer_correctness"),
        "correctness against refusals",
        "BLUFF-1000, Figure 13",
    ),
    FigureEntry(
        hedges.against("missed_refusals", "answer_correctness"),
        "correctness against missed refusals",
        "BLUFF-1000, Figure 14",
    ),
    FigureEntry(hedges.grades_by_confidence, "reliability diagram"),
)
GENERATION: tuple[FigureEntry[Panel], ...] = (
    FigureEntry(
        generation.verdicts,
        "pass rates by writer and verifier",
        "RefusalBench, Figure 3",
    ),
    FigureEntry(
        generation.self_and_cross,
        "pass rates by oneself and by others",
        "RefusalBench, Figure 3",
    ),
    FigureEntry(
        generation.pass_rates_by("class"),
        "pass rates by class",
        "RefusalBench, Figure 4, 16",
    ),
    FigureEntry(
        generation.kappa, "agreement of the verifiers", "RefusalBench, Figure 14"
    ),
    FigureEntry(
        generation.pass_rates_by("intensity"),
        "pass rates by intensity",
        "RefusalBench, Figure 15",
    ),
    FigureEntry(
        generation.self_bias_by_class,
        "self-evaluation bias by class",
        "RefusalBench, Figure 17",
    ),
)


def figures_of(group: Group) -> tuple[list[Figure], list[tuple[str, str]]]:
    """Return the figures that a group's runs allow, the first screen's first, and the
    names of the others, each with its reason.
    """
    if group.task == "bluff":
        return make_figures(HEDGING, group)
    searched = "searches" in group.rows
    entries = OWN if group.own else REFUSAL
    if searched:
        entries = (*REFUSAL[:1], *SEARCH, *REFUSAL[1:])
    if len(languages.spoken(group)) > 1:
        entries = (*entries[:1], *LANGUAGES, *entries[1:])
    return make_figures(entries, group)


def make_figures(
    entries: Iterable[FigureEntry[Shown]], shown: Shown
) -> tuple[list[Figure], list[tuple[str, str]]]:
    """Return the figures of some entries, and the names of those that can't be drawn,
    each with its reason.
    """
    figures = []
    undrawn = []
    for entry in entries:
        figure = entry.make(shown)
        if isinstance(figure, str):
            source = entry.source or "not in the papers"
            undrawn.append((f"{entry.name} ({source})", figure))
        else:
            figures.append(replace(figure, source=entry.source))
    return figures, undrawn
