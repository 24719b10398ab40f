"""Which figures of the papers a report does not have, and why."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import groupby

from refusalbench_tasks.report.figures.catalogue import CATALOGUES
from refusalbench_tasks.report.figures.figure import Paper
from refusalbench_tasks.report.section import Section
from refusalbench_tasks.tables import Table, TableRow


def absent_figures(sections: Sequence[Section]) -> Table:
    """Return the figures that no section has, with the reasons that the sections give; a row for each reason."""
    drawn = {(figure.paper, k) for section in sections for figure in section.figures for k in figure.numbers}
    drawn |= {figure for section in sections for figure in section.paper_tables}
    by_reason: dict[tuple[Paper, str], list[int]] = defaultdict(list)
    for (paper, number), need in sorted(_needs().items()):
        if (paper, number) not in drawn:
            by_reason[paper, "; ".join(_reasons(sections, paper, number)) or need].append(number)
    order = sorted(by_reason.items(), key=lambda entry: (entry[0][0] != "RefusalBench", entry[1]))
    rows: list[TableRow] = [
        {"paper": paper, "figures": ranges(numbers), "reason": reason} for (paper, reason), numbers in order
    ]
    rows += _places(sections)
    return Table("absent", "Figures that these logs don't allow", rows)


def _places(sections: Sequence[Section]) -> Iterable[TableRow]:
    """Return the places of the papers' texts that no section's figure shows, with the reasons."""
    drawn = {(figure.paper, figure.places) for section in sections for figure in section.figures}
    for catalogue in CATALOGUES:
        for places, need in catalogue.needs_of_places().items():
            if (catalogue.paper, places) not in drawn:
                reasons = dict.fromkeys(
                    f"{section.key}: {absent.reason}"
                    for section in sections
                    for absent in section.absent
                    if (absent.paper, absent.places) == (catalogue.paper, places)
                )
                yield {"paper": catalogue.paper, "figures": places, "reason": "; ".join(reasons) or need}


def _needs() -> dict[tuple[Paper, int], str]:
    """Return the papers' figures that show results, and what each needs at least."""
    return {(catalogue.paper, number): need for catalogue in CATALOGUES for number, need in catalogue.needs().items()}


def _reasons(sections: Sequence[Section], paper: Paper, number: int) -> Iterable[str]:
    """Return the reasons of the sections, each once: a figure of the paper may be two of ours."""
    return dict.fromkeys(
        f"{section.key}: {absent.reason}"
        for section in sections
        for absent in section.absent
        if absent.paper == paper and number in absent.numbers
    )


def ranges(numbers: Sequence[int]) -> str:
    """Return ascending numbers with three or more neighbours joined: 1, 2, 3, 5 as `1 to 3, 5`."""
    # in a row of neighbours the difference of a number and its place is the same
    runs = [[number for _, number in run] for _, run in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0])]
    return ", ".join(f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs)
