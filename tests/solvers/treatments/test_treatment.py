"""What treatments share: which replies they look at again, and what they note."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai.model import ModelOutput

from refusalbench_tasks.solvers.treatments import NOTES
from refusalbench_tasks.solvers.treatments.by_prompt import (
    check_then_answer,
    evidence_first,
    self_check,
)
from refusalbench_tasks.solvers.treatments.treatment import with_text
from tests.models import metrics_of, output
from tests.solvers.treated import CODES, MISSING, gold, notes, refusals, run


def test_what_a_treatment_did_is_noted(tmp_path: Path) -> None:
    def doubter(prompt: str) -> str:
        right = gold(prompt)
        return MISSING if "final reply" in prompt and right not in CODES else right

    told = notes(run(self_check(), doubter, tmp_path))
    assert {note["calls"] for note in told} == {3}
    assert {note["changed"] for note in told} == {True, False}
    log = run(
        evidence_first(),
        lambda prompt: f"EVIDENCE: none\nREPLY: {gold(prompt)}",
        tmp_path,
        limit=1,
    )
    assert notes(log) == [
        {"name": "evidence_first", "calls": 1, "evidence": "EVIDENCE: none"}
    ]


def test_a_reply_that_was_stopped_is_not_criticised(tmp_path: Path) -> None:
    log = run(
        self_check(),
        lambda _: output("The answer is", stop="max_tokens"),
        tmp_path,
        limit=2,
    )
    assert [note["calls"] for note in notes(log)] == [1, 1]
    assert metrics_of(log, "refusal_scores")["no_reply_rate"] == 1.0


def test_a_treatment_is_not_mixed_with_a_prompt_in_another_language(
    tmp_path: Path,
) -> None:
    with pytest.raises(AssertionError, match="leave out prompt_language="):
        run(evidence_first(), gold, tmp_path, limit=1, prompt_language="de")


EMPTY = output(" ")
CUT = output("The re", stop="max_tokens")
STOPPED = output("", stop="content_filter")


@pytest.mark.parametrize(
    "reply, reason",
    [(EMPTY, "no_response"), (CUT, "truncated"), (STOPPED, "provider_refusal")],
)
@pytest.mark.parametrize(
    "step, cue, calls",
    [("critique", "strict reviewer", 2), ("final reply", "final reply", 3)],
)
def test_an_unusable_second_look_keeps_the_first_reply(
    reply: ModelOutput, reason: str, step: str, cue: str, calls: int, tmp_path: Path
) -> None:
    def failing(prompt: str) -> Any:
        return reply if cue in prompt else gold(prompt)

    log = run(self_check(), failing, tmp_path, limit=4)
    assert refusals(log) == (0.0, 0.0)
    assert metrics_of(log, "refusal_scores")["no_reply_rate"] == 0.0
    for sample in log.samples or []:
        [note] = sample.metadata[NOTES]
        assert (note["unusable_step"], note["unusable_reason"]) == (step, reason)
        assert (note["calls"], note["changed"]) == (calls, False)
        assert sample.output.completion == note["first_reply"]


def test_a_text_that_is_taken_away_stays_away_when_the_output_is_read_again() -> None:
    changed = with_text(output("CONFIDENCE: 90%"), "")
    assert ModelOutput.model_validate(changed.model_dump()).completion == ""


def test_a_treatment_asks_with_the_permission_to_ask_back_of_its_run(
    tmp_path: Path,
) -> None:
    prompts: list[str] = []

    def answer(prompt: str) -> str:
        prompts.append(prompt)
        return MISSING

    run(check_then_answer(), answer, tmp_path, ask=True, limit=2)
    assert prompts
    assert all(prompt.count("you may ask back") == 1 for prompt in prompts)
