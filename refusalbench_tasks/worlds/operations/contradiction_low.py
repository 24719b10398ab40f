"""LOW levers of P-Contradiction: something clashes, and the answer stands."""

import re
from dataclasses import replace

from refusalbench_tasks.taxonomy import Intensity, PerturbationClass
from refusalbench_tasks.worlds.block import Block
from refusalbench_tasks.worlds.lever import Told, lever
from refusalbench_tasks.worlds.operations.contradiction_rules import disputed
from refusalbench_tasks.worlds.operations.settled_clashes import (
    ADDED,
    CALLED,
    GRADES,
    OPPOSED,
    PET_ENDS,
    PRICES,
    ROUGHLY,
    TITLES,
    UNEXPECTED,
    VOUCHED,
)
from refusalbench_tasks.worlds.operations.telling import clause, quoted, terms
from refusalbench_tasks.worlds.pack import Relation
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.solve import Impure
from refusalbench_tasks.worlds.statement import Alias, Fact
from refusalbench_tasks.worlds.values import SUMMED, Value

CONTRADICTION, LOW = PerturbationClass.CONTRADICTION, Intensity.LOW

_STEM = re.compile(r"[^aeiou]*[aeiou][^aeiou]?", re.IGNORECASE)
"""The first syllable of a name."""


def _figure(relation: Relation) -> bool:
    return relation.type in SUMMED


def _functional(relation: Relation) -> bool:
    return relation.type != "flag" and not relation.many


def rounded(value: Value) -> Value:
    """Return a number with fewer digits, at most a twentieth away. Raises Impure if there is none."""
    number = int(value.number)
    for step in (1000, 100, 10):
        near = (number + step // 2) // step * step
        if near != number and abs(near - number) * 20 <= number:
            return replace(value, content=near)
    raise Impure(f"{number} has no rounder number near it")


def _other(scene: Scene, fits: object) -> Relation:
    other = scene.another(fits)  # type: ignore[arg-type]
    if other is None:
        raise Impure("no other relation of this kind")
    return other


@lever(CONTRADICTION, LOW, "Minor Numeric Rounding")
def minor_rounding(scene: Scene, subject: str) -> Told:
    """Repeat a figure that nobody asks for with fewer digits."""
    other = _other(scene, _figure)
    exact = scene.value(subject, other)
    fact, figure = scene.state(subject), scene.state(subject, other)
    return Told([fact, figure, scene.state(subject, other, rounded(exact))], [fact, figure])


@lever(CONTRADICTION, LOW, "Peripheral Attribute Clash")
def peripheral_clash(scene: Scene, subject: str) -> Told:
    """Let two sentences disagree about something else, in plain words or in those of rules and certainty."""
    other = _other(scene, _functional)
    fact = scene.state(subject)
    if scene.rng.random() < 0.5:
        first, second = disputed(scene.turned(other), subject)
    else:
        first, second = scene.state(subject, other), scene.state(subject, other, scene.rival(subject, other))
    return Told([fact, first, second], [fact, first])


@lever(CONTRADICTION, LOW, "Fringe vs. Official Source")
def fringe_and_official(scene: Scene, subject: str) -> list[Block]:
    """Let hearsay disagree with an official source."""
    official, fringe = scene.source(2), scene.source(0)
    return [
        quoted(scene, subject, scene.value(subject), official, 2),
        quoted(scene, subject, scene.rival(subject), fringe, 0),
    ]


@lever(CONTRADICTION, LOW, "Soft Antonym Modifiers", fits=_figure)
def soft_antonyms(scene: Scene, subject: str) -> Told:
    """Let people call a measured figure small and large."""
    low, high = scene.rng.choice(PRICES if scene.relation.type == "money" else GRADES)
    fact = scene.state(subject)
    return Told([fact, scene.say(OPPOSED, [], subject, low=low, high=high, **terms(scene, subject))], [fact])


@lever(CONTRADICTION, LOW, "Nickname vs Legal Name", fits=lambda relation: relation.type == "person")
def nickname(scene: Scene, subject: str) -> Told:
    """Name the same person twice, once by a pet name."""
    value = scene.value(subject)
    first, *family = str(value).split()
    stem = _STEM.match(first)
    assert stem is not None
    nick = Value("person", " ".join([f"{stem[0]}{scene.rng.choice(PET_ENDS)}", *family]))
    fact = scene.state(subject)
    other = scene.framed(subject, str(nick), [Fact(subject, scene.relation.name, nick)])
    same = scene.say(CALLED, [Alias(str(nick), str(value))], subject, nick=nick, V=value)
    return Told([fact, other, same], [fact])


@lever(CONTRADICTION, LOW, "Approx vs Exact", fits=_figure)
def approximate_and_exact(scene: Scene, subject: str) -> Told:
    """Give the same figure once more, in round numbers."""
    value = scene.value(subject)
    near = rounded(value)
    fact = scene.state(subject)
    about = Fact(subject, scene.relation.name, near, about=True)
    return Told([fact, scene.say(ROUGHLY, [about], subject, R=near, **terms(scene, subject, near))], [fact])


@lever(CONTRADICTION, LOW, "Contradiction in Speaker's Title")
def two_titles(scene: Scene, subject: str) -> list[Block]:
    """Give two titles of the one who vouches for the fact."""
    first, second = scene.rng.sample(scene.rng.choice(TITLES), 2)
    person = scene.names.person()
    fact = Fact(subject, scene.relation.name, scene.value(subject), source=person)
    return [
        clause(scene, subject, fact, VOUCHED, title=first),
        scene.say(ADDED, [], subject, source=person, title=second),
    ]


@lever(CONTRADICTION, LOW, "Contradiction via Downstream Effect", fits=_functional)
def downstream_effect(scene: Scene, subject: str) -> Told:
    """Report what one would not have expected, which the fact allows all the same."""
    fact = scene.state(subject)
    surprise = scene.say(UNEXPECTED, [], subject)
    whole = Block((*fact.sentences, *surprise.sentences))
    return Told([whole], [fact])
