"""What the replies of one run say of its system, in one sentence whose claims are
supported by CIs.
"""

import math

from refusalbench_tasks.stats.difference import difference_interval
from refusalbench_tasks.stats.estimate import Estimate
from refusalbench_tasks.taxonomy import Label

from .groups import SystemView

ALPHA = 0.05
_ROUNDING = 1e-9


def refusal_sentence(system: SystemView) -> str:
    """Return what a run of `nq` or `garage` says: missing replies, the two errors,
    categories.

    A system over-refuses if the CI of its false refusals lies wholly above that of its
    missed ones, and under-refuses if wholly below; that it refuses the unanswerable
    more often than the answerable is taken for granted only if the CI of the difference
    (MOVER) is above 0.
    """
    false = system.number("false_refusal_rate")
    missed = system.number("missed_refusal_rate")
    parts = [*_not_given(system), _errors(system, false, missed)]
    if system.codes:
        parts += _reasons(system)
    return "; ".join(parts) + "."


def hedging_sentence(system: SystemView) -> str:
    """Return what refusals and answers under clear sources, and the index of ambiguity
    sensitivity (ASI), say.

    The ASI is compared with its mean under exchanged arms by its permutation test; p is
    two-sided.
    """
    refused = system.number("refusal_rate_clear")
    correct = system.number("answer_correctness")
    asi = system.number("asi")
    null = system.number("asi_null").value
    p = system.number("asi_p").value
    parts = []
    if refused.known:
        parts.append(f"refuses {percent(refused.value)} under clear sources")
    if correct.known:
        parts.append(f"{percent(correct.value)} of its answers are right")
    if not asi.known or math.isnan(p) or math.isnan(null):
        parts.append("its sensitivity to ambiguous sources is not known")
        return "; ".join(parts) + "."
    p_text = f"p {'< 0.001' if p < 0.001 else f'= {p:.3f}'}"
    if p < ALPHA:
        less = "more" if asi.value > null else "less"
        parts.append(
            f"sounds {less} unsure under ambiguous sources than under clear ones"
            f" ({p_text})"
        )
    else:
        parts.append(
            "whether ambiguous sources make it sound less sure can't be told"
            f" ({p_text})"
        )
    return "; ".join(parts) + "."


def _errors(system: SystemView, false: Estimate, missed: Estimate) -> str:
    due = _due_refusals(system)
    refuses = (
        f"refuses {percent(false.value)} of answerable rows" if false.known else ""
    )
    answers = ""
    if missed.known:
        silent = 1 - missed.value - due.value
        among = ""
        if silent > _ROUNDING:
            among = f", no reply {percent(silent)}, refuses {percent(due.value)}"
        answers = f"of unanswerable rows answers {percent(missed.value)}{among}"
    if refuses and answers:
        return f"{refuses}; {answers}: {_direction(false, missed, due)}"
    if refuses or answers:
        return f"{refuses or answers}; the other error is not known"
    return "neither error is known"


def _due_refusals(system: SystemView) -> Estimate:
    """Return the share of unanswerable rows that are refused, unscored ones apart."""
    rows = system.rows
    due = (rows["expected"] != Label.ANSWER) & (rows["outcome"] != "unscored")
    decided = rows["outcome"] == "decided"
    refused = decided & (rows["predicted"] != Label.ANSWER)
    return system.share(refused.to_numpy(), due.to_numpy())


def _direction(false: Estimate, missed: Estimate, due: Estimate) -> str:
    if not (false.has_interval and missed.has_interval and due.has_interval):
        return "too few questions to tell more"
    told = []
    if false.low > missed.high:
        told.append("over-refuses")
    if missed.low > false.high:
        told.append("under-refuses")
    # of the unanswerable less of the answerable: silence is no refusal of either
    low, high = difference_interval(
        (due.value, due.low, due.high),
        (false.value, false.low, false.high),
    )
    if low <= 0:
        also = "less often than" if high < 0 else "no more often than"
        told.append(
            f"refuses unanswerable rows {also} answerable ones, as far as these rows"
            " can tell"
        )
    if not told and false.value == 0 and due.value == 1:
        return "makes neither error on these rows"
    return ", and ".join(told) or "which error is the more frequent can't be told"


def _not_given(system: SystemView) -> list[str]:
    """Return that replies are missing, which the two errors hide: they are neither."""
    missing = system.counts["no reply"]
    if not missing:
        return []
    share = percent(missing / system.counts["replies"])
    return [f"gives no reply to {share} of rows"]


def _reasons(system: SystemView) -> list[str]:
    category = system.number("category_accuracy")
    if not category.known:
        return [
            "no reason can be right or wrong: no unanswerable row was refused with a"
            " code"
        ]
    share = percent(category.value)
    return [f"names the reason in {share} of its due refusals (n={category.n:.0f})"]


def percent(share: float) -> str:
    """Return a share in whole per cents, of which 0 and 100 mean none and all."""
    whole = round(100 * share)
    if whole in (0, 100) and share not in (0.0, 1.0):
        return "under 1\u00a0%" if whole == 0 else "over 99\u00a0%"
    return f"{whole}\u00a0%"
