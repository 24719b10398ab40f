"""LOW levers of P-FalsePremise: an idle remark in the question that leaves its answer as it was."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from refusalbench_tasks.worlds.block import Block
from refusalbench_tasks.worlds.operations.all_alike import EDITIONS, VARIANTS
from refusalbench_tasks.worlds.operations.asides import add_on, aside, parent, prize
from refusalbench_tasks.worlds.pack import Relation
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.script import Script
from refusalbench_tasks.worlds.solve import Impure
from refusalbench_tasks.worlds.template import fill

PEOPLE = frozenset({"doctor", "coach", "manager", "teacher"})
"""Kinds of things that are persons."""
PAPERS = frozenset({"contract", "framework", "appendix"})
"""Kinds of things that win no prize and are in nobody's hands."""


def anywhere(script: Script | None) -> bool:
    """Return True: the remark can be made in any question."""
    return True


@dataclass(frozen=True)
class Remark:
    """An idle remark: how the question is changed, and what the text says beside the answer so that it stays idle."""

    lever: str
    reword: Callable[[Scene, str, str, Script | None], str]
    beside: Callable[[Scene, str, Script | None], list[Block]] = lambda scene, subject, script: []
    suits: Callable[[Script | None], bool] = anywhere
    fits: Callable[[Relation], bool] = lambda relation: True
    """Whether it can be made in a question about a relation of a pack."""
    apart: frozenset[str] = frozenset()
    """Kinds of things that it cannot be said of."""


def before(phrase: str, subject: str, question: str) -> str:
    """Return the question behind an opening phrase. Raises Impure if it begins with a name."""
    if question.startswith((subject, "Ms ", "Mr ")):
        raise Impure("the question begins with a name")
    return f"{phrase}{question[0].lower()}{question[1:]}"


BOOKS = (
    *("handbook", "primer", "pamphlet", "leaflet", "compendium", "guidebook", "monograph", "reference book"),
    *("fact sheet", "memorandum", "treatise", "digest", "almanac", "manifesto", "gazetteer", "anthology", "sourcebook"),
    *("chapbook", "white paper", "picture guide", "companion volume", "souvenir book"),
)
"""What is printed about a thing; a quad shares one."""


def _book(scene: Scene) -> str:
    return scene.once("", "book", lambda: scene.rng.choice(BOOKS))


def edition(scene: Scene, subject: str, question: str, script: Script | None) -> str:
    """Ask by a second edition of which the text does not speak. Raises Impure if the thing is only described."""
    if subject not in question:
        raise Impure("the thing is not to be named")
    phrases = (
        "(Going by|According to|Judging by) the second (edition|printing|impression) of the {book} (on|about) {S}, ",
        "By what the second (edition|printing|impression) of the {book} (on|about) {S} (says|states), ",
    )
    return before(fill(scene.rng.choice(phrases), {"S": subject, "book": _book(scene)}), subject, question)


def every_edition(scene: Scene, subject: str, script: Script | None) -> list[Block]:
    """Say that what is told holds for any edition."""
    return [scene.say(EDITIONS, [], subject, book=_book(scene))]


def years(scene: Scene, subject: str, question: str, script: Script | None) -> str:
    """Ask for a span of years of which the text does not speak, in front of what does not depend on time."""
    first = int(scene.once("", "span", lambda: str(scene.rng.randint(1961, 2009))))
    assert script is not None
    phrases = _MEASURED if script.type == "measure" else _PRINTED
    past = re.sub(r"\b(is|are|has|does|comes|go)\b", lambda found: _PAST[found[0]], question, count=1)
    return before(fill(scene.rng.choice(phrases), {"y": str(first), "z": str(first + 4)}), subject, past)


_MEASURED = (
    "By the (measurements|survey|records) of {y} to {z}, ",
    "In the (survey|measurements) of {y} to {z}, ",
    "Between {y} and {z}, ",
)
_PRINTED = ("In the printings of {y} to {z}, ", "From {y} to {z}, ", "Between {y} and {z}, ")
_PAST = {"is": "was", "are": "were", "has": "had", "does": "did", "comes": "came", "go": "went"}


def capital(scene: Scene, subject: str, question: str, script: Script | None) -> str:
    """Give the town a title that the text does not know."""
    assert script is not None
    phrases = ("the capital of {K} province", "the seat of {K} county", "the largest town of the {K} islands")
    return aside(scene, script.slots(scene, subject)["K"], question, phrases)


def committee(scene: Scene, subject: str, question: str, script: Script | None) -> str:
    """Seat the one who is asked for on a committee that the text does not know."""
    if not question.startswith("Who "):
        raise Impure("the question asks for nobody")
    name = scene.once("", "committee", scene.names.word)
    phrases = ("as a member of the {K} Committee", "sitting on the {K} Board", "from the {K} Commission")
    return f"Who, {scene.rng.choice(phrases).replace('{K}', name)}, {question.removeprefix('Who ')}"


def variant(scene: Scene, subject: str, question: str, script: Script | None) -> str:
    """Ask about a version of which the text does not speak."""
    assert script is not None
    work = script.slots(scene, subject)["work"]
    return question.replace(f"the {work} ", f"the {scene.rng.choice(_VERSIONS[work])} version of the {work} ", 1)


_VERSIONS = {
    **dict.fromkeys(("film", "dance", "song"), ("school", "television")),
    **dict.fromkeys(("board game", "jigsaw puzzle"), ("travel", "school")),
    **dict.fromkeys(("booklet", "brochure", "picture book", "quiz book", "calendar"), ("pocket", "large-print")),
    **dict.fromkeys(("wall map", "puzzle", "quiz", "riddle", "game", "contest"), ("school", "large-print")),
}
"""The versions that there may be of a work."""


def every_variant(scene: Scene, subject: str, script: Script | None) -> list[Block]:
    """Say that all versions are alike."""
    assert script is not None
    return [scene.say(VARIANTS, [], subject, work=script.slots(scene, subject)["work"])]


def _same_in_versions(script: Script | None) -> bool:
    # that versions are alike settles what is in a work and who made it, but not how many copies of one were sold
    return (
        script is not None
        and all("work" in line for line in script.choices)
        and (script.timeless or script.type == "person")
    )


def nowhere(relation: Relation) -> bool:
    """Return False: the remark can be made in no question about a relation of a pack."""
    return False


def _is_timeless(script: Script | None) -> bool:
    return script is not None and script.timeless


def _names_a_town(script: Script | None) -> bool:
    return script is not None and script.town


def _asks_for_a_person(script: Script | None) -> bool:
    return script is not None and script.type == "person"


REMARKS = (
    Remark("Imaginary Add-on", add_on, apart=PEOPLE),
    Remark("Assumed Second Edition", edition, every_edition, fits=lambda relation: "second" not in relation.tags),
    Remark("Over-specific Year", years, suits=_is_timeless, fits=nowhere),
    Remark("False Corporate Parent Claim", parent, apart=PEOPLE | PAPERS),
    Remark("Award Presupposition", prize, apart=PAPERS),
    Remark("Misstated Capital City", capital, suits=_names_a_town, fits=nowhere),
    Remark("Imagined Product Variant", variant, every_variant, _same_in_versions, nowhere),
    Remark("Non-existent Committee", committee, suits=_asks_for_a_person, fits=nowhere),
)
"""The idle remarks, by published name."""
