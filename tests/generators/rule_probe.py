"""A base question, a lever and a change of it, as a case that a rule can be asked of."""

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.generators.candidate import Candidate
from refusalbench_tasks.generators.case import Case
from refusalbench_tasks.generators.levers import bundled_levers, select_levers
from refusalbench_tasks.generators.slot import Slot
from refusalbench_tasks.taxonomy import Label


def probe(lever_name: str, base: tuple[str, str, str], query: str | None = None, text: str | None = None) -> Case:
    """Return a case of a lever: base question, answer and passage, and what of them was changed."""
    question, answer, passage = base
    [lever] = select_levers(bundled_levers(), names=[lever_name])
    item = RefusalItem(
        item_id="b", source_id="b", query=question, passages=(passage,), answers=(answer,), expected=Label.ANSWER
    )
    slot = Slot(base=item, perturbation=lever.perturbation, intensity=lever.intensity, lever=lever.name)
    made = Candidate(query=query or question, passages=(text or passage,), lever=lever.name, reasoning="")
    return Case(slot, made, [lever])
