"""How many replies and pairs a log of BLUFF-1000 has, how they were decided, and why some are missing."""

from collections import Counter

from refusalbench_tasks.metrics.hedging_rows import DROPPED, HedgingRows


def counts(rows: HedgingRows) -> dict[str, float]:
    """Return how many replies and pairs there are, how they were decided, and why some are missing."""
    dropped = Counter(pair.dropped for pair in rows.pairs)
    unscored = Counter(row.reason for row in rows if row.numbers["unscored"])
    missing = Counter(row.confidence_missing for row in rows)
    deciders = Counter(row.decided_by for row in rows)
    result: dict[str, float] = {
        "n": len(rows),
        "n_clear": int(rows.clear.sum()),
        "n_ambiguous": int(rows.ambiguous.sum()),
        "n_questions": len(set(rows.questions)),
        "n_pairs": len(rows.pairs),
        **{f"n_pairs_{reason}": dropped[reason] for reason in DROPPED},
        "n_unscored": sum(unscored.values()),
        "n_ungraded": int((rows.answered & ~rows.graded).sum()),
        "n_refused_in_explanation": int((rows.answered & rows.left_out).sum()),
        "n_by_phrase": deciders["phrase"],
        "n_by_judge": deciders["judge"],
        "n_self_graded": sum(row.self_graded for row in rows),
    }
    result |= {f"n_{reason}": n for reason, n in sorted(unscored.items(), key=str)}
    return result | {f"n_confidence_{reason}": n for reason, n in sorted(missing.items(), key=str) if reason}
