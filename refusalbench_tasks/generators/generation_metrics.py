"""The metrics of a generation run, over the scores of `consensus_scores`, by name."""

from collections import Counter, defaultdict
from collections.abc import Sequence

from inspect_ai.scorer import Metric, SampleScore, Value, metric

from refusalbench_tasks.generators.kit.yields import acceptance, planned_over_shards, ratio
from refusalbench_tasks.generators.noted import ScoredCandidate, scored_candidate
from refusalbench_tasks.taxonomy import Intensity, Label, code_of


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
    rows = [scored_candidate(sample) for sample in scores]
    decided = [row for row in rows if row.accepted is not None]
    accepted = sum(bool(row.accepted) for row in decided)
    items = {row.noted.slot_id for row in rows}
    done = {row.noted.slot_id for row in decided if row.accepted}
    undecided = sum(row.reason == "undecided" for row in rows)
    planned = max(len(items), planned_over_shards((row.plan.shard, row.plan.planned or 0) for row in rows))
    calls, tokens = sum(row.calls for row in rows), sum(row.tokens for row in rows)
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
    return result | _groups(decided) | _verifiers(rows) | _reasons(rows) | _readings(rows) | _rankings(rows)


def _groups(decided: Sequence[ScoredCandidate]) -> dict[str, float]:
    groups: dict[str, list[bool]] = defaultdict(list)
    for row in decided:
        groups[row.plan.perturbation.value].append(bool(row.accepted))
        groups[row.plan.intensity.value].append(bool(row.accepted))
    result: dict[str, float] = {}
    for name in sorted(groups):
        result |= {f"{name}/acceptance": sum(groups[name]) / len(groups[name]), f"{name}/n": len(groups[name])}
    return result


def _verifiers(rows: Sequence[ScoredCandidate]) -> dict[str, float]:
    votes: dict[str, list[bool | None]] = defaultdict(list)
    weighed: dict[str, list[tuple[bool, float]]] = defaultdict(list)
    failures: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        share = (row.noted.panel_share or 0.0) if row.plan.attempt == 1 else 0.0
        for vote in row.noted.votes:
            votes[vote.verifier].append(vote.passed)
            if share and vote.passed is not None:
                weighed[vote.verifier].append((vote.passed, 1 / share))
            if vote.passed is None:
                # the kind alone: what a provider says beside it can differ with every call
                failures[vote.verifier][str(vote.failure).partition(":")[0]] += 1
    result: dict[str, float] = {}
    for name in sorted(votes):
        passes = sum(weight for passed, weight in weighed[name] if passed)
        result |= {
            f"{name}/pass_rate": ratio(passes, sum(w for _, w in weighed[name])),
            f"{name}/n": len(weighed[name]),
            f"{name}/votes": sum(vote is not None for vote in votes[name]),
            f"{name}/missing": sum(vote is None for vote in votes[name]),
        }
        result |= {f"{name}/missing/{kind}": n for kind, n in sorted(failures[name].items())}
    return result


def _reasons(rows: Sequence[ScoredCandidate]) -> dict[str, float]:
    """Return how often each check was broken, each criterion failed, and what nothing was decided for.

    Beside these, how often a lever was declined, or skipped as hopeless.
    """
    checks = Counter(name for row in rows for name in row.noted.broken)
    criteria = Counter(name for row in rows for vote in row.noted.votes for name in vote.failed_criteria)
    unscored = Counter(row.reason for row in rows if row.accepted is None)
    result = {f"check/{name}": float(n) for name, n in sorted(checks.items())}
    result |= {f"criterion/{name}": float(n) for name, n in sorted(criteria.items())}
    result |= {f"n_{name}": float(n) for name, n in sorted(unscored.items(), key=str)}
    declined = Counter(str(one.lever) for row in rows for one in row.noted.declined)
    skipped = Counter(one.lever for row in rows for one in row.noted.skipped)
    result["n_declined"] = float(declined.total())
    result |= {f"declined/{lever}": float(n) for lever, n in sorted(declined.items())}
    if skipped:
        result["n_skipped"] = float(skipped.total())
    return result | {f"skipped/{lever}": float(n) for lever, n in sorted(skipped.items())}


def _readings(rows: Sequence[ScoredCandidate]) -> dict[str, float]:
    """Return how blind readers labelled candidates, where there was one: the share of the expected label, by arm."""
    asked = [(row.plan, row.noted.reading) for row in rows if row.noted.reading is not None]
    if not asked:
        return {}
    read = [(plan, one) for plan, one in asked if one.label is not None]
    low = [one.label is Label.ANSWER for plan, one in read if plan.intensity is Intensity.LOW]
    others = [(plan, one) for plan, one in read if plan.intensity is not Intensity.LOW]
    due = [one.label is code_of(plan.perturbation) for plan, one in others]
    return {
        "reading/answered_low": ratio(sum(low), len(low)),
        "reading/answered_low_n": len(low),
        "reading/expected_code": ratio(sum(due), len(due)),
        "reading/expected_code_n": len(due),
        "reading/still_gold": ratio(sum(bool(one.gold) for _, one in others), len(others)),
        "reading/missing": len(asked) - len(read),
    }


def _rankings(rows: Sequence[ScoredCandidate]) -> dict[str, float]:
    """Return which share of the pairs of siblings a blind ranker put in the planned order, and their number."""
    ranks = [row.noted.ranking for row in rows if row.noted.ranking is not None]
    if not ranks:
        return {}
    pairs = sum(one.pairs for one in ranks)
    return {
        "intensity/in_order": ratio(sum(one.in_order for one in ranks), pairs),
        "intensity/pairs": pairs,
        "intensity/missing": sum(one.rank is None for one in ranks),
    }
