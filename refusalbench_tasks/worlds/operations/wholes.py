"""Levers of P-GranularityMismatch whose question is about a whole: its total, its mean, or a goal that it has set."""

from statistics import mean

from refusalbench_tasks.taxonomy import Intensity, PerturbationClass
from refusalbench_tasks.worlds.asking import Question
from refusalbench_tasks.worlds.block import Block, block, joined
from refusalbench_tasks.worlds.lever import Lever, lever
from refusalbench_tasks.worlds.operations.group import additive, entries, line, measured, named, parts_of
from refusalbench_tasks.worlds.pack import Relation
from refusalbench_tasks.worlds.query import Ask, Operator
from refusalbench_tasks.worlds.scenario import Posed, each, has_whole, scenario, wholes
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.solve import Impure
from refusalbench_tasks.worlds.statement import Extent, Fact, Part
from refusalbench_tasks.worlds.template import fill
from refusalbench_tasks.worlds.values import Value

GRANULARITY, LOW, MEDIUM = PerturbationClass.GRANULARITY, Intensity.LOW, Intensity.MEDIUM

ASKS: dict[Operator, tuple[str, ...]] = {
    "total": (
        "What is the (total|combined) {attribute} of all {plural} of {S}?",
        "Taking all {plural} of {S} together, what is their (total|combined) {attribute}?",
        "(Summed|Added up|Summed up) over all {plural} of {S}, what is the {attribute}?",
        "What does the {attribute} come to for {S} as a whole?",
        "What does the {attribute} of all {plural} of {S} add up to?",
    ),
    "mean": (
        "What is the (mean|average) {attribute} of all {plural} of {S}?",
        "On average, what is the {attribute} of the {plural} of {S}?",
        "(Averaged|Taken as a mean) over all {plural} of {S}, what is the {attribute}?",
        "What is the (average|mean) {attribute} for {S} as a whole?",
    ),
}
GOAL = (
    "Have the {plural} of {S} together reached (their|the) goal of {L} for the total {attribute}?",
    "All told, do the {plural} of {S} reach the {L} that they have (set themselves|agreed on) as their {attribute}?",
    "Has {S} as a whole (met|reached) its target of {L} for the {attribute} of all its {plural} together?",
    "With all its {plural} counted in, has {S} attained the {L} that it aims at for the {attribute}?",
)
DEEDS = (
    "(plans|some plans|the bolder plans) for {P} have been (put off|shelved|laid aside|postponed)( until spring| for "
    "now|, for want of time|).",
    "a (working group|task force|small committee) on {P} has been (set up|formed|appointed)( in the spring| after much "
    "talk| at last|).",
    "for {P}, (advice|help|an outside opinion) has been (sought|asked for) (elsewhere|abroad|from a consultant|in the "
    "next town).",
    "(those|the people) in charge of {P} have (begun|started) to (look for|hunt for|seek) (savings|donors|volunteers|"
    "partners).",
    "(those|the people) behind {P} have had (several|a few|long) (meetings|talks|discussions) about it.",
    "(a brochure|a poster|an appeal|a flyer) (on behalf of|in favour of) {P} has been (printed|sent round|drafted|"
    "handed out).",
    "(much|a good deal|a little) has been (tried|attempted|talked over) (around|in the matter of) {P}, (with mixed "
    "results|and most of it failed|but without haste|and not in vain).",
)
RAISED = (
    "for {P}, the {attribute} (has come to|has been brought to|has gone to|has settled at) {V}( by now| after much "
    "effort|).",
    "the {attribute} of {P} (now|by now|meanwhile) (stands at|has reached|comes to|is) {V}.",
    "with {P}, the {attribute} (is|stands at|has come to) {V} (by now|these days|at the last count).",
    "{P} (now has|has come to|has worked its way to|has got to) {an_attribute} of {V}.",
    "(at the last count|by the latest figures|as things stand), the {attribute} of {P} (was|is|came to) {V}.",
)


def priced(relation: Relation) -> bool:
    """Return whether each thing can set its own value."""
    return relation.type == "money"


def summed_up(scene: Scene, whole: str) -> list[Block]:
    """Return the plain line of a whole, without its parts."""
    aggregate = scene.fixed["aggregate"]
    return [line(scene, whole, aggregate, scene.value(whole))]


@scenario("aggregate", cast=wholes, plain=summed_up, fits=has_whole)
def over_all_parts(scene: Scene, hard: Lever, soft: Lever) -> Posed:
    """Ask for the total or the mean over all parts of a whole."""
    options: list[Operator] = ["total", "mean"] if additive(scene.relation) else ["mean"]
    operator = scene.rng.choice([one for one in options if not hard.operators or one in hard.operators])
    scene.fixed["aggregate"] = operator
    return each(scene, lambda whole: _asked(scene, whole, operator))


def _asked(scene: Scene, whole: str, operator: Operator) -> Question:
    text = fill(scene.rng.choice(ASKS[operator]), scene.slots(whole))
    return Question(text, Ask(operator, scene.relation.name, (whole,)))


@scenario("goal", cast=wholes, plain=summed_up, fits=has_whole)
def joint_goal(scene: Scene, hard: Lever, soft: Lever) -> Posed:
    """Ask whether all parts of a whole together have reached their goal."""
    scene.fixed["aggregate"] = "total"
    limit = scene.draw(scene.relation)
    scale = scene.rng.randint(3, 4)
    limit = Value(limit.type, int(limit.number * scale), limit.unit)
    return each(
        scene,
        lambda whole: Question(
            fill(scene.rng.choice(GOAL), scene.slots(whole, {"L": limit})),
            Ask("at_least", f"total {scene.relation.name}", (whole,), limit=limit),
        ),
    )


@lever(GRANULARITY, LOW, "Explicit Total Line", scenario="aggregate", fits=measured)
@lever(GRANULARITY, LOW, "Explicit Total Line", scenario="goal", fits=additive)
def explicit_total_line(scene: Scene, whole: str) -> list[Block]:
    """Name all parts with their figures, and give their total or mean beside them."""
    aggregate = scene.fixed["aggregate"]
    for _ in range(60):
        parts = parts_of(scene, scene.rng.randint(3, 5))
        numbers = [scene.value(part).number for part in parts]
        amount = sum(numbers) if aggregate == "total" else mean(numbers)
        if amount == int(amount):
            value = Value(scene.relation.type, int(amount), scene.relation.unit)
            told = joined(named(scene, whole, parts, len(parts)), entries(scene, parts))
            return [told, line(scene, whole, aggregate, value)]
    raise Impure("no parts with a mean that is a whole number")


@lever(GRANULARITY, MEDIUM, "Nation from City Data", scenario="aggregate", fits=measured)
def some_of_many(scene: Scene, whole: str) -> list[Block]:
    """Give the figures of a few parts of many."""
    parts = parts_of(scene, scene.rng.randint(2, 3))
    return [joined(named(scene, whole, parts, scene.rng.randint(7, 44)), entries(scene, parts))]


@lever(GRANULARITY, MEDIUM, "Cross-level Policy Synthesis", scenario="aggregate", fits=priced, operators=("mean",))
def others_have_their_own(scene: Scene, whole: str) -> list[Block]:
    """Give the figures of a few parts, and say that the others go by figures of their own."""
    parts = parts_of(scene, scene.rng.randint(2, 3))
    others = scene.rng.randint(3, 21)
    patterns = (
        "the other {n} {plural} of {S} (go by|have|keep to) {an_attribute} of their own.",
        "{S} has {n} (further|other|more) {plural}, each with {an_attribute} of its own( choice| making|).",
        "besides these, {S} (has|counts|includes) {n} {plural} that (decide on|set|fix) their {attribute} themselves.",
        "for the (remaining|other) {n} {plural} of {S} the {attribute} is (set|fixed|decided|settled) (on the spot|in "
        "each place anew|case by case|without asking anyone).",
        "(nobody|no one) tells the (other|remaining) {n} {plural} of {S} what {attribute} to (have|set|keep to).",
        "the {attribute} (is left|is up) to each of the (other|remaining) {n} {plural} of {S} (alone|itself|as it sees "
        "fit).",
        "(elsewhere|apart from that), the (other|remaining) {n} {plural} of {S} (set|choose|fix) their own "
        "{attribute}.",
    )
    belong = (
        "{parts} (belong to|are part of|form part of|come under) {S}.",
        "{parts} are (among the {plural}|{plural}) (of|under|within) {S}.",
        "among the {plural} (of|under|within) {S} are {parts}.",
        "{S} (takes in|includes|has|lists) {parts}( among others| besides others|).",
    )
    first = scene.say(belong, [Part(part, whole) for part in parts], whole, parts=Value("names", tuple(parts)))
    rest = scene.say(patterns, [Extent(whole, len(parts) + others)], whole, n=str(others))
    return [joined(first, entries(scene, parts), rest)]


@lever(
    GRANULARITY, MEDIUM, "Single-Instance to Universal Rule", scenario="aggregate", fits=measured, operators=("mean",)
)
def one_of_many(scene: Scene, whole: str) -> list[Block]:
    """Give the figure of the only part that anyone has looked at."""
    part = scene.thing()
    extent = scene.rng.randint(7, 700)
    patterns = (
        "of the {n} {plural} (of|under|within) {S} only one, {P}, has been (looked at|surveyed|examined|visited) (so "
        "far|to date|until now|yet).",
        "{S} (has|counts|includes) {n} {plural}; {P} is the only one of them (with figures|that was surveyed|that "
        "anyone has examined).",
        "of all {n} {plural} (of|under|within) {S}, no other than {P} has been (surveyed|looked at|examined|visited).",
        "{P}, one of the {n} {plural} (of|under|within) {S}, was the only one to be (examined|surveyed|looked at|"
        "visited).",
        "(a survey|an inquiry|a study) of the {n} {plural} of {S} got no (further|farther) than {P}(, the only one to "
        "be examined|, its first stop|).",
        "{P} is (alone|the only one) among the {n} {plural} (of|under|within) {S} (to have been|that was) (surveyed|"
        "examined|looked at|measured).",
    )
    told = scene.say(patterns, [Extent(whole, extent), Part(part, whole)], whole, P=part, n=str(extent))
    return [joined(told, entries(scene, [part]))]


@lever(GRANULARITY, MEDIUM, "Individual Actions vs. Collective Goal", scenario="goal", fits=additive)
def single_deeds(scene: Scene, whole: str) -> list[Block]:
    """Tell what some parts have done, one of them with a figure."""
    parts = parts_of(scene, 3)
    names = named(scene, whole, parts, scene.rng.randint(7, 30))
    value = scene.value(parts[0])
    figure = scene.say(RAISED, [Fact(parts[0], scene.relation.name, value)], whole, P=parts[0], V=value)
    deeds = scene.rng.sample(DEEDS, 2)
    told = [block(fill(deed, {"P": part})) for deed, part in zip(deeds, parts[1:], strict=True)]
    return [joined(names, figure, *told)]
