"""A proof by reading: the blind annotator beside what a corpus has nearest to each
question.
"""

from inspect_ai.model import get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver

from refusalbench_tasks.arguments import Count, require
from refusalbench_tasks.solvers.refusal_prompt import put_reply, refusal_item
from refusalbench_tasks.solvers.retrieved import record_retrieved
from refusalbench_tasks.taxonomy import Label

from .search_tool import nearest_in_row

NEAR = 20
ANNOTATION = "refusalbench:annotation"
"""The key in a sample's store of what the annotator said, with its quotes."""


@solver
def search_annotator(passages: int = NEAR) -> Solver:
    """Let the model, as `question`'s blind annotator, label each row by the passages
    nearest to its question.

    What it answers is its reply, else its code: so `unsupported_answer` lists the rows
    that the corpus may answer after all. No valid label is an error of the sample.

    Args:
        passages: How many of the nearest passages it reads.
    """
    require(Count, passages=passages)
    # another feature, for this solver alone
    from refusalbench_tasks.generators.kit.annotator import annotate

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        item = refusal_item(state, "search_annotator")
        near = nearest_in_row(
            item.query,
            passages,
            state.store,
        )
        record_retrieved(state, near)
        model = get_model()
        annotation = await annotate(
            model,
            item.query,
            near,
            item.answers,
        )
        state.store.set(ANNOTATION, annotation.model_dump(mode="json"))
        if annotation.label is None:
            raise RuntimeError(f"the annotator gave no label: {annotation.failure}")
        answered = annotation.label is Label.ANSWER
        reply = annotation.answer if answered else annotation.label.value
        put_reply(state, str(model), reply)
        return state

    return solve
