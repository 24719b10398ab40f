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
    "Of {S} and {V}, (only|just) one was ever (in need of rescue|in the water|swept away|in danger of drowning).",
    "Between {S} and {V} there was (one|a single) rescue, and no more than (one|that), (on a single day|in all their "
    "lives|"
    "at any time|in any flood).",
    "Of {S} and {V}, one (stood|stayed|remained|waited) safely on the (bank|shore|dike|bridge|hillside) (all the time|"
    "throughout|from first to last|the whole day).",
    "(Only|Just) one of (the two|these two), {S} (and|or) {V}, was ever (in need of rescue|in the water|swept away|"
    "in danger of drowning).",
)
SAME = (
    "(Whatever|All that|Everything that) is (told|said|written|reported) of {S} (here |on this page |in these lines |)"
    "(concerns|is about|is true of|goes for) (one and the same|a single) person.",
    "No (other|second) person (was ever|has ever been) (called|named|known as) {S}.",
    "The name {S} (has been|was|was only ever) (borne|used|carried) by (one person only|a single person).",
    "By {S}, (the same|one and the same|a single) person is meant (throughout|each time|in every line|"
    "wherever the name stands|from start to finish).",
    "{S} shared this name with nobody( else| in the parish| before or since| in the valley| far and wide).",
    "(Nobody|No one) (else |)(in the parish|in the valley|for miles around|in those days) (bore the name of|answered "
    "to|"
    "went by the name of) {S}.",
    "There (was|has been|was ever) (only|just) one {S}(| in the parish| in the valley| before or since| far and wide).",
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
