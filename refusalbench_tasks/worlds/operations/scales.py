"""Levers of P-GranularityMismatch with a far scale: a street for the world, milliseconds for a century."""

from collections.abc import Callable

from refusalbench_tasks.taxonomy import Intensity, PerturbationClass
from refusalbench_tasks.worlds.asking import Question
from refusalbench_tasks.worlds.block import Block
from refusalbench_tasks.worlds.lever import Lever, lever
from refusalbench_tasks.worlds.pack import OtherLevel, Relation
from refusalbench_tasks.worlds.query import Ask
from refusalbench_tasks.worlds.scenario import Posed, each, scenario
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.statement import Fact, Part, Statement
from refusalbench_tasks.worlds.template import fill
from refusalbench_tasks.worlds.values import Value

GRANULARITY, LOW, HIGH = PerturbationClass.GRANULARITY, Intensity.LOW, Intensity.HIGH

FAR = {
    "street": "Global Average from Street Data",
    "century": "Century vs. Millisecond",
    "climate": "Continental Climate from Room Temp",
    "economy": "World GDP from Single Firm Revenue",
    "block": "City-block Image to Global Land-use",
    "trace": "Microsecond Trace to Decadal Reliability",
    "molecule": "Molecular vs. Organism",
    "bus": "System Bus from RAM Spec",
    "genome": "Genome Detail from Species Count",
    "code": "Abstract Moral Worth from Code",
}
"""The levers by the tag of the relation that each is about."""


def level(relation: Relation) -> OtherLevel:
    """Return the other level of a relation. Raises ValueError if it has none."""
    if relation.other_level is None:
        raise ValueError(f"{relation.name}: no other level")
    return relation.other_level


def below(relation: Relation) -> bool:
    """Return whether the text's far scale is a part of the asked thing, or a short time within the asked period."""
    return relation.other_level is not None and relation.other_level.by != "whole"


def above(relation: Relation) -> bool:
    """Return whether the text's far scale is the whole of what is asked about."""
    return relation.other_level is not None and relation.other_level.by == "whole"


def tagged(tag: str) -> Callable[[Relation], bool]:
    """Return the test whether a relation is the one of a lever."""
    return lambda relation: tag in relation.tags


def _asked(scene: Scene, subject: str) -> tuple[str, str]:
    """Return what the question is about: a thing or what it is made of, and the period."""
    found = level(scene.relation)
    if found.by == "whole":
        return f"{found.asked} {subject}", ""
    return subject, found.asked


def at_scale(scene: Scene, subject: str) -> list[Block]:
    """Return the plain statement at the scale that is asked for."""
    target, at = _asked(scene, subject)
    value = scene.value(subject)
    fact = Fact(target, scene.relation.name, value, at=at)
    return [scene.say(scene.relation.states, [fact], subject, V=value)]


@scenario("scale", plain=at_scale, topic="scales")
def far_scale(scene: Scene, hard: Lever, soft: Lever) -> Posed:
    """Ask for a relation at its own scale."""

    def question(subject: str) -> Question:
        target, at = _asked(scene, subject)
        text = fill(scene.rng.choice(scene.relation.asks), {"S": subject})
        return Question(text, Ask("value", scene.relation.name, (target,), at=at))

    return each(scene, question)


def off_scale(scene: Scene, subject: str) -> list[Block]:
    """Return the statement at the other scale alone."""
    relation, found, rng = scene.relation, level(scene.relation), scene.rng
    drawn = scene.draw(relation.model_copy(update=found.model_dump(include=set(_DRAWN))))
    place = scene.names.word()
    slots: dict[str, str | Value] = {"P": place, "V": drawn}
    said: list[Statement] = []
    if found.by == "time":
        at = rng.choice(found.at)
        slots["at"] = Value("date", at)
        said = [Fact(subject, relation.name, drawn, at=at)]
    elif found.by == "part":
        part = f"{place} of {subject}"
        said = [Part(part, subject), Fact(part, relation.name, drawn)]
    else:
        said = [Part(_asked(scene, subject)[0], subject), Fact(subject, relation.name, drawn)]
    return [scene.say(found.says, said, subject, **slots)]


_DRAWN = ("type", "low", "high", "step", "unit", "options")


@lever(GRANULARITY, LOW, "Explicit Total Line", scenario="scale", fits=below)
@lever(GRANULARITY, LOW, "Component of a Named Part", scenario="scale", fits=above)
def both_scales(scene: Scene, subject: str) -> list[Block]:
    """State the asked value, with one at the other scale beside it."""
    return [*at_scale(scene, subject), *off_scale(scene, subject)]


for _tag, _name in FAR.items():
    lever(GRANULARITY, HIGH, _name, scenario="scale", fits=tagged(_tag))(off_scale)
