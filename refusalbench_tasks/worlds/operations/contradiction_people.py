"""Levers of P-Contradiction that need people: who did it to whom, and who was dead by then."""

from dataclasses import replace

from refusalbench_tasks.taxonomy import Intensity, PerturbationClass
from refusalbench_tasks.worlds.block import Block
from refusalbench_tasks.worlds.lever import Lever, lever
from refusalbench_tasks.worlds.operations.contradiction_low import (
    downstream_effect,
    fringe_and_official,
    peripheral_clash,
    two_titles,
)
from refusalbench_tasks.worlds.scenario import SCENARIOS, Posed, scenario
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.statement import Fact, Never

CONTRADICTION, LOW = PerturbationClass.CONTRADICTION, Intensity.LOW
MEDIUM, HIGH = Intensity.MEDIUM, Intensity.HIGH

ONCE = (
    "Of {S} and {V}, only one was ever in need of rescue.",
    "Of {S} and {V}, only one was ever in the water.",
    "Between {S} and {V} there was one rescue, and no more than one, on a single day.",
    "Of {S} and {V}, one stood safely on the bank all the time.",
)
SAME = (
    "Whatever is told of {S} here concerns one and the same person.",
    "No other person was ever called {S}.",
    "The name {S} has been borne by one person only.",
    "All that is told of {S} is told of one and the same person.",
    "By {S}, the same person is meant throughout.",
    "{S} shared this name with nobody.",
)


@scenario("people", topic="chronicles")
def of_people(scene: Scene, hard: Lever, soft: Lever) -> Posed:
    """Ask for one relation of a person, as of any other thing."""
    return SCENARIOS["value"].pose(scene, hard, soft)


lever(CONTRADICTION, LOW, "Fringe vs. Official Source", scenario="people")(fringe_and_official)
lever(CONTRADICTION, LOW, "Peripheral Attribute Clash", scenario="people")(peripheral_clash)
lever(CONTRADICTION, LOW, "Contradiction in Speaker's Title", scenario="people")(two_titles)
lever(CONTRADICTION, LOW, "Contradiction via Downstream Effect", scenario="people")(downstream_effect)


@lever(
    CONTRADICTION,
    MEDIUM,
    "Agent/Patient Role Reversal",
    scenario="people",
    fits=lambda relation: "deed" in relation.tags,
    operators=("value",),
)
def role_reversal(scene: Scene, subject: str) -> list[Block]:
    """Tell one deed with the two people in their places, and with them swapped."""
    value, name = scene.value(subject), scene.relation.name
    other = str(value)
    swapped = scene.framed(
        other, subject, [Never(subject, name, value), Fact(other, name, replace(value, content=subject))]
    )
    return [scene.state(subject), swapped, scene.say(ONCE, [], subject, V=value)]


@lever(
    CONTRADICTION,
    HIGH,
    "Life/Death Status Inconsistency",
    scenario="people",
    fits=lambda relation: "death" in relation.tags,
    operators=("value",),
)
def alive_after_death(scene: Scene, subject: str) -> list[Block]:
    """Report a death, and something that the person did in the flesh years later."""
    seen = next(one for one in scene.pack.relations if one.before == scene.relation.name)
    scene.taken.add(seen.name)
    died = scene.value(subject)
    later = replace(died, content=int(died.number) + scene.rng.randint(3, 20))
    return [scene.state(subject), scene.state(subject, seen, later), scene.say(SAME, [], subject)]
