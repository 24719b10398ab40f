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
    "the {n} {plural} (of|under|within) {W}, {S} (among them|included), have a (total|combined|joint) {attribute} of "
    "{V}.",
    "(taken together|put together|all told|added up), the {n} {plural} (of|under|within) {W}, {S} being one of them, "
    "(come to|have|reach) {an_attribute} of {V}.",
    "{S} is one of the {n} {plural} (of|under|within) {W}, whose {attribute} is only (known|given|on file) for all of "
    "them together: {V}.",
    "for {W} with its {n} {plural}, {S} included, the {attribute} (adds up to|totals|comes in all to) {V}.",
    "(nobody|no one) has (split up|broken down|divided) the {attribute} of the {n} {plural} of {W}, {S} among them: "
    "{V} (in all|altogether|between them).",
    "{V} is the {attribute} of all {n} {plural} (of|under|within) {W} (together|combined|added up), {S} (included|"
    "among them).",
)
SHARED_LIST = (
    "between them, the {n} {plural} (of|under|within) {W}, {S} among them, (make up|fill|share) this {attribute}, of "
    "which none has all: {V}.",
    "{S} is one of the {n} {plural} (of|under|within) {W}; the {attribute} (differs|varies), and is only (given|known|"
    "noted) for all put together: {V}.",
    "put together, the {attribute} of the {n} {plural} (of|under|within) {W}, one of them {S}, (holds|contains) {V}, "
    "and no single one of them has it all.",
    "for {W} with its {n} {plural}, {S} included, the joint {attribute} (holds|contains|names) {V}, and each has (a "
    "part|some|a few lines) of it.",
)
ON_AVERAGE: tuple[str, ...] = (
    "on average, the {attribute} of the {n} {plural} (of|under|within) {W}, {S} (among them|included), is {V}, (some "
    "lying above and some below|with some above it and some below|though they differ).",
    "{S} is one of the {n} {plural} (of|under|within) {W}; (these|they) (differ|vary), and their (mean|average) "
    "{attribute} (is|comes to|lies at) {V}.",
    "(averaged|taken as a mean) over the {n} {plural} (of|under|within) {W}, {S} being one of them, the {attribute} "
    "(is|comes to|works out at) {V}, but each has its own.",
    "for {W} with its {n} {plural}, {S} included, the {attribute} (averages|is on average|has a mean of) {V}, (with "
    "differences between them|though not all are alike|though it varies).",
    "{V} is the (mean|average) {attribute} of the {n} {plural} (of|under|within) {W}, {S} (among them|included), (some "
    "of which|several of which) lie (well |far |)above or below it.",
)
AVERAGE_TIME: tuple[str, ...] = (
    "on average, the {attribute} of the {n} {plural} (of|under|within) {W}, {S} (among them|included), is {V}, (some "
    "earlier and some later|though they differ|with some before it and some after).",
    "{S} is one of the {n} {plural} (of|under|within) {W}, where the {attribute} is {V} on average and (differs|varies|"
    "changes) from one to the next.",
    "(averaged|taken as a mean) over the {n} {plural} (of|under|within) {W}, {S} being one of them, the {attribute} "
    "(is|comes to|lies at) {V}, but each has its own.",
    "for {W} with its {n} {plural}, {S} included, the (mean|average) {attribute} (is|lies at) {V}, (with differences "
    "between them|though not all are alike|though it varies).",
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
