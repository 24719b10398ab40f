"""What tests read of the samples of a log of `nq` or `garage`: its replies as a table,
and every number of them.
"""

from collections import Counter
from typing import TYPE_CHECKING

from inspect_ai.log import EvalLog
from inspect_ai.scorer import SampleScore

from refusalbench_tasks.metrics.refusal import every_number
from refusalbench_tasks.metrics.reply_table import of_scores

if TYPE_CHECKING:
    import pandas as pd


def replies_of(log: EvalLog, scorer: str = "refusal_scores") -> "pd.DataFrame":
    """Return the replies of a log that ended well."""
    assert log.status == "success", log.error
    assert log.samples
    scored = [
        (sample, sample.scores[scorer]) for sample in log.samples if sample.scores
    ]
    return of_scores(
        [
            SampleScore(score=one, sample_metadata=sample.metadata)
            for sample, one in scored
        ]
    )


def numbers_of(log: EvalLog, scorer: str = "refusal_scores") -> dict[str, float]:
    """Return every number of a log's replies with its `_n`, `_stderr` and interval, and
    how many replies there are.

    `n_REASON` and `n_by_WHO` say why some were not decided, and who decided the others.
    """
    table = replies_of(log, scorer)
    found: dict[str, float] = {}
    for name, one in every_number(table).items():
        found |= {
            name: one.value,
            f"{name}_n": one.n,
            f"{name}_stderr": one.stderr,
            f"{name}_ci_low": one.low,
        }
        found |= {
            f"{name}_ci_high": one.high,
            f"{name}_bootstrap_stderr": one.bootstrap_stderr,
        }
    reasons = Counter(table["reason"])
    deciders = Counter(table["decided_by"])
    counts = {f"n_{reason}": n for reason, n in reasons.items() if reason}
    counts |= {
        f"n_by_{who}": deciders[who]
        for who in ("parse", "alias", "type", "reading", "judge")
    }
    counts |= {
        f"n_{outcome}": int((table["outcome"] == outcome).sum())
        for outcome in ("unscored", "decided")
    }
    counts["n_right"] = int((table["right"] == 1).sum())
    counts["n_replies_missing"] = int((table["outcome"] == "no_reply").sum())
    return (
        found
        | counts
        | {"n": len(table), "n_self_graded": int(table["self_graded"].sum())}
    )
