"""What a conflict of the sources moves, by what they disagree about: the value that is asked for, or another matter."""

from collections.abc import Sequence
from typing import get_args

from refusalbench_tasks.datasets.factorial import FACTORS, ConflictAbout
from refusalbench_tasks.metrics.hedging_factors import MEASURES, Cell, Effect, cell_means, effect_of, levels_of
from refusalbench_tasks.metrics.hedging_rows import HedgingRows

ABOUT: tuple[str, ...] = get_args(ConflictAbout)
_CONFLICT = FACTORS.index("conflict")


def conflict_effects(
    rows: HedgingRows, measures: Sequence[str] = tuple(MEASURES), resamples: int = 1000, seed: int = 0
) -> list[tuple[str, Effect]]:
    """Return the main effect of `conflict` on each measure for each thing that a conflict may be about.

    As in `factor_effects`, but over those differences alone whose set with a conflict is about this thing; NaN with n 0
    where there is none. The differences of all four together are those of the main effect, if every row tells. A cell
    whose rows name two things is in none. Nothing if no row tells what its sources disagree about. Ours.
    """
    told = _told(rows)
    found = []
    for measure in measures if told else ():
        means = cell_means(rows, MEASURES[measure](rows))
        for about in ABOUT:
            own = {cell: mean for cell, mean in means.items() if not cell[1][_CONFLICT] or told.get(cell) == {about}}
            found.append((about, effect_of(own, ("conflict",), measure, rows.cluster == "row", resamples, seed)))
    return found


def _told(rows: HedgingRows) -> dict[Cell, set[str]]:
    found: dict[Cell, set[str]] = {}
    for row, question in zip(rows, rows.questions, strict=True):
        levels = levels_of(row)
        if levels is not None and levels[_CONFLICT] and row.conflict_about:
            found.setdefault((question, levels), set()).add(row.conflict_about)
    return found
