"""Levers of P-EpistemicMismatch that ask for what is still to come: rated or fixed in writing, or open."""

from refusalbench_tasks.taxonomy import Intensity, PerturbationClass
from refusalbench_tasks.worlds.asking import Question
from refusalbench_tasks.worlds.block import Block
from refusalbench_tasks.worlds.lever import Lever, lever
from refusalbench_tasks.worlds.operations.periods import varying
from refusalbench_tasks.worlds.operations.terms import judged
from refusalbench_tasks.worlds.query import Ask
from refusalbench_tasks.worlds.scenario import Posed, each, scenario
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.statement import Fact
from refusalbench_tasks.worlds.template import fill
from refusalbench_tasks.worlds.values import Value

EPISTEMIC, LOW, MEDIUM = PerturbationClass.EPISTEMIC, Intensity.LOW, Intensity.MEDIUM

RATINGS = ("all but impossible", "unlikely", "about as likely as not", "likely", "very likely", "almost certain")
RATERS = (
    "the planning office",
    "the yearly outlook",
    "the auditors' report",
    "the risk register",
    "the finance desk",
    "the budget committee",
    "the annual forecast",
)
HOW_LIKELY = (
    "How likely is it that the {attribute} of {S} will {move} next year?",
    "What is the likelihood that the {attribute} of {S} will {move} next year?",
    "Next year, how likely is the {attribute} of {S} to {move}?",
    "How probable is it for the {attribute} of {S} to {move} next year?",
)
RATED = (
    "{source}, whose scale has six steps, rates it as {V} that the {attribute} of {S} will {move} next year.",
    "On its scale of six steps, {source} gives '{V}' for the {attribute} of {S} to {move} next year.",
    "That the {attribute} of {S} will {move} next year is rated as {V} by {source}.",
    "{source} has rated the chance of the {attribute} of {S} to {move} next year: {V}.",
    "By the reckoning of {source}, it is {V} that the {attribute} of {S} will {move} next year.",
    "To {source}, it looks {V} for the {attribute} of {S} to {move} next year.",
    "A {move} in the {attribute} of {S} next year is {V}, in the words of {source}.",
    "Looking at next year, {source} deems it {V} that the {attribute} of {S} will {move}.",
)
DEBATED = (
    "At {S} the {attribute} of next year has not been talked about yet.",
    "Next year's {attribute} of {S} is to be settled in autumn.",
    "Next year, the {attribute} of {S} will be looked at again.",
    "A meeting about the {attribute} of {S} is planned for next year.",
    "No decision has been made on next year's {attribute} of {S}.",
    "Talks about the {attribute} of {S} for next year begin in spring.",
    "It is too early to speak of next year's {attribute} of {S}.",
    "Somebody has asked for a meeting on next year's {attribute} of {S}.",
    "The {attribute} of {S} for next year is still open.",
    "Proposals for next year's {attribute} of {S} may be handed in.",
)
WILL_BE = (
    "What will the {attribute} of {S} be in {y}?",
    "In {y}, what will the {attribute} of {S} be?",
    "What {attribute} will {S} have in {y}?",
    "What is the {attribute} of {S} going to be in {y}?",
)
FIXED = (
    "A contract that has been signed fixes at {V} the {attribute} of {S} for {y}.",
    "For {y}, the {attribute} of {S} has been laid down in a binding contract: {V}.",
    "By a contract already in force, the {attribute} of {S} in {y} is {V}.",
    "{S} is bound by a contract as to its {attribute} in {y}: {V}.",
    "The {attribute} of {S} for {y} is {V} by a contract that binds both sides.",
    "Signed and binding, a contract sets the {attribute} of {S} for {y} at {V}.",
)
NEXT_QUARTER = "the coming quarter"


def rating(scene: Scene, subject: str) -> list[Block]:
    """Return the value, and the rating of its move."""
    move, source = scene.fixed["move"], scene.fixed["source"]
    rated = Value("kind", scene.rng.choice(RATINGS))
    fact = Fact(subject, f"{move} {scene.relation.name}", rated)
    return [scene.state(subject), scene.say(RATED, [fact], subject, V=rated, move=move, source=source)]


@scenario("odds", plain=rating)
def how_likely(scene: Scene, hard: Lever, soft: Lever) -> Posed:
    """Ask how likely a value is to go up or down."""
    move = scene.rng.choice(("rise", "fall"))
    scene.fixed |= {"move": move, "source": scene.rng.choice(RATERS)}

    def question(subject: str) -> Question:
        text = fill(scene.rng.choice(HOW_LIKELY), scene.slots(subject, {"move": move}))
        return Question(text, Ask("probability", f"{move} {scene.relation.name}", (subject,)))

    return each(scene, question)


@lever(EPISTEMIC, LOW, "Weak Possibility vs. High Likelihood", scenario="odds", fits=varying)
def rated_in_the_text(scene: Scene, subject: str) -> list[Block]:
    """State the value and the rating."""
    return rating(scene, subject)


@lever(EPISTEMIC, MEDIUM, "Probability without Data", scenario="odds", fits=varying)
def not_rated(scene: Scene, subject: str) -> list[Block]:
    """State the value, and that the matter is open."""
    return [scene.state(subject), scene.say(DEBATED, [], subject)]


def contract(scene: Scene, subject: str) -> list[Block]:
    """Return the present value, and the one that a contract fixes."""
    year = scene.fixed["year"]
    value = scene.rival(subject)
    fact = Fact(subject, scene.relation.name, value, at=year)
    return [scene.state(subject), scene.say(FIXED, [fact], subject, V=value, y=year)]


def _to_come(scene: Scene, year: str) -> Posed:
    scene.fixed["year"] = year

    def question(subject: str) -> Question:
        text = fill(scene.rng.choice(WILL_BE), scene.slots(subject, {"y": year}))
        return Question(text, Ask("forecast", scene.relation.name, (subject,), at=year))

    return each(scene, question)


@scenario("forecast", plain=contract)
def in_a_far_year(scene: Scene, hard: Lever, soft: Lever) -> Posed:
    """Ask for a value in a year that lies far ahead."""
    return _to_come(scene, str(scene.rng.randint(2051, 2089)))


@scenario("quarter", plain=contract, topic="inns")
def in_the_coming_quarter(scene: Scene, hard: Lever, soft: Lever) -> Posed:
    """Ask for a value in the coming quarter."""
    return _to_come(scene, NEXT_QUARTER)


@lever(EPISTEMIC, LOW, "Weak Possibility vs. High Likelihood", scenario="forecast", fits=judged("price"))
@lever(EPISTEMIC, LOW, "Weak Possibility vs. High Likelihood", scenario="quarter", fits=judged("sales"))
def fixed_by_contract(scene: Scene, subject: str) -> list[Block]:
    """State the present value, and the one that a contract makes certain."""
    return contract(scene, subject)


@lever(EPISTEMIC, MEDIUM, "Forecast without Model", scenario="forecast", fits=judged("price"))
@lever(EPISTEMIC, MEDIUM, "Next-quarter Sales Prediction", scenario="quarter", fits=judged("sales"))
def only_the_present(scene: Scene, subject: str) -> list[Block]:
    """State the present value, and that the matter is open."""
    return [scene.state(subject), scene.say(DEBATED, [], subject)]
