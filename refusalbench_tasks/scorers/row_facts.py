"""What a row is, as a score: Inspect's viewer has columns and filters for scores, and
none for facts of rows.
"""

from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import TaskState

from refusalbench_tasks.datasets.bluff_item import BluffItem
from refusalbench_tasks.datasets.item import RefusalItem

NAME = "row_facts"


@scorer(metrics=[])
def row_facts() -> Scorer:
    """Note a row's class, intensity and lever, or topic and arm, with the gold answers;
    judges nothing.
    """

    async def score(state: TaskState, target: Target) -> Score:
        if "arm" in state.metadata:
            source = state.metadata_as(BluffItem)
            return Score(
                value={"topic": source.topic, "arm": source.arm},
                explanation=f"gold answers: {source.answer}",
            )
        item = state.metadata_as(RefusalItem)
        facts = {
            "class": str(item.perturbation or "none"),
            "intensity": item.intensity.value,
            "lever": item.lever,
        }
        about = (
            f"right here: {item.expected.value}\ngold answers:"
            f" {' | '.join(item.references) or 'none'}"
        )
        return Score(
            value={name: fact for name, fact in facts.items() if fact},
            explanation=about,
        )

    return score
