"""What a row is, as a score: Inspect's viewer has columns and filters for scores, and none for facts of rows."""

from collections.abc import Sequence

from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import TaskState

from refusalbench_tasks.datasets.bluff_item import BluffItem
from refusalbench_tasks.datasets.item import RefusalItem

NAME = "row_facts"


@scorer(metrics=[])
def row_facts() -> Scorer:
    """Note a row's class and intensity, or topic and arm, with the gold answers as explanation; judges nothing."""

    async def score(state: TaskState, target: Target) -> Score:
        if "arm" in state.metadata:
            return hedging_facts(state.metadata_as(BluffItem))
        return refusal_facts(state.metadata_as(RefusalItem))

    return score


def refusal_facts(item: RefusalItem) -> Score:
    """Return class, intensity and lever of a row, with the answers to its unperturbed question."""
    kind = str(item.perturbation) if item.perturbation else "none"
    about = f"right here: {item.expected.value}\n{_gold(item.references)}"
    return _facts({"class": kind, "intensity": item.intensity.value, "lever": item.lever}, about)


def hedging_facts(item: BluffItem) -> Score:
    """Return topic and arm of a question with its sources, with the gold answer."""
    return _facts({"topic": item.topic, "arm": item.arm}, _gold([item.answer]))


def _gold(answers: Sequence[str]) -> str:
    return "gold answers: " + (" | ".join(answers) or "none")


def _facts(value: dict[str, str], explanation: str) -> Score:
    return Score(value={name: fact for name, fact in value.items() if fact}, explanation=explanation)
