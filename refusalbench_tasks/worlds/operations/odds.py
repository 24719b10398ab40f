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
    "a panel of economists",
    "the treasurer's outlook",
    "an insurer's survey",
    "the bank's newsletter",
    "a retired actuary",
    "the statistics bureau",
    "a hired consultant",
    "the treasury's almanac",
    "an outside expert",
)
HOW_LIKELY = (
    "How likely is it that the {attribute} of {S} will {move} next year?",
    "What is the likelihood that the {attribute} of {S} will {move} next year?",
    "Next year, how likely is the {attribute} of {S} to {move}?",
    "How probable is it for the {attribute} of {S} to {move} next year?",
    "What are the odds that the {attribute} of {S} will {move} next year?",
)
RATED = (
    "{source}, whose (scale|ladder) has six (steps|rungs), (rates|has rated|marks) it as {V} that the {attribute} of "
    "{S} "
    "will {move} next year.",
    "on (its|a) scale of six (steps|grades), {source} (gives|chose|ticked) '{V}' for the {attribute} of {S} to {move} "
    "next year.",
    "that the {attribute} of {S} will {move} next year is (rated as|thought|taken to be|put down as) {V} by {source}.",
    "{source} has (rated|weighed|judged) the (chance|prospect|likelihood) (of|for) the {attribute} of {S} to {move} "
    "next "
    "year: {V}.",
    "by the (reckoning|lights|estimate|sums) of {source}, it is {V} that (next year|in the next year) the {attribute} "
    "of "
    "{S} will {move}.",
    "to {source}, it (looks|seems|appears) {V} for the {attribute} of {S} to {move} (next year|in the course of next "
    "year).",
    "a {move} in the {attribute} of {S} next year is {V}, (in the words of|as worded by|if one follows) {source}.",
    "(looking at|asked about|turning to|with a view to) next year, {source} (deems|considers|calls|thinks) it {V} that "
    "the {attribute} of {S} will {move}.",
    "(after a week of sums|having weighed old figures|with some hesitation), {source} (finds|found|holds) it {V} "
    "for the {attribute} of {S} to {move} next year.",
    "will the {attribute} of {S} {move} next year – {source} (answers|replies) with (one of six|its usual) (phrases|"
    "formulas): '{V}'.",
    "(a line|an entry|a footnote) (by|from) {source} (has|calls) it '{V}' that the {attribute} of {S} will {move} next "
    "year.",
    "{source} (sees|expects) next year's {attribute} of {S} to {move} with the (label|mark) '{V}', (one of six|the "
    "scale "
    "having six).",
)
DEBATED = (
    "at {S} the {attribute} of next year has not been talked about yet.",
    "next year's {attribute} of {S} is to be settled in (autumn|September|the summer break|due course).",
    "(next year|in the spring|after the holidays), the {attribute} of {S} will be (looked at|reviewed|discussed) "
    "again.",
    "a (meeting|hearing|round of talks|workshop) (about|on|over) the {attribute} of {S} is planned for next year.",
    "no decision has been made on next year's {attribute} of {S}.",
    "talks (about|over|on) the {attribute} of {S} for next year (begin|start|open) in (spring|March|a month or two).",
    "it is (too early|too soon|early days) to (speak|talk) of next year's {attribute} of {S}.",
    "(somebody|a member of staff|one of the neighbours|an alderman) has (asked for|called for|suggested) a meeting on "
    "next year's {attribute} of {S}.",
    "the {attribute} of {S} for next year is (still|as yet) open.",
    "(proposals|suggestions|wishes) (for|as to|regarding) next year's {attribute} of {S} may be (handed in|sent in|put "
    "in the box|left at the desk).",
    "(whoever|anyone who) has a view on next year's {attribute} of {S} is (invited|welcome|asked) to (write|speak "
    "up|come "
    "along).",
    "(a working party|a small group|three people) will (look into|think over|go over) the {attribute} of {S} before "
    "next "
    "year.",
    "next year's {attribute} of {S} is (on the agenda|up for debate|among the points) (for|of) the (next|coming) "
    "(sitting|session|gathering).",
    "what becomes of the {attribute} of {S} (from next year on|after this year) is (anybody's guess|an open "
    "question|up "
    "in the air).",
    "(opinions|views|guesses) on next year's {attribute} of {S} (vary|differ|diverge) (widely|a good deal|from desk to "
    "desk).",
    "the (outlook|plan|budget) for next year (leaves|has left) the {attribute} of {S} (open|for later|to another day).",
)
WILL_BE = (
    "What will the {attribute} of {S} be in {y}?",
    "In {y}, what will the {attribute} of {S} be?",
    "What {attribute} will {S} have in {y}?",
    "What is the {attribute} of {S} going to be in {y}?",
)
FIXED = (
    "a contract that has been (signed|sealed|witnessed) (fixes|sets|lays down) at {V} the {attribute} of {S} for {y}.",
    "for {y}, the {attribute} of {S} has been (laid down|fixed|agreed) in a (binding|signed|notarised) contract: {V}.",
    "by a contract (already|long) in force, the {attribute} of {S} in {y} is {V}.",
    "{S} is (bound|held|tied) by a contract as to its {attribute} in {y}: {V}.",
    "the {attribute} of {S} for {y} is {V} by a contract that (binds both sides|runs that far|holds till then).",
    "(signed|drawn up) and (binding|sealed), a (contract|deed) (sets|fixes) the {attribute} of {S} for {y} at {V}.",
    "(both|all) parties have (signed|sealed|agreed) in (writing|a contract) that in {y} the {attribute} of {S} "
    "(is|shall "
    "be|comes to) {V}.",
    "{V} is the {attribute} of {S} for {y}, (as|and) a (contract|deed|covenant) (in the safe|with two "
    "signatures|before "
    "a notary) (fixes|settles) (it|that).",
    "(under|by the letter of) a (contract|deed) (of many years|made to last|that is already signed), {S} (is to have|"
    "has to have|must have) {an_attribute} of {V} in {y}.",
    "(before|in front of) (a notary|two witnesses), the {attribute} of {S} for {y} was (fixed|set|settled) by contract "
    "at {V}.",
    "(an irrevocable contract|one clause of a contract|a contract of long standing) (governs|decides|settles) the "
    "{attribute} of {S} in {y}, and (it|this) comes to {V}.",
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
