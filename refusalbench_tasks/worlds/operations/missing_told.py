"""Levers of P-MissingInfo that tell the event or the thing, and leave out the clause that is asked for."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

from refusalbench_tasks.taxonomy import Intensity, PerturbationClass
from refusalbench_tasks.worlds.block import Block, block, joined
from refusalbench_tasks.worlds.lever import Told, lever
from refusalbench_tasks.worlds.pack import EVERYDAY, Pack, Relation, pack
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.talk import AFTERMATH, FINDINGS, SPOKEN
from refusalbench_tasks.worlds.template import drawn

MISSING, MEDIUM, HIGH = PerturbationClass.MISSING_INFO, Intensity.MEDIUM, Intensity.HIGH

TURNED = (
    "At this point the entry turns to other matters.",
    "Here the page goes on to something else.",
    "The rest of the entry thanks those who helped with it.",
    "The lines after that are about other matters.",
    "From there the notes go on to other things.",
    "What follows is about the weather of that year.",
    "The next page is taken up by advertisements.",
    "After this the writer turns to his garden.",
)
BLURRED = (
    "A visitor asked for the entry on the {attribute} of {S} with the old map.",
    "Somebody read out the note on the {attribute} of {S} from the back row.",
    "A clerk copied the page on the {attribute} of {S} with the green ribbon.",
    "One member looked up the entry on the {attribute} of {S} from the reading room.",
    "A colleague copied the note on the {attribute} of {S} with the blunt pencil.",
    "A student copied the note on the {attribute} of {S} with the short ruler.",
    "An archivist looked up the page on the {attribute} of {S} with the torn cover.",
    "A trainee read out the entry on the {attribute} of {S} from the gallery.",
)
DEED = (
    "In the presence of two witnesses, {P} slowly put down the {attribute} of {S} in ink.",
    "{P} announced the {attribute} of {S} at breakfast, with a short speech.",
    "On the stairs, {P} told the others the {attribute} of {S}, and they nodded.",
    "{P} whispered the {attribute} of {S} to a colleague during the break.",
    "After a long search, {P} found the {attribute} of {S} and read it out with a smile.",
    "To everyone's relief, {P} announced the {attribute} of {S} before lunch.",
    "{P} wrote the {attribute} of {S} on a napkin and put it away.",
    "Over the phone, {P} read out the {attribute} of {S} slowly and clearly.",
    "{P} noted down the {attribute} of {S} in tiny letters.",
    "In a quiet corner, {P} told the others the {attribute} of {S}.",
)
HEARD = (
    "All findings had been read out, and only the decision was left.",
    "The last papers were read, and the doors were closed for the decision.",
    "All that could be said on it had been said, and those who had to decide withdrew.",
    "By the evening everybody had been heard, and the account ends before the decision.",
)
ECHOED = (
    "In the margin somebody has written once more: {V}.",
    "The words on the cover are the same: {V}.",
    "Underlined twice on the same page: {V}.",
    "The card that was pinned to the page reads: {V}.",
)

Fits = Callable[[Relation], bool]


def told(*types: str, tag: str = "", but: Sequence[str] = ()) -> Fits:
    """Return the test for relations of some types that can be spoken of without their value."""

    def fits(relation: Relation) -> bool:
        tagged = (not tag or tag in relation.tags) and not relation.tags & {*but}
        return bool(relation.bare) and relation.type in types and tagged

    return fits


def _bare_and(scene: Scene, subject: str, patterns: Sequence[str]) -> list[Block]:
    return [joined(scene.bare(subject), scene.say(patterns, [], subject))]


@lever(MISSING, MEDIUM, "Missing Temporal Adjunct", fits=told("year", "date", "time"), echo=True)
@lever(MISSING, HIGH, "Agent Deletion", fits=told("person"), echo=True)
def told_without(scene: Scene, subject: str) -> list[Block]:
    """Tell the event without its date, or without who did it."""
    return [scene.bare(subject)]


@lever(
    MISSING,
    MEDIUM,
    "Answer Clause Excised",
    fits=told("count", "money", "measure", "kind", "names", "year", "date"),
    echo=True,
)
def answer_clause_excised(scene: Scene, subject: str) -> list[Block]:
    """Cut the clause that holds the answer out of an entry."""
    return _bare_and(scene, subject, TURNED)


@lever(MISSING, HIGH, "Patient Erasure", fits=lambda relation: relation.type in ("kind", "names"), echo=True)
def patient_erasure(scene: Scene, subject: str) -> list[Block]:
    """Tell who did what with the value, when and how, and not what it is."""
    return [scene.say(DEED, [], subject, P=scene.names.person())]


@lever(MISSING, HIGH, "Verdict/Outcome Removal", fits=told("kind", "flag", tag="outcome"), echo=True)
def outcome_removal(scene: Scene, subject: str) -> list[Block]:
    """Break off before the decision."""
    return _bare_and(scene, subject, HEARD)


@lever(MISSING, HIGH, "Cause Omission", fits=told("kind", tag="cause"), echo=True)
def cause_omission(scene: Scene, subject: str) -> list[Block]:
    """Tell what followed, and not why it came to that."""
    return _bare_and(scene, subject, AFTERMATH)


@lever(MISSING, HIGH, "Method Section Removed", fits=told("kind", tag="method"), echo=True)
def method_section_removed(scene: Scene, subject: str) -> list[Block]:
    """Praise what came of it, and leave out how it was done."""
    return _bare_and(scene, subject, FINDINGS)


@lever(
    MISSING, MEDIUM, "Adjunct/Complement Blur", fits=lambda relation: relation.type not in ("flag", "place"), echo=True
)
def adjunct_blur(scene: Scene, subject: str) -> list[Block]:
    """Put a phrase that may belong to verb or noun where the answer would stand."""
    return [scene.say(BLURRED, [], subject)]


@lever(
    MISSING,
    HIGH,
    "Answer Token Purge",
    fits=lambda relation: relation.type in ("person", "place", "count", "money", "measure", "year"),
    operators=("value",),
    echo=True,
)
def answer_token_purge(scene: Scene, subject: str) -> Told:
    """Leave out every word of the answer, also where it stands in another role."""
    value = scene.value(subject)
    echo = scene.say(ECHOED, [], subject, V=value)
    words = frozenset(re.findall(r"\w+", str(value).removesuffix(value.unit)))
    return Told([scene.say(SPOKEN, [], subject)], [joined(scene.state(subject), echo)], words)


@lever(MISSING, HIGH, "Entirely Irrelevant Context")
def entirely_irrelevant_context(scene: Scene, subject: str) -> list[Block]:
    """Speak of things of another world, and of nothing that the question is about."""
    other = pack(scene.rng.choice([name for name in EVERYDAY if name != scene.pack.domain]))
    relation = scene.rng.choice([one for one in other.relations if one.type != "flag"])
    away = replace(scene, pack=other, relation=relation, side=relation)
    alike = [one for one in other.kinds[relation.subject].names if may_name(scene.pack, one)]
    return [block(drawn(scene.rng.choice(other.idle), scene.rng)), away.state(away.new(relation.subject, alike))]


def may_name(of: Pack, pattern: str) -> bool:
    """Return whether a name of a pattern could be that of a thing of a domain: an archive, a program or a building."""
    return bool(_names(of.domain).search(pattern.replace("{n}", "Zorbel")))


@cache
def _names(domain: str) -> re.Pattern[str]:
    own = (one.partition("{n}") for kind in pack(domain).kinds.values() for one in kind.names)
    return re.compile("|".join(rf"\b{re.escape(before)}\w+{re.escape(after)}\b" for before, _, after in own))
