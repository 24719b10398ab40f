"""MEDIUM levers of P-Contradiction: two accounts of equal weight disagree."""

from dataclasses import replace

from refusalbench_tasks.taxonomy import Intensity, PerturbationClass
from refusalbench_tasks.worlds.block import Block, joined
from refusalbench_tasks.worlds.lever import lever
from refusalbench_tasks.worlds.operations.telling import clause, quoted
from refusalbench_tasks.worlds.pack import Relation
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.statement import Fact, Order
from refusalbench_tasks.worlds.values import Value

CONTRADICTION, MEDIUM = PerturbationClass.CONTRADICTION, Intensity.MEDIUM

MAY = ("According to {source}, ", "{source} says that ", "In the words of {source}, ", "As {source} has it, ")
IN_NO_EVENT = (
    "On a later page, {source} says that, without exception, ",
    "Elsewhere {source} says that, without any exception, ",
    "In another place {source} says that, without exception, ",
    "Further down, {source} says that, without exception, ",
)
TOLD_ONE = (
    "On Monday morning {source} told a reporter that ",
    "Asked on Monday morning, {source} said that ",
    "{source} told visitors on Monday morning that ",
    "In an interview on Monday morning, {source} said that ",
)
TOLD_TWO = (
    "An hour later {source} told another reporter that ",
    "Asked again within the hour, {source} said that ",
    "Before noon {source} told a second group that ",
    "In another interview before noon, {source} said that ",
)
EDITION = (
    "In its edition of {year}, {source} gives {V} as the {attribute} of {S}.",
    "In {year}, {source} listed {V} as the {attribute} of {S}.",
    "In the {year} edition of {source}, the {attribute} of {S} is {V}.",
    "The {attribute} of {S} is {V} according to the {year} edition of {source}.",
    "{source}, in its {year} edition, has {V} as the {attribute} of {S}.",
    "The {year} edition of {source} gives {V} as the {attribute} of {S}.",
)
UNCHANGED = (
    "The {attribute} of {S} has been the same since well before {year}.",
    "The {attribute} of {S} has not changed since well before {year}.",
    "Since well before {year}, the {attribute} of {S} has never been altered.",
    "There has been no change to the {attribute} of {S} since well before {year}.",
    "Well before {year} the {attribute} of {S} was settled, and it has not changed since.",
    "The {attribute} of {S} has never been altered since well before {year}.",
)
ONE_PLACE = (
    "{S} has only ever had one {attribute}.",
    "{S} has always had the same {attribute}.",
    "{S} has one {attribute} and no other.",
    "The {attribute} of {S} has always been the same.",
    "{S} has had the same {attribute} from the start.",
    "{S} never had any {attribute} but the one.",
)
LATER = (
    "The {attribute} of {S} is later than that of {T}.",
    "{S} has a later {attribute} than {T}.",
    "Compared with {T}, {S} has the later {attribute}.",
    "As for the {attribute}, {S} comes after {T}.",
)
ATTRIBUTED = (
    "{S}, whose {attribute} is {V}, has {W} as its {attribute}.",
    "{S}, whose {attribute} is {V}, has {W} as {attribute}.",
    "The {attribute} of {S}, which is {V}, is {W}.",
    "The {attribute} of {S}, which is {V}, is in fact {W}.",
)


def _functional(relation: Relation) -> bool:
    return relation.type != "flag" and not relation.many


def _lasting(relation: Relation) -> bool:
    return _functional(relation) and relation.type not in ("year", "date") and not relation.tags & {"cause", "outcome"}


def _tagged_flag(tag: str, relation: Relation) -> bool:
    return relation.type == "flag" and tag in relation.tags


def _descriptive(relation: Relation) -> bool:
    return relation.type == "kind" and not relation.tags & {"cause", "outcome", "method"}


def _both(scene: Scene, subject: str) -> list[Value]:
    values = [scene.value(subject), scene.rival(subject)]
    scene.rng.shuffle(values)
    return values


@lever(CONTRADICTION, MEDIUM, "Dual-authoritative Dates", fits=lambda relation: relation.type in ("year", "date"))
def two_authorities(scene: Scene, subject: str) -> list[Block]:
    """Let two official sources disagree."""
    first, second = scene.rng.sample([name for name, rank in scene.pack.sources if rank == 2], 2)
    one, other = _both(scene, subject)
    return [quoted(scene, subject, one, first, 2), quoted(scene, subject, other, second, 2)]


@lever(CONTRADICTION, MEDIUM, "Contradiction in Reported Speech", fits=lambda relation: not relation.many)
def reported_speech(scene: Scene, subject: str) -> list[Block]:
    """Quote one person twice."""
    person = scene.names.person()
    first, second = (Fact(subject, scene.relation.name, one, source=person) for one in _both(scene, subject))
    return [joined(clause(scene, subject, first, TOLD_ONE), clause(scene, subject, second, TOLD_TWO))]


@lever(CONTRADICTION, MEDIUM, "Source-Timing Drift", fits=_lasting)
def source_timing_drift(scene: Scene, subject: str) -> list[Block]:
    """Let two editions of one source disagree about what never changed."""
    early = scene.rng.randint(1985, 2004)
    late, source = early + scene.rng.randint(6, 19), scene.source(2)
    said = [
        scene.say(
            EDITION,
            [Fact(subject, scene.relation.name, value, source=source, rank=2)],
            subject,
            year=str(year),
            source=source,
            V=value,
        )
        for year, value in zip((early, late), _both(scene, subject), strict=True)
    ]
    return [*said, scene.say(UNCHANGED, [], subject, year=str(early))]


@lever(CONTRADICTION, MEDIUM, "Modal Dilution", fits=lambda relation: _tagged_flag("rule", relation))
def modal_dilution(scene: Scene, subject: str) -> list[Block]:
    """Let one source permit something, and forbid it in every event."""
    source = scene.source(2)
    yes = Fact(subject, scene.relation.name, Value("flag", True), source=source, rank=2)
    no = replace(yes, value=Value("flag", False))
    may = ("may", "allow", "permit")
    return [joined(clause(scene, subject, yes, MAY, may), clause(scene, subject, no, IN_NO_EVENT, but=("at {s},",)))]


@lever(
    CONTRADICTION, MEDIUM, "Direct Polarity Reversal on Safety", fits=lambda relation: _tagged_flag("safety", relation)
)
def polarity_of_safety(scene: Scene, subject: str) -> list[Block]:
    """Call the same thing safe and unsafe."""
    return [scene.state(subject, value=value) for value in _both(scene, subject)]


@lever(CONTRADICTION, MEDIUM, "Conflicting Numerical Units", fits=lambda relation: bool(relation.small_unit))
def conflicting_units(scene: Scene, subject: str) -> list[Block]:
    """Give the figure in two units that conversion shows to be far apart."""
    value, rival = scene.value(subject), scene.rival(subject)
    small = Value(value.type, int(rival.number * scene.relation.ratio), scene.relation.small_unit)
    facts = [Fact(subject, scene.relation.name, one) for one in (value, rival)]
    return [scene.framed(subject, f"{value} ({small})", facts)]


@lever(CONTRADICTION, MEDIUM, "Spatial Location Clash", fits=lambda relation: relation.type == "place")
def location_clash(scene: Scene, subject: str) -> list[Block]:
    """Put the one thing in two places."""
    return [
        scene.say(ONE_PLACE, [], subject),
        *(scene.state(subject, value=value) for value in _both(scene, subject)),
    ]


@lever(
    CONTRADICTION,
    MEDIUM,
    "Temporal Sequence Reversal",
    fits=lambda relation: relation.type in ("year", "date", "time"),
    operators=("compare",),
)
def sequence_reversal(scene: Scene, subject: str) -> list[Block]:
    """Tell two events in one order and in the other, without the date of the one."""
    other, name = scene.others[0], scene.relation.name
    return [
        scene.say(LATER, [Order(first, second, name)], first, T=second)
        for first, second in ((subject, other), (other, subject))
    ]


@lever(CONTRADICTION, MEDIUM, "Attributive vs. Predicative Conflict", fits=_descriptive)
def attribute_against_predicate(scene: Scene, subject: str) -> list[Block]:
    """Let what is said in passing clash with what is said outright, in one sentence."""
    first, second = _both(scene, subject)
    facts = [Fact(subject, scene.relation.name, one) for one in (first, second)]
    return [scene.say(ATTRIBUTED, facts, subject, V=first, W=second)]
