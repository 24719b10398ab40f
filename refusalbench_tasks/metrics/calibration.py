"""Whether replies are as sure as they should be: bins of confidence, and calibration of
the five stated levels.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from refusalbench_tasks.replies.confidence import LEVELS
from refusalbench_tasks.stats.cluster import Floats
from refusalbench_tasks.stats.estimate import Estimate, Estimates
from refusalbench_tasks.stats.proportion import wilson
from refusalbench_tasks.taxonomy import Label

from .named_sums import measured, named_sums
from .refusal_formulas import PARTS
from .refusal_metrics import CALIBRATION
from .reply_columns import cluster_index
from .reply_table import main_rows


def bin_index(
    confidence: ArrayLike,
    bins: int,
    closed: bool,
) -> NDArray[np.intp]:
    """Return the bin of each confidence in [0, 1], from 0; `bins` for one in none.

    A confidence of exactly 1 is in the last bin. `closed=False` is BLUFF's released
    code: there it is in none, and the edges are numpy's, so that 0.3, 0.6 and 0.7,
    which lie a rounding error below theirs, fall one bin lower.
    """
    stated = np.asarray(confidence, dtype=float)
    if not closed:
        edges = np.linspace(0, 1, bins + 1)
        return np.searchsorted(edges, stated, side="right") - 1
    index: NDArray[np.intp] = np.floor(stated * bins).astype(np.intp)
    return np.minimum(index, bins - 1)


def binned_grades(
    columns: Mapping[str, Floats],
    questions: "pd.Series[str]",
) -> list[tuple[float, Estimate]]:
    """Return the mean confidence and the mean grade of the replies to BLUFF-1000 in
    each bin that has any, the least confident first.

    `columns` are those of `hedging_columns`. Replies to one question are not
    independent: the interval is Wilson's with the bin's questions as n.
    """
    graded = pd.DataFrame(
        {
            "bin": columns["bin"],
            "confidence": columns["confidence"],
            "grade": columns["answer_correctness"],
            "question": questions.to_numpy(),
        }
    ).dropna()
    grades = []
    for _, part in graded.groupby("bin"):
        grade = float(part["grade"].mean())
        units = part["question"].nunique()
        low, high = wilson(grade * units, units)
        estimate = Estimate(
            grade,
            len(part),
            low=low,
            high=high,
            units=units,
        )
        grades.append((float(part["confidence"].mean()), estimate))
    return grades


def with_confidence(table: "pd.DataFrame") -> "pd.DataFrame":
    """Return the main rows with a decided reply that is known to be right or wrong, and
    states a confidence level.
    """
    rows = main_rows(table)
    stated = rows["confidence_asked"] & (rows["level"] != "")
    return rows[stated & (rows["outcome"] == "decided") & rows["right"].notna()]


def calibration(table: "pd.DataFrame", resamples: int = 1000) -> Estimates:
    """Return the metrics of `CALIBRATION`: ECE over five bins, Brier, and share and
    accuracy of each level; nothing where no confidence was asked.
    """
    if not main_rows(table)["confidence_asked"].any():
        return {}
    stated = with_confidence(table)
    answered = (stated["predicted"] == Label.ANSWER).to_numpy()
    answerable = (stated["expected"] == Label.ANSWER).to_numpy()
    every = np.ones(len(stated), dtype=bool)
    inside = (every, answered, ~answered, answerable, ~answerable)
    right = stated["right"].to_numpy(float)
    # counts, so that the order of the rows changes no digit
    columns = {}
    for part, of_part in zip(PARTS, inside, strict=True):
        columns[part] = of_part.astype(float)
        for level in LEVELS:
            here = of_part & (stated["level"] == level).to_numpy()
            columns[f"{part} {level}"] = here.astype(float)
            columns[f"{part} {level} right"] = np.where(
                here,
                right,
                0.0,
            )
    sums = named_sums(columns, cluster_index(stated))
    return measured(CALIBRATION.values(), sums, resamples)
