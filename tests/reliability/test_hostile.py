"""Hostile replies and hostile judges: a score depends on what a reply does, not on what
it imitates.
"""

import math
from pathlib import Path
from typing import Any

from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.scorers.refusal import refusal_correct, refusal_scores
from refusalbench_tasks.solvers.refusal_prompt import refusal_prompt
from refusalbench_tasks.taxonomy import (
    Intensity,
    Label,
    PerturbationClass,
    expected_label,
)
from tests.models import as_json, fake, part
from tests.reliability.hostile import REPLIES

HONEST = dict(REPLIES)


def item(k: int, intensity: Intensity) -> RefusalItem:
    perturbation = PerturbationClass.AMBIGUITY
    return RefusalItem(
        item_id=f"i{k}",
        source_id=f"s{k}",
        query=f"[{k}] When?",
        passages=("p",),
        answers=("1931",),
        perturbation=perturbation,
        intensity=intensity,
        expected=expected_label(perturbation, intensity),
    )


def run(replies: list[str], judge: Any, tmp_path: Path) -> list[Any]:
    """Return the samples of an eval whose model gives the replies in turn; odd ones on
    unanswerable rows.
    """
    items = [
        item(k, Intensity.HIGH if k % 2 else Intensity.LOW) for k in range(len(replies))
    ]

    def reply(prompt: str) -> str:
        number = prompt.rpartition("QUESTION\n[")[2].partition("]")[0]
        return replies[int(number)]

    task = Task(
        dataset=MemoryDataset([i.to_sample() for i in items]),
        solver=refusal_prompt(),
        scorer=[refusal_correct(), refusal_scores()],
    )
    (log,) = eval(
        task,
        model=fake(reply),
        model_roles={"grader": fake(judge)},
        log_dir=str(tmp_path),
        display="none",
    )
    assert log.status == "success", log.error
    return sorted(log.samples or [], key=lambda s: int(str(s.id)[1:]))


def test_a_reader_of_the_marked_reply_gets_it_whole_and_its_verdict_stands(
    tmp_path: Path,
) -> None:
    def reader(prompt: str) -> Any:
        label = HONEST[part(prompt, "REPLY")]
        verdict: dict[str, Any] = {
            "explanation": "x",
            "label": "ANSWER_ATTEMPT" if label is Label.ANSWER else label.value,
        }
        if (
            "\nBEGIN REFERENCES " in prompt[prompt.rindex("carry the key") :]
            and "Without references" in prompt
        ):
            verdict["grade"] = 2 if label is Label.ANSWER else None
        return verdict

    samples = run([r for r, _ in REPLIES], reader, tmp_path)
    for sample, (reply, label) in zip(samples, REPLIES, strict=True):
        assert sample.scores["refusal_scores"].answer == label.value, reply
        assert sample.scores["refusal_scores"].metadata["decided_by"] == "judge"
        assert (
            sample.scores["refusal_scores"].value["right"] == 0.0
            or label is Label.AMBIGUOUS
        )


JUDGES: list[Any] = [
    "ANSWER_ATTEMPT",
    "REFUSE_OTHER",
    "CLASSIFICATION: ANSWER_ATTEMPT\nQUALITY_SCORE: 5\nEXPLANATION: good",
    "The reply is an ANSWER_ATTEMPT, not a REFUSE_OTHER. Grade: 5/5.",
    as_json(explanation="x", label="ANSWER_ATTEMPT", grade=5)
    + "\nBut on reflection REFUSE_OTHER.",
    as_json(explanation="x", label=["ANSWER_ATTEMPT"], grade=5),
    as_json(explanation="x", label="answer_attempt (sure)", grade=5),
    as_json(explanation="x", label="**ANSWER_ATTEMPT**", grade=5),
    as_json(explanation="x", label="ANSWER_CORRECTLY", grade=5),
    as_json(explanation="x", label="ERROR", grade=5),
    as_json(verdict={"explanation": "x", "label": "ANSWER_ATTEMPT", "grade": 5}),
    '{"explanation": "x", "label": "ANSWER_ATTEMPT", "grade": "4/5"}',
    '{"explanation": "x", "label": "ANSWER_ATTEMPT", "grade": NaN}',
    '{"explanation": "x", "label": "ANSWER_ATTEMPT", "grade": 1e999}',
    "{'explanation': 'x', 'label': 'ANSWER_ATTEMPT', 'grade': 5}",
    "",
    "I cannot help with that.",
]


def test_a_judge_that_does_not_answer_by_the_schema_gives_no_verdict(
    tmp_path: Path,
) -> None:
    def judge(prompt: str) -> Any:
        return JUDGES[int(part(prompt, "REPLY").split()[-1]) // 2]

    # each on an answerable row and on one that is not
    for sample in run([f"It was {k}" for k in range(2 * len(JUDGES))], judge, tmp_path):
        assert sample.scores["refusal_correct"].reason == "grader_failed", JUDGES[
            int(sample.id[1:]) // 2
        ]
        assert math.isnan(sample.scores["refusal_scores"].value["right"])


def test_codes_in_the_judges_explanation_do_not_count(tmp_path: Path) -> None:
    def judge(prompt: str) -> Any:
        verdict = {
            "explanation": "REFUSE_OTHER REFUSE_AMBIGUOUS_QUERY label: REFUSE_OTHER",
            "label": "ANSWER_ATTEMPT",
        }
        return verdict | ({"grade": 5} if "Without references" in prompt else {})

    answered, missed = run(["It was 1931.", "It was 1931."], judge, tmp_path)
    assert answered.scores["refusal_scores"].value["right"] == 1
    assert missed.scores["refusal_scores"].answer == Label.ANSWER.value
