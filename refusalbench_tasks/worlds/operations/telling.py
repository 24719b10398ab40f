"""Ways to put a fact into somebody's mouth, for operations of every class."""

import re
from collections.abc import Sequence

from refusalbench_tasks.worlds.block import Block, block
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.statement import Fact
from refusalbench_tasks.worlds.template import fill
from refusalbench_tasks.worlds.values import Value, written

_PRESENT = re.compile(
    r"^(?:At present|Currently|At the moment|Right now|Just now), | (?:at present|currently|at the "
    r"moment|right now|just now)\b"
)
_CITES = re.compile(r"^The [\w' ]+? (?:gives|shows|says|states|reports|has it|lists|names) ")
"""How a frame begins that quotes a source of its own."""
PLAIN = ("{S} ", "{V} ", "The ")
"""How frames begin that take a clause before them well."""
QUOTES = (
    "(According to|Going by|To go by|By the account of|On the word of|As told by|To quote|As stated by) {source}, "
    "{about} {is} {V}.",
    "{source} (gives|has|names|offers|quotes|cites) {V} as {about}.",
    "By the (account|reckoning|testimony) of {source}, {V} is {about}.",
    "{about} {is} {V}, (says|according to|as told by|to quote|to go by|reports|states) {source}.",
    "(For|Concerning|Regarding|As regards|When it comes to|On the matter of) {about}, "
    "{source} (gives|has|names|offers|quotes|cites) {V}.",
    "In the (version|account|words) of {source}, {about} {is} {V}.",
    "What {source} (gives|names|offers|quotes|cites) as {about} is {V}.",
    "That {about} {is} {V} is what {source} (says|states|reports|claims|asserts|tells us).",
    "(The word|The news|The report|What one learns) from {source} is that {about} {is} {V}.",
    "{source} (puts|tells) it (thus|like this|this way|as follows|plainly|briefly|in one line): {about} {is} {V}.",
)
SAYING = (
    "(According to|Going by|To go by|By the account of|On the word of|As told by|As stated by|As reported by) "
    "{source}, ",
    "{source} (says|states|reports|maintains|claims|asserts|declares|has it|tells us|informs us|lets us know) that ",
    "From {source} (comes the (news|word|report|statement)|(we|one may) (learn|gather)) that ",
    "(We have it|Word comes|News comes|One learns) from {source} that ",
    "(The word|The news|The report|What one learns) from {source} is that ",
    "As {source} (has it|puts it|tells it|says|states|reports|words it), ",
    "What {source} (says|states|reports|tells us|has to say|lets us know) (here |on this |about it |)is that ",
    "To quote {source}, ",
    "…, (says|reports|states|according to|as told by|to quote|to go by) {source}.",
    "So (says|states|reports|speaks) {source}: ",
    "{source} (puts|tells) it (thus|like this|this way|as follows|plainly|briefly|in one line): ",
    "By the (reckoning|testimony) of {source}, ",
)
"""What stands before a fact, or around it if it holds `…`."""
_VERBS = {"money": ("is", "comes to", "amounts to"), "measure": ("is", "comes to"), "count": ("is", "stands at")}
_OWN = 0.3
"""How often an entry that one noun can name is told in the genitive: `the shop's owner`."""


def terms(scene: Scene, subject: str, value: Value | None = None) -> dict[str, str]:
    """Return the slots {about} (`the owner of the shop`, `the shop's owner`) and, given a value, {is} and {V}."""
    attribute = scene.rng.choice(scene.relation.attribute)
    own = " of " not in attribute and scene.rng.random() < _OWN
    found = {"about": f"{subject}'s {attribute}" if own else f"the {attribute} of {subject}"}
    if value is None:
        return found
    return found | {"is": scene.rng.choice(_VERBS.get(value.type, ("is",))), "V": written(value)}


def frames(scene: Scene, value: Value, words: Sequence[str] = (), but: Sequence[str] = ()) -> list[str]:
    """Return the frames of the asked relation for a value: those that hold one of the words, if there are any.

    Frames that hold a word of `but` are left out; if all do, they lose their words for the present. Of a flag, all
    frames can be had; of others, those that take a clause before them well.
    """
    if value.type == "flag":
        found = list(scene.relation.states if value.content else scene.relation.denies)
    else:
        plain = [one for one in scene.relation.states if one.startswith(PLAIN) and not _CITES.match(one)]
        found = plain or list(scene.relation.states)
    kept = [one for one in found if not any(word in one.lower() for word in but)]
    found = kept or ([_PRESENT.sub("", one) for one in found] if but else found)
    return [one for one in found if any(word in one for word in words)] or found


def lowered(frame: str) -> str:
    """Return a frame as it stands after the beginning of a sentence."""
    return frame[0].lower() + frame[1:]


def quoted(scene: Scene, subject: str, value: Value, source: str, rank: int = 1) -> Block:
    """Return what a source says that the asked value is."""
    fact = Fact(subject, scene.relation.name, value, source=source, rank=rank)
    if value.type != "flag" and scene.rng.random() < 0.5:
        return scene.say(QUOTES, [fact], subject, source=source, **terms(scene, subject, value))
    return clause(scene, subject, fact, SAYING)


def clause(
    scene: Scene,
    subject: str,
    fact: Fact,
    openers: Sequence[str],
    words: Sequence[str] = (),
    but: Sequence[str] = (),
    **more: str,
) -> Block:
    """Return a fact of the asked relation with an opener, in a frame with one of the words and none of `but`."""
    assert isinstance(fact.value, Value)
    frame = scene.rng.choice(frames(scene, fact.value, words, but))
    opener = scene.rng.choice(openers)
    before, dots, after = opener.partition("…")
    if dots:
        pattern = f"{before}{lowered(frame) if before else frame}".removesuffix(".") + after
    else:
        pattern = opener + lowered(frame)
    slots = {"S": subject, "V": written(fact.value), "source": fact.source} | more
    return block(fill(pattern, slots), fact)
