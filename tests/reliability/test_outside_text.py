"""Any text as a reply and any text or JSON as a verdict: a sample is scored or
unscored, and the run ends well.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from inspect_ai import Task, eval
from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.model import ChatMessageAssistant, Model, ModelOutput
from inspect_ai.scorer import Score
from inspect_ai.tool import ToolCall

from refusalbench_tasks.replies.outside_text import well_formed
from refusalbench_tasks.scorers import hedging_decision, refusal_decision
from refusalbench_tasks.tasks.bluff import bluff
from refusalbench_tasks.tasks.garage import garage
from refusalbench_tasks.tasks.nq import nq
from tests.models import Answer, as_json, fake, output

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=60)
# Inspect can't write a log of a tool call whose arguments have half a character in a
# name
NAME = st.text(max_size=60)
HOSTILE = st.sampled_from(
    [
        "\ud83d",
        "It was \udcff1931.",
        "[" + "9" * 5_000 + "]",
        "[1-3][²] 1931",
        "Confidence: " + "9" * 5_000,
        "\x00",
    ]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | ANY_TEXT,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(NAME, inner, max_size=3)
    ),
    max_leaves=8,
)
DIGITS = "9" * 5_000
BROKEN = st.sampled_from(
    [
        f'{{"explanation": "x", "label": "ANSWER_ATTEMPT", "grade": {DIGITS}}}',
        f'{{"explanation": "x", "behaviour": "ANSWER", "correctness": {DIGITS}}}',
        '{"a":' * 3_000 + "1" + "}" * 3_000,
        (
            '{"explanation": "\\ud83d", "label": "ANSWER_ATTEMPT", "grade": 5,'
            ' "eligible": true}'
        ),
        '{"explanation": "\\udcff", "behaviour": "ANSWER", "correctness": 1.0}',
    ]
)
BYTES = st.binary(max_size=60).map(
    lambda given: given.decode("utf-8", "surrogateescape")
)
VERDICT = (
    ANY_TEXT
    | BYTES
    | BROKEN
    | JSON.map(json.dumps)
    | st.dictionaries(NAME, JSON, max_size=3)
)
TASKS: dict[str, Callable[..., Task]] = {
    "nq": lambda: nq(data="sample", confidence=True),
    "garage": lambda: garage(data="sample", raf="claims", controls="only"),
    "bluff": lambda: bluff(
        data="sample", per_topic=2, ptrue="verbal", attribution="grader"
    ),
}


@pytest.fixture(autouse=True)
def _quiet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("INSPECT_DISPLAY", "none")


def run(task: Task, model: Model, judge: Model, limit: int) -> EvalLog:
    roles: Any = {"grader": judge}
    (log,) = eval(
        task,
        model=model,
        model_roles=roles,
        limit=limit,
        log_dir="logs",
        display="none",
    )
    return log


def told(answers: list[Any]) -> Model:
    """Return a model that gives the answers in turn, and again from the first."""
    asked = iter(range(10_000))
    return fake(lambda _: answers[next(asked) % len(answers)])


def verdicts_on(sample: EvalSample) -> list[Score]:
    """Return the scores that say something of the reply, and not of the row."""
    return [
        score for name, score in (sample.scores or {}).items() if name != "row_facts"
    ]


@pytest.mark.parametrize("name", TASKS)
@settings(
    max_examples=3,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],  # each example is a run
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    st.lists(ANY_TEXT | HOSTILE, min_size=12, max_size=12),
    st.lists(VERDICT, min_size=12, max_size=12),
)
def test_no_reply_and_no_verdict_ends_a_run(
    name: str, replies: list[str], verdicts: list[Answer]
) -> None:
    log = run(TASKS[name](), told(replies), told(verdicts), 12)
    assert log.status == "success", log.error
    for sample in log.samples or []:
        assert sample.error is None
        label, numbers = verdicts_on(sample)
        assert label.reason == numbers.reason
        assert label.reason is not None or numbers.value["unscored"] == 0  # type: ignore[index, call-overload]
        assert label.reason != "scoring_failed", label.explanation


@pytest.mark.parametrize("name", TASKS)
def test_what_our_own_code_cannot_take_costs_its_row_only(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = hedging_decision if name == "bluff" else refusal_decision
    read: Callable[[ModelOutput], str] = module.reply_of

    def broken(said: ModelOutput) -> str:
        if "odd" in said.completion:
            raise ValueError("an odd text\nand more")
        return read(said)

    asked = iter(range(10_000))

    def reply(prompt: str) -> str:
        # the order of replies and of questions for confidence is not fixed
        return (
            "0.5"
            if "proposed answer" in prompt
            else ("REFUSE_OTHER", "odd")[next(asked) % 2]
        )

    monkeypatch.setattr(module, "reply_of", broken)
    log = run(TASKS[name](), fake(reply), told(["no"]), 4)
    assert log.status == "success", log.error
    failed = [
        verdicts_on(s)
        for s in log.samples or []
        if s.scores and "odd" in s.output.completion
    ]
    assert len(failed) == 2
    for scores in failed:
        for score in scores:
            assert score.reason == "scoring_failed"
            assert "ValueError: an odd text" in (score.explanation or "")


def down(_: str) -> str:
    raise IndexError("it is down")


@pytest.mark.parametrize(
    ("model", "judge"), [(told(["1931"]), fake(down)), (fake(down), told(["no"]))]
)
def test_a_providers_fault_is_the_samples_error_and_never_a_verdict(
    model: Model, judge: Model
) -> None:
    log = run(nq(data="sample", judge="always"), model, judge, 1)
    assert log.status == "error"
    assert log.error
    assert "it is down" in log.error.message


@pytest.mark.parametrize("name", TASKS)
def test_a_model_that_calls_tools_or_gives_no_choice_has_not_responded(
    name: str,
) -> None:
    asked: list[str] = []

    def reply(prompt: str) -> Answer:
        asked.append(prompt)
        call = ToolCall(id="1", function="search", arguments={"query": "1931"})
        message = ChatMessageAssistant(content="", tool_calls=[call])
        made = ModelOutput.from_message(message, stop_reason="tool_calls")
        return made if len(asked) % 2 else ModelOutput(model="mockllm/fake", choices=[])

    log = run(TASKS[name](), fake(reply), told(["no"]), 3)
    assert log.status == "success", log.error
    samples = log.samples or []
    assert len(asked) == len(samples)
    assert {score.reason for sample in samples for score in verdicts_on(sample)} == {
        "no_response"
    }


def test_a_judge_that_gives_no_choice_gives_no_verdict() -> None:
    made = ModelOutput(model="mockllm/fake", choices=[])
    log = run(
        nq(data="sample", judge="always"), told(["1931"]), fake(lambda _: made), 1
    )
    (sample,) = log.samples or []
    assert sample.scores
    assert sample.scores["refusal_correct"].reason == "grader_failed"


@given(ANY_TEXT)
def test_a_well_formed_text_can_be_written_and_says_the_same(text: str) -> None:
    made = well_formed(text)
    assert well_formed(made) == made
    made.encode()
    if not any("\ud800" <= character <= "\udfff" for character in text):
        assert made == text
    assert well_formed("\ud83d\ude00") == "😀"
    assert well_formed("a\ud83d.") == "a\ufffd."


def test_the_judge_is_sent_well_formed_text() -> None:
    sent: list[str] = []

    def judge(prompt: str) -> Answer:
        sent.append(prompt)
        return output(as_json(explanation="a \ud83d b", label="REFUSE_OTHER"))

    log = run(
        nq(data="sample", judge="always"), told(["No \ud83d idea"]), fake(judge), 1
    )
    assert log.status == "success", log.error
    sent[0].encode()
    assert "No \ufffd idea" in sent[0]
    (sample,) = log.samples or []
    assert sample.scores
    assert sample.scores["refusal_scores"].explanation == "a \ufffd b"
