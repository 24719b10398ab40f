"""The metrics of a generation run, over the scores of `consensus_scores`, by name."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, cast

from inspect_ai.scorer import Metric, SampleScore, Value, metric

from refusalbench_tasks.taxonomy import Intensity, Label, PerturbationClass, code_of

NAN = float("nan")


@metric(scores="unreduced")
def generation_metrics() -> Metric:
    """Return acceptance by class, intensity and verifier, rejection reasons, and calls and tokens per accepted item."""

    def compute(scores: list[SampleScore]) -> Value:
        return generation_values(scores)

    return compute


def generation_values(scores: Sequence[SampleScore]) -> dict[str, float]:
    """Return acceptance and cost of a run.

    A candidate is one attempt, an item a planned slot with all its attempts. `acceptance` is accepted candidates /
    decided candidates. Missing votes take acceptances away and no rejections, so beside it stand its bounds over the
    decided and the undecided: all of these rejected, all accepted. `yield` is accepted items / planned items: an item
    counts once, and one that ended in an error or was never asked for counts as planned. Calls and tokens include
    rejected candidates; per accepted item they are NaN if none is. A verifier's `pass_rate` and its `n` are over first
    attempts that the whole panel was to judge, weighted where these were drawn; NaN where asking always stopped at the
    first FAIL, since a later verifier then sees only what the earlier ones passed.
    """
    rows = [(sample.sample_metadata or {}, sample.score.metadata or {}, _numbers(sample)) for sample in scores]
    decided = [row for row in rows if not row[2]["unscored"]]
    accepted = sum(numbers["accepted"] for _, _, numbers in decided)
    items = {about["slot_id"] for _, about, _ in rows}
    done = {about["slot_id"] for _, about, numbers in decided if numbers["accepted"]}
    undecided = sum(sample.score.reason == "undecided" for sample in scores)
    bounded = len(decided) + undecided
    planned = max([len(items), *(int(facts.get("planned") or 0) for facts, _, _ in rows)])
    calls, tokens = (sum(numbers[name] for _, _, numbers in rows) for name in ("calls", "tokens"))
    result: dict[str, float] = {
        "n_candidates": len(rows),
        "n_items": len(items),
        "n_accepted": len(done),
        "n_unscored": len(rows) - len(decided),
        "acceptance": _ratio(accepted, len(decided)),
        "acceptance_n": len(decided),
        "acceptance_low": _ratio(accepted, bounded),
        "acceptance_high": _ratio(accepted + undecided, bounded),
        "acceptance_bounds_n": bounded,
        "yield": _ratio(len(done), planned),
        "yield_n": planned,
        "calls": calls,
        "calls_per_accepted": _ratio(calls, len(done)),
        "tokens_per_accepted": _ratio(tokens, len(done)),
    }
    return result | _groups(decided) | _verifiers(rows) | _reasons(scores, rows) | _readings(rows)


def _groups(decided: Sequence[tuple[Mapping[str, Any], Mapping[str, Any], Mapping[str, float]]]) -> dict[str, float]:
    groups: dict[str, list[float]] = defaultdict(list)
    for facts, _, numbers in decided:
        groups[str(facts["perturbation"])].append(numbers["accepted"])
        groups[str(facts["intensity"])].append(numbers["accepted"])
    result: dict[str, float] = {}
    for name in sorted(groups):
        result |= {f"{name}/acceptance": sum(groups[name]) / len(groups[name]), f"{name}/n": len(groups[name])}
    return result


def _verifiers(
    rows: Sequence[tuple[Mapping[str, Any], Mapping[str, Any], Mapping[str, float]]],
) -> dict[str, float]:
    votes: dict[str, list[bool | None]] = defaultdict(list)
    weighed: dict[str, list[tuple[bool, float]]] = defaultdict(list)
    failures: dict[str, Counter[str]] = defaultdict(Counter)
    for facts, about, _ in rows:
        share = (about.get("panel_share") or 0.0) if facts.get("attempt", 1) == 1 else 0.0
        for vote in about.get("votes", ()):
            votes[str(vote["verifier"])].append(vote["passed"])
            if share and vote["passed"] is not None:
                weighed[str(vote["verifier"])].append((vote["passed"], 1 / share))
            if vote["passed"] is None:
                # the kind alone: what a provider says beside it can differ with every call
                failures[str(vote["verifier"])][str(vote.get("failure")).partition(":")[0]] += 1
    result: dict[str, float] = {}
    for name in sorted(votes):
        passes = sum(weight for passed, weight in weighed[name] if passed)
        result |= {
            f"{name}/pass_rate": _ratio(passes, sum(w for _, w in weighed[name])),
            f"{name}/n": len(weighed[name]),
            f"{name}/votes": sum(vote is not None for vote in votes[name]),
            f"{name}/missing": sum(vote is None for vote in votes[name]),
        }
        result |= {f"{name}/missing/{kind}": n for kind, n in sorted(failures[name].items())}
    return result


def _reasons(
    scores: Sequence[SampleScore],
    rows: Sequence[tuple[Mapping[str, Any], Mapping[str, Any], Mapping[str, float]]],
) -> dict[str, float]:
    """Return how often each check was broken, each criterion failed, and what nothing was decided for.

    Beside these, how often a lever was declined.
    """
    checks = Counter(name for _, about, _ in rows for name in about.get("broken", ()))
    criteria = Counter(
        name for _, about, _ in rows for vote in about.get("votes", ()) for name in vote.get("failed_criteria", ())
    )
    unscored = Counter(sample.score.reason for sample in scores if _numbers(sample)["unscored"])
    result = {f"check/{name}": float(n) for name, n in sorted(checks.items())}
    result |= {f"criterion/{name}": float(n) for name, n in sorted(criteria.items())}
    result |= {f"n_{name}": float(n) for name, n in sorted(unscored.items(), key=str)}
    declined = Counter(str(one["lever"]) for _, about, _ in rows for one in about.get("declined") or ())
    result["n_declined"] = float(sum(declined.values()))
    return result | {f"declined/{lever}": float(n) for lever, n in sorted(declined.items())}


def _readings(
    rows: Sequence[tuple[Mapping[str, Any], Mapping[str, Any], Mapping[str, float]]],
) -> dict[str, float]:
    """Return how blind readers labelled candidates, where there was one: the share of the expected label, by arm."""
    asked = [(facts, about["reading"]) for facts, about, _ in rows if about.get("reading")]
    if not asked:
        return {}
    read = [(facts, one) for facts, one in asked if one["label"] is not None]
    low = [one["label"] == Label.ANSWER for facts, one in read if facts["intensity"] == Intensity.LOW]
    others = [(facts, one) for facts, one in read if facts["intensity"] != Intensity.LOW]
    due = [one["label"] == code_of(PerturbationClass(facts["perturbation"])) for facts, one in others]
    return {
        "reading/answered_low": _ratio(sum(low), len(low)),
        "reading/answered_low_n": len(low),
        "reading/expected_code": _ratio(sum(due), len(due)),
        "reading/expected_code_n": len(due),
        "reading/still_gold": _ratio(sum(bool(one["gold"]) for _, one in others), len(others)),
        "reading/missing": len(asked) - len(read),
    }


def _numbers(sample: SampleScore) -> Mapping[str, float]:
    return cast(Mapping[str, float], sample.score.value)


def _ratio(top: float, bottom: float) -> float:
    return top / bottom if bottom else NAN
