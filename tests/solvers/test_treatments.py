"""Treatments: what they ask, what they score, what they note, and in which direction a
scripted model moves.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval
from inspect_ai.log import EvalLog
from inspect_ai.model import ChatMessage, ModelOutput, get_model
from inspect_ai.solver import Solver, chain

from refusalbench_tasks import garage, nq
from refusalbench_tasks.datasets.benchmarks import GARAGE, NQ, Selection, load
from refusalbench_tasks.solvers.refusal_prompt import prompt_text
from refusalbench_tasks.solvers.treatments import NOTES
from refusalbench_tasks.solvers.treatments.by_confidence import (
    self_consistency,
    threshold,
    vote,
)
from refusalbench_tasks.solvers.treatments.by_prompt import (
    check_then_answer,
    codes_last,
    evidence_first,
    no_codes,
    self_check,
    split_evidence,
)
from refusalbench_tasks.solvers.treatments.few_shot import (
    drawn,
    examples_text,
    few_shot,
)
from refusalbench_tasks.taxonomy import Label
from tests.growth import grows_linearly
from tests.models import fake, metrics_of, output

MISSING = Label.MISSING.value
ITEMS = load(NQ, Selection(data="sample")).perturbed
CODES = {label.value for label in Label}


def gold(prompt: str) -> str:
    """Return the gold reply to the row whose question and passage stand in a prompt."""
    [item] = [
        item
        for item in ITEMS
        if f"QUESTION\n{item.query}\n" in prompt and item.passages[0] in prompt
    ]
    return item.answers[0] if item.answerable else item.expected.value


def grader(prompt: str) -> dict[str, Any]:
    """Take whatever is no bare code for a good answer."""
    attempt = {"explanation": "an answer", "label": "ANSWER_ATTEMPT"}
    return attempt | ({"grade": 5} if "BEGIN REFERENCES" in prompt else {})


def run(
    solver: Solver,
    answer: Any,
    logs: Path,
    task: Any = nq,
    limit: int | None = 6,
    **args: Any,
) -> EvalLog:
    """Return the log of a model that goes by all that was said to it."""

    def reply(messages: list[ChatMessage], *_: Any) -> ModelOutput:
        return output(
            answer(
                "\n\n".join(
                    message.text for message in messages if message.role == "user"
                )
            )
        )

    [log] = eval(
        task(data="sample", **args),
        model=get_model("mockllm/fake", custom_outputs=reply, memoize=False),
        model_roles={"grader": fake(grader)},
        solver=solver,
        log_dir=str(logs),
        limit=limit,
        display="none",
    )
    assert log.status == "success", log.error
    return log


def refusals(log: EvalLog) -> tuple[float, float]:
    """Return the rates of false and of missed refusals."""
    found = metrics_of(log, "refusal_scores")
    return found["false_refusal_rate"], found["missed_refusal_rate"]


def notes(log: EvalLog) -> list[dict[str, Any]]:
    return [sample.metadata[NOTES][-1] for sample in log.samples or []]


SURE = "\nCONFIDENCE: CONFIDENT"
UNSURE = "\nCONFIDENCE: UNCERTAIN"
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


def test_a_reply_that_was_stopped_is_not_criticised(tmp_path: Path) -> None:
    log = run(
        self_check(),
        lambda _: output("The answer is", stop="max_tokens"),
        tmp_path,
        limit=2,
    )
    assert [note["calls"] for note in notes(log)] == [1, 1]
    assert metrics_of(log, "refusal_scores")["no_reply_rate"] == 1.0


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


def test_examples_are_balanced_and_share_no_question_with_the_run() -> None:
    items = drawn("worlds", False, 2, 0, frozenset())
    assert sorted(item.expected for item in items) == sorted(
        [x for x in Label if x is not Label.OTHER] * 2
    )
    without = drawn("worlds", False, 2, 0, frozenset(item.source_id for item in items))
    assert not {item.source_id for item in items} & {item.source_id for item in without}
    assert drawn("worlds", False, 2, 1, frozenset()) != items


def test_a_learner_follows_examples_and_the_chain_asks_once(tmp_path: Path) -> None:
    asked: list[str] = []

    def learner(prompt: str) -> str:
        asked.append(prompt)
        return (
            f"REPLY: {gold(prompt)}"
            if "EXAMPLE REPLY" in prompt and "EVIDENCE:" in prompt
            else "Oslo"
        )

    treated = run(
        chain(few_shot(ask_now=False), evidence_first()), learner, tmp_path, limit=6
    )
    assert len(asked) == 6
    assert refusals(treated)[0] == 0.0
    assert refusals(run(few_shot(), learner, tmp_path, limit=6))[1] == 1.0


def test_garage_rows_are_treated_with_numbered_passages(tmp_path: Path) -> None:
    seen: list[str] = []

    def model(prompt: str) -> str:
        seen.append(prompt)
        return f"REPLY: {MISSING}"

    run(evidence_first(), model, tmp_path, task=garage, limit=1)
    assert "SEARCH RESULTS\n[1] " in seen[0]
    assert "EXAMPLE TEXT\n[1] " in examples_text(
        load(GARAGE, Selection(data="sample")).perturbed[:1], True
    )


def test_an_example_can_reach_no_slot(tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    source = Path("refusalbench_tasks/datasets/data/nq_sample.jsonl").read_text(
        encoding="utf-8"
    )
    rows.write_text(source.replace(" the ", " {{context}} the "), encoding="utf-8")
    items = drawn(str(rows), False, 1, 0, frozenset())
    assert any("{{context}}" in passage for item in items for passage in item.passages)
    seen: list[str] = []

    def model(prompt: str) -> str:
        seen.append(prompt)
        return MISSING

    eval(
        nq(data="worlds", n=36, judge="offline"),
        model=fake(model),
        solver=few_shot(examples=str(rows)),
        limit=1,
        log_dir=str(tmp_path),
        display="none",
    )
    assert "{{context}}" in seen[0]
