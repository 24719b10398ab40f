"""The metrics of a run that collects records, over the scores of `collection_scores`,
by name.
"""

from collections import Counter
from collections.abc import Sequence

from inspect_ai.scorer import SampleScore

from refusalbench_tasks.collect.record import COLLECT, NotedRecord
from refusalbench_tasks.generators.kit.yields import (
    OUTCOMES,
    acceptance,
    count_names,
    ratio,
    yields,
)


def collection_values(scores: Sequence[SampleScore]) -> dict[str, float]:
    """Return yield and cost of a run.

    `acceptance` is accepted / decided records; beside it stand its bounds over the
    decided and the undecided: all of these rejected, all accepted. `yield` is accepted
    / planned records. Calls, tokens, searches and pages include what was spent on
    records that were not accepted; per accepted record they are NaN if none is. What is
    undefined is NaN.
    """
    records = [COLLECT.note(score.score) for score in scores]
    outcomes = Counter(record.accepted for record in records)
    accepted, rejected, undecided = (outcomes[key] for key in (True, False, None))
    looked = _counts(records)
    return {
        "n_records": len(records),
        "n_accepted": accepted,
        "n_rejected": rejected,
        "n_undecided": undecided,
        **acceptance(accepted, accepted + rejected, undecided),
        **yields(scores, accepted, len(records)),
        "searches_per_accepted": ratio(looked["searches"], accepted),
        "pages_per_accepted": ratio(looked["pages"], accepted),
        **_reasons(records),
        **_ambiguity(records),
        **looked,
    }


def _counts(records: Sequence[NotedRecord]) -> dict[str, float]:
    """Return what was looked at, and how many addresses were left out for which reason,
    without its details.
    """
    counts: dict[str, float] = {"searches": 0, "hits": 0, "pages": 0}
    for record in records:
        for reason, n in record.looked.items():
            name = reason.partition(":")[0].replace(" ", "_")
            counts[name] = counts.get(name, 0) + n
    return counts


def _reasons(records: Sequence[NotedRecord]) -> dict[str, float]:
    """Return how many records ended for which reason, and how many sources were missing
    for compositions.
    """
    ends = [
        f"{OUTCOMES[record.accepted]}/{record.stage}/{record.reason}"
        for record in records
        if record.accepted is not True
    ]
    missing: Counter[str] = Counter()
    for record in records:
        missing.update(record.shortfall)
    return count_names("", ends) | {
        f"shortfall/{place}": n for place, n in sorted(missing.items())
    }


def _ambiguity(records: Sequence[NotedRecord]) -> dict[str, float]:
    """Return of the accepted records what makes the ambiguous set ambiguous, and how
    far readers are apart there.
    """
    arms = [
        record.found["ambiguous"]
        for record in records
        if record.accepted and "ambiguous" in record.found
    ]
    bits = [arm.entropy for arm in arms if arm.entropy is not None]
    kinds = count_names("ambiguity/", (arm.kind for arm in arms if arm.kind))
    return {"entropy": ratio(sum(bits), len(bits)), "entropy_n": len(bits), **kinds}
