"""One row a metric: its formula, and what everybody has to know who shows, compares or
limits it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from refusalbench_tasks.stats.cluster import Floats
from refusalbench_tasks.stats.proportion import ratios

Better = Literal["higher", "lower", "neither"]
Sums = Mapping[str, Floats]
"""Sums over replies by name, each of shape (...)."""
Part = str | Callable[[Sums], Floats]
"""The name of a sum, or a function of several."""
OURS = "ours"


@dataclass(frozen=True)
class Ratio:
    """A quotient of sums, undefined where its denominator is 0."""

    numerator: Part
    denominator: Part
    defined_if: Part | None = None
    """It is undefined also where this is 0."""

    def __call__(self, sums: Sums) -> Floats:
        """Return the quotient; NaN where it is undefined."""
        value = ratios(*self.parts(sums))
        if self.defined_if is None:
            return value
        return np.where(
            _part(sums, self.defined_if) > 0,
            value,
            np.nan,
        )

    def parts(self, sums: Sums) -> tuple[Floats, Floats]:
        """Return numerator and denominator, each of shape (...)."""
        return _part(sums, self.numerator), _part(sums, self.denominator)


@dataclass(frozen=True, kw_only=True)
class Metric:
    """One metric: everything that reads logs, limits or prints it goes by this row."""

    name: str
    """What logs, tables and command lines call it."""
    formula: Callable[..., Any]
    """A function of sums over replies, so that it can be resampled by cluster; NaN or
    infinite where undefined. For areas and tests, what computes them from replies.
    """
    n: Part
    """The sum that counts the replies that it is over."""
    better: Better
    share: bool = True
    """Whether it lies in [0, 1], and 0 and 1 are the value of every reply."""
    graded: bool = False
    """Whether it rests on whether answers are right."""
    main: bool = False
    """Whether every table and log has it."""
    logged: bool = False
    """Whether a log has it, too."""
    compared: bool = False
    """Whether two runs of `bluff` are compared by it, too."""
    coded: bool = False
    """Whether it is about the codes of refusals, and undefined where none were asked
    for.
    """
    grounded: bool = False
    """Whether it is defined for answers that are graded against ten passages alone."""
    own: bool = False
    """Whether only the clusters that have a reply of it are resampled."""
    arms: tuple[str, ...] = ("",)
    """The arm whose replies it is over, empty for all; of two, the second - the first,
    each over its own replies.
    """
    words: str = ""
    """What a heading calls it, where that is not its name with spaces."""
    source: str = OURS
    """Where it is defined."""

    def __post_init__(self) -> None:
        """Raise ValueError for a row that does not say which values are better."""
        if self.better not in get_args(Better):
            raise ValueError(f"{self.name}: better is one of {get_args(Better)}")

    @property
    def label(self) -> str:
        """Return what a heading calls it."""
        return self.words or self.name.replace("_", " ").replace("/", ": ")

    @property
    def bounded(self) -> bool:
        """Return whether 0 and 1 are the bounds of the number itself, which they are
        not of a difference.
        """
        return self.share and len(self.arms) == 1

    def value(self, arms: Mapping[str, Sums]) -> Floats:
        """Return the number from the sums of each arm; NaN where it is undefined."""
        with np.errstate(divide="ignore", invalid="ignore"):
            sides = [self.formula(arms[arm]) for arm in self.arms]
            value = sides[0] if len(sides) == 1 else sides[1] - sides[0]
        return np.where(
            np.isfinite(value),
            value,
            np.nan,
        )

    def size(self, arms: Mapping[str, Sums]) -> Floats:
        """Return the n of the number; of a difference that of both sides."""
        parts = [_part(arms[arm], self.n) for arm in self.arms]
        total: Floats = np.sum(parts, axis=0)
        return total


Metrics = Mapping[str, Metric]
"""Rows by name."""


def _part(sums: Sums, part: Part) -> Floats:
    return sums[part] if isinstance(part, str) else part(sums)
