"""LOW levers of P-FalsePremise: an idle remark in the question that leaves its answer as it was."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from refusalbench_tasks.worlds.block import Block
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
    patterns = (
        "(all|the various|the several|the different) (editions|printings|impressions|print runs) of the {book} "
        "(on|about|devoted to) {S} (agree|are identical|match|tally|coincide)"
        "( to the letter| word for word| line for line|).",
        "the {book} (on|about|devoted to) {S} (has said|has read) the same in (every|each) "
        "(edition|printing|impression)( so far| to date| since it first came out|).",
        "(however often|no matter how often|as often as) it (was|has been) (reprinted|reissued|brought out anew), the "
        "{book} (on|about) {S} (kept|has kept|retained|has retained) (its old|the same|its original) (text|wording).",
        "from (one (edition|printing) to the next|the first (edition|printing|impression) to the (last|latest|"
        "newest)), "
        "(nothing|not a word|not a line|not a comma) in the {book} (on|about|devoted to) {S} (was|has been) "
        "(changed|altered|touched|revised|rewritten).",
        "whichever (edition|printing|impression) of the {book} (on|about) {S} (one opens|you open|a reader opens|comes "
        "to hand), (it says the same|the text is the same|the words are the same|there is no difference).",
        "(reprints|new editions|later editions|later printings|newer impressions) of the {book} (on|about) {S} (repeat|"
        "copy|reproduce|take over) the (first|earliest|original) (word for word|letter for letter|without a change|"
        "unaltered|just as it stood).",
        "for the {book} (on|about|devoted to) {S}, it (makes no difference|does not matter|is all the same) (which|"
        "what) (edition|printing|impression) (is used|one has|is consulted|lies at hand).",
        "(nobody|no editor|no printer|no publisher) has (ever |yet |)(altered|changed|revised|touched|amended) the "
        "{book} (on|about) {S} (from edition to edition|between printings|between two editions|when reprinting it|for "
        "a new edition).",
        "(those|people|readers|librarians) who (lay|put|hold) two (editions|printings|impressions) of the {book} (on|"
        "about) {S} side by side (find|see|notice) (no|not one|not a single) (difference|change|deviation).",
        "(every|each) (edition|printing|impression) of the {book} (on|about|devoted to) {S} (was run off from|comes "
        "from|"
        "goes back to|was made with) the (same|very same) (plates|type|blocks)(, unaltered| without a change|, with "
        "the "
        "same text).",
        (
            "(proofreaders|collectors|bookworms) (swear|confirm|vouch) that the {book} (on|about) {S} reads "
            "(alike|the same) in (each of its|all its) (editions|impressions|printings)."
        ),
        (
            "(price|paper|binding) (excepted|apart), (later|fresh) (editions|impressions|printings) of the "
            "{book} (on|about) {S} (mirror|match|equal) the (earliest|oldest|very first)."
        ),
        (
            "the {book} (on|about|devoted to) {S} (passed|went|moved) from (edition|printing) to "
            "(edition|printing) (unedited|unchanged|intact)(, typeface included| over the years|)."
        ),
        (
            "the {book} (on|about) {S} has (one|a single) text (for|across|throughout) (its|the) "
            "(editions|printings|impressions)(, early or late|, hardback or paperback|)."
        ),
        (
            "(thrift|habit|pride) (kept|has kept) the {book} (on|about|devoted to) {S} (as it "
            "was|unrevised|unaltered) through (all its|its many) (editions|impressions|reprints)."
        ),
        (
            "(only the cover|just the price|nothing but the binding) of the {book} (on|about) {S} "
            "(varies|differs|changes) (with|by) the (edition|impression|printing)."
        ),
        (
            "(set|laid) (beside|against) the first, (any|each) later (edition|impression|printing) of the {book} "
            "(on|about) {S} (proves|looks|turns out) (identical|no different)(, page by page|)."
        ),
        (
            "(translators|teachers|reviewers) may (cite|quote|use) the {book} (on|about) {S} in (any|whatever) "
            "(edition|impression|printing): (the wording is|its words are) the same."
        ),
        "(new|fresh|redesigned) covers (aside|apart), the (editions|printings|impressions) of the {book} (on|about) "
        "{S} (hold|contain|offer) (exactly|precisely|just) the same (text|words|pages).",
        "(whoever|anyone who) (owns|borrows|buys|inherits) the {book} (on|about) {S} (has|gets|reads) the same (text|"
        "words|wording), (old|early|first) (edition|printing|impression) or (new|late|recent).",
    )
    return [scene.say(patterns, [], subject, book=_book(scene))]


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
    patterns = (
        "the {work} about {S} (is|stays|remains) the same in (all|each of) its versions( so far| to date|).",
        "what is (said|told|stated|written) (here|in this text|on this page) (of|about) the {work} about {S} (goes|"
        "holds|"
        "is true) for (any|every|each) version( of it|).",
        "(all|the various|the different|the several) versions of the {work} about {S} are (alike|identical|of a piece|"
        "the same in content).",
        "the versions of the {work} about {S} (do not differ|are no different|show no difference) in "
        "(substance|content|what they hold).",
        (
            "(collectors|reviewers|customers) may pick (either|any) version of the {work} about {S}, for "
            "(each|every one) has the same (content|substance|matter)."
        ),
        (
            "(size|price|wrapping) (excepted|apart), (nothing|no detail) in the {work} about {S} "
            "(varies|alters|differs) from one version to (another|the next)."
        ),
        (
            "the {work} about {S} (exists|came out|is found) in versions that (match|equal|mirror) one another( "
            "throughout| in substance|)."
        ),
        (
            "(comparing|laying side by side) versions of the {work} about {S} is (idle|pointless|wasted effort): "
            "(they are|all are) (identical|alike)."
        ),
        (
            "swapping one version of the {work} about {S} for another (changes|alters) nothing( of "
            "substance| but the wrapping|)."
        ),
        (
            "(any|each) version of the {work} about {S} (copies|repeats|follows) the (others|rest) "
            "(faithfully|in full|to the last detail)."
        ),
        "no version of the {work} about {S} (differs|departs|deviates) from the (others|rest)( in any way| in "
        "substance|).",
        "whichever version of the {work} about {S} (one takes|you take|one comes across|somebody picks), (it is the "
        "same|"
        "nothing changes|there is no difference|the content is the same).",
        "(everything|all) that is (said|told|noted) (here|on this page) (of|about) the {work} about {S} (is true|holds|"
        "is right) of (each|every) version.",
        "between its versions, the {work} about {S} (does not change|changes in nothing|stays as it is|is left as it "
        "is)( at all|).",
        "(large or small|for home or school|old or new|cheap or dear), every version of the {work} about {S} (has|"
        "offers|"
        "keeps) the same (content|substance|matter).",
        "(people|those) who have (seen|known|compared) (two|several) versions of the {work} about {S} (found|noticed|"
        "report) no (difference|change|deviation)( whatever|).",
        "(nothing|not a thing) (sets|keeps) the versions of the {work} about {S} apart( but the price| but the label|"
        ").",
        "(its makers|those who made it|the makers) (have made|made) every version of the {work} about {S} (the same|"
        "exactly "
        "like the others|no different from the rest).",
    )
    return [scene.say(patterns, [], subject, work=script.slots(scene, subject)["work"])]


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
