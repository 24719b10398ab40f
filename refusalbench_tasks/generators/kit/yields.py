"""How much of what was asked for came out, over the scores of a run that makes data."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from inspect_ai.scorer import SampleScore

Numbers = dict[str, float]
"""The numbers of a run, by name."""

NAN = float("nan")
OUTCOMES = {
    True: "accepted",
    False: "rejected",
    None: "undecided",
}
"""What came of a thing, by whether it was accepted."""


def ratio(top: float, bottom: float) -> float:
    """Return top / bottom; NaN, which is undefined, over nothing."""
    return top / bottom if bottom else NAN


def acceptance(
    accepted: int,
    decided: int,
    undecided: int,
) -> Numbers:
    """Return the share of the decided that was accepted, and its bounds over decided
    and undecided.

    The bounds are what it would be with all of the undecided rejected, and with all of
    them accepted (our definition).
    """
    every = decided + undecided
    return {
        "acceptance": ratio(accepted, decided),
        "acceptance_n": decided,
        "acceptance_low": ratio(accepted, every),
        "acceptance_high": ratio(accepted + undecided, every),
        "acceptance_bounds_n": every,
    }


def yields(
    scores: Sequence[SampleScore],
    accepted: int,
    started: int,
) -> Numbers:
    """Return the share of what was planned that was accepted, and what it took.

    What `scores` have in their samples' metadata as `planned` is the plan of their
    `shard`, and no less was planned than was started. Calls and tokens include those
    for what was not accepted; per accepted thing they are NaN if none is.
    """
    of_shard: dict[float, float] = {}
    for score in scores:
        facts = score.sample_metadata or {}
        shard = number_in(facts, "shard")
        of_shard[shard] = max(number_in(facts, "planned"), of_shard.get(shard, 0))
    planned = max(started, sum(of_shard.values()))
    calls = sum(value_of_score(score, "calls") for score in scores)
    tokens = sum(value_of_score(score, "tokens") for score in scores)
    return {
        "yield": ratio(accepted, planned),
        "yield_n": planned,
        "calls": calls,
        "calls_per_accepted": ratio(calls, accepted),
        "tokens_per_accepted": ratio(tokens, accepted),
    }


def acceptance_by_group(outcomes: Iterable[tuple[str, bool]]) -> Numbers:
    """Return the share of the decided that was accepted by group, and its n."""
    groups: dict[str, list[bool]] = {}
    for group, accepted in outcomes:
        groups.setdefault(group, []).append(accepted)
    values = {}
    for group, decided in sorted(groups.items()):
        values[f"{group}/acceptance"] = ratio(sum(decided), len(decided))
        values[f"{group}/n"] = len(decided)
    return values


def count_names(prefix: str, names: Iterable[object]) -> Numbers:
    """Return how often each name occurs, as numbers that begin with a prefix."""
    counts = sorted(Counter(map(str, names)).items())
    return {f"{prefix}{name}": float(n) for name, n in counts}


def value_of_score(score: SampleScore, name: str) -> float:
    """Return one number of a score; 0 where it has none."""
    value = score.score.value
    return number_in(value, name) if isinstance(value, dict) else 0.0


def number_in(values: Mapping[str, object], name: str) -> float:
    """Return a number among values; 0 where there is none, or an undefined one."""
    value = values.get(name)
    if not isinstance(value, int | float) or math.isnan(value):
        return 0.0
    return float(value)
