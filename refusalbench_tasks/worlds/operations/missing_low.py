"""LOW levers of P-MissingInfo: a piece that nobody asks for is gone."""

from collections.abc import Sequence

from refusalbench_tasks.taxonomy import Intensity, PerturbationClass
from refusalbench_tasks.worlds.block import joined
from refusalbench_tasks.worlds.lever import Told, lever
from refusalbench_tasks.worlds.operations.group import measured, told_in_full
from refusalbench_tasks.worlds.operations.kept_answers import (
    COLOURED,
    COLOURS,
    COUNTED,
    DOUBLETS,
    EVERY,
    EXAMPLE,
    FINER,
    MEMBER,
    MONTHS,
    OPENERS,
    PEOPLE,
    REMARKS,
)
from refusalbench_tasks.worlds.pack import Relation
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.solve import Impure
from refusalbench_tasks.worlds.statement import Every, Fact, Part, Statement
from refusalbench_tasks.worlds.values import Value

MISSING, LOW = PerturbationClass.MISSING_INFO, Intensity.LOW


_PLAIN = ("{S} ", "{V} ", "The ")


def beside(scene: Scene, subject: str, patterns: Sequence[str], **slots: str | Value) -> Told:
    """Return the plain fact with a sentence beside it that has lost a piece."""
    fact = told_in_full(scene, subject) if scene.apart else scene.state(subject)
    row, original = scene.pieces(patterns, [], subject, **slots)
    return Told([fact, row], [fact, original])


def within(scene: Scene, subject: str, frames: Sequence[str], **slots: str | Value) -> Told:
    """Return the fact in a frame that has lost a piece."""
    value = scene.value(subject)
    fact = Fact(subject, scene.relation.name, value)
    row, original = scene.pieces(frames, [fact], subject, V=value, **slots)
    return Told([row], [original])


def _valued(relation: Relation) -> bool:
    return relation.type != "flag"


def _monthly(relation: Relation) -> list[str]:
    frames = [one for one in relation.states if "year" not in one]
    return [one for one in frames if any(f"{word} {{V}}" in one for word in ("in", "In", "since"))]


def _opened(relation: Relation) -> bool:
    return _valued(relation) and any(one.startswith(_PLAIN) for one in relation.states)


def _single(relation: Relation) -> bool:
    return relation.type != "flag" and not relation.many


@lever(MISSING, LOW, "Delete Color Adjective", scenario="aggregate", fits=measured)
@lever(MISSING, LOW, "Delete Color Adjective", fits=lambda relation: "colour" not in relation.tags)
def delete_colour_adjective(scene: Scene, subject: str) -> Told:
    """Leave out a colour word."""
    return beside(scene, subject, COLOURED, colour=scene.rng.choice(COLOURS))


@lever(MISSING, LOW, "Strip Non-queried Statistic", fits=_valued)
def strip_non_queried_statistic(scene: Scene, subject: str) -> Told:
    """Leave out a number that is not asked for."""
    return beside(scene, subject, COUNTED, n=str(scene.rng.randint(12, 97)))


@lever(MISSING, LOW, "Secondary Actor Cut", scenario="aggregate", fits=measured)
@lever(MISSING, LOW, "Secondary Actor Cut")
def secondary_actor_cut(scene: Scene, subject: str) -> Told:
    """Leave out somebody who only stood by."""
    return beside(scene, subject, PEOPLE, P=scene.names.person())


@lever(MISSING, LOW, "Redundant Synonym Skipped", scenario="aggregate", fits=measured)
@lever(MISSING, LOW, "Redundant Synonym Skipped")
def redundant_synonym_skipped(scene: Scene, subject: str) -> Told:
    """Leave out one word of a pair."""
    return beside(scene, subject, DOUBLETS)


@lever(MISSING, LOW, "Parenthetical Excise", fits=_valued)
def parenthetical_excise(scene: Scene, subject: str) -> Told:
    """Leave out a remark in brackets."""
    remark = scene.rng.choice(REMARKS)
    frames = [one for one in scene.relation.states if "{S}'" not in one]
    return within(scene, subject, [one.replace("{S}", f"{{S}}[{remark}]", 1) for one in frames])


@lever(MISSING, LOW, "Intro Clause Removal", fits=_opened)
def intro_clause_removal(scene: Scene, subject: str) -> Told:
    """Leave out a flourish before the sentence."""
    opener = scene.rng.choice(OPENERS)
    frames = [one for one in scene.relation.states if one.startswith(_PLAIN)]
    return within(scene, subject, [f"[{opener}]{one[0].lower()}{one[1:]}" for one in frames])


@lever(MISSING, LOW, "Remove City Phrase", fits=lambda relation: relation.type == "place")
def remove_city_phrase(scene: Scene, subject: str) -> Told:
    """Leave out where in the place that is asked for."""
    finer = scene.rng.choice(FINER)
    return within(scene, subject, [one.replace("{V}", f"[{finer}]{{V}}") for one in scene.relation.states])


@lever(MISSING, LOW, "Trim Month but Keep Year", fits=lambda one: one.type == "year" and bool(_monthly(one)))
def trim_month_but_keep_year(scene: Scene, subject: str) -> Told:
    """Leave out the month of a year that is asked for."""
    frames = [one.replace("{V}", "[{month} ]{V}") for one in _monthly(scene.relation)]
    return within(scene, subject, frames, month=scene.rng.choice(MONTHS))


@lever(MISSING, LOW, "Drop Example Sentence", fits=_single)
def drop_example_sentence(scene: Scene, subject: str) -> Told:
    """State a rule for all and leave out the case that showed it."""
    if not scene.whole:
        raise Impure("a rule for all parts needs a whole")
    value, example = scene.value(subject), scene.thing()
    name = scene.relation.name
    rule = scene.say(EVERY, [Every(scene.whole, name, value)], subject, V=value)
    shown: list[Statement] = [Part(example, scene.whole), Fact(example, name, value)]
    case = scene.say(EXAMPLE, shown, subject, V=value, T=example)
    part = scene.say(MEMBER, [Part(subject, scene.whole)], subject)
    return Told([rule, part], [joined(rule, case), part])
