"""A first reading of a candidate by a model that knows neither the plan nor the original."""

from typing import Literal

from inspect_ai.model import CachePolicy, Model
from pydantic import BaseModel, ConfigDict, Field

from refusalbench_tasks.generators.candidate import Candidate
from refusalbench_tasks.generators.code_table import code_table
from refusalbench_tasks.generators.kit.gives_gold import gives_gold
from refusalbench_tasks.generators.kit.heard import hear
from refusalbench_tasks.generators.prompt_parts import passages_text
from refusalbench_tasks.generators.slot import Slot
from refusalbench_tasks.judging.ask import Form, Spent, how_to_submit
from refusalbench_tasks.judging.material import material
from refusalbench_tasks.prompting import bundled
from refusalbench_tasks.taxonomy import Intensity, Label

LabelName = Literal[
    "ANSWER_CORRECTLY",
    "REFUSE_AMBIGUOUS_QUERY",
    "REFUSE_CONTRADICTORY_CONTEXT",
    "REFUSE_INFO_MISSING_IN_CONTEXT",
    "REFUSE_FALSE_PREMISE_IN_QUERY",
    "REFUSE_GRANULARITY_MISMATCH",
    "REFUSE_NONFACTUAL_QUERY",
    "REFUSE_OTHER",
]
Use = Literal["gate", "record", "off"]
FORM = Form("reading", thinks=True)
UNANSWERED = "A reader who knew only the changed item did not answer it."
OTHERWISE = "A reader who knew only the changed item gave another answer than the original one."
STILL_ANSWERED = "A reader who knew only the changed item still gave the original answer."


class ReaderSays(BaseModel):
    """What a reader makes of an item."""

    model_config = ConfigDict(extra="forbid")

    why: str = Field(description="One sentence: what the answer rests on, or what stands in its way.")
    label: LabelName = Field(description="ANSWER_CORRECTLY, or the code of what stands in the way.")
    answer: str = Field(description="The answer in a few words; empty for a refusal.")


class BlindReading(BaseModel):
    """One reader's label and answer for one text (`digest`); no label, with the failure, if it gave no valid one.

    `gold` says whether the answer is the original one; None where that cannot be told without a judge.
    """

    reader: str
    digest: str
    label: Label | None = None
    answer: str = ""
    gold: bool | None = None
    failure: str | None = None
    spent: Spent = Spent()


async def read_blind(model: Model, slot: Slot, candidate: Candidate, cache: CachePolicy | bool = False) -> BlindReading:
    """Return what a model makes of the changed question and passages alone. A failed call is a missing reading."""
    name, digest = str(model), candidate.digest
    found = await hear(model, reader_prompt(candidate), ReaderSays, FORM, cache)
    said = found.answer
    if said is None:
        return BlindReading(reader=name, digest=digest, failure=found.failure, spent=found.spent)
    label = Label(said.label)
    gold = gives_gold(said.answer, slot.base.answers) if label is Label.ANSWER else None
    return BlindReading(reader=name, digest=digest, label=label, answer=said.answer, gold=gold, spent=found.spent)


def reader_prompt(candidate: Candidate) -> str:
    """Return the reader's prompt: the table of codes first, the item last; nothing of plan, original or writer."""
    parts = {"QUESTION": candidate.query, "PASSAGES": passages_text(candidate.passages)}
    return "\n\n".join(
        (
            bundled("refusalbench_tasks.generators", "reader.txt"),
            code_table(intensities=False),
            how_to_submit(ReaderSays, FORM.thing),
            material(parts),
        )
    )


def objection(slot: Slot, reading: BlindReading) -> str | None:
    """Return why a reading speaks against a candidate; None if it does not, or if it cannot be told.

    Only what decides the gold label counts (our definition): a LOW item that is refused or answered otherwise, an item
    of MEDIUM or HIGH that is still answered with the original answer. Which code a reader gives decides nothing, for a
    gate that asks for the right code keeps the easy items only.
    """
    if reading.label is None:
        return None
    answered = reading.label is Label.ANSWER
    if slot.intensity is not Intensity.LOW:
        return STILL_ANSWERED if answered and reading.gold else None
    if not answered:
        return UNANSWERED
    return OTHERWISE if reading.gold is False else None
