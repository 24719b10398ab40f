"""The metrics of a run that writes questions, over the scores of `question_scores`, by
name.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence

from inspect_ai.scorer import SampleScore

from refusalbench_tasks.generators.kit.yields import (
    acceptance,
    planned_over_shards,
    ratio,
)
from refusalbench_tasks.own.questions.judging import JudgedQuestion, NotedQuestions


def question_values(scores: Sequence[SampleScore]) -> dict[str, float]:
    """Return yield and cost of a run.

    `acceptance` is accepted questions / decided questions; beside it stand its bounds
    over the decided and the undecided: all of these rejected, all accepted. `yield` is
    accepted questions / planned chunks. Calls and tokens include rejected questions and
    chunks without one; per accepted question they are NaN if none is.
    """
    noted = [NotedQuestions.model_validate(one.score.metadata or {}) for one in scores]
    outcomes = [one for about in noted for one in about.questions]
    decided = [one for one in outcomes if one.accepted is not None]
    accepted = sum(bool(one.accepted) for one in decided)
    undecided = len(outcomes) - len(decided)
    numbers = [
        one.score.value if isinstance(one.score.value, dict) else {} for one in scores
    ]
    calls, tokens = (
        sum(_number(one.get(name)) for one in numbers) for name in ("calls", "tokens")
    )
    about_chunks = [one.sample_metadata or {} for one in scores]
    shards = (
        (int(_number(one.get("shard"))), int(_number(one.get("planned"))))
        for one in about_chunks
    )
    planned = max(len(scores), planned_over_shards(shards))
    unscored = [bool(_number(one.get("unscored"))) for one in numbers]
    failed = Counter(one.score.reason for one in scores if one.score.reason)
    return {
        "n_chunks": len(scores),
        "n_chunks_unscored": sum(unscored),
        "n_questions": len(outcomes),
        "n_accepted": accepted,
        "n_undecided": undecided,
        **acceptance(accepted, len(decided), undecided),
        "yield": ratio(accepted, planned),
        "yield_n": planned,
        "calls": calls,
        "calls_per_accepted": ratio(calls, accepted),
        "tokens_per_accepted": ratio(tokens, accepted),
        **{f"chunk/{name}": float(n) for name, n in sorted(failed.items())},
        **_by_kind(decided),
        **_reasons(outcomes),
    }


def _by_kind(decided: Sequence[JudgedQuestion]) -> dict[str, float]:
    groups: dict[str, list[bool]] = defaultdict(list)
    for one in decided:
        groups[one.kind.replace(" ", "_")].append(bool(one.accepted))
    found: dict[str, float] = {}
    for kind, own in sorted(groups.items()):
        found |= {
            f"{kind}/accepted": sum(own),
            f"{kind}/acceptance": sum(own) / len(own),
            f"{kind}/n": len(own),
        }
    return found


def _reasons(outcomes: Sequence[JudgedQuestion]) -> dict[str, float]:
    """Return how often each check was failed, and why else a question was not kept."""
    counts = {
        "check": Counter(name for one in outcomes for name in one.broken),
        "rejected": Counter(
            one.reason
            for one in outcomes
            if one.accepted is False and one.reason and not one.broken
        ),
        "undecided": Counter(
            one.reason for one in outcomes if one.accepted is None and one.reason
        ),
    }
    return {
        f"{kind}/{name}": float(n)
        for kind, own in counts.items()
        for name, n in sorted(own.items())
    }


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) and value == value else 0.0
