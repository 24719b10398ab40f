"""Which figures of the papers a report does not have, and why."""

from collections.abc import Sequence

from refusalbench_tasks.report.figures.figure import Paper
from refusalbench_tasks.report.section import Section
from refusalbench_tasks.tables import Table, TableRow

_GENERATION = (3, 4, 14, 15, 16, 17)
_NEEDS: dict[tuple[Paper, int], str] = {
    **{("RefusalBench", k): "needs a run of nq or garage" for k in range(2, 33)},
    **{("RefusalBench", k): "needs a run of perturb" for k in _GENERATION},
    ("RefusalBench", 24): "needs a run of nq",
    ("RefusalBench", 25): "needs a run of garage",
    **{("BLUFF-1000", k): "needs a run of bluff" for k in (2, 3, 4, 5, 6, 13, 14)},
}
"""The figures that show results, and what each needs at least."""


def absent_figures(sections: Sequence[Section]) -> Table:
    """Return the figures that no section has, each with the reasons that the sections give."""
    drawn = {(figure.paper, k) for section in sections for figure in section.figures for k in figure.numbers}
    if any(
        table.key == "overview" and section.key.startswith("bluff") for section in sections for table in section.tables
    ):
        drawn.add(("BLUFF-1000", 2))
    rows: list[TableRow] = []
    for (paper, number), need in _NEEDS.items():
        if (paper, number) in drawn:
            continue
        told = [
            f"{section.key}: {absent.reason}"
            for section in sections
            for absent in section.absent
            if absent.paper == paper and number in absent.numbers
        ]
        rows.append({"paper": paper, "figure": number, "reason": "; ".join(told) or need})
    return Table("absent", "Figures that these logs don't allow", rows)
