"""Levers of P-GranularityMismatch that tell of all members of a whole together what is asked of one."""

from refusalbench_tasks.taxonomy import Intensity, PerturbationClass
from refusalbench_tasks.worlds.block import Block
from refusalbench_tasks.worlds.lever import lever
from refusalbench_tasks.worlds.operations.group import additive
from refusalbench_tasks.worlds.operations.members import uniform, whole_of
from refusalbench_tasks.worlds.pack import Relation
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.statement import Extent, Fact, Part, Statement
from refusalbench_tasks.worlds.values import Value

GRANULARITY, MEDIUM = PerturbationClass.GRANULARITY, Intensity.MEDIUM

TOGETHER = (
    "The {n} {plural} of {W}, {S} among them, have a total {attribute} of {V}.",
    "Taken together, the {n} {plural} of {W}, one of which is {S}, come to {an_attribute} of {V}.",
    "{S} is one of the {n} {plural} of {W}, whose {attribute} is only known for all of them together: {V}.",
    "For {W} with its {n} {plural}, {S} included, the {attribute} adds up to {V}.",
)
SHARED_LIST = (
    "Between them, the {n} {plural} of {W}, {S} among them, make up this {attribute}, of which none has all: {V}.",
    "{S} is one of the {n} {plural} of {W}; the {attribute} differs, and is only given for all put together: {V}.",
    "Put together, the {attribute} of the {n} {plural} of {W}, one of them {S}, holds {V}, "
    "and no single one of them has it all.",
    "For {W} with its {n} {plural}, {S} included, the joint {attribute} holds {V}, and each has a part of it.",
)
ON_AVERAGE = (
    "On average, the {attribute} of the {n} {plural} of {W}, {S} among them, is {V}, some lying above and some below.",
    "{S} is one of the {n} {plural} of {W}; these differ, and their mean {attribute} is {V}.",
    "Averaged over the {n} {plural} of {W}, one of which is {S}, the {attribute} is {V}, but each has its own.",
    "For {W} with its {n} {plural}, {S} included, the {attribute} averages {V}, with differences between them.",
)
AVERAGE_TIME = (
    "On average, the {attribute} of the {n} {plural} of {W}, {S} among them, is {V}, some earlier and some later.",
    "{S} is one of the {n} {plural} of {W}, where the {attribute} is {V} on average and differs from one to the next.",
    "Averaged over the {n} {plural} of {W}, one of which is {S}, the {attribute} is {V}, but each has its own.",
    "For {W} with its {n} {plural}, {S} included, the mean {attribute} is {V}, with differences between them.",
)


def pooled(relation: Relation) -> bool:
    """Return whether the values of several things can be told as one sum or one list."""
    return additive(relation) or relation.type == "names"


@lever(GRANULARITY, MEDIUM, "Part-of-part Detail", fits=pooled)
def only_together(scene: Scene, subject: str) -> list[Block]:
    """Give the sum, or the joint list, of all members together."""
    whole, relation, count = whole_of(scene), scene.relation, scene.rng.randint(4, 9)
    said: list[Statement] = [Part(subject, whole), Extent(whole, count)]
    if relation.type == "names":
        options = relation.options
        names = scene.rng.sample(options, min(len(options), scene.rng.randint(5, 6)))
        value = Value("names", tuple(sorted(names)))
        fact = Fact(whole, f"all {relation.name}", value)
        return [scene.say(SHARED_LIST, [*said, fact], subject, W=whole, n=str(count), V=value)]
    values = [scene.draw(relation).number for _ in range(count)]
    # a sum below the highest value of one member would bound the asked one
    amount = max(int(sum(values)), relation.high + relation.step * count)
    value = Value(relation.type, amount, relation.unit)
    fact = Fact(whole, f"total {relation.name}", value)
    return [scene.say(TOGETHER, [*said, fact], subject, W=whole, n=str(count), V=value)]


@lever(GRANULARITY, MEDIUM, "Subtype Policy Inquiry", fits=uniform)
def only_on_average(scene: Scene, subject: str) -> list[Block]:
    """Give the mean over all members."""
    whole, relation, value = whole_of(scene), scene.relation, scene.draw(scene.relation)
    if relation.type == "time":
        count, patterns = scene.rng.randint(4, 19), AVERAGE_TIME
    else:
        # so many members that any one of them could have the highest value
        count, patterns = int(relation.high / value.number) + scene.rng.randint(4, 9), ON_AVERAGE
    said: list[Statement] = [Part(subject, whole), Extent(whole, count), Fact(whole, f"mean {relation.name}", value)]
    return [scene.say(patterns, said, subject, W=whole, n=str(count), V=value)]
