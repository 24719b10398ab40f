"""Answer quality on ten passages (paper App. D, Fig. 26 and 27), as pure functions of graded replies."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refusalbench_tasks.outcome import Outcome
from refusalbench_tasks.stats.cluster import Floats
from refusalbench_tasks.taxonomy import Label

BUCKETS = (
    "good_answer",
    "poor_answer",
    "correct_code_refusal",
    "wrong_code_refusal",
    "false_refusal",
    "missed_refusal",
)
"""The six kinds of reply of Fig. 26, exclusive; their shares sum to 1."""
UNGRADED = "ungraded_answer"
UNCODED = "uncoded_refusal"
KINDS = (*BUCKETS, UNGRADED, "undecided_answerable", "undecided_unanswerable", UNCODED)
"""All kinds of reply: the buckets, and what is in none of them because it is not known to be right or wrong."""
_GRADED_ATTEMPTS = ("good_answer", "poor_answer")


def kind_of(outcome: Outcome) -> str:
    """Return which of `KINDS` a reply is."""
    answerable = outcome.expected is Label.ANSWER
    if outcome.predicted is None:
        return "undecided_answerable" if answerable else "undecided_unanswerable"
    if answerable and outcome.predicted is not Label.ANSWER:
        return "false_refusal"
    if answerable:
        return UNGRADED if outcome.correct is None else "good_answer" if outcome.correct else "poor_answer"
    if outcome.predicted is Label.ANSWER:
        return "missed_refusal"
    if not outcome.codes:
        return UNCODED
    return "correct_code_refusal" if outcome.right else "wrong_code_refusal"


@dataclass(frozen=True)
class Replies:
    """Replies with what the judge found of each (NaN: not graded) and the counts of its citations (0 for refusals)."""

    outcomes: Sequence[Outcome]
    eligible: Floats
    factual_all: Floats
    citations: Floats
    existing: Floats
    signal: Floats
    which: NDArray[np.integer[Any]] | None = None
    """The place in `outcomes` of each reply's; by default each reply has one of its own."""

    @cached_property
    def kinds(self) -> NDArray[np.intp]:
        """Return the place in `KINDS` of each reply, shape (n,)."""
        kinds = np.array([KINDS.index(kind_of(one)) for one in self.outcomes], dtype=np.intp)
        return kinds if self.which is None else kinds[self.which]

    @cached_property
    def counts(self) -> dict[str, int]:
        """Return how many replies there are of each kind."""
        return dict(zip(KINDS, np.bincount(self.kinds, minlength=len(KINDS)).tolist(), strict=True))

    def number(self, *kinds: str) -> int:
        """Return how many replies are of any of the kinds."""
        return sum(self.counts[kind] for kind in kinds)

    def of(self, *kinds: str) -> NDArray[np.bool_]:
        """Return which replies are of any of the kinds, shape (n,)."""
        return np.isin(self.kinds, [KINDS.index(kind) for kind in kinds])


QUALITY = (
    "answer_quality",
    "raf_attempts",
    "raf_not_refused",
    "eligibility",
    "eligibility_attempts",
    "unadjusted_factuality",
    "unadjusted_factuality_attempts",
)
"""The order of the ratios of `quality_cells`."""


def quality(replies: Replies) -> dict[str, float]:
    """Return answer quality with its three denominators, each under its own name, with their n.

    `answer_quality`: RAF over all answerable rows, refusals counting 0 (App. D). `raf_attempts`: over graded attempts
    (Fig. 27). `raf_not_refused`: over answerable rows that were not refused, with ungraded and undecided ones counting
    0, as an average over stored zeros has it. `eligibility` and `unadjusted_factuality` like the first, `..._attempts`
    like the second, both without attempts that no judge saw. NaN without a denominator.
    """
    totals = quality_cells(replies).sum(axis=0)
    named = zip(QUALITY, totals[: len(QUALITY)], totals[len(QUALITY) :], strict=True)
    return {key: value for name, part, whole in named for key, value in _named(name, float(part), float(whole)).items()}


def quality_cells(replies: Replies) -> Floats:
    """Return what the metrics of answer quality are ratios of sums of: numerators, then denominators, shape (n, 14)."""
    good, attempts, refused = replies.of("good_answer"), replies.of(*_GRADED_ATTEMPTS), replies.of("false_refusal")
    not_refused = attempts | replies.of(UNGRADED, "undecided_answerable")
    tops, bottoms = [good, good, good], [refused | attempts, attempts, not_refused]
    for values in (replies.eligible, replies.factual_all):
        judged = attempts & ~np.isnan(values)
        tops += [np.where(judged, values, 0.0)] * 2
        bottoms += [refused | judged, judged]
    return np.column_stack([*tops, *bottoms]).astype(float)


def kind_cells(replies: Replies) -> Floats:
    """Return the bucket of each reply as zeros and a one, all zeros where it is not known: shape (n, 6)."""
    return np.column_stack([replies.of(name) for name in BUCKETS]).astype(float)


def kind_shares(totals: Floats) -> Floats:
    """Return the share of each bucket from sums of `kind_cells`, shape (..., 6); NaN where no reply is known."""
    known = totals.sum(axis=-1, keepdims=True)
    shares: Floats = np.where(known > 0, totals / np.where(known > 0, known, 1.0), np.nan)
    return shares


def distribution(replies: Replies) -> dict[str, float]:
    """Return the share of each bucket among the replies that are known to be right or wrong; NaN without any."""
    known = replies.number(*BUCKETS)
    return {name: _share(replies.number(name), known) for name in BUCKETS}


def citation_quality(replies: Replies) -> dict[str, float]:
    """Return how answers to answerable questions cite: no model involved.

    `citation_existence`: citations of a passage that exists / all citations. `citation_precision`: citations of a
    signal passage / citations of one that exists. `uncited_answers`: attempts without any citation / attempts.
    """
    attempts = replies.of(*_GRADED_ATTEMPTS, UNGRADED)
    cited, existing, signal = (values[attempts] for values in (replies.citations, replies.existing, replies.signal))
    return {
        **_named("citation_existence", int(existing.sum()), int(cited.sum())),
        **_named("citation_precision", int(signal.sum()), int(existing.sum())),
        **_named("uncited_answers", int((cited == 0).sum()), len(cited)),
    }


def _named(name: str, part: float, whole: float) -> dict[str, float]:
    return {name: _share(part, whole), f"{name}_n": whole}


def _share(part: float, whole: float) -> float:
    return part / whole if whole else float("nan")
