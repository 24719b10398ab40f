"""Treatments by the prompt: in which direction a scripted model moves, and what is
scored.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from inspect_ai.solver import Solver

from refusalbench_tasks.prompting.refusal_template import prompt_text
from refusalbench_tasks.solvers.treatments.by_prompt import (
    check_then_answer,
    codes_last,
    evidence_first,
    no_codes,
    self_check,
    split_evidence,
)
from refusalbench_tasks.solvers.treatments.few_shot import few_shot
from tests.growth import grows_linearly
from tests.solvers.treated import MISSING, gold, refusals, run

CUES = {
    evidence_first: "EVIDENCE:",
    check_then_answer: "by what you have just found",
    self_check: "final reply",
    few_shot: "EXAMPLE REPLY",
    codes_last: "CODES\n\nREFUSE",
    no_codes: "say that you cannot answer",
}
"""What a prompt says under a treatment and under no other."""


@pytest.mark.parametrize("treatment", CUES)
def test_a_treatment_helps_whom_it_encourages_and_harms_whom_it_unsettles(
    treatment: Callable[[], Solver], tmp_path: Path
) -> None:
    def encouraged(prompt: str) -> str:
        return gold(prompt) if CUES[treatment] in prompt else MISSING

    def unsettled(prompt: str) -> str:
        return MISSING if CUES[treatment] in prompt else gold(prompt)

    assert CUES[treatment] not in prompt_text()
    assert refusals(run(treatment(), encouraged, tmp_path)) == (0.0, 0.0)
    assert refusals(run(treatment(), unsettled, tmp_path)) == (1.0, 0.0)


@pytest.mark.parametrize(
    "text, found",
    [
        ("EVIDENCE: a\nREPLY: Paris", ("EVIDENCE: a", "Paris")),
        ("**REPLY:** Paris", ("", "Paris")),
        ("REPLY: no\nREPLY: yes", ("REPLY: no", "yes")),
        ("The REPLY: is inside a line", (None, "The REPLY: is inside a line")),
        ("EVIDENCE: a\n\n\n> **REPLY** :\n\nParis\n", ("EVIDENCE: a", "Paris")),
    ],
)
def test_the_reply_stands_behind_its_last_line(
    text: str, found: tuple[str | None, str]
) -> None:
    assert split_evidence(text) == found


@pytest.mark.parametrize("piece", ["\n", " \n", "* ", "REPLY\n", "> \n"])
def test_a_degenerate_reply_is_split_in_linear_work(piece: str) -> None:
    assert grows_linearly(split_evidence, piece, "x")
