"""Levers of P-MissingInfo: the text speaks of the thing, and leaves out what is asked."""

from refusalbench_tasks.taxonomy import Intensity, PerturbationClass
from refusalbench_tasks.worlds.block import Block
from refusalbench_tasks.worlds.lever import lever
from refusalbench_tasks.worlds.pack import Relation
from refusalbench_tasks.worlds.scene import Scene

MISSING, LOW, MEDIUM, HIGH = PerturbationClass.MISSING_INFO, Intensity.LOW, Intensity.MEDIUM, Intensity.HIGH


def has_bare(relation: Relation) -> bool:
    """Return whether the relation can be spoken of without its value."""
    return bool(relation.bare)


def dated(relation: Relation) -> bool:
    """Return whether values are years or dates of events that can be told without them."""
    return relation.type in ("year", "date") and has_bare(relation)


def agentive(relation: Relation) -> bool:
    """Return whether values are persons who do what can be told without them."""
    return relation.type == "person" and has_bare(relation)


@lever(MISSING, LOW, "Strip Non-queried Statistic")
def strip_non_queried_statistic(scene: Scene, subject: str) -> list[Block]:
    """Leave out another fact of the thing."""
    return [scene.state(subject)]


@lever(MISSING, MEDIUM, "Missing Temporal Adjunct", fits=dated)
@lever(MISSING, HIGH, "Agent Deletion", fits=agentive)
def told_without(scene: Scene, subject: str) -> list[Block]:
    """Tell the event without its date, or without who did it."""
    return [scene.bare(subject)]


@lever(MISSING, MEDIUM, "Price Redacted", fits=lambda relation: relation.type == "money")
def price_redacted(scene: Scene, subject: str) -> list[Block]:
    """Say that the sum is not public."""
    patterns = (
        "The {attribute} of {S} is not made public.",
        "{S} keeps its {attribute} to itself.",
        "As for {S}, the {attribute} has not been disclosed.",
    )
    return [scene.say(patterns, [], subject)]
