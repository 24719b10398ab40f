"""What counts as the reply of an agent that hands one over, from a run to its log."""

from typing import Any

import pytest
from inspect_ai import Task, eval, score
from inspect_ai.agent import (
    Agent,
    AgentState,
    AgentSubmit,
    agent,
    as_solver,
    react,
    run,
)
from inspect_ai.log import EvalLog
from inspect_ai.model import (
    ChatMessageAssistant,
    ChatMessageUser,
    Model,
    ModelOutput,
    get_model,
)
from inspect_ai.scorer import Score
from inspect_ai.tool import Tool, ToolCall, tool

from refusalbench_tasks.replies.outside_text import reply_of
from refusalbench_tasks.scorers.refusal import refusal_correct, refusal_scores
from refusalbench_tasks.solvers.replay import replay
from refusalbench_tasks.tasks.bluff import bluff
from refusalbench_tasks.tasks.nq import nq
from tests.models import output

CODE = "REFUSE_INFO_MISSING_IN_CONTEXT"
TALK = "I searched twice, and I could not find it at first."


def submitting(answer: str, talk: str = TALK, argument: str = "answer") -> Model:
    """Return a model that talks and submits an answer in one message."""
    call = ToolCall(id="1", function="submit", arguments={argument: answer})
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


def test_an_agent_that_hands_over_nothing_has_no_reply_whatever_it_says() -> None:
    log = ran(offline(), submitting("", talk=CODE))
    assert {made.reason for made in scores(log)} == {"no_response"}


@tool
def submit() -> Tool:
    async def execute(code: str) -> str:
        """Hand a code over.

        Args:
            code: One of the codes.
        """
        return code

    return execute


def test_a_submit_tool_of_another_form_leaves_the_text_as_it_is() -> None:
    agent = react(submit=AgentSubmit(tool=submit()))
    log = ran(offline(), submitting(CODE, "", argument="code"), agent)
    assert {made.answer for made in scores(log)} == {CODE}


@agent
def doubting() -> Agent:
    """Ask a sub-agent, and doubt what it hands over."""

    async def execute(state: AgentState) -> AgentState:
        inner = await run(react(), [ChatMessageUser(content="When?")])
        told = inner.output.completion
        state.output = output(f"I can't confirm it, but I was told {told}")
        state.messages.append(state.output.message)
        return state

    return execute


def test_a_reply_that_ends_with_what_a_sub_agent_handed_over_is_read_whole() -> None:
    log = ran(offline(), submitting("410", talk=""), as_solver(doubting()))
    assert {made.reason for made in scores(log)} == {"undecided_offline"}
    for sample in log.samples or []:
        assert reply_of(sample.output).startswith("I can't confirm it")


def test_bluff_reads_the_submission_as_the_answer() -> None:
    task = bluff(data="sample", per_topic=1, judge="offline", ptrue="none")
    log = ran(task, submitting("1931\n\nThe first source says so."))
    assert not any(made.reason for made in scores(log, "hedging_scores"))
