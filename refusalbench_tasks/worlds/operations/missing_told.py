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
from refusalbench_tasks.worlds.spoken import SPOKEN
from refusalbench_tasks.worlds.talk import AFTERMATH, FINDINGS
from refusalbench_tasks.worlds.template import drawn

MISSING, MEDIUM, HIGH = PerturbationClass.MISSING_INFO, Intensity.MEDIUM, Intensity.HIGH

TURNED = (
    "at this point the (entry|page|record) (turns|passes|moves on) to (other matters|something else|repairs to the "
    "fence).",
    "here the (page|column|sheet) (goes on|continues|moves on) to (something else|other news|the postage rates).",
    "the rest of the (entry|page|article) (thanks|praises) those who (helped|lent a hand)( with it|).",
    "the (lines|paragraphs|sentences) (after that|below|that follow) are about (other matters|the roof|a picnic|the "
    "car park).",
    "from there the (notes go|writer goes|page goes) on to (other things|a joke|old memories).",
    "what (follows|comes next) is about the weather (of that year|in those weeks|of that summer).",
    "the next (page|column|sheet) is taken up by (advertisements|recipes|a crossword|a map of bus routes).",
    "after this the writer turns to (his garden|gardening tips|a recipe for soup).",
    "(a coffee stain|a fold|an inkblot) (hides|covers|blots out) the (rest|lines below|end) of the (page|entry|"
    "column).",
    "(then|there|just there) the (page|sheet|paper) (ends|breaks off|is torn off)(, in the middle of a line| at the "
    "edge|).",
    "(a drawing|a photograph|a cartoon) of (a cat|a cart|a lighthouse) (fills|takes up) the rest of the (page|sheet|"
    "column).",
)
BLURRED = (
    "a (visitor|caller|reader) asked for the (entry|page|note) on the {attribute} of {S} with the (old|folded|faded) "
    "(map|catalogue|ticket).",
    "somebody read out the (note|entry|page) on the {attribute} of {S} from the (back row|gallery|balcony|top shelf).",
    "a (clerk|typist|trainee) copied the (page|note|entry) on the {attribute} of {S} with the (green|broad|torn) "
    "(ribbon|margin|label).",
    "one (member|guest|student) looked up the (entry|note|page) on the {attribute} of {S} from the (reading room|attic|"
    "side wing).",
    "a (colleague|cousin|neighbour) copied the (note|page) on the {attribute} of {S} with the (blunt|cheap|stubby) "
    "(pencil|crayon|biro).",
    "a (student|pupil|apprentice) copied the (note|entry) on the {attribute} of {S} with the (short|wooden|bent) "
    "(ruler|pointer|pen).",
    (
        "a (nun|sailor|postman) noted down the {attribute} of {S} from the (memo|card|scroll) in the "
        "(attic|chapel|boathouse)."
    ),
    (
        "an (actress|usher|engineer) studied the (record|card|line) on the {attribute} of {S} with the "
        "(cracked|borrowed|folding) (lens|lamp|spectacles)."
    ),
    (
        "(somebody|a dentist|a violinist) went through the (record|clipping|line) on the {attribute} of {S} "
        "in the (tray|rack|drawer|alcove)."
    ),
    (
        "a (nephew|florist|linguist) asked for the (clipping|record|card) on the {attribute} of {S} from the "
        "(vault|pantry|depot|kiosk)."
    ),
    (
        "a (chemist|pilot|milkmaid) studied the (remark|line|passage) on the {attribute} of {S} in the "
        "(foyer|lift|conservatory)."
    ),
    "an (archivist|editor|assistant) looked up the (page|note) on the {attribute} of {S} with the (torn|stained|"
    "linen) (cover|corner|binding).",
    "a (trainee|porter|journalist) read out the (entry|note) on the {attribute} of {S} from the (gallery|landing|"
    "window|far end).",
)
DEED = (
    "in the presence of (two|several|a few) (witnesses|guests|colleagues), {P} (slowly|carefully|solemnly) put down "
    "the {attribute} of {S} in ink.",
    "{P} announced the {attribute} of {S} (at breakfast|over coffee|after supper), with a (short|funny|dull) (speech|"
    "preface|joke).",
    "on the (stairs|landing|terrace), {P} told the others the {attribute} of {S}, and (they|all) (nodded|smiled|"
    "shrugged|took notes).",
    "{P} whispered the {attribute} of {S} to a (colleague|neighbour|cousin) during the (break|concert|meeting|walk).",
    "after a (long|tiresome|patient) (search|wait), {P} found the {attribute} of {S} and read it out (with|without) a "
    "(smile|sigh|nod|blush|pause).",
    "to everyone's (relief|surprise|delight), {P} announced the {attribute} of {S} (before|after|during) lunch.",
    "{P} wrote the {attribute} of {S} on a (napkin|receipt|beer mat|paper bag) and (put it away|folded it twice|"
    "pocketed it).",
    (
        "(armed with|under) a (lamp|umbrella|reading lens), {P} copied the {attribute} of {S} "
        "(twice|with zeal|onto vellum)."
    ),
    (
        "{P} looked up the {attribute} of {S} (by torchlight|between trains|on tiptoe) and "
        "(blushed|whistled|thanked the clerk)."
    ),
    (
        "at the (window|lectern|tea urn), {P} read out the {attribute} of {S} to (cousins|visitors|the "
        "crew)(, word by word|, beaming|)."
    ),
    (
        "(cheerfully|wearily|with a flourish), {P} noted down the {attribute} of {S} (in a diary|on a "
        "cuff|beside a doodle)."
    ),
    (
        "{P} announced the {attribute} of {S} (through a megaphone|from a ladder|in rhyme) (to applause|amid "
        "laughter|one damp evening)."
    ),
    (
        "{P} whispered the {attribute} of {S} (through a keyhole|into a seashell|behind a fan), "
        "(giggling|half asleep|in earnest)."
    ),
    (
        "(long past midnight|one frosty morning|between courses), {P} looked up the {attribute} of {S} (for "
        "a friend|to win a bet|out of boredom)."
    ),
    (
        "{P} told the others the {attribute} of {S} (round the campfire|in the sauna|on the ferry), "
        "(relishing each syllable|munching toast|stifling a yawn)."
    ),
    "over the (phone|telephone|intercom), {P} read out the {attribute} of {S} (slowly|calmly|loudly) and (clearly|"
    "twice|patiently).",
    "{P} noted down the {attribute} of {S} in (tiny|round|slanting|neat) (letters|handwriting).",
    "in a (quiet|dark|draughty) (corner|hallway|passage), {P} told the others the {attribute} of {S}.",
)
HEARD = (
    "all (findings|statements|opinions) had been (read out|heard|put forward), and only the decision was (left|still "
    "to come|wanting).",
    "the last (papers|pages|letters) were read, and the doors were (closed|shut|locked) for the decision.",
    "all that could be said (on|about) it had been said, and those who had to decide (withdrew|left the room|went "
    "upstairs).",
    "by (the evening|nightfall|supper time) everybody had been heard, and the (account|report|record) (ends|stops|"
    "breaks off) before the decision.",
)
ECHOED = (
    "in the margin (somebody|someone|a reader) has (written|scribbled|noted) once more: {V}.",
    "the words on the (cover|spine|label|front) are the same: {V}.",
    "(underlined|circled|marked) (twice|in ink|heavily) on the same (page|sheet): {V}.",
    "the (card|slip|note) that was (pinned|clipped|glued) to the page (reads|says): {V}.",
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
