"""The metrics of a generation run, over the scores of `consensus_scores`, by name."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from inspect_ai.scorer import SampleScore

from refusalbench_tasks.generators.kit.yields import (
    acceptance,
    planned_over_shards,
    ratio,
)
from refusalbench_tasks.generators.noted import Noted
from refusalbench_tasks.taxonomy import Intensity, Label, PerturbationClass, code_of


class ScoredCandidate(NamedTuple):
    """One candidate as a metric sees it.

    `accepted` is None where nothing was decided, with the reason.
    """

    about: Mapping[str, Any]
    """The metadata of its sample: the slot."""
    noted: Noted
    accepted: bool | None
    reason: str | None
    calls: float
    tokens: float


def generation_values(scores: Sequence[SampleScore]) -> dict[str, float]:
    """Return acceptance and cost of a run.

    A candidate is one attempt, an item a planned slot with all its attempts.
    `acceptance` is accepted candidates / decided candidates. Missing votes take
    acceptances away and no rejections, so beside it stand its bounds over the decided
    and the undecided: all of these rejected, all accepted. `yield` is accepted items /
    planned items: an item counts once, and one that ended in an error or was never
    asked for counts as planned. Calls and tokens include rejected candidates; per
    accepted item they are NaN if none is. A verifier's `pass_rate` and its `n` are over
    first attempts that the whole panel was to judge; NaN where asking always stopped at
    the first FAIL, since a later verifier then sees only what the earlier ones passed.
    """
    rows = [_scored(sample) for sample in scores]
    decided = [row for row in rows if row.accepted is not None]
    accepted = sum(bool(row.accepted) for row in decided)
    items = {row.noted.slot_id for row in rows}
    done = {row.noted.slot_id for row in decided if row.accepted}
    undecided = sum(row.reason == "undecided" for row in rows)
    plans = (
        (row.about.get("shard") or 0, row.about.get("planned") or 0) for row in rows
    )
    planned = max(len(items), planned_over_shards(plans))
    calls = sum(row.calls for row in rows)
    tokens = sum(row.tokens for row in rows)
    result: dict[str, float] = {
        "n_candidates": len(rows),
        "n_items": len(items),
        "n_accepted": len(done),
        "n_unscored": len(rows) - len(decided),
        **acceptance(accepted, len(decided), undecided),
        "yield": ratio(len(done), planned),
        "yield_n": planned,
        "calls": calls,
        "calls_per_accepted": ratio(calls, len(done)),
        "tokens_per_accepted": ratio(tokens, len(done)),
    }
    return (
        result
        | _groups(decided)
        | _verifiers(rows)
        | _reasons(rows)
        | _annotations(rows)
    )


def _scored(sample: SampleScore) -> ScoredCandidate:
    """Return a candidate from its score and its sample.

    Raises ValueError for what is no score of a candidate.
    """
    value = sample.score.value
    if not isinstance(value, dict):
        raise ValueError(
            "a candidate's score has a value for each of accepted, calls, tokens,"
            " unscored"
        )
    numbers: dict[str, Any] = dict(value)
    accepted = None if numbers["unscored"] else bool(numbers["accepted"])
    noted = Noted.model_validate(sample.score.metadata or {})
    calls = float(numbers["calls"])
    tokens = float(numbers["tokens"])
    return ScoredCandidate(
        sample.sample_metadata or {},
        noted,
        accepted,
        sample.score.reason,
        calls,
        tokens,
    )


def _groups(decided: Sequence[ScoredCandidate]) -> dict[str, float]:
    groups: dict[str, list[bool]] = defaultdict(list)
    for row in decided:
        for name in (row.about["perturbation"], row.about["intensity"]):
            groups[name].append(bool(row.accepted))
    result: dict[str, float] = {}
    for name in sorted(groups):
        result |= {
            f"{name}/acceptance": sum(groups[name]) / len(groups[name]),
            f"{name}/n": len(groups[name]),
        }
    return result


def _verifiers(rows: Sequence[ScoredCandidate]) -> dict[str, float]:
    votes: dict[str, list[bool | None]] = defaultdict(list)
    whole: dict[str, list[bool]] = defaultdict(list)
    failures: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        for vote in row.noted.votes:
            votes[vote.verifier].append(vote.passed)
            if vote.passed is None:
                # the kind alone: what a provider says beside it can differ with every
                # call
                failures[vote.verifier][str(vote.failure).partition(":")[0]] += 1
            elif row.noted.panel_share and row.about.get("attempt", 1) == 1:
                whole[vote.verifier].append(vote.passed)
    result: dict[str, float] = {}
    for name in sorted(votes):
        result |= {
            f"{name}/pass_rate": ratio(sum(whole[name]), len(whole[name])),
            f"{name}/n": len(whole[name]),
            f"{name}/votes": sum(vote is not None for vote in votes[name]),
            f"{name}/missing": sum(vote is None for vote in votes[name]),
        }
        result |= {
            f"{name}/missing/{kind}": n for kind, n in sorted(failures[name].items())
        }
    return result


def _reasons(rows: Sequence[ScoredCandidate]) -> dict[str, float]:
    """Return how often checks were broken, criteria failed and levers declined, and why
    nothing was decided.
    """
    checks = Counter(name for row in rows for name in row.noted.broken)
    criteria = Counter(
        name
        for row in rows
        for vote in row.noted.votes
        for name in vote.failed_criteria
    )
    unscored = Counter(row.reason for row in rows if row.accepted is None)
    declined = Counter(one.lever for row in rows for one in row.noted.declined)
    result = {f"check/{name}": float(n) for name, n in sorted(checks.items())}
    result |= {f"criterion/{name}": float(n) for name, n in sorted(criteria.items())}
    result |= {f"n_{name}": float(n) for name, n in sorted(unscored.items(), key=str)}
    result["n_declined"] = float(declined.total())
    return result | {
        f"declined/{lever}": float(n) for lever, n in sorted(declined.items())
    }


def _annotations(rows: Sequence[ScoredCandidate]) -> dict[str, float]:
    """Return how blind annotators labelled candidates, where there was one: the share
    of the expected label, by arm.
    """
    asked = [(row, row.noted.reading) for row in rows if row.noted.reading is not None]
    if not asked:
        return {}
    read = [(row, one) for row, one in asked if one.label is not None]
    low = [
        one.label is Label.ANSWER
        for row, one in read
        if row.about["intensity"] == Intensity.LOW
    ]
    others = [
        (row, one) for row, one in read if row.about["intensity"] != Intensity.LOW
    ]
    due = [
        one.label is code_of(PerturbationClass(row.about["perturbation"]))
        for row, one in others
    ]
    return {
        "reading/answered_low": ratio(sum(low), len(low)),
        "reading/answered_low_n": len(low),
        "reading/expected_code": ratio(sum(due), len(due)),
        "reading/expected_code_n": len(due),
        "reading/still_answered": ratio(
            sum(one.label is Label.ANSWER for _, one in others), len(others)
        ),
        "reading/missing": len(asked) - len(read),
    }
