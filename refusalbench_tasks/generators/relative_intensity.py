"""How far siblings go, judged against each other by a model that does not know which intensity each was to have."""

from collections.abc import Sequence

from inspect_ai.model import CachePolicy, Model
from pydantic import BaseModel, ConfigDict, Field

from refusalbench_tasks.generators.candidate import Candidate
from refusalbench_tasks.generators.criteria import meaning_of
from refusalbench_tasks.generators.joint_verification import Item, shown_order
from refusalbench_tasks.generators.kit.heard import hear
from refusalbench_tasks.generators.prompt_parts import changed_passages, original_parts
from refusalbench_tasks.generators.slot import Slot
from refusalbench_tasks.judging.ask import Form, Spent, how_to_submit
from refusalbench_tasks.judging.material import grouped_material, material
from refusalbench_tasks.prompting import bundled
from refusalbench_tasks.taxonomy import PERTURBED

FORM = Form("ranking", thinks=True)


class RankerSays(BaseModel):
    """The order in which a model puts versions of one original."""

    model_config = ConfigDict(extra="forbid")

    why: str = Field(description="One sentence: what tells them apart.")
    order: list[int] = Field(description="The numbers of all versions, from the weakest to the strongest.")


class IntensityRank(BaseModel):
    """The place of one item among its siblings, from 1 (the weakest); no place, with the failure, if none was given.

    `pairs` are the siblings of a higher planned intensity that were ranked with it, `in_order` those of them that were
    ranked above it: over all items each pair is counted once.
    """

    ranker: str
    rank: int | None = None
    among: int = 0
    pairs: int = 0
    in_order: int = 0
    failure: str | None = None


async def rank_siblings(
    model: Model, items: Sequence[Item], cache: CachePolicy | bool = False
) -> tuple[list[IntensityRank], Spent]:
    """Return the rank of each item, in the order of the items, and what it took. A failed call ranks none."""
    shown, name = shown_order(items), str(model)
    found = await hear(model, ranking_prompt([items[at] for at in shown]), RankerSays, FORM, cache)
    said = found.answer
    if said is None or sorted(said.order) != list(range(1, len(items) + 1)):
        failure = found.failure or "not an order of all versions"
        return [IntensityRank(ranker=name, failure=failure) for _ in items], found.spent
    ranks = {shown[number - 1]: place for place, number in enumerate(said.order, 1)}
    return [_rank(name, items, ranks, at) for at in range(len(items))], found.spent


def ranking_prompt(items: Sequence[Item]) -> str:
    """Return the prompt: the class, the original, and the versions in an order that follows from their texts."""
    slot, _ = items[0]
    parts = [
        bundled("refusalbench_tasks.generators", "ranking.txt"),
        how_to_submit(RankerSays, FORM.thing),
        f"How all were changed: {slot.perturbation} ({meaning_of(slot.perturbation)})",
        material(original_parts(slot)),
        grouped_material([(f"VERSION {number}", _shown(*item)) for number, item in enumerate(items, 1)]),
    ]
    return "\n\n".join(parts)


def _shown(slot: Slot, candidate: Candidate) -> dict[str, str]:
    name = "CHANGED PASSAGES" if slot.multi else "PASSAGE"
    return {"QUESTION": candidate.query, name: changed_passages(slot.base.passages, candidate.passages)}


def _rank(name: str, items: Sequence[Item], ranks: dict[int, int], at: int) -> IntensityRank:
    planned = [PERTURBED.index(slot.intensity) for slot, _ in items]
    higher = [other for other, level in enumerate(planned) if level > planned[at]]
    above = sum(ranks[other] > ranks[at] for other in higher)
    return IntensityRank(ranker=name, rank=ranks[at], among=len(items), pairs=len(higher), in_order=above)
