"""Levers of P-EpistemicMismatch that ask what should be, or what is wrong: settled by a by-law or a code, or not."""

from refusalbench_tasks.taxonomy import Intensity, PerturbationClass
from refusalbench_tasks.worlds.asking import Question
from refusalbench_tasks.worlds.block import Block
from refusalbench_tasks.worlds.lever import Lever, lever
from refusalbench_tasks.worlds.operations.practices import CODES, KNOWN, PRACTICES, WRONG
from refusalbench_tasks.worlds.operations.terms import home, judged, settled
from refusalbench_tasks.worlds.query import Ask
from refusalbench_tasks.worlds.scenario import Posed, each, has_whole, scenario
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.statement import Verdict
from refusalbench_tasks.worlds.template import fill

EPISTEMIC, LOW, MEDIUM = PerturbationClass.EPISTEMIC, Intensity.LOW, Intensity.MEDIUM

CHANGES = ("raised", "lowered", "increased", "reduced")
SHOULD = (
    "Should the {attribute} of {S} be {changed}?",
    "Ought the {attribute} of {S} to be {changed}?",
    "Is the {attribute} of {S} something that should be {changed}?",
    "As for the {attribute} of {S}, should it be {changed}?",
)
_DUTIES = {
    True: {
        "{must}": "(must|has to|shall|needs to)",
        "{is_to}": "(is due|is bound|is required) to be",
        "{oblige}": "(oblige|compel|require)",
    },
    False: {
        "{must}": "(must not|may not|shall not|is not to)",
        "{is_to}": "(is not allowed|is not free|is not permitted) to be",
        "{oblige}": "(forbid|do not allow|do not permit)",
    },
}
_LAWS = "(by-laws|statutes|standing orders|articles)"
_BY_LAWS: tuple[str, ...] = (
    f"{{S}} is a class {{c}} {{noun}}, and by the {_LAWS} of {{W}} the {{attribute}} of (every|each|any) such {{noun}} "
    "{must} be {changed}.",
    f"under the {_LAWS} (of|in force at|that hold for) {{W}} the {{attribute}} {{must}} be {{changed}} (at|for|of) any "
    "class {c} {noun}, and {S} is one.",
    f"{{S}} is a class {{c}} {{noun}}; for all of (these|that class) the {_LAWS} of {{W}} (lay down|say|provide|rule) "
    "that the {attribute} {must} be {changed}.",
    f"the {_LAWS} of {{W}} {{oblige}} any class {{c}} {{noun}}, of which {{S}} is one, to have its {{attribute}} "
    "{changed}.",
    f"(paragraph|article|rule|section) (two|three|five|six|nine) of the {_LAWS} of {{W}} (says|lays down|reads) that "
    f"the "
    "{attribute} {must} be {changed} wherever a {noun} is in class {c}, (as {S} is|and {S} is in it|which goes for "
    "{S}).",
    f"(as|being|since it is) a class {{c}} {{noun}}, {{S}} (falls|comes) under a (rule|clause|line) in the {_LAWS} of "
    "{W} (by|under) which the {attribute} {is_to} {changed}.",
    f"(ranked|sorted|filed) in class {{c}}, {{S}} is (subject to|bound by) the {_LAWS} of {{W}}, and (these|they) say "
    "that (in|for|throughout) this class the {attribute} {must} be {changed}.",
    f"{{W}} has {_LAWS} (that|which) {{oblige}} all of class {{c}} to have their {{attribute}} {{changed}}, and {{S}} "
    f"(is "
    "in|belongs to|is part of) that class.",
    f"for class {{c}}, (which|and that class) (takes in|includes|covers) {{S}}, the {_LAWS} of {{W}} (are clear|leave "
    f"no "
    "doubt|speak plainly): the {attribute} {must} be {changed}.",
    "it (stands|is written|can be read) (in black and white|in plain words|on the first page) in the "
    f"{_LAWS} of {{W}}: in class {{c}}, (that of|where one finds|which is the class of) {{S}}, the {{attribute}} "
    f"{{must}} "
    "be {changed}.",
)


def _by_laws(holds: bool) -> tuple[str, ...]:
    found = _BY_LAWS
    for slot, words in _DUTIES[holds].items():
        found = tuple(one.replace(slot, words) for one in found)
    return found


BY_LAWS = {holds: _by_laws(holds) for holds in (True, False)}


def obliged(scene: Scene, subject: str) -> list[Block]:
    """Return the value, and the by-law that obliges or forbids."""
    holds, changed = scene.rng.random() < 0.5, scene.fixed["changed"]
    law = scene.say(
        BY_LAWS[holds],
        [Verdict(subject, f"{changed} {scene.relation.name}", holds)],
        subject,
        changed=changed,
        W=scene.fixed[f"home of {subject}"],
        c=scene.rng.choice("ABCDEFGH"),
    )
    return [scene.state(subject), home(scene, subject), law]


@scenario("should", cast=settled, plain=obliged, fits=has_whole)
def should_it(scene: Scene, hard: Lever, soft: Lever) -> Posed:
    """Ask whether a value should be changed."""
    changed = scene.rng.choice(CHANGES)
    scene.fixed["changed"] = changed

    def question(subject: str) -> Question:
        text = fill(scene.rng.choice(SHOULD), scene.slots(subject, {"changed": changed}))
        term = f"{changed} {scene.relation.name}"
        return Question(text, Ask("norm", scene.relation.name, (subject,), term=term))

    return each(scene, question)


@lever(EPISTEMIC, LOW, "Strict Containment", scenario="should", fits=judged("price"))
def within_the_by_laws(scene: Scene, subject: str) -> list[Block]:
    """State the value, and the class for which the by-laws settle it."""
    return obliged(scene, subject)


@lever(EPISTEMIC, MEDIUM, "Normative 'Should' from Facts", scenario="should", fits=judged("price"))
def no_by_law(scene: Scene, subject: str) -> list[Block]:
    """State the value, and no rule."""
    return [scene.state(subject), home(scene, subject)]


def by_the_code(scene: Scene, subject: str) -> list[Block]:
    """Return the practice, and the code that settles whether it is wrong."""
    holds, practice = scene.rng.random() < 0.5, scene.fixed["practice"]
    code = scene.say(CODES[holds], [Verdict(subject, practice, holds)], subject, practice=practice)
    return [scene.say(KNOWN, [], subject, practice=practice), code]


@scenario("wrong", plain=by_the_code, topic="inns")
def is_it_wrong(scene: Scene, hard: Lever, soft: Lever) -> Posed:
    """Ask whether a practice is wrong."""
    practice = scene.rng.choice(PRACTICES)
    scene.fixed["practice"] = practice

    def question(subject: str) -> Question:
        text = fill(scene.rng.choice(WRONG), scene.slots(subject, {"practice": practice}))
        return Question(text, Ask("moral", "", (subject,), term=practice))

    return each(scene, question)


@lever(EPISTEMIC, LOW, "Minor vs Major (Definitional)", scenario="wrong")
def classed_by_a_code(scene: Scene, subject: str) -> list[Block]:
    """State the practice and its class under the code that binds the thing."""
    return by_the_code(scene, subject)


@lever(EPISTEMIC, MEDIUM, "Ethical Stance", scenario="wrong")
def no_code(scene: Scene, subject: str) -> list[Block]:
    """State the practice alone."""
    return [scene.say(KNOWN, [], subject, practice=scene.fixed["practice"])]
