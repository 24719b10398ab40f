"""The metrics of a generation run, over the scores of `consensus_scores`, by name."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from inspect_ai.scorer import SampleScore

from refusalbench_tasks.generators.kit.yields import (
    acceptance,
    acceptance_by_group,
    count_names,
    ratio,
    score_number,
    yields,
)
from refusalbench_tasks.generators.perturb_record import PERTURB, Noted
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
    groups = [
        (str(row.about[name]), bool(row.accepted))
        for row in decided
        for name in ("perturbation", "intensity")
    ]
    return {
        "n_candidates": len(rows),
        "n_items": len(items),
        "n_accepted": len(done),
        "n_unscored": len(rows) - len(decided),
        **acceptance(accepted, len(decided), undecided),
        **yields(scores, len(done), len(items)),
        **acceptance_by_group(groups),
        **_verifiers(rows),
        **_reasons(rows),
        **_annotations(rows),
    }


def _scored(sample: SampleScore) -> ScoredCandidate:
    unscored = score_number(sample, "unscored")
    return ScoredCandidate(
        about=sample.sample_metadata or {},
        noted=PERTURB.note(sample.score),
        accepted=None if unscored else bool(score_number(sample, "accepted")),
        reason=sample.score.reason,
    )


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
    votes = [vote for row in rows for vote in row.noted.votes]
    declined = [declined.lever for row in rows for declined in row.noted.declined]
    return {
        **count_names("check/", (name for row in rows for name in row.noted.broken)),
        **count_names(
            "criterion/", (name for vote in votes for name in vote.failed_criteria)
        ),
        **count_names("n_", (row.reason for row in rows if row.accepted is None)),
        "n_declined": float(len(declined)),
        **count_names("declined/", declined),
    }


def _annotations(rows: Sequence[ScoredCandidate]) -> dict[str, float]:
    """Return how blind annotators labelled candidates, where there was one: the share
    of the expected label, by arm.
    """
    asked = [row for row in rows if row.noted.reading is not None]
    if not asked:
        return {}
    missing = 0
    low: list[bool] = []
    answered: list[bool] = []
    expected: list[bool] = []
    for row in asked:
        label = row.noted.reading.label if row.noted.reading else None
        if label is None:
            missing += 1
        elif row.about["intensity"] == Intensity.LOW:
            low.append(label is Label.ANSWER)
        else:
            due = code_of(PerturbationClass(row.about["perturbation"]))
            answered.append(label is Label.ANSWER)
            expected.append(label is due)
    return {
        "reading/answered_low": ratio(sum(low), len(low)),
        "reading/answered_low_n": len(low),
        "reading/expected_code": ratio(sum(expected), len(expected)),
        "reading/expected_code_n": len(expected),
        "reading/still_answered": ratio(sum(answered), len(answered)),
        "reading/missing": missing,
    }
