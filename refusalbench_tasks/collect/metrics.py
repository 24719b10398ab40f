"""The metrics of a run that collects records, over the scores of `collection_scores`,
by name.
"""

from collections import Counter
from collections.abc import Sequence

from inspect_ai.scorer import SampleScore

from refusalbench_tasks.generators.kit.yields import (
    OUTCOMES,
    Numbers,
    acceptance,
    count_names,
    yields,
)

from .record import COLLECT


def collection_values(scores: Sequence[SampleScore]) -> Numbers:
    """Return yield and cost of a run.

    `acceptance` is accepted / decided records; beside it stand its bounds over the
    decided and the undecided: all of these rejected, all accepted. `yield` is accepted
    / planned records. Calls, tokens, searches and pages include what was spent on
    records that were not accepted. What is undefined is NaN.
    """
    records = [COLLECT.note(score.score) for score in scores]
    outcomes = Counter(record.accepted for record in records)
    accepted = outcomes[True]
    rejected = outcomes[False]
    undecided = outcomes[None]
    ends = [
        f"{OUTCOMES[record.accepted]}/{record.stage}/{record.reason}"
        for record in records
        if not record.accepted
    ]
    looked_at: Numbers = dict.fromkeys(("searches", "hits", "pages"), 0)
    for record in records:
        for reason, n in record.looked.items():
            # without the details of a reason
            name = reason.partition(":")[0].replace(" ", "_")
            looked_at[name] = looked_at.get(name, 0) + n
    return {
        "n_records": len(records),
        "n_accepted": accepted,
        "n_rejected": rejected,
        "n_undecided": undecided,
        **acceptance(accepted, accepted + rejected, undecided),
        **yields(
            scores,
            accepted,
            len(records),
        ),
        **count_names("", ends),
        **looked_at,
    }
