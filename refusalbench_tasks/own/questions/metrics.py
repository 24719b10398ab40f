"""The metrics of a run that writes questions, over the scores of `question_scores`, by
name.
"""

from collections.abc import Sequence

from inspect_ai.scorer import SampleScore

from refusalbench_tasks.generators.kit.yields import (
    OUTCOMES,
    acceptance,
    acceptance_by_group,
    count_names,
    value_of_score,
    yields,
)

from .question_scoring import QUESTION, JudgedQuestion


def question_values(scores: Sequence[SampleScore]) -> dict[str, float]:
    """Return yield and cost of a run.

    `acceptance` is accepted questions / decided questions; beside it stand its bounds
    over the decided and the undecided: all of these rejected, all accepted. `yield` is
    accepted questions / planned chunks. Calls and tokens include rejected questions and
    chunks without one; per accepted question they are NaN if none is.
    """
    outcomes: list[JudgedQuestion] = []
    for score in scores:
        outcomes += QUESTION.note(score.score).questions
    decided = [question for question in outcomes if question.accepted is not None]
    undecided = len(outcomes) - len(decided)
    kinds = [
        (question.kind.replace(" ", "_"), bool(question.accepted))
        for question in decided
    ]
    accepted = sum(is_accepted for _, is_accepted in kinds)
    accepted_by_kind = {}
    for kind in sorted(dict(kinds)):
        accepted_by_kind[f"{kind}/accepted"] = float(kinds.count((kind, True)))
    failures = filter(None, (score.score.reason for score in scores))
    return {
        "n_chunks": len(scores),
        "n_chunks_unscored": sum(value_of_score(score, "unscored") for score in scores),
        "n_questions": len(outcomes),
        "n_accepted": accepted,
        "n_undecided": undecided,
        **acceptance(accepted, len(decided), undecided),
        **yields(scores, accepted, len(scores)),
        **count_names("chunk/", failures),
        **accepted_by_kind,
        **acceptance_by_group(kinds),
        **_reasons(outcomes),
    }


def _reasons(outcomes: Sequence[JudgedQuestion]) -> dict[str, float]:
    """Return how often each check was failed, and why else a question was not kept."""
    names = []
    for question in outcomes:
        names += [f"check/{check}" for check in question.broken]
        if question.reason and not question.broken:
            names.append(f"{OUTCOMES[question.accepted]}/{question.reason}")
    return count_names("", names)
