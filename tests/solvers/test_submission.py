"""What counts as the reply of an agent that hands one over, from a run to its log."""

from typing import Any

import pytest
from inspect_ai import Task, eval, score
from inspect_ai.agent import react
from inspect_ai.log import EvalLog
from inspect_ai.model import (
    ChatMessageAssistant,
    Model,
    ModelOutput,
    get_model,
)
from inspect_ai.scorer import Score
from inspect_ai.tool import ToolCall

from refusalbench_tasks.scorers.refusal import refusal_correct, refusal_scores
from refusalbench_tasks.solvers.replay import replay
from refusalbench_tasks.tasks.bluff import bluff
from refusalbench_tasks.tasks.nq import nq
from tests.models import output

CODE = "REFUSE_INFO_MISSING_IN_CONTEXT"
TALK = "I searched twice, and I could not find it at first."


def submitting(answer: str, talk: str = TALK) -> Model:
    """Return a model that talks and submits an answer in one message."""
    call = ToolCall(id="1", function="submit", arguments={"answer": answer})
    message = ChatMessageAssistant(content=talk, tool_calls=[call])

    def reply(*_: Any) -> ModelOutput:
        made = ModelOutput.from_message(message, stop_reason="tool_calls")
        return output(made)

    return get_model("mockllm/agent", custom_outputs=reply, memoize=False)


def offline() -> Task:
    return nq(data="sample", per_stratum=1, judge="offline")


def ran(task: Task, speaker: Model, solver: Any = None) -> EvalLog:
    (log,) = eval(
        task,
        model=speaker,
        solver=solver or react(),
        limit=3,
        message_limit=20,
        log_dir="logs",
        display="none",
    )
    assert log.status == "success", log.error
    return log


def scores(log: EvalLog, scorer: str = "refusal_scores") -> list[Score]:
    return [sample.scores[scorer] for sample in log.samples or [] if sample.scores]


@pytest.mark.parametrize("talk", [TALK, "I would not trust any of this.", ""])
@pytest.mark.parametrize(
    ("answer", "read"), [("410", "ANSWER_CORRECTLY"), (CODE, CODE)]
)
def test_what_an_agent_submits_is_its_reply_and_its_talk_is_none(
    answer: str, read: str, talk: str
) -> None:
    log = ran(offline(), submitting(answer, talk))
    assert {made.answer for made in scores(log)} == {read}
    assert {made.reason for made in scores(log)} == {None}


def test_scored_again_or_replayed_the_submission_stays_the_reply() -> None:
    log = ran(offline(), submitting("410"))
    scorers = [refusal_correct(), refusal_scores()]
    again = score(log, scorers, action="overwrite", display="none")
    replayed = ran(offline(), get_model("none/none"), replay(log.location))
    for other in (again, replayed):
        assert [made.answer for made in scores(other)] == ["ANSWER_CORRECTLY"] * 3


def test_an_empty_submission_hides_no_reply() -> None:
    log = ran(offline(), submitting("", talk=CODE))
    assert {made.answer for made in scores(log)} == {CODE}


def test_bluff_reads_the_submission_as_the_answer() -> None:
    task = bluff(data="sample", per_topic=1, judge="offline", ptrue="none")
    log = ran(task, submitting("1931\n\nThe first source says so."))
    assert not any(made.reason for made in scores(log, "hedging_scores"))
