"""Parts of a log of BLUFF-1000: by topic, and by hedge term."""

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from refusalbench_tasks.metrics.arm_names import PAIRED
from refusalbench_tasks.metrics.hedging_index import WRONG_BELOW
from refusalbench_tasks.metrics.hedging_rows import HedgingRows
from refusalbench_tasks.stats.cluster import Mask
from refusalbench_tasks.stats.known import known_mean, known_n


@dataclass(frozen=True)
class TermUse:
    """How often a term is used, and how often the answers with it are wrong; NaN where there is nothing to tell.

    Shares are of replies, whatever number of times a reply has the term.
    """

    term: str
    replies: int
    """Replies with it."""
    share: float
    n: int
    """Replies whose hedges are known."""
    share_clear: float
    clear_n: int
    share_ambiguous: float
    ambiguous_n: int
    difference: float
    """Ambiguous - clear."""
    wrong: float
    """Share of the graded answers with it whose correctness is below 0.5."""
    graded_n: int
    """Graded answers with it."""


def by_topic(rows: HedgingRows) -> dict[str, HedgingRows]:
    """Return the rows of each topic, in the order of their names; rows without one are left out."""
    groups: dict[str, list[int]] = defaultdict(list)
    for i, row in enumerate(rows):
        if row.topic:
            groups[row.topic].append(i)
    return {topic: HedgingRows(rows[i] for i in groups[topic]) for topic in sorted(groups)}


def term_uses(rows: HedgingRows) -> list[TermUse]:
    """Return the use of every term that a reply has, the most frequent first."""
    known = ~np.isnan(rows.column("hedges"))
    users: dict[str, list[int]] = defaultdict(list)
    for i, row in enumerate(rows):
        for term in row.terms if known[i] else ():
            users[term].append(i)
    return [_use(term, rows, known, users[term]) for term in sorted(users, key=lambda t: (-len(users[t]), t))]


def _use(term: str, rows: HedgingRows, known: Mask, users: list[int]) -> TermUse:
    uses = np.where(known, 0.0, np.nan)
    uses[users] = 1.0
    clear, ambiguous = (uses[getattr(rows, arm)] for arm in PAIRED)
    graded = rows.graded & ~rows.left_out & (uses == 1)
    wrong = (rows.column("correctness")[graded] < WRONG_BELOW).astype(float)
    return TermUse(
        term=term,
        replies=len(users),
        share=known_mean(uses),
        n=int(known.sum()),
        share_clear=known_mean(clear),
        clear_n=int(known_n(clear)),
        share_ambiguous=known_mean(ambiguous),
        ambiguous_n=int(known_n(ambiguous)),
        difference=known_mean(ambiguous) - known_mean(clear),
        wrong=known_mean(wrong),
        graded_n=len(wrong),
    )
