"""Baselines of the task `search` that need no model; `always_refuse` is one more."""

from collections.abc import Callable
from itertools import chain

from inspect_ai.solver import Generate, Solver, TaskState, solver

from refusalbench_tasks.arguments import Fraction, require
from refusalbench_tasks.replies.sentences import best_match, sentences
from refusalbench_tasks.solvers.refusal_prompt import put_reply, refusal_item
from refusalbench_tasks.solvers.retrieved import gold_passages, retrieved_of
from refusalbench_tasks.solvers.sample_limit import STOPPED
from refusalbench_tasks.taxonomy import Label

from .search_tool import searches_left, shown_by


@solver
def search_guess() -> Solver:
    """Answer every row with a gold answer of its question, and search nothing.

    It reads the gold: what answering from memory comes to at best.
    """

    def guess(state: TaskState) -> str:
        return refusal_item(state, "search_guess").references[0]

    return _searcher("search_guess", guess)


@solver
def search_once(threshold: float = 0.3) -> Solver:
    """Search for the question's words, and answer by the sentence that best matches the
    question; refuse (information missing) below a threshold.

    Args:
        threshold: Share of the question's word weight that the sentence must cover, in
            [0, 1], as of `extractive`.
    """
    require(Fraction, threshold=threshold)

    def extract(state: TaskState) -> str:
        question = refusal_item(state, "search_once").query
        shown_by(question, state.store)
        candidates = chain.from_iterable(map(sentences, retrieved_of(state) or ()))
        sentence, share = best_match(question, list(candidates))
        return sentence if share >= threshold else Label.MISSING.value

    return _searcher("search_once", extract)


@solver
def search_endless() -> Solver:
    """Search until no searches are left, and reply nothing."""

    def search_all(state: TaskState) -> None:
        question = refusal_item(state, "search_endless").query
        while searches_left(state.store):
            shown_by(question, state.store)

    return _searcher("search_endless", search_all)


@solver
def search_oracle() -> Solver:
    """Search for the question's words, then for the evidence itself, and give the gold
    answer or code: the ceiling.

    It reads the gold: a check of corpus and scorer, not an agent.
    """

    def find(state: TaskState) -> str:
        item = refusal_item(state, "search_oracle")
        gold = gold_passages(item) or item.passages
        for query in (item.query, *gold[:1]):
            if not set(gold) & set(retrieved_of(state) or ()):
                shown_by(query, state.store)
        return item.references[0] if item.answerable else item.expected.value

    return _searcher("search_oracle", find)


def _searcher(name: str, reply_to: Callable[[TaskState], str | None]) -> Solver:
    model = f"refusalbench/{name}"

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        reply = reply_to(state)
        if reply is None:
            state.store.set(STOPPED, True)
        put_reply(state, model, reply or "")
        return state

    return solve
