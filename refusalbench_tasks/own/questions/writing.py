"""The writer: asked for questions about a chunk, each of which is checked."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from inspect_ai.model import get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import StoreModel
from pydantic import BaseModel, Field

from refusalbench_tasks.generators.kit.calls import ask_writer, cache_policy, prompt_of
from refusalbench_tasks.generators.kit.checks import broken
from refusalbench_tasks.generators.kit.progress import show_progress
from refusalbench_tasks.judging.ask import Spent
from refusalbench_tasks.judging.material import material

from .chunk_text import material_parts
from .draft import FORM, Drafts, QuestionDraft
from .draft_checks import CHECKS, Drafted
from .slot import ChunkSlot

PACKAGE = "refusalbench_tasks.own.questions"
LONGEST_OUTPUT = 3_000
"""Room for a few questions, where no `--max-tokens` is given."""


class Broken(BaseModel):
    """A draft that cannot be used, and the checks that it fails, each with what is
    wrong.
    """

    draft: QuestionDraft
    checks: dict[str, str]


class WrittenQuestions(BaseModel):
    """The drafts that pass the checks, those that don't, and what they took; a failure
    if there is no valid reply.
    """

    kept: list[QuestionDraft] = []
    broken: list[Broken] = []
    failure: str | None = None
    spent: Spent = Spent()


class Writing(StoreModel):
    """What was written about a chunk, and what its last scoring
    noted: kept in the log.
    """

    written: WrittenQuestions = Field(default_factory=WrittenQuestions)
    noted: dict[str, Any] = Field(default_factory=dict)


@solver
def question_writing(cache: bool = True, seed: int = 0) -> Solver:
    """Write questions by the evaluated model and check them; the scorer asks the
    readers.

    Args:
        cache: Keep finished calls for a week, so that a killed run does not pay twice.
        seed: Another seed asks the model anew instead of using what is kept.
    """
    policy = cache_policy(cache, seed)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        slot = state.metadata_as(ChunkSlot)
        show_progress("question", f"{slot.chunk.source}, from {slot.chunk.start}")
        reply = await ask_writer(
            get_model(),
            questions_prompt(slot),
            Drafts,
            FORM,
            LONGEST_OUTPUT,
            policy,
        )
        drafts = reply.answer.questions if reply.answer else ()
        kept, broken = checked_drafts(drafts, slot)
        state.store_as(Writing).written = WrittenQuestions(
            kept=kept,
            broken=broken,
            failure=reply.failure,
            spent=reply.spent,
        )
        state.output.completion = reply.raw
        if not reply.failure:
            state.output.completion = "\n".join(draft.question for draft in kept)
        return state

    return solve


def checked_drafts(
    drafts: Sequence[QuestionDraft], slot: ChunkSlot
) -> tuple[list[QuestionDraft], list[Broken]]:
    """Return the drafts that pass every check, and those that fail one.

    What is more than the chunk may have of a kind is passed over, the first come first.
    """
    good = list[QuestionDraft]()
    unfit = list[Broken]()
    room = Counter(slot.outside) + Counter({"answerable": slot.questions})
    for draft in drafts:
        if room[draft.kind] < 1:
            continue
        room[draft.kind] -= 1
        problems = broken(CHECKS, Drafted(draft, slot.chunk, good))
        if problems:
            unfit.append(Broken(draft=draft, checks=problems))
        else:
            good.append(draft)
    return good, unfit


def questions_prompt(slot: ChunkSlot) -> str:
    """Return the writer's prompt: what is the same for every chunk first, then the
    chunk and what is wanted of it.
    """
    wanted = []
    if slot.questions:
        wanted.append(f"up to {slot.questions} that the passage answers")
    wanted += [f"{n} of the kind {kind}" for kind, n in Counter(slot.outside).items()]
    return prompt_of(
        PACKAGE,
        "writer.txt",
        Drafts,
        FORM,
        material(material_parts(slot.chunk)),
        "Give these questions about this passage, each about another thing:"
        f" {', and '.join(wanted)}.",
    )
