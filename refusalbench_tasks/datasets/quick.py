"""How small a quick run is (`quick=true`), and what it can show."""

import math
from collections import Counter
from collections.abc import Sequence
from logging import getLogger

from .draw import Entry, Name

QUICK = 96
"""The most rows of a quick run: sixteen for each of six classes, and whole questions of
two, three, four, six or twelve sets of sources.
"""

logger = getLogger(__name__)


def detectable(n: int, others: int) -> float:
    """Return the smallest difference between a share of `n` rows and one of `others`
    that a two-sided 5 % test finds with a probability of 80 %.

    Of shares of one half, whose difference is the hardest to see, and of independent
    rows.
    """
    # numpy, which only a quick run needs before its replies
    from refusalbench_tasks.stats.proportion import MDE_Z

    return MDE_Z * math.sqrt(0.25 / n + 0.25 / others)


def tell_quick(
    drawn: Sequence[Entry],
    whole: Sequence[Entry],
    kind_of: Name[Entry],
) -> None:
    """Say how many rows of each kind were drawn, and what difference these show."""
    sizes = Counter(map(kind_of, whole))
    kinds = []
    for kind, n in sorted(Counter(map(kind_of, drawn)).items()):
        gap = detectable(n, sizes[kind])
        kinds.append(f"{gap:.2f} over the {n} {kind} rows")
    logger.warning(
        "quick=true: %d of %d rows; the smallest difference to a share of all rows that"
        " they show (80 %% power): %s",
        len(drawn),
        len(whole),
        ", ".join(kinds),
    )
