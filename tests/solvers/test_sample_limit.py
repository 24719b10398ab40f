"""What an agent that a limit stopped counts as, from `eval()` to the numbers in the
log.
"""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task, eval, score
from inspect_ai.agent import Agent, AgentState, agent, as_solver, react, run
from inspect_ai.log import EvalLog
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    Model,
    ModelOutput,
    ModelUsage,
    get_model,
)
from inspect_ai.tool import Tool, ToolCall, tool
from inspect_ai.util import message_limit

from refusalbench_tasks.scorers.refusal import refusal_correct, refusal_scores
from refusalbench_tasks.solvers.replay import replay
from refusalbench_tasks.tasks.bluff import bluff
from refusalbench_tasks.tasks.garage import garage
from refusalbench_tasks.tasks.nq import nq
from tests.logged import numbers_of
from tests.models import fake, output, right_verdict

CODE = "REFUSE_INFO_MISSING_IN_CONTEXT"
ROWS: dict[str, Any] = {"data": "sample", "per_stratum": 1, "judge": "offline"}


@tool
def search() -> Tool:
    async def execute(query: str) -> str:
        """Search the documents.

        Args:
            query: What to look for.
        """
        return "nothing new"

    return execute


def calls(text: str, function: str, **arguments: str) -> ModelOutput:
    call = ToolCall(id="1", function=function, arguments=arguments)
    message = ChatMessageAssistant(content=text, tool_calls=[call])
    return output(ModelOutput.from_message(message, stop_reason="tool_calls"))


def model(text: str, function: str = "search", **arguments: str) -> Model:
    """Return a model that says a text and calls a tool, each time."""

    def reply(*_: Any) -> ModelOutput:
        return calls(text, function, **(arguments or {"query": "x"}))

    return get_model("mockllm/agent", custom_outputs=reply, memoize=False)


def ran(task: Task, speaker: Model, **options: Any) -> EvalLog:
    solver = options.pop("solver", None) or react(tools=[search()])
    (log,) = eval(
        task,
        model=speaker,
        solver=solver,
        limit=4,
        log_dir="logs",
        display="none",
        **options,
    )
    assert log.status == "success", log.error
    return log


def reasons(log: EvalLog, scorer: str) -> set[str | None]:
    return {
        sample.scores[scorer].reason for sample in log.samples or [] if sample.scores
    }


@pytest.mark.parametrize("text", ["Let me search again.", CODE, ""])
@pytest.mark.parametrize("limit", [{"message_limit": 7}, {"token_limit": 9}])
def test_an_agent_that_a_limit_stops_has_no_reply_whatever_stands_last(
    text: str, limit: dict[str, int]
) -> None:
    log = ran(nq(**ROWS), model(text), **limit)
    assert all(sample.limit for sample in log.samples or [])
    assert reasons(log, "refusal_scores") == {"stopped_by_limit"}
    m = numbers_of(log, "refusal_scores")
    assert (m["n"], m["n_unscored"], m["no_reply_rate"]) == (4, 0, 1)


@pytest.mark.parametrize(
    ("task", "scorer"),
    [
        (lambda: garage(**ROWS), "grounded_scores"),
        (
            lambda: bluff(data="sample", per_topic=1, judge="offline", ptrue="none"),
            "hedging_scores",
        ),
    ],
)
def test_so_it_is_in_garage_and_bluff(task: Any, scorer: str) -> None:
    log = ran(task(), model("Let me search again."), message_limit=7)
    assert reasons(log, scorer) == {"stopped_by_limit"}


def test_scored_again_or_replayed_it_stays_no_reply(tmp_path: Path) -> None:
    log = ran(nq(**ROWS), model("Let me search again."), message_limit=7)
    again = score(
        log, [refusal_correct(), refusal_scores()], action="overwrite", display="none"
    )
    assert reasons(again, "refusal_scores") == {"stopped_by_limit"}
    replayed = ran(nq(**ROWS), get_model("none/none"), solver=replay(log.location))
    assert reasons(replayed, "refusal_scores") == {"stopped_by_limit"}


class SlowGrader:
    """A grader whose every call takes a while, in seconds, and tokens."""

    def __init__(self, seconds: float, tokens: int) -> None:
        self.seconds = seconds
        self.tokens = tokens
        self.model = get_model(
            "mockllm/slow", custom_outputs=self._reply, memoize=False
        )

    async def _reply(self, messages: list[ChatMessage], *_: Any) -> ModelOutput:
        await asyncio.sleep(self.seconds)
        made = output(
            right_verdict(messages[-1].text)
            or {"explanation": "x", "label": "REFUSE_OTHER"}
        )
        made.usage = ModelUsage(input_tokens=self.tokens, total_tokens=self.tokens)
        return made


def graded(grader: SlowGrader, **limits: Any) -> tuple[EvalLog, list[str]]:
    """Return the log of a run that this grader grades, and what the model was asked."""
    asked: list[str] = []

    def reply(prompt: str) -> str:
        asked.append(prompt)
        return "It was 1931, I think."

    roles: Any = {"grader": grader.model}
    task = nq(data="sample", per_stratum=1)
    (log,) = eval(
        task,
        model=fake(reply),
        model_roles=roles,
        limit=3,
        log_dir="logs",
        display="none",
        **limits,
    )
    return log, asked


@pytest.fixture
def _no_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "cache"))


@pytest.mark.usefixtures("_no_cache")
def test_a_time_limit_in_the_graders_check_is_no_missing_reply_of_the_model() -> None:
    log, asked = graded(SlowGrader(5, tokens=1), time_limit=1)
    assert asked == []
    assert log.status == "error"
    assert log.error
    assert log.error.message.startswith("a sample ended while its grader was checked")


@pytest.mark.usefixtures("_no_cache")
@pytest.mark.parametrize("limit", [{"token_limit": 1500}, {"working_limit": 2}])
def test_the_graders_check_counts_against_no_limit_of_tokens_or_work(
    limit: dict[str, int],
) -> None:
    log, asked = graded(SlowGrader(0.5, tokens=500), **limit)
    assert log.status == "success", log.error
    assert len(asked) == 3
    assert "stopped_by_limit" not in reasons(log, "refusal_scores")


@agent
def careful() -> Agent:
    """Search under a limit of its own, and refuse behind it."""

    async def execute(state: AgentState) -> AgentState:
        await run(react(tools=[search()]), state.messages, limits=[message_limit(7)])
        state.output = await get_model(
            "mockllm/last", custom_outputs=[output(CODE)], memoize=False
        ).generate("?")
        state.messages.append(state.output.message)
        return state

    return execute


def test_a_limit_that_the_agent_caught_before_it_replied_stopped_nothing() -> None:
    log = ran(nq(**ROWS), model("Let me search again."), solver=as_solver(careful()))
    assert reasons(log, "refusal_scores") == {None}
