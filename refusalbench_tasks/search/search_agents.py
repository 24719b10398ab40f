"""The agents of the task: Inspect's `react` with the tool `search`, and a protocol of
one line a turn for models that cannot call tools.
"""

from dataclasses import dataclass
from typing import Literal

from inspect_ai.agent import AgentPrompt, AgentSubmit, as_solver, react
from inspect_ai.model import ChatMessageSystem, ChatMessageUser
from inspect_ai.solver import Generate, Solver, TaskState, solver

from refusalbench_tasks.datasets.item import SETTINGS
from refusalbench_tasks.judging.ask import stop_of
from refusalbench_tasks.prompting import bundled, fill
from refusalbench_tasks.replies.code import parse_reply, visible_text
from refusalbench_tasks.replies.outside_text import reply_of
from refusalbench_tasks.solvers.refusal_prompt import one_reply
from refusalbench_tasks.solvers.sample_limit import STOPPED
from refusalbench_tasks.solvers.treatments.treatment import with_text
from refusalbench_tasks.taxonomy import CODES

from .search_tool import (
    NONE_LEFT,
    search_tool,
    searches_left,
    shown_by,
)

MALFORMED = "refusalbench:malformed_turns"
"""The key in a sample's store of how many turns of `search_lines` were no line of its
protocol.
"""
SPARE_TURNS = 4
"""Turns beyond the budget of searches before `search_lines` is stopped."""
_MARKUP = "*_` \t"
_EDGES = f"{_MARKUP}#->[]"
Protocol = Literal["by_tool", "by_line"]
Verb = Literal["search", "answer", "refuse", ""]


def instructions(
    protocol: Protocol,
    searches: int,
    codes: bool = True,
    grounded: bool = False,
    ask: bool = False,
) -> str:
    """Return what an agent is told before the question; it may `ask` back."""
    package = "refusalbench_tasks.search"
    table = "\n".join(f"{code.label}: {code.meaning}." for code in CODES)
    refuse = bundled(package, "refuse_in_words.txt")
    if codes:
        refuse = fill(bundled(package, "refuse_by_code.txt"), {"codes": table})
    cite = f" {bundled(package, 'cite.txt')}" if grounded else ""
    may_ask = bundled("refusalbench_tasks.solvers", "ask.txt")
    turns = bundled(package, f"{protocol}.txt")
    turns = fill(turns, {"refusal": "the code" if codes else "why"})
    slots = {
        "searches": str(searches),
        "cite": cite,
        "refuse": refuse,
        "ask": f"\n\n{may_ask}" if ask else "",
        "protocol": turns,
    }
    return fill(bundled(package, "agent.txt"), slots)


def tool_agent(
    searches: int,
    codes: bool,
    grounded: bool,
    ask: bool,
) -> Solver:
    """Return the default agent: `react` with the tool `search`; what it submits is its
    reply.
    """
    system = instructions(
        "by_tool",
        searches,
        codes,
        grounded,
        ask,
    )
    prompt = AgentPrompt(instructions=system, assistant_prompt=None)
    submit = AgentSubmit(answer_only=True)
    return as_solver(react(prompt=prompt, tools=[search_tool()], submit=submit))


@dataclass(frozen=True)
class Turn:
    """One turn of an agent by lines: what it does, and with which words."""

    verb: Verb
    text: str = ""


def read_turn(reply: str, told: str = "") -> Turn:
    """Return what a turn does by its first line; no verb for none of the protocol's.

    A bare refusal code is a refusal. A line of what the agent was `told` is no turn:
    weak models copy one.
    """
    lines = filter(None, map(str.strip, visible_text(reply).splitlines()))
    line = next(lines, "").lstrip(_EDGES)
    if line in told.splitlines():
        return Turn("")
    first, colon, rest = line.partition(":")
    verb = first.strip(_EDGES).lower()
    text = rest.strip(_MARKUP)
    if colon and text:
        if verb == "search":
            return Turn("search", text)
        if verb == "answer":
            return Turn("answer", text)
        if verb == "refuse":
            if parse_reply(text).label is None:
                text = f"I cannot answer: {text}"
            return Turn("refuse", text)
    if parse_reply(line).label is not None:
        return Turn("refuse", line)
    return Turn("")


@solver
def search_lines() -> Solver:
    """Search, answer and refuse by one line a turn: `SEARCH: words`, `ANSWER: text` or
    `REFUSE: code`.

    For models that cannot call tools. A turn that is none of these is counted and asked
    for again. An agent that has neither answered nor refused when its turns are used up
    has given no reply.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        settings = state.metadata.get(SETTINGS) or {}
        budget = searches_left(state.store)
        system = instructions(
            "by_line",
            budget,
            settings.get("codes") is not False,
            bool(settings.get("grounded")),
            bool(settings.get("ask")),
        )
        state.messages = [
            ChatMessageSystem(content=system),
            ChatMessageUser(content=f"QUESTION: {state.input_text}"),
        ]
        state.tools = []
        state.store.set(MALFORMED, 0)
        for _ in range(budget + SPARE_TURNS):
            state = await one_reply(state, generate)
            if state.completed or stop_of(state.output) == "content_filter":
                return state
            turn = read_turn(reply_of(state.output), system)
            if turn.verb in ("answer", "refuse"):
                state.output = with_text(state.output, turn.text)
                return state
            state.messages.append(ChatMessageUser(content=_next(turn, state)))
        state.store.set(STOPPED, True)
        return state

    return solve


def _next(turn: Turn, state: TaskState) -> str:
    """Return what an agent by lines is told after a turn that ends nothing."""
    store = state.store
    if turn.verb == "search":
        shown = shown_by(turn.text, store)
        left = searches_left(store)
        return shown if shown == NONE_LEFT else f"{shown}\n\nSearches left: {left}"
    store.set(MALFORMED, store.get(MALFORMED, 0) + 1)
    return bundled("refusalbench_tasks.search", "one_line.txt")
