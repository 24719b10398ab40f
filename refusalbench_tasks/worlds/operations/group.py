"""Groups: the parts of a whole, named in full or in part, and the line that sums them up."""

from collections.abc import Sequence

from refusalbench_tasks.worlds.block import Block, joined
from refusalbench_tasks.worlds.pack import Relation
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.solve import Impure
from refusalbench_tasks.worlds.statement import Extent, Fact, Part, Statement
from refusalbench_tasks.worlds.values import SUMMED, Value

COMPLETE = (
    "{S} has {n} {plural}: {parts}.",
    "The {n} {plural} of {S} are {parts}.",
    "{S} is made up of {n} {plural}, namely {parts}.",
    "There are {n} {plural} in {S}: {parts}.",
    "The {n} {plural} that belong to {S} are {parts}.",
    "{S} runs {n} {plural}, namely {parts}.",
    "In {S} there are {n} {plural}, and these are {parts}.",
)
SOME = (
    "{S} has {n} {plural}, among them {parts}.",
    "Among the {n} {plural} of {S} are {parts}.",
    "{parts} are {k} of the {n} {plural} of {S}.",
    "There are {n} {plural} in {S}, {parts} being {k} of them.",
    "{parts} belong to the {n} {plural} of {S}.",
    "{S} counts {n} {plural}, and {k} of them are {parts}.",
    "{S} runs {n} {plural}, {parts} among them.",
)
LINES: dict[str, tuple[str, ...]] = {
    "total": (
        "The total {attribute} of all {plural} of {S} is {V}.",
        "Taken together, the {plural} of {S} come to {an_attribute} of {V}.",
        "For {S} as a whole, the {attribute} adds up to {V}.",
        "Summed over all {plural} of {S}, the {attribute} is {V}.",
    ),
    "mean": (
        "The mean {attribute} of all {plural} of {S} is {V}.",
        "On average, the {attribute} of the {plural} of {S} is {V}.",
        "For {S} as a whole, the {attribute} averages {V}.",
        "Averaged over all {plural} of {S}, the {attribute} is {V}.",
    ),
    "median": (
        "The median {attribute} of all {plural} of {S} is {V}.",
        "Half-way up the list of the {plural} of {S} the {attribute} is {V}: the median.",
        "For {S} as a whole, the median of the {attribute} is {V}.",
        "The {plural} of {S} have a median {attribute} of {V}.",
    ),
}


def measured(relation: Relation) -> bool:
    """Return whether values of single things can be averaged."""
    return relation.type in SUMMED


def additive(relation: Relation) -> bool:
    """Return whether the values of all parts of a whole have a total that means something."""
    return relation.type in SUMMED and relation.summed


def parts_of(scene: Scene, count: int) -> list[str]:
    """Return the names of fresh things of the kind that the relation is asked of."""
    return [scene.thing() for _ in range(count)]


def named(scene: Scene, whole: str, parts: Sequence[str], extent: int) -> Block:
    """Return the sentence that names parts of a whole and says how many it has."""
    patterns = COMPLETE if extent == len(parts) else SOME
    said: list[Statement] = [Extent(whole, extent), *(Part(part, whole) for part in parts)]
    names = Value("names", tuple(parts))
    return scene.say(patterns, said, whole, parts=names, n=str(extent), k=str(len(parts)))


def members(scene: Scene, whole: str) -> list[str]:
    """Return the parts of a whole, the same each time; the mean of their values is a whole number.

    Raises Impure if none are found.
    """
    key = (whole, "members")
    for _ in range(60):
        if key in scene.memory:
            return scene.memory[key].split("|")
        parts = parts_of(scene, scene.rng.randint(3, 4))
        if sum(scene.value(part).number for part in parts) % len(parts) == 0:
            scene.memory[key] = "|".join(parts)
    raise Impure("no parts with a mean that is a whole number")


def told_in_full(scene: Scene, whole: str) -> Block:
    """Return all parts of a whole, by name and with their values."""
    parts = members(scene, whole)
    return joined(named(scene, whole, parts, len(parts)), entries(scene, parts))


def entries(scene: Scene, parts: Sequence[str]) -> Block:
    """Return a plain sentence for each part."""
    return joined(*(Block(scene.state(part).sentences) for part in parts))


def line(scene: Scene, whole: str, aggregate: str, value: Value) -> Block:
    """Return the sentence that gives an aggregate over all parts of a whole."""
    return scene.say(LINES[aggregate], [Fact(whole, f"{aggregate} {scene.relation.name}", value)], whole, V=value)
