"""HIGH levers of P-Contradiction: rules, definitions and conditions that cannot hold beside what is so."""

from refusalbench_tasks.taxonomy import Intensity, PerturbationClass
from refusalbench_tasks.worlds.block import Block
from refusalbench_tasks.worlds.lever import lever
from refusalbench_tasks.worlds.operations.contradiction_high import functional, two
from refusalbench_tasks.worlds.operations.missing_low import MEMBER
from refusalbench_tasks.worlds.pack import Relation
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.solve import Impure
from refusalbench_tasks.worlds.statement import Every, Fact, Never, Part

CONTRADICTION, HIGH = PerturbationClass.CONTRADICTION, Intensity.HIGH

MUST = (
    "The {attribute} of {S} is {V}, as the regulations require.",
    "As the regulations require, the {attribute} of {S} is {V}.",
    "In line with the regulations, the {attribute} of {S} is {V}.",
    "The {attribute} of {S} is {V}, in keeping with the regulations.",
    "The regulations are met: the {attribute} of {S} is {V}.",
    "As laid down in the regulations, the {attribute} of {S} is {V}.",
    "The {attribute} of {S} is {V}, which is what the regulations ask for.",
)
CANNOT = (
    "By the regulations, which are observed, the {attribute} of {S} cannot be {V}.",
    "The regulations, which are observed, do not permit {V} as the {attribute} of {S}.",
    "The regulations, which are observed, forbid {V} as the {attribute} of {S}.",
    "Under the regulations, which are observed, the {attribute} of {S} must not be {V}.",
    "It is against the regulations, which are observed, for the {attribute} of {S} to be {V}.",
    "Thanks to regulations that are observed, the {attribute} of {S} cannot be {V}.",
    "The {attribute} of {S} must not be {V} under the regulations, and these are observed.",
    "The regulations, strict and observed, forbid {V} as the {attribute} of {S}.",
)
DEFINED = (
    "By definition, {S} is the {noun} whose {attribute} is {V} and whose {attribute} is not {V}.",
    "The founding papers define {S} as the {noun} whose {attribute} is {V}, and whose {attribute} is not {V}.",
    "{S} is defined as the {noun} whose {attribute} both is {V} and is not {V}.",
    "As the term is defined, {S} means the {noun} whose {attribute} is {V} and is never {V}.",
)
EVERYWHERE = (
    "Without a single exception, every {noun} of {whole} has the same {attribute}: {V}.",
    "The {attribute} of each and every {noun} of {whole} is {V}, and there is no exception.",
    "For all {plural} of {whole}, without exception, the {attribute} is {V}.",
    "No {noun} of {whole} has any other {attribute} than {V}.",
)
CERTAIN = (
    "It has been confirmed that the {attribute} of {S} is {V}.",
    "As everybody agrees, the {attribute} of {S} is {V}.",
    "The {attribute} of {S} is certainly {V}.",
    "It is well established that the {attribute} of {S} is {V}.",
    "Beyond doubt, the {attribute} of {S} is {V}.",
    "Several documents prove that the {attribute} of {S} is {V}.",
    "It is certain that the {attribute} of {S} is {V}.",
    "All records agree that the {attribute} of {S} is {V}.",
)
IMPOSSIBLE = (
    "It has been shown that the {attribute} of {S} cannot be {V}.",
    "It is out of the question that the {attribute} of {S} is {V}.",
    "It has been ruled out that the {attribute} of {S} is {V}.",
    "The {attribute} of {S} is certainly not {V}.",
    "There is proof that the {attribute} of {S} cannot be {V}.",
    "An inquiry has ruled out that the {attribute} of {S} is {V}.",
    "It is impossible that the {attribute} of {S} is {V}.",
    "The {attribute} of {S} cannot possibly be {V}.",
)
CONDITIONS = (
    "the paperwork on {S} is complete",
    "the certificate of {S} is up to date",
    "the insurance of {S} is paid up",
    "the entry for {S} is signed",
    "the licence of {S} is still valid",
    "the yearly report on {S} has been handed in",
    "the seal on the papers of {S} is unbroken",
    "the account of {S} is in credit",
)
ONLY_IF = (
    "If {condition}, the {attribute} of {S} is {V}, but not otherwise.",
    "The {attribute} of {S} is {V} if {condition}, but not otherwise.",
    "The {attribute} of {S} is {V} whenever {condition}, and only then.",
    "As long as {condition}, the {attribute} of {S} is {V}, and only then.",
)
MET = (
    "It has been checked that {condition}.",
    "A look at the papers shows that {condition}.",
    "It is clear that {condition}.",
    "It has been established that {condition}.",
    "All agree that {condition}.",
    "An inspector has noted that {condition}.",
    "There is no doubt that {condition}.",
)


def _ruled(relation: Relation) -> bool:
    """Return whether rules could lay the value down."""
    if relation.type == "kind":
        return not relation.tags & {"cause", "outcome"}
    return relation.type in ("money", "measure", "time")


def _yes_and_no(scene: Scene, subject: str, yes: tuple[str, ...], no: tuple[str, ...]) -> list[Block]:
    """Return that the value is what it is, and that it is not."""
    value, name = scene.value(subject), scene.relation.name
    return [
        scene.say(yes, [Fact(subject, name, value)], subject, V=value),
        scene.say(no, [Never(subject, name, value)], subject, V=value),
    ]


def disputed(scene: Scene, subject: str) -> list[Block]:
    """Return a value told in two ways that exclude each other, in one of the shapes of the levers here."""
    shapes: list[tuple[tuple[str, ...], tuple[str, ...]]] = [(CERTAIN, IMPOSSIBLE)]
    if _ruled(scene.relation):
        shapes.append((MUST, CANNOT))
    return _yes_and_no(scene, subject, *scene.rng.choice(shapes))


@lever(CONTRADICTION, HIGH, "Must vs. Cannot Rule", fits=_ruled)
def must_and_cannot(scene: Scene, subject: str) -> list[Block]:
    """Let the rules demand the value and rule it out."""
    return _yes_and_no(scene, subject, MUST, CANNOT)


@lever(CONTRADICTION, HIGH, "Mutual Exclusion Claim", fits=functional)
def certain_and_impossible(scene: Scene, subject: str) -> list[Block]:
    """Call the value certain, and impossible."""
    return _yes_and_no(scene, subject, CERTAIN, IMPOSSIBLE)


@lever(CONTRADICTION, HIGH, "Self-negating Definition", fits=_ruled)
def self_negating_definition(scene: Scene, subject: str) -> list[Block]:
    """Define the thing by the value and by its absence."""
    value, name = scene.value(subject), scene.relation.name
    return [scene.say(DEFINED, [Fact(subject, name, value), Never(subject, name, value)], subject, V=value)]


@lever(CONTRADICTION, HIGH, "Contradictory Universals", fits=functional)
def contradictory_universals(scene: Scene, subject: str) -> list[Block]:
    """State a rule without exception, and a case that breaks it."""
    if not scene.whole:
        raise Impure("a rule for all parts needs a whole")
    name = scene.relation.name
    general, own, _ = two(scene, subject)
    return [
        scene.say(EVERYWHERE, [Every(scene.whole, name, general)], subject, V=general),
        scene.say(MEMBER, [Part(subject, scene.whole)], subject),
        scene.framed(subject, str(own), [Fact(subject, name, own)]),
    ]


@lever(CONTRADICTION, HIGH, "Logical Biconditional Break", fits=_ruled)
def biconditional_break(scene: Scene, subject: str) -> list[Block]:
    """State when alone the value holds, that it is so, and another value."""
    first, second, facts = two(scene, subject)
    condition = scene.rng.choice(CONDITIONS).replace("{S}", subject)
    return [
        scene.say(ONLY_IF, [], subject, V=first, condition=condition),
        scene.say(MET, [facts[0]], subject, condition=condition),
        scene.framed(subject, str(second), [facts[1]]),
    ]
