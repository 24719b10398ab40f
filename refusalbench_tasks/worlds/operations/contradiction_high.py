"""HIGH levers of P-Contradiction: two values of one thing cannot both be, whatever the world is like."""

from dataclasses import replace

from refusalbench_tasks.taxonomy import Intensity, PerturbationClass
from refusalbench_tasks.worlds.block import Block, joined
from refusalbench_tasks.worlds.lever import lever
from refusalbench_tasks.worlds.operations.telling import clause, terms
from refusalbench_tasks.worlds.pack import Relation
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.statement import Fact
from refusalbench_tasks.worlds.values import SUMMED, Value

CONTRADICTION, HIGH = PerturbationClass.CONTRADICTION, Intensity.HIGH

_YEARS = "(years|a good while|many seasons|some time|a long while)"
FIRST_COMES = (
    "(For|With|In the case of|In the history of|As regards) {S}, the {attribute} (comes|falls|lies|stands) before the "
    "{later}.",
    "The {later} of {S} (came|fell|followed|lay) " + _YEARS + " after the {attribute}.",
    "(Of the two|Of these two|In order of time|As things happened), the {attribute} of {S} came first and the {later} "
    "(second|afterwards|later|next).",
    "First came the {attribute} of {S}, (and the {later} followed|then the {later}|followed by the {later}|"
    "the {later} only afterwards).",
    "The {attribute} of {S} (precedes|preceded|is earlier than|was earlier than|lies further back than) the {later}.",
    "It was only " + _YEARS + " after the {attribute} that the {later} of {S} came.",
    "By the {later} of {S}, the {attribute} (was already past|lay " + _YEARS + " back|was long past).",
)
EITHER = (
    "Either {V} or {W} is {about}, (but|and) (not|never) both.",
    "{about} can only be (either |){V} or {W}(, but not both|, never both|).",
    "(As for|Concerning|Regarding|When it comes to|As regards) {about}, it can only be (either |){V} or {W}.",
    "Of {V} and {W}, (only|just|exactly) one (is|can be) {about}.",
    "{V} or {W}: (only|just|exactly) one of (the two|them) (is|can be) {about}.",
    "{V} and {W} (rule each other out|exclude each other|rule one another out|are mutually exclusive) as {about}.",
    "{about} is (either |one of two, ){V} or {W}, and (cannot|can never) be both.",
)
THIS_MOMENT = (
    "(At|In) this (very |)(moment|minute|second|instant), ",
    "As (this is being written|these lines are written|we speak|the clock strikes), ",
    "(At|By) the time of (writing|going to press), ",
    "While (this is being read|these lines are being read|the ink dries), ",
)
NOW = ("present", "currently", "now", "today", "moment")
SAME_MOMENT = (
    "(At|In) (the|that) (very |)same (moment|minute|second|instant), ",
    "(At|In) exactly (the same|that) (moment|minute|second|instant), ",
    "At (the very same|the same|that same) time, ",
    "Simultaneously, ",
)


def functional(relation: Relation) -> bool:
    """Return whether a thing has one value of the relation, and no more, that can be told in words."""
    return relation.type != "flag" and not relation.many


def _unbounded(relation: Relation) -> bool:
    """Return whether the figure could be many times as large: not points on a scale."""
    return relation.type in SUMMED and "rating" not in relation.tags


def two(scene: Scene, subject: str) -> tuple[Value, Value, list[Fact]]:
    """Return the true value and a rival of it in either order, and the facts that they are."""
    first, second = scene.value(subject), scene.rival(subject)
    if scene.rng.random() < 0.5:
        first, second = second, first
    return first, second, [Fact(subject, scene.relation.name, one) for one in (first, second)]


@lever(CONTRADICTION, HIGH, "Order-of-Magnitude Numeric Clash", fits=_unbounded)
def order_of_magnitude(scene: Scene, subject: str) -> list[Block]:
    """Give the figure again, more than ten times as large."""
    value = scene.value(subject)
    large = replace(value, content=int(value.number) * scene.rng.randint(12, 40))
    values = [value, large]
    scene.rng.shuffle(values)
    return [scene.framed(subject, str(one), [Fact(subject, scene.relation.name, one)]) for one in values]


@lever(
    CONTRADICTION,
    HIGH,
    "Temporal Paradox",
    fits=lambda one: bool(one.before) and one.type == "year" and "alive" not in one.tags,
    operators=("value", "difference"),
)
def temporal_paradox(scene: Scene, subject: str) -> list[Block]:
    """Let what must come first come second."""
    later = scene.pack.relation(scene.relation.before)
    scene.taken.add(later.name)
    value = scene.value(subject)
    past = replace(value, content=int(value.number) - scene.rng.randint(5, 30))
    order = scene.say(FIRST_COMES, [], subject, later=scene.rng.choice(later.attribute))
    return [scene.state(subject), scene.state(subject, later, past), order]


@lever(CONTRADICTION, HIGH, "Exclusive-Or Violation", fits=functional)
def exclusive_or(scene: Scene, subject: str) -> list[Block]:
    """Say that it is one of two, never both, and then that it is each."""
    first, second, facts = two(scene, subject)
    choice = scene.say(EITHER, [], subject, V=first, W=second, **terms(scene, subject))
    return [choice, *(scene.framed(subject, str(fact.value), [fact]) for fact in facts)]


@lever(
    CONTRADICTION,
    HIGH,
    "Binary State Flip",
    fits=lambda relation: relation.type == "flag" and "state" in relation.tags,
)
def binary_state_flip(scene: Scene, subject: str) -> list[Block]:
    """Give both states at one moment."""
    values = [Value("flag", True), Value("flag", False)]
    scene.rng.shuffle(values)
    first, second = (Fact(subject, scene.relation.name, one) for one in values)
    return [
        joined(
            clause(scene, subject, first, THIS_MOMENT, but=NOW),
            clause(scene, subject, second, SAME_MOMENT, but=NOW),
        )
    ]
