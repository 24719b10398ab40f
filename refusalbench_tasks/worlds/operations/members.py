"""Levers of P-GranularityMismatch whose question is about one member of a whole: stated for it, or for all together."""

from collections.abc import Callable
from dataclasses import replace

from refusalbench_tasks.taxonomy import Intensity, PerturbationClass
from refusalbench_tasks.worlds.block import Block, joined
from refusalbench_tasks.worlds.lever import Reword, Told, lever
from refusalbench_tasks.worlds.operations.group import measured, parts_of
from refusalbench_tasks.worlds.pack import Relation
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.solve import Impure
from refusalbench_tasks.worlds.statement import Every, Fact, Part, Statement
from refusalbench_tasks.worlds.values import Value, written

GRANULARITY, LOW = PerturbationClass.GRANULARITY, Intensity.LOW

BELONGS = (
    "{S} (belongs to|is part of|forms part of|comes under) {W}(, as do others| along with others|, like several more|"
    ").",
    "{S} is (one of|among|one among) the {plural} (of|under|within|belonging to) {W}.",
    "among the {plural} (of|under|within|belonging to) {W} is {S}( too| as well|).",
    "{W} (has|counts|lists) {S} among its {plural}( too| as well|).",
    "{W} (includes|takes in|comprises|embraces) {S}(, among others| as well| too|).",
    "one of the {plural} (that belong to|of|under|within) {W} is {S}.",
)
FOR_ALL = (
    "for (each|every one|all|every single one) of the {plural} (of|within) {W}, the {attribute} (is|is always|is "
    "given as) {V}.",
    "all {plural} (of|within) {W} (have|share) (the same|one and the same) {attribute}(:|, namely|, which is) {V}.",
    "throughout {W}, the {attribute} of (every|each|any) {noun} (is|is always|is given as) {V}.",
    "whichever {noun} (of|within) {W} one (takes|picks|looks at|chooses), the {attribute} (is|is always) {V}.",
    "(every|each) {noun} (of|within) {W} has the same {attribute}(:|, namely|, which is) {V}.",
    "the {attribute} (is|is always|is given as) {V} (for|with) (each|every) {noun} (of|within) {W}.",
    "as (to|for|regards) the {attribute}, all {plural} (of|within) {W} are (alike|equal|on a par): it is {V}( "
    "for each| in each case|).",
    "{V} is the {attribute} of (each|every|any) {noun} (of|within) {W}(, wherever one looks| and is the "
    "same everywhere|).",
)
FOR_ALL_AMONG = (
    "all {n} {plural} (of|under|within) {W}, (among them {S}|{S} included|{S} being one of them), (have|show|come to) "
    "{an_attribute} of {V}.",
    "the {n} {plural} (of|under|within) {W}, ({S} being one of them|among them {S}|including {S}), all have {V} as "
    "their {attribute}.",
    "each of the {n} {plural} (of|under|within) {W}, ({S} included|{S} among them|and so {S}), (has|shows|comes to) "
    "{an_attribute} of {V}.",
    "in {W} every (single |)one of the {n} {plural}, {S} (among them|included), has {V} as its {attribute}.",
    "{S} is one of the {n} {plural} (of|under|within) {W}, and (each|every one|every single one) of these (has|shows|"
    "comes to) {an_attribute} of {V}.",
)
BOTH_UNITS = (
    "the {attribute} of {S} (is|comes to|amounts to) {X} ({V}).",
    "for {S}(,|) the {attribute} (comes to|is|amounts to) {X}, (that is|which is|in other words|which makes) {V}.",
    "{X}, (which makes|which is|equal to|the same as) {V}, is the {attribute} of {S}.",
    "{S} has {an_attribute} of {X} ({V}).",
    "{S} has {an_attribute} of {X}, (which is|that is|which makes|in other words) {V}.",
    "with {S}, the {attribute} is {X}, (in other words|that is|which makes) {V}.",
)
ROUGHLY = (
    "the {attribute} of {S} is (often|mostly|usually|commonly) given (only roughly|to the nearest hour|in round terms|"
    "in a vague way).",
    "(people|locals|regulars|passers-by) tend to be (vague|hazy|imprecise) about the {attribute} of {S}.",
    "ask (around|in the street|the neighbours), and few (know|can tell|remember) the {attribute} of {S} (exactly|to "
    "the minute|precisely).",
    "(some|many|older|printed|foreign) guides are (vague|hazy|rather imprecise) about the {attribute} of {S}.",
    "it takes (patience|persistence|some asking|luck) to (find out|learn|get hold of) the {attribute} of {S} (exactly|"
    "to the minute).",
    "(older|early|cheap|pocket) guides are at odds over the {attribute} of {S}.",
    "(memories|recollections|guesses) of the {attribute} of {S} (differ|vary|are hazy)( a little| as a rule|).",
)
ROLL = (
    "the (roll|list|index) of {plural} gives as {attribute}: {entries}.",
    "(listed|arranged|noted|entered) by {attribute}: {entries}.",
    "for the {attribute}, the (roll|list|index|page) has these (entries|lines|figures): {entries}.",
    "(from|out of|an extract from) (a|the) list of {plural}, under {attribute}: {entries}.",
    "(copied|taken) from the (roll|index|files), with the {attribute} (of each|in each case): {entries}.",
    "{attribute} of some {plural}, (as listed|as entered|according to the roll): {entries}.",
)
COMPONENTS = (
    "{W} (consists of|is made up of|is composed of) {parts}.",
    "the {plural} (of|under|within) {W} are {parts}.",
    "{W} (takes in|includes|comprises|embraces) {parts}.",
    "among the {plural} (of|under|within) {W} are {parts}.",
)
MARKED = (
    "marked as notable in the {attribute} of {S}: {V}; without a mark: {Z}.",
    "the {attribute} of {S} marks {V} as notable and names {Z} without a mark.",
    "in the {attribute} of {S}, {V} are marked as notable; {Z} (follow|come after|are named|stand there) without a "
    "mark.",
    "notable, by its own mark, in the {attribute} of {S}: {V}; named besides: {Z}.",
)


def clock(relation: Relation) -> bool:
    """Return whether values are times of day."""
    return relation.type == "time"


def uniform(relation: Relation) -> bool:
    """Return whether many things can well share one value: amounts and times."""
    return measured(relation) or clock(relation)


def whole_of(scene: Scene) -> str:
    """Return a fresh whole for things that the relation is asked of. Raises Impure if the pack has none."""
    kind = scene.pack.kinds[scene.relation.subject].whole
    if not kind:
        raise Impure(f"{scene.relation.subject}: parts of nothing")
    return scene.new(kind)


def belongs(scene: Scene, subject: str, whole: str) -> Block:
    """Return the sentence that makes a thing part of a whole."""
    return scene.say(BELONGS, [Part(subject, whole)], subject, W=whole)


def prefixed(prefix: Callable[[Relation], str]) -> Reword:
    """Return a change of questions: a phrase before them."""

    def reword(scene: Scene, subject: str, question: str) -> str:
        named = question.startswith((scene.a, scene.b, *scene.others))
        return f"{prefix(scene.relation)}{question if named else question[0].lower() + question[1:]}"

    return reword


@lever(GRANULARITY, LOW, "Superclass Trait Made Explicit", fits=uniform)
def trait_of_all(scene: Scene, subject: str) -> list[Block]:
    """State the value for each part of the whole, and that the thing is one."""
    whole, value = whole_of(scene), scene.value(subject)
    rule = scene.say(FOR_ALL, [Every(whole, scene.relation.name, value)], subject, W=whole, V=value)
    return scene.rng.sample([rule, belongs(scene, subject, whole)], 2)


@lever(GRANULARITY, LOW, "Genus-to-Species Mismatch", fits=measured)
def trait_of_each(scene: Scene, subject: str) -> list[Block]:
    """State the value for every one of so many, the thing among them."""
    whole, value = whole_of(scene), scene.value(subject)
    said: list[Statement] = [Every(whole, scene.relation.name, value), Part(subject, whole)]
    return [scene.say(FOR_ALL_AMONG, said, subject, W=whole, V=value, n=str(scene.rng.randint(3, 9)))]


@lever(
    GRANULARITY,
    LOW,
    "Inline Unit Conversion",
    fits=lambda relation: relation.ratio > 0 and measured(relation),
    reword=prefixed(lambda relation: f"In {relation.unit}, "),
    operators=("value",),
)
def two_units(scene: Scene, subject: str) -> list[Block]:
    """Lead with the value in a smaller unit, and give the asked one beside it."""
    value, relation = scene.value(subject), scene.relation
    small = Value(value.type, value.number * relation.ratio, relation.small_unit)
    return [scene.say(BOTH_UNITS, [Fact(subject, relation.name, value)], subject, V=value, X=small)]


@lever(
    GRANULARITY,
    LOW,
    "Minute Precision Present",
    fits=clock,
    reword=prefixed(lambda relation: "To the minute, "),
    operators=("value",),
)
def to_the_minute(scene: Scene, subject: str) -> list[Block]:
    """Say that people are vague about the time, and give it to the minute."""
    return [joined(scene.say(ROUGHLY, [], subject), Block(scene.state(subject).sentences))]


@lever(
    GRANULARITY,
    LOW,
    "Exact Degree Value",
    fits=lambda relation: relation.type in ("measure", "money"),
    reword=prefixed(lambda relation: f"To the whole {relation.unit.removesuffix('s')}, "),
    operators=("value",),
)
def at_that_resolution(scene: Scene, subject: str) -> list[Block]:
    """State the value at the resolution that is asked for."""
    return [scene.state(subject)]


@lever(GRANULARITY, LOW, "Named-Individual Ask", fits=uniform)
def entry_of_a_roll(scene: Scene, subject: str) -> list[Block]:
    """Give the value as one entry among others of its kind."""
    names = [subject, *parts_of(scene, scene.rng.randint(2, 3))]
    scene.rng.shuffle(names)
    said = [Fact(name, scene.relation.name, scene.value(name)) for name in names]
    entries = "; ".join(f"{name}, {written(scene.value(name))}" for name in names)
    return [scene.say(ROLL, said, subject, entries=entries)]


@lever(GRANULARITY, LOW, "Component of a Named Part", fits=uniform)
def among_the_components(scene: Scene, subject: str) -> list[Block]:
    """Say what a whole consists of, each with its value, the thing among them."""
    whole, relation = whole_of(scene), scene.relation
    names = [subject, *parts_of(scene, scene.rng.randint(1, 2))]
    scene.rng.shuffle(names)
    noun = scene.rng.choice(relation.attribute)
    told = [f"{name}, whose {noun} is {written(scene.value(name))}" for name in names]
    parts = ", ".join(told[:-1]) + f", and {told[-1]}"
    said: list[Statement] = [
        one for name in names for one in (Part(name, whole), Fact(name, relation.name, scene.value(name)))
    ]
    return [scene.say(COMPONENTS, said, subject, W=whole, parts=parts)]


@lever(
    GRANULARITY,
    LOW,
    "Notable equals Listed Specs",
    fits=lambda relation: relation.type == "names",
    reword=prefixed(lambda relation: "Counting only what is marked as notable, "),
    operators=("value",),
)
def marked_ones(scene: Scene, subject: str) -> Told:
    """Mark some entries of a list as notable, and name others without a mark."""
    value, relation = scene.value(subject), scene.relation
    assert isinstance(value.content, tuple)
    rest = [one for one in relation.options if one not in value.content]
    others = replace(value, content=tuple(sorted(scene.rng.sample(rest, 2))))
    said = [Fact(subject, relation.name, value), Fact(subject, f"unmarked {relation.name}", others)]
    row = [scene.say(MARKED, said, subject, V=value, Z=others)]
    return Told(row, [scene.say(MARKED[:1], said, subject, V=value, Z=others)])
