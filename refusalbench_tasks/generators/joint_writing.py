"""Items that differ in intensity alone, written in one call: each is judged, and if need be repaired, on its own."""

from collections import Counter
from collections.abc import Sequence
from functools import cache as remembered
from typing import Any, Literal

from inspect_ai.model import CachePolicy, Model
from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from refusalbench_tasks.generators.cell import cell_of
from refusalbench_tasks.generators.code_table import code_table
from refusalbench_tasks.generators.edit_draft import EditDraft, edit_draft
from refusalbench_tasks.generators.evidence import evidence_of
from refusalbench_tasks.generators.kit.writer_call import ask_writer
from refusalbench_tasks.generators.levers import Lever
from refusalbench_tasks.generators.prompt_parts import lever_text, levers_of, original_parts, plan_text
from refusalbench_tasks.generators.several import examples_for
from refusalbench_tasks.generators.slot import Slot
from refusalbench_tasks.generators.writer import FORM, LONGEST_OUTPUT
from refusalbench_tasks.judging.ask import Form, Spent, how_to_submit
from refusalbench_tasks.judging.material import material, shared_lengths
from refusalbench_tasks.prompting import bundled
from refusalbench_tasks.taxonomy import Intensity, PerturbationClass

_PACKAGE = "refusalbench_tasks.generators"
JOINT_FORM = Form("items", thinks=FORM.thinks, in_prose=FORM.in_prose)


class WrittenTogether(BaseModel):
    """The drafts of one call by intensity, as the writer gave them; what is not in it has to be written alone."""

    drafts: dict[str, dict[str, Any]]
    spent: Spent


async def write_together(
    model: Model, slots: Sequence[Slot], levers: Sequence[Lever], cache: CachePolicy | bool = False
) -> WrittenTogether:
    """Return what a model makes of several slots of one base and class in one call.

    A draft whose evidence is not that of its intensity, an intensity that is given twice, and a reply that does not fit
    the schema when it is asked for once more give no draft. Raises the provider's error.
    """
    prompt, schema, room = joint_prompt(slots, levers), joint_schema(slots, levers), len(slots) * LONGEST_OUTPUT
    shared = shared_lengths(prompt, original_parts(slots[0]))
    found = await ask_writer(model, prompt, schema, JOINT_FORM, room, cache, shared)
    given = getattr(found.answer, "items", []) if found.answer else []
    times = Counter(one.intensity for one in given)
    by_level = {one.intensity: one.model_dump(mode="json", exclude={"intensity"}) for one in given}
    fit = [slot for slot in slots if times[slot.intensity.value] == 1]
    drafts = {slot.intensity.value: by_level[slot.intensity.value] for slot in fit}
    usable = {slot.intensity.value for slot in fit if draft_of(drafts[slot.intensity.value], slot, levers)}
    return WrittenTogether(drafts={name: drafts[name] for name in drafts if name in usable}, spent=found.spent)


def draft_of(plain: dict[str, Any], slot: Slot, levers: Sequence[Lever]) -> EditDraft | None:
    """Return the draft of a slot as its own schema has it; None if it is not one."""
    schema = edit_draft(slot.perturbation, slot.intensity, slot.multi, _ground([slot], levers))
    # a sibling's lever may add a sentence where this one may not: the field is then there, and has to be empty
    known = {name: value for name, value in plain.items() if name in schema.model_fields or value}
    try:
        return schema.model_validate(known)
    except ValidationError:
        return None


def joint_schema(slots: Sequence[Slot], levers: Sequence[Lever]) -> type[BaseModel]:
    """Return the schema of a writer's output for several slots: one entry for each intensity."""
    first = slots[0]
    levels = tuple(slot.intensity.value for slot in slots)
    return _schema(first.perturbation, levels, first.multi, _ground(slots, levers))


def joint_prompt(slots: Sequence[Slot], levers: Sequence[Lever]) -> str:
    """Return the prompt for several slots of one base and class: what all items share first, the plans last."""
    usable = [lever for slot in slots for lever in levers_of(slot, cell_of(slot, levers))]
    several = examples_for(frozenset(lever.multi for lever in usable)) if slots[0].multi else []
    plans = ["\n\n".join((plan_text(slot), *_lever_texts(slot, levers))) for slot in slots]
    return "\n\n".join(
        (
            bundled(_PACKAGE, "writer.txt"),
            code_table(),
            bundled(_PACKAGE, "writer_edits.txt"),
            bundled(_PACKAGE, "writer_together.txt"),
            how_to_submit(joint_schema(slots, levers), JOINT_FORM.thing),
            *several,
            material(original_parts(slots[0])),
            *plans,
        )
    )


def _lever_texts(slot: Slot, levers: Sequence[Lever]) -> list[str]:
    return [lever_text(lever, slot) for lever in levers_of(slot, cell_of(slot, levers))]


def _ground(slots: Sequence[Slot], levers: Sequence[Lever]) -> bool:
    return any(lever.ground for slot in slots for lever in levers_of(slot, cell_of(slot, levers)))


@remembered
def _schema(perturbation: PerturbationClass, levels: tuple[str, ...], several: bool, ground: bool) -> type[BaseModel]:
    kinds = {evidence_of(perturbation, Intensity(level)) for level in levels}
    evidence: Any = None
    for kind in sorted(kinds, key=lambda one: one.__name__):
        evidence = kind if evidence is None else evidence | kind
    told = "What the item rests on, by its intensity; null only if the lever is not applicable."
    fields: dict[str, Any] = {
        "intensity": (Literal[levels], Field(description="Which of the items this is.")),
        "evidence": (evidence | None, Field(None, description=told)),
    }
    base = edit_draft(perturbation, Intensity(levels[-1]), several, ground)
    draft = create_model(f"{perturbation.short}Sibling", __base__=base, **fields)
    entries: Any = list[draft]
    listed: dict[str, Any] = {"items": (entries, Field(description="One entry for each intensity that is planned."))}
    return create_model(f"{perturbation.short}Items", __config__=ConfigDict(extra="forbid"), **listed)
