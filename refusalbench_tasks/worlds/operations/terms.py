"""Levers of P-EpistemicMismatch that ask whether a value word holds: with the text's own criterion, or without any."""

from collections.abc import Callable, Mapping, Sequence

from refusalbench_tasks.taxonomy import Intensity, PerturbationClass
from refusalbench_tasks.worlds.asking import Question
from refusalbench_tasks.worlds.block import Block
from refusalbench_tasks.worlds.lever import Lever, Told, lever
from refusalbench_tasks.worlds.operations.members import BELONGS
from refusalbench_tasks.worlds.operations.term_words import CLASSES, GRADES, RULES, SIDES, WORDINGS, Wording
from refusalbench_tasks.worlds.pack import Relation
from refusalbench_tasks.worlds.query import Ask
from refusalbench_tasks.worlds.scenario import Posed, each, has_whole, scenario
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.solve import Impure
from refusalbench_tasks.worlds.statement import Part, Rule, Statement, Verdict
from refusalbench_tasks.worlds.template import fill

EPISTEMIC, LOW, MEDIUM = PerturbationClass.EPISTEMIC, Intensity.LOW, Intensity.MEDIUM


def wording(relation: Relation) -> Wording:
    """Return how a value word is asked for of a relation. Raises KeyError if it is not."""
    return next(WORDINGS[tag] for tag in WORDINGS if tag in relation.tags)


def judged(*tags: str) -> Callable[[Relation], bool]:
    """Return the test whether a relation has one of the tags."""
    return lambda relation: bool(relation.tags & set(tags))


def says(scene: Scene, patterns: Sequence[str], said: Sequence[Statement], subject: str, **more: str) -> Block:
    """Return a sentence about a value word, with the slots that are the same in all of them."""
    words = wording(scene.relation)
    slots = scene.slots(subject)
    own = {"of": fill(words.of, slots), "one": fill(words.of_one, slots)}
    return scene.say(patterns, said, subject, W=scene.fixed[f"home of {subject}"], **small(own), **more)


def small(clauses: Mapping[str, str]) -> dict[str, str]:
    """Return clauses as they stand within a sentence."""
    return {name: text[:1].lower() + text[1:] for name, text in clauses.items()}


def home(scene: Scene, subject: str) -> Block:
    """Return the sentence that says where a thing belongs."""
    whole = scene.fixed[f"home of {subject}"]
    return scene.say(BELONGS, [Part(subject, whole)], subject, W=whole)


def settled(scene: Scene) -> None:
    """Give each of the two things a whole of its own."""
    kind = scene.pack.kinds[scene.relation.subject].whole
    scene.fixed |= {f"home of {subject}": scene.new(kind) for subject in (scene.a, scene.b)}


def graded(scene: Scene, subject: str) -> list[Block]:
    """Return the value, the home and the official grade of a thing."""
    holds, term = scene.rng.random() < 0.5, scene.fixed["term"]
    grade = term if holds else f"not {term}"
    return [
        scene.state(subject),
        home(scene, subject),
        says(scene, GRADES, [Verdict(subject, term, holds)], subject, grade=grade),
    ]


def _pose(scene: Scene, hard: Lever, soft: Lever) -> Posed:
    words = wording(scene.relation)
    term = scene.rng.choice([*words.more, *words.less])
    scene.fixed["term"] = term

    def question(subject: str) -> Question:
        text = fill(scene.rng.choice(words.asks), scene.slots(subject, {"term": term}))
        return Question(text, Ask("evaluate", scene.relation.name, (subject,), term=term))

    return each(scene, question, 2)


scenario("term", cast=settled, plain=graded, fits=has_whole)(_pose)
scenario("judged", cast=settled, plain=graded, fits=has_whole, topic="inns")(_pose)


def marked(scene: Scene, subject: str, above: bool, limit: str) -> dict[str, str]:
    """Return the clauses that say that a value is above, or below, a mark."""
    words = wording(scene.relation)
    clauses = {"more": words.over if above else words.under, "mark": words.mark, "side": SIDES[above]}
    return small({name: fill(one, {"S": subject, "L": limit}) for name, one in clauses.items()})


@lever(EPISTEMIC, LOW, "Evaluative Term with Explicit Threshold", scenario="term", fits=judged("price"))
@lever(EPISTEMIC, LOW, "Evaluative Term with Explicit Threshold", scenario="judged", fits=judged("investment", "taste"))
def threshold(scene: Scene, subject: str) -> Told:
    """State the value, and the mark above or below which the word holds at home."""
    relation, term, value = scene.relation, scene.fixed["term"], scene.value(subject)
    above = term in wording(relation).more
    limit = scene.rival(subject)
    if limit.number == value.number:
        raise Impure("the value is the mark itself")
    rule = Rule(scene.fixed[f"home of {subject}"], term, relation.name, above, limit)
    row = [
        scene.state(subject),
        home(scene, subject),
        says(scene, RULES, [rule], subject, term=term, **marked(scene, subject, above, str(limit))),
    ]
    return Told(row, [*row[:2], graded(scene, subject)[2]])


@lever(EPISTEMIC, LOW, "Minor vs Major (Definitional)", scenario="term", fits=judged("price"))
@lever(EPISTEMIC, LOW, "Minor vs Major (Definitional)", scenario="judged", fits=judged("investment", "taste"))
def official_grade(scene: Scene, subject: str) -> list[Block]:
    """State the value, and the official grade."""
    return graded(scene, subject)


@lever(EPISTEMIC, LOW, "Strict Containment", scenario="term", fits=judged("price"))
@lever(EPISTEMIC, LOW, "Strict Containment", scenario="judged", fits=judged("investment", "taste"))
def class_by_definition(scene: Scene, subject: str) -> list[Block]:
    """State the value, the class, and what holds of all that is in the class."""
    holds, term = scene.rng.random() < 0.5, scene.fixed["term"]
    grade = term if holds else f"not {term}"
    said = [Verdict(subject, term, holds)]
    row = says(scene, CLASSES, said, subject, grade=grade, c=scene.rng.choice("ABCDEFGH"))
    return [scene.state(subject), home(scene, subject), row]


@lever(EPISTEMIC, MEDIUM, "Expensive is Subjective", scenario="term", fits=judged("price"))
@lever(EPISTEMIC, MEDIUM, "Good Investment", scenario="judged", fits=judged("investment"))
@lever(EPISTEMIC, MEDIUM, "Taste Quality", scenario="judged", fits=judged("taste"))
def no_criterion(scene: Scene, subject: str) -> list[Block]:
    """State the value and the home, and nothing to hold the value against."""
    return [scene.state(subject), home(scene, subject)]
