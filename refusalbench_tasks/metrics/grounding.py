"""Answer quality on ten passages (paper App. D, Fig. 26 and 27), as pure functions of graded replies."""

from collections.abc import Sequence
from dataclasses import dataclass

from refusalbench_tasks.outcome import Outcome
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


@dataclass(frozen=True)
class Grounded:
    """One reply with what the judge found (None: not graded) and the counts of its citations (0 for refusals)."""

    outcome: Outcome
    eligible: float | None = None
    factual_all: float | None = None
    citations: int = 0
    existing: int = 0
    signal: int = 0

    @property
    def attempt(self) -> bool:
        """Whether this is an attempt to answer an answerable question."""
        return self.outcome.expected is Label.ANSWER and self.outcome.predicted is Label.ANSWER

    @property
    def known(self) -> bool:
        """Whether it is known if the reply is right."""
        return self.outcome.right is not None


def quality(replies: Sequence[Grounded]) -> dict[str, float]:
    """Return answer quality with its three denominators, each under its own name, and the hybrid score.

    `answer_quality`: RAF over all answerable rows, refusals counting 0 (App. D). `raf_attempts`: over graded attempts
    (Fig. 27). `raf_not_refused`: over answerable rows that were not refused, with ungraded and undecided ones counting
    0, as an average over stored zeros has it. `eligibility` and `unadjusted_factuality` like the first, `..._attempts`
    like the second, both without attempts that no judge saw. `hybrid_score`: answer quality and refusal accuracy,
    weighted by their rows; one side empty gives the other. NaN without a denominator.
    """
    answerable = [r for r in replies if r.outcome.expected is Label.ANSWER]
    graded = [r for r in answerable if r.known]
    attempts = [r for r in graded if r.attempt]
    not_refused = [r for r in answerable if r.outcome.predicted is None or r.attempt]
    unanswerable = [r for r in replies if r.outcome.expected is not Label.ANSWER and r.known]
    good = sum(r.outcome.right is True for r in attempts)
    hits = sum(r.outcome.right is True for r in unanswerable)
    refused = len(graded) - len(attempts)
    eligible = [r.eligible for r in attempts if r.eligible is not None]
    factual = [r.factual_all for r in attempts if r.factual_all is not None]
    return {
        "answer_quality": _share(good, len(graded)),
        "answer_quality_n": len(graded),
        "raf_attempts": _share(good, len(attempts)),
        "raf_attempts_n": len(attempts),
        "raf_not_refused": _share(good, len(not_refused)),
        "raf_not_refused_n": len(not_refused),
        "eligibility": _share(sum(eligible), refused + len(eligible)),
        "eligibility_n": refused + len(eligible),
        "eligibility_attempts": _share(sum(eligible), len(eligible)),
        "eligibility_attempts_n": len(eligible),
        "unadjusted_factuality": _share(sum(factual), refused + len(factual)),
        "unadjusted_factuality_n": refused + len(factual),
        "unadjusted_factuality_attempts": _share(sum(factual), len(factual)),
        "unadjusted_factuality_attempts_n": len(factual),
        "hybrid_score": _share(good + hits, len(graded) + len(unanswerable)),
        "hybrid_score_n": len(graded) + len(unanswerable),
    }


def distribution(replies: Sequence[Grounded]) -> dict[str, float]:
    """Return the share of each bucket among the replies that are known to be right or wrong; NaN without any."""
    known = [bucket(r) for r in replies if r.known]
    return {name: _share(known.count(name), len(known)) for name in BUCKETS}


def bucket(reply: Grounded) -> str:
    """Return the bucket of a reply of which it is known whether it is right."""
    outcome = reply.outcome
    if outcome.expected is Label.ANSWER:
        if not reply.attempt:
            return "false_refusal"
        return "good_answer" if outcome.right else "poor_answer"
    if outcome.predicted is Label.ANSWER:
        return "missed_refusal"
    return "correct_code_refusal" if outcome.right else "wrong_code_refusal"


def citation_quality(replies: Sequence[Grounded]) -> dict[str, float]:
    """Return how answers to answerable questions cite: no model involved.

    `citation_existence`: citations of a passage that exists / all citations. `citation_precision`: citations of a
    signal passage / citations of one that exists. `uncited_answers`: attempts without any citation / attempts.
    """
    attempts = [r for r in replies if r.attempt]
    total, existing = sum(r.citations for r in attempts), sum(r.existing for r in attempts)
    return {
        "citation_existence": _share(existing, total),
        "citation_existence_n": total,
        "citation_precision": _share(sum(r.signal for r in attempts), existing),
        "citation_precision_n": existing,
        "uncited_answers": _share(sum(r.citations == 0 for r in attempts), len(attempts)),
        "uncited_answers_n": len(attempts),
    }


def _share(part: float, whole: float) -> float:
    return part / whole if whole else float("nan")
