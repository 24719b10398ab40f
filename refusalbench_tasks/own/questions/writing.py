"""The writer: asked for questions about a chunk, checked by rule, and asked once to repair what broke one."""

from collections.abc import Mapping, Sequence

from inspect_ai.model import CachePolicy, Model
from pydantic import BaseModel

from refusalbench_tasks.generators.kit.writer_call import ask_writer
from refusalbench_tasks.judging.ask import Spent, how_to_submit
from refusalbench_tasks.judging.material import material
from refusalbench_tasks.own.questions.draft import FORM, Drafts, QuestionDraft
from refusalbench_tasks.own.questions.passage import parts_of
from refusalbench_tasks.own.questions.rules import Drafted, check
from refusalbench_tasks.own.questions.slot import ChunkSlot
from refusalbench_tasks.prompting import bundled

PACKAGE = "refusalbench_tasks.own.questions"
LONGEST_OUTPUT = 3_000
"""Room for a few questions, where no `--max-tokens` is given."""


class Broken(BaseModel):
    """A draft that cannot be used, and the rules that it breaks, each with what is wrong."""

    draft: QuestionDraft
    rules: dict[str, str]


class WrittenQuestions(BaseModel):
    """The drafts that keep the rules, those that don't, and what they took; a failure if there is no valid reply.

    `first` holds the drafts of the first reply that broke a rule; `broken` what was left of that after the repair, and
    `withdrawn` is how many of them the repair leaves out.
    """

    kept: list[QuestionDraft] = []
    broken: list[Broken] = []
    first: list[Broken] = []
    withdrawn: int = 0
    failure: str | None = None
    repair_failure: str | None = None
    spent: Spent = Spent()
    raw: str = ""


async def write_questions(model: Model, slot: ChunkSlot, cache: CachePolicy | bool = False) -> WrittenQuestions:
    """Return what a model asks about a chunk. Drafts that break a rule are asked for once more, with the rules.

    If the repair is no valid reply, the drafts of the first one stand as they are. Raises the provider's error.
    """
    found = await ask_writer(model, writer_prompt(slot), Drafts, FORM, LONGEST_OUTPUT, cache)
    if found.answer is None:
        return WrittenQuestions(failure=found.failure, spent=found.spent, raw=found.raw)
    kept, broken = sorted_by_rules(found.answer.questions, slot)
    made = WrittenQuestions(kept=kept, broken=broken, spent=found.spent, raw=found.raw)
    if not broken:
        return made
    again = await ask_writer(model, repair_prompt(slot, broken), Drafts, FORM, LONGEST_OUTPUT, cache)
    spent = found.spent + again.spent
    if again.answer is None:
        return made.model_copy(update={"first": broken, "repair_failure": again.failure, "spent": spent})
    repaired = again.answer.questions[: len(broken)]
    new, left = sorted_by_rules(repaired, slot, kept)
    changes = {"kept": new, "broken": left, "first": broken, "withdrawn": len(broken) - len(repaired), "spent": spent}
    return made.model_copy(update=changes)


def sorted_by_rules(
    drafts: Sequence[QuestionDraft], slot: ChunkSlot, kept: Sequence[QuestionDraft] = ()
) -> tuple[list[QuestionDraft], list[Broken]]:
    """Return the drafts that keep every rule, behind those that are kept already, and those that break one.

    What is more than the chunk may have is passed over, the first come first.
    """
    good, broken = list(kept), []
    for draft in drafts[: slot.questions]:
        problems = check(Drafted(draft, slot.chunk, good, slot.only, slot.several))
        if problems:
            broken.append(Broken(draft=draft, rules=problems))
        elif len(good) < slot.questions:
            good.append(draft)
    return good, broken


def writer_prompt(slot: ChunkSlot) -> str:
    """Return the writer's prompt: what is the same for every chunk first, then the chunk and the plan."""
    return "\n\n".join(
        (
            bundled(PACKAGE, "writer.txt"),
            how_to_submit(Drafts, FORM.thing),
            material(parts_of(slot.chunk)),
            _plan(slot),
        )
    )


def repair_prompt(slot: ChunkSlot, broken: Sequence[Broken]) -> str:
    """Return the prompt that asks for a repair of drafts: the writer's own, with the drafts and their problems."""
    told: Mapping[str, str] = {
        f"QUESTION {number} AND ITS PROBLEMS": "\n".join(
            (
                *(f"{name}: {value}" for name, value in _shown(one.draft).items()),
                *(f"Problem ({name}): {problem}" for name, problem in one.rules.items()),
            )
        )
        for number, one in enumerate(broken, 1)
    }
    return "\n\n".join((writer_prompt(slot), bundled(PACKAGE, "repair.txt"), material(told)))


def _shown(draft: QuestionDraft) -> dict[str, str]:
    return {"Question": draft.question, "Answer": draft.answer, "Support": draft.support}


def _plan(slot: ChunkSlot) -> str:
    number = "one question" if slot.questions == 1 else f"up to {slot.questions} questions"
    kinds = ", ".join(slot.kinds)
    if slot.only:
        return f"Give {number} about this passage, only of these kinds: {', '.join(slot.only)}; first of: {kinds}."
    more = "" if slot.several else " No two of them may ask for the same kind of thing."
    return (
        f"Give {number} about this passage. These kinds are wanted most: {kinds}. Take another kind where the passage "
        f"holds nothing of these.{more}"
    )
