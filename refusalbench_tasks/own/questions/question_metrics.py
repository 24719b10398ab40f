"""The metrics of a run that writes questions, over the scores of `question_scores`, by name."""

from collections import Counter, defaultdict
from collections.abc import Sequence

from inspect_ai.scorer import SampleScore

from refusalbench_tasks.generators.kit.yields import acceptance, planned_over_shards, ratio
from refusalbench_tasks.own.questions.outcome import NotedQuestions, Outcome


def question_values(scores: Sequence[SampleScore]) -> dict[str, float]:
    """Return yield and cost of a run.

    `acceptance` is accepted questions / decided questions; beside it stand its bounds over the decided and the
    undecided: all of these rejected, all accepted. A withdrawn draft broke a rule and was given up by the writer: it is
    no question. `yield` is accepted questions / planned chunks. Calls and tokens
    include rejected questions and chunks without one; per accepted question they are NaN if none is. What is undefined
    is NaN.
    """
    noted = [NotedQuestions.model_validate(one.score.metadata or {}) for one in scores]
    outcomes = [one for about in noted for one in about.questions]
    decided = [one for one in outcomes if one.accepted is not None]
    accepted, undecided = sum(bool(one.accepted) for one in decided), len(outcomes) - len(decided)
    numbers = [one.score.value if isinstance(one.score.value, dict) else {} for one in scores]
    calls, tokens = (sum(_number(one.get(name)) for one in numbers) for name in ("calls", "tokens"))
    planned = max(len(scores), _planned(scores))
    result: dict[str, float] = {
        "n_chunks": len(scores),
        "n_chunks_unscored": sum(bool(_number(one.get("unscored"))) for one in numbers),
        "n_chunks_without_question": sum(
            not about.questions and not _number(one.get("unscored")) for about, one in zip(noted, numbers, strict=True)
        ),
        "n_questions": len(outcomes),
        "n_accepted": accepted,
        "n_rejected": len(decided) - accepted,
        "n_undecided": undecided,
        "n_withdrawn": sum(about.withdrawn for about in noted),
        **acceptance(accepted, len(decided), undecided),
        "yield": ratio(accepted, planned),
        "yield_n": planned,
        "calls": calls,
        "calls_per_accepted": ratio(calls, accepted),
        "tokens_per_accepted": ratio(tokens, accepted),
    }
    unscored = Counter(one.score.reason for one in scores if one.score.reason)
    result |= {f"chunk/{name}": float(n) for name, n in sorted(unscored.items())}
    return result | _kinds(decided) | _reasons(outcomes, noted) | _readers(outcomes) | _known(outcomes)


def _planned(scores: Sequence[SampleScore]) -> int:
    """Return how many chunks were planned, over the shards that the scores are of."""
    about = [one.sample_metadata or {} for one in scores]
    return planned_over_shards((int(_number(one.get("shard"))), int(_number(one.get("planned")))) for one in about)


def _kinds(decided: Sequence[Outcome]) -> dict[str, float]:
    groups: dict[str, list[bool]] = defaultdict(list)
    for one in decided:
        groups[one.kind].append(bool(one.accepted))
    result: dict[str, float] = {}
    for name in sorted(groups):
        found = groups[name]
        result |= {
            f"{name}/accepted": sum(found),
            f"{name}/acceptance": sum(found) / len(found),
            f"{name}/n": len(found),
        }
    return result


def _reasons(outcomes: Sequence[Outcome], noted: Sequence[NotedQuestions]) -> dict[str, float]:
    """Return how often each rule was broken at last and at first, and why else a question was not kept."""
    rules = Counter(name for one in outcomes for name in one.broken)
    first = Counter(name for about in noted for name in about.repaired)
    rejected = Counter(one.reason for one in outcomes if one.accepted is False and one.reason and not one.broken)
    open_ = Counter(one.reason for one in outcomes if one.accepted is None and one.reason)
    result = {f"rule/{name}": float(n) for name, n in sorted(rules.items())}
    result |= {f"first/{name}": float(n) for name, n in sorted(first.items())}
    result |= {f"rejected/{name}": float(n) for name, n in sorted(rejected.items())}
    return result | {f"undecided/{name}": float(n) for name, n in sorted(open_.items())}


def _readers(outcomes: Sequence[Outcome]) -> dict[str, float]:
    """Return of each reader how often it gave the chunk's answer, of the questions that it answered or not.

    Readers are asked in turn until one objects, so a later one sees only what the earlier ones gave.
    """
    found: dict[str, list[bool | None]] = defaultdict(list)
    for one in outcomes:
        for reading in one.readings:
            if reading.book == "open":
                found[reading.reader].append(None if reading.answered is None else reading.gold is True)
    result: dict[str, float] = {}
    for name in sorted(found):
        read = [one for one in found[name] if one is not None]
        result |= {
            f"{name}/gold": ratio(sum(read), len(read)),
            f"{name}/n": len(read),
            f"{name}/missing": len(found[name]) - len(read),
        }
    return result


def _known(outcomes: Sequence[Outcome]) -> dict[str, float]:
    """Return which share of the questions can be answered without their document, where readers were asked that."""
    asked = [one.known for one in outcomes if any(reading.book == "closed" for reading in one.readings)]
    if not asked:
        return {}
    told = [one for one in asked if one is not None]
    return {"known": ratio(sum(told), len(told)), "known_n": len(told), "known_missing": len(asked) - len(told)}


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) and value == value else 0.0
