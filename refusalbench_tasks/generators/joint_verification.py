"""One call of a verifier about several items of one base question and class."""

from collections.abc import Sequence
from functools import cache as remembered
from typing import Any

from inspect_ai.model import CachePolicy, Model
from pydantic import BaseModel, ConfigDict, Field, create_model, model_validator

from refusalbench_tasks.datasets.turns import rank
from refusalbench_tasks.generators.candidate import Candidate
from refusalbench_tasks.generators.cell import cell_of
from refusalbench_tasks.generators.code_table import code_table
from refusalbench_tasks.generators.criteria import brief_target
from refusalbench_tasks.generators.kit.heard import hear
from refusalbench_tasks.generators.levers import Lever
from refusalbench_tasks.generators.prompt_parts import candidate_parts, original_parts
from refusalbench_tasks.generators.slot import Slot
from refusalbench_tasks.generators.verification import (
    FORM,
    IntensityUse,
    ItemVerdict,
    ItemVote,
    stance,
    vote_of,
)
from refusalbench_tasks.judging.ask import Form, Spent, how_to_submit
from refusalbench_tasks.judging.material import grouped_material, material, shared_lengths
from refusalbench_tasks.prompting import bundled

_PACKAGE = "refusalbench_tasks.generators"
JOINT_FORM = Form("verdicts", thinks=FORM.thinks)
Item = tuple[Slot, Candidate]


class NumberedVerdict(ItemVerdict):
    """The verdict on one of several items."""

    item: int = Field(description="The item's number as shown, from 1.")


class JointVerdict(BaseModel):
    """A verifier's verdicts on several items."""

    model_config = ConfigDict(extra="forbid")

    verdicts: list[NumberedVerdict] = Field(description="One entry for each item, with its number.")


async def verify_together(
    model: Model,
    items: Sequence[Item],
    levers: Sequence[Lever],
    cache: CachePolicy | bool = False,
    intensity: IntensityUse = "record",
) -> tuple[list[ItemVote], Spent]:
    """Return a verifier's votes on items of one base and class, in their order, and what they took.

    They are asked about in one call, in an order that follows from their texts, so that place and intensity are not
    one; each verdict counts as it does alone (`verify`). One that is left without siblings is asked about in the same
    form: providers keep the beginning, with the base, and all votes of a run are on the same question. A reply
    without exactly one verdict for each is no vote on any of them. The votes themselves carry no calls and no tokens.
    """
    name, shown = str(model), shown_order(items)
    prompt = joint_verifier_prompt([items[at] for at in shown], levers, intensity)
    shared = shared_lengths(prompt, original_parts(items[0][0]))
    found = await hear(model, prompt, _schema(len(items)), JOINT_FORM, cache, shared)
    if found.answer is None:
        return [ItemVote(verifier=name, digest=one.digest, failure=found.failure) for _, one in items], found.spent
    by_number = {one.item: one for one in found.answer.verdicts}
    votes = {
        at: vote_of(name, items[at][1], by_number[number], intensity).model_copy(update={"together": len(items)})
        for number, at in enumerate(shown, 1)
    }
    return [votes[at] for at in range(len(items))], found.spent


async def verify_as_together(
    model: Model,
    slot: Slot,
    candidate: Candidate,
    levers: Sequence[Lever],
    cache: CachePolicy | bool = False,
    intensity: IntensityUse = "record",
) -> ItemVote:
    """Return a verifier's vote on one item, as `verify` does, asked for in the form for several."""
    (vote,), spent = await verify_together(model, [(slot, candidate)], levers, cache, intensity)
    return vote.model_copy(update={"spent": spent})


def shown_order(items: Sequence[Item]) -> list[int]:
    """Return in which order items are shown: by a hash of each text, whatever its intensity."""
    return sorted(range(len(items)), key=lambda at: rank(f"shown|{items[at][1].digest}", 0))


def joint_verifier_prompt(items: Sequence[Item], levers: Sequence[Lever], intensity: IntensityUse = "record") -> str:
    """Return the prompt for several items: what is the same for every call first, then the base, then each item."""
    first, _ = items[0]
    groups = [
        (f"ITEM {number}\n\n{_plan(slot, candidate, levers)}", candidate_parts(slot, candidate))
        for number, (slot, candidate) in enumerate(items, 1)
    ]
    parts = [
        bundled(_PACKAGE, "verifier.txt"),
        bundled(_PACKAGE, stance(intensity)),
        code_table(),
        bundled(_PACKAGE, "verifier_together.txt"),
        how_to_submit(JointVerdict, JOINT_FORM.thing),
        material(original_parts(first)),
        grouped_material(groups),
    ]
    return "\n\n".join(parts)


def _plan(slot: Slot, candidate: Candidate, levers: Sequence[Lever]) -> str:
    """Return class, intensity and lever of an item by name: what they mean stands in front, once for all items."""
    used = (slot.lever or candidate.lever).casefold()
    lines = [f"Class: {slot.perturbation}", f"Intensity: {slot.intensity}"]
    for one in cell_of(slot, levers):
        if one.name.casefold() == used:
            lines += [
                f"Lever: {one.name}",
                f"What to do: {one.instruction}",
                f"Target: {brief_target(one, slot.multi)}",
            ]
    return "\n".join(lines)


@remembered
def _schema(items: int) -> type[JointVerdict]:
    def each_once(self: Any) -> Any:
        if sorted(one.item for one in self.verdicts) != list(range(1, items + 1)):
            raise ValueError(f"verdicts: give exactly one for each item, with the numbers 1 to {items}")
        return self

    validators: Any = {"each_once": model_validator(mode="after")(each_once)}
    return create_model("JointVerdict", __base__=JointVerdict, __validators__=validators)
