"""Baselines that need no model: run them with `--model none` and `--solver
refusalbench_tasks/NAME`.
"""

from collections.abc import Callable
from itertools import chain

from inspect_ai.solver import Generate, Solver, TaskState, solver

from refusalbench_tasks.arguments import Fraction, require
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.replies.sentences import best_match, sentences
from refusalbench_tasks.solvers.refusal_prompt import put_reply, refusal_item
from refusalbench_tasks.taxonomy import REFUSALS, Label, canonical_code


@solver
def always_refuse(code: str = Label.MISSING.value) -> Solver:
    """Refuse every row with one code.

    Args:
        code: A refusal code or one of the paper's aliases.
    """
    label = refusal_code(code)
    return _baseline("always_refuse", lambda state: label.value)


@solver
def extractive(threshold: float = 0.3) -> Solver:
    """Answer with the sentence that best matches the question; refuse (information
    missing) below a threshold.

    Args:
        threshold: Share of the question's word weight that the sentence must cover, in
            [0, 1].
    """
    require(Fraction, threshold=threshold)

    def extract(state: TaskState) -> str:
        item = refusal_item(state, "extractive")
        candidates = chain.from_iterable(map(sentences, item.passages))
        sentence, share = best_match(item.query, list(candidates))
        return sentence if share >= threshold else Label.MISSING.value

    return _baseline("extractive", extract)


@solver
def oracle() -> Solver:
    """Reply with the gold answer or the gold code.

    It reads the gold: a check of the scorer, not a model.
    """

    def gold(state: TaskState) -> str:
        item = refusal_item(state, "oracle")
        return item.references[0] if item.answerable else item.expected.value

    return _baseline("oracle", gold)


def _baseline(name: str, reply_to: Callable[[TaskState], str]) -> Solver:
    model = f"refusalbench/{name}"

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        put_reply(
            state,
            model,
            reply_to(state),
        )
        # nobody waits for it
        state.output.time = 0.0
        return state

    return solve


def refusal_code(code: str) -> Label:
    """Return the refusal code of a name or an alias of the paper.

    Raises DataError for any other name.
    """
    label = canonical_code(code)
    is_invented = label is Label.OTHER and code.strip().upper() != Label.OTHER
    if label is None or is_invented:
        known = ", ".join(REFUSALS)
        raise DataError(f"code: unknown refusal code '{code}'; known: {known}")
    return label
