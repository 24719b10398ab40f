"""The metrics of a run that collects records, over the scores of `collection_scores`,
by name.
"""

from collections import Counter
from collections.abc import Sequence

from inspect_ai.scorer import SampleScore

from refusalbench_tasks.collect.record import NotedRecord
from refusalbench_tasks.generators.kit.yields import acceptance, ratio


def collection_values(scores: Sequence[SampleScore]) -> dict[str, float]:
    """Return yield and cost of a run.

    `acceptance` is accepted / decided records; beside it stand its bounds over the
    decided and the undecided: all of these rejected, all accepted. `yield` is accepted
    / planned records. Calls, tokens, searches and pages include what was spent on
    records that were not accepted; per accepted record they are NaN if none is. What is
    undefined is NaN.
    """
    noted = [NotedRecord.model_validate(one.score.metadata or {}) for one in scores]
    decided = [one for one in noted if one.accepted is not None]
    accepted = sum(bool(one.accepted) for one in decided)
    undecided = len(noted) - len(decided)
    planned = max(
        [
            len(noted),
            *(int((one.sample_metadata or {}).get("planned", 0)) for one in scores),
        ]
    )
    spent = [one for about in noted for one in about.spent.values()]
    calls = sum(one.calls for one in spent)
    tokens = sum(one.tokens for one in spent)
    looked = _counts(noted)
    result: dict[str, float] = {
        "n_records": len(noted),
        "n_accepted": accepted,
        "n_rejected": len(decided) - accepted,
        "n_undecided": undecided,
        **acceptance(accepted, len(decided), undecided),
        "yield": ratio(accepted, planned),
        "yield_n": planned,
        "calls": calls,
        "calls_per_accepted": ratio(calls, accepted),
        "tokens_per_accepted": ratio(tokens, accepted),
        "searches_per_accepted": ratio(looked["searches"], accepted),
        "pages_per_accepted": ratio(looked["pages"], accepted),
    }
    return result | _reasons(noted) | _ambiguity(noted) | looked


def _counts(noted: Sequence[NotedRecord]) -> dict[str, float]:
    """Return what was looked at, and how many addresses were left out for which reason,
    without its details.
    """
    counts: dict[str, float] = {"searches": 0, "hits": 0, "pages": 0}
    for one in noted:
        for reason, n in one.looked.items():
            name = reason.partition(":")[0].replace(" ", "_")
            counts[name] = counts.get(name, 0) + n
    return counts


def _reasons(noted: Sequence[NotedRecord]) -> dict[str, float]:
    """Return how many records ended for which reason, and how many sources were missing
    for compositions.
    """
    names = {False: "rejected", None: "undecided"}
    counts = Counter(
        f"{names[one.accepted]}/{one.stage}/{one.reason}"
        for one in noted
        if one.accepted is not True
    )
    for one in noted:
        counts.update({f"shortfall/{name}": n for name, n in one.shortfall.items()})
    return dict(sorted(counts.items()))


def _ambiguity(noted: Sequence[NotedRecord]) -> dict[str, float]:
    """Return of the accepted records what makes the ambiguous set ambiguous, and how
    far readers are apart there.
    """
    arms = [
        one.found["ambiguous"]
        for one in noted
        if one.accepted and "ambiguous" in one.found
    ]
    told = [one.entropy for one in arms if one.entropy is not None]
    kinds = Counter(f"ambiguity/{one.kind}" for one in arms if one.kind)
    return {"entropy": ratio(sum(told), len(told)), "entropy_n": len(told), **kinds}
