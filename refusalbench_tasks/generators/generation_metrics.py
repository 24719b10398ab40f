"""The metrics of a generation run, over the scores of `consensus_scores`, by name."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from inspect_ai.scorer import SampleScore

from refusalbench_tasks.taxonomy import Intensity, Label, PerturbationClass, code_of

from .kit.yields import (
    Numbers,
    acceptance,
    acceptance_by_group,
    count_names,
    ratio,
    value_of_score,
    yields,
)
from .perturb_record import PERTURB, Noted


class ScoredCandidate(NamedTuple):
    """One candidate as a metric sees it.

    `accepted` is None where nothing was decided, with the reason.
    """

    about: Mapping[str, Any]
    """The metadata of its sample: the slot."""
    noted: Noted
    accepted: bool | None
    reason: str | None


def generation_values(scores: Sequence[SampleScore]) -> Numbers:
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
    rows = list(map(_scored, scores))
    decided = [row for row in rows if row.accepted is not None]
    accepted = [row for row in decided if row.accepted]
    items = {row.noted.slot_id for row in rows}
    done = {row.noted.slot_id for row in accepted}
    undecided = sum(row.reason == "undecided" for row in rows)
    groups = []
    for row in decided:
        for name in ("perturbation", "intensity"):
            groups.append((str(row.about[name]), bool(row.accepted)))
    return {
        "n_candidates": len(rows),
        "n_items": len(items),
        "n_accepted": len(done),
        "n_unscored": len(rows) - len(decided),
        **acceptance(
            len(accepted),
            len(decided),
            undecided,
        ),
        **yields(
            scores,
            len(done),
            len(items),
        ),
        **acceptance_by_group(groups),
        **_verifiers(rows),
        **_reasons(rows),
        **_annotations(rows),
    }


def _scored(sample: SampleScore) -> ScoredCandidate:
    unscored = value_of_score(sample, "unscored")
    return ScoredCandidate(
        about=sample.sample_metadata or {},
        noted=PERTURB.note(sample.score),
        accepted=None if unscored else bool(value_of_score(sample, "accepted")),
        reason=sample.score.reason,
    )


def _verifiers(rows: Sequence[ScoredCandidate]) -> Numbers:
    cast = defaultdict(list)
    first = defaultdict(list)
    for row in rows:
        whole = row.noted.panel_share and row.about.get("attempt", 1) == 1
        for vote in row.noted.votes:
            cast[vote.verifier].append(vote)
            if whole and vote.passed is not None:
                first[vote.verifier].append(vote.passed)
    values: Numbers = {}
    for name, votes in sorted(cast.items()):
        passed = first[name]
        # the kind alone: what a provider says beside it can differ with every call
        missing = [
            str(vote.failure).partition(":")[0] for vote in votes if vote.passed is None
        ]
        values |= {
            f"{name}/pass_rate": ratio(sum(passed), len(passed)),
            f"{name}/n": len(passed),
            f"{name}/votes": len(votes) - len(missing),
            f"{name}/missing": len(missing),
            **count_names(f"{name}/missing/", missing),
        }
    return values


def _reasons(rows: Sequence[ScoredCandidate]) -> Numbers:
    """Return how often checks were broken, criteria failed and levers declined, and why
    nothing was decided.
    """
    broken: list[str] = []
    failed: list[str] = []
    undecided = []
    declined: list[str] = []
    for row in rows:
        broken += row.noted.broken
        for vote in row.noted.votes:
            failed += vote.failed_criteria
        declined += (lever.lever for lever in row.noted.declined)
        if row.accepted is None:
            undecided.append(row.reason)
    return {
        **count_names("check/", broken),
        **count_names("criterion/", failed),
        **count_names("n_", undecided),
        "n_declined": float(len(declined)),
        **count_names("declined/", declined),
    }


def _annotations(rows: Sequence[ScoredCandidate]) -> Numbers:
    """Return how blind annotators labelled candidates, where there was one: the share
    of the expected label, by arm.
    """
    missing = 0
    low = []
    answered = []
    expected = []
    for row in rows:
        if row.noted.reading is None:
            continue
        label = row.noted.reading.label
        if label is None:
            missing += 1
        elif row.about["intensity"] == Intensity.LOW:
            low.append(label is Label.ANSWER)
        else:
            due = code_of(PerturbationClass(row.about["perturbation"]))
            answered.append(label is Label.ANSWER)
            expected.append(label is due)
    if not (missing or low or answered):
        return {}
    return {
        "reading/answered_low": ratio(sum(low), len(low)),
        "reading/answered_low_n": len(low),
        "reading/expected_code": ratio(sum(expected), len(expected)),
        "reading/expected_code_n": len(expected),
        "reading/still_answered": ratio(sum(answered), len(answered)),
        "reading/missing": missing,
    }
