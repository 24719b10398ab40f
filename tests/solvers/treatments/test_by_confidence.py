"""Treatments by confidence: whose reply wins, what is held back, and what a log says
of it.
"""

from pathlib import Path

import pytest
from inspect_ai import score
from inspect_ai.log import read_eval_log
from inspect_ai.model import ModelOutput

from refusalbench_tasks.scorers.refusal import refusal_correct
from refusalbench_tasks.solvers.treatments.by_confidence import (
    self_consistency,
    threshold,
    vote,
)
from tests.models import metrics_of, output
from tests.solvers.treated import CODES, MISSING, gold, notes, refusals, run

SURE = "\nCONFIDENCE: CONFIDENT"
UNSURE = "\nCONFIDENCE: UNCERTAIN"


def test_a_threshold_holds_back_what_the_model_is_unsure_of(tmp_path: Path) -> None:
    def guesser(prompt: str) -> str:
        right = gold(prompt)
        return f"{right}{SURE}" if right not in CODES else f"Oslo{UNSURE}"

    assert refusals(run(threshold(0.0), guesser, tmp_path)) == (0.0, 1.0)
    assert refusals(run(threshold(0.5), guesser, tmp_path)) == (0.0, 0.0)
    harmed = run(threshold(0.9), guesser, tmp_path)
    assert refusals(harmed) == (1.0, 0.0)
    assert all(
        "CONFIDENCE" not in sample.output.completion for sample in harmed.samples or []
    )


@pytest.mark.parametrize(
    "reply", ["CONFIDENCE: UNCERTAIN", "**\n\nCONFIDENCE: UNCERTAIN"]
)
@pytest.mark.parametrize("confidence", [False, True])
def test_a_level_without_an_answer_is_no_reply_and_no_refusal(
    reply: str, confidence: bool, tmp_path: Path
) -> None:
    log = run(threshold(0.9), lambda _: reply, tmp_path, limit=2, confidence=confidence)
    assert [
        sample.scores["refusal_correct"].reason
        for sample in log.samples or []
        if sample.scores
    ] == [
        "no_response",
        "no_response",
    ]
    assert metrics_of(log, "refusal_scores")["no_reply_rate"] == 1.0
    assert {note["level"] for note in notes(log)} == {"UNCERTAIN"}


@pytest.mark.parametrize("confidence", [False, True])
def test_a_log_that_is_scored_again_ends_as_its_run_did(
    confidence: bool, tmp_path: Path
) -> None:
    log = run(
        threshold(),
        lambda _: "CONFIDENCE: 90%",
        tmp_path,
        limit=2,
        confidence=confidence,
        judge="offline",
    )
    logged = read_eval_log(log.location)
    again = score(logged, refusal_correct(), action="overwrite", display="none")
    for scored in (log, again):
        for sample in scored.samples or []:
            assert sample.scores
            assert sample.scores["refusal_correct"].reason == "no_response"


def replies(*texts: str) -> list[ModelOutput]:
    return [output(text) for text in texts]


@pytest.mark.parametrize(
    "texts, winner, share",
    [
        (("Paris", "Paris.", MISSING), "Paris", 2 / 3),
        (("Rome", "paris", "Paris"), "paris", 1.0),
        (("Paris", MISSING), MISSING, 0.5),
        (("Paris", "Paris", MISSING, "REFUSE_OTHER"), MISSING, 0.25),
        (("", MISSING), MISSING, 1.0),
        ((UNSURE, UNSURE, MISSING), MISSING, 1.0),
    ],
)
def test_the_majority_of_labels_wins_and_ties_refuse(
    texts: tuple[str, ...], winner: str, share: float
) -> None:
    chosen, found = vote(replies(*texts))
    assert chosen.completion == winner
    assert found == pytest.approx(share)
    assert chosen.usage is not None
    assert chosen.usage.total_tokens == 2 * len(texts)


def test_the_share_is_the_confidence_of_the_reply(tmp_path: Path) -> None:
    left = ["Paris", "Paris", MISSING]
    log = run(
        self_consistency(samples=3),
        lambda _: left.pop(),
        tmp_path,
        limit=1,
        confidence=True,
    )
    [sample] = log.samples or []
    assert sample.output.completion == "Paris\nCONFIDENCE: SOMEWHAT_CONFIDENT"
    assert notes(log)[0]["share"] == pytest.approx(2 / 3)
