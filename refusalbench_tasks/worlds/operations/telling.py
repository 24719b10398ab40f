"""Ways to put a fact into somebody's mouth, for operations of every class."""

import re
from collections.abc import Sequence

from refusalbench_tasks.worlds.block import Block, block
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.statement import Fact
from refusalbench_tasks.worlds.template import fill
from refusalbench_tasks.worlds.values import Value, written

_PRESENT = re.compile(r"^(?:At present|Currently), | (?:at present|currently)\b")
PLAIN = ("{S} ", "{V} ", "The ")
"""How frames begin that take a clause before them well."""
QUOTES = (
    "According to {source}, the {attribute} of {S} is {V}.",
    "{source} gives {V} as the {attribute} of {S}.",
    "{source} has {V} as the {attribute} of {S}.",
    "By the account of {source}, {V} is the {attribute} of {S}.",
    "The {attribute} of {S} is {V} according to {source}.",
    "For the {attribute} of {S}, {source} gives {V}.",
    "In {source}, the {attribute} of {S} is {V}.",
)
SAYING = (
    *("According to {source}, ", "{source} says that ", "{source} has it that ", "By the account of {source}, "),
    *("{source} reports that ", "{source} states that ", "Going by {source}, "),
)


def frames(scene: Scene, value: Value, words: Sequence[str] = (), but: Sequence[str] = ()) -> list[str]:
    """Return the frames of the asked relation for a value: those that hold one of the words, if there are any.

    Frames that hold a word of `but` are left out; if all do, they lose their words for the present. Of a flag, all
    frames can be had; of others, those that take a clause before them well.
    """
    if value.type == "flag":
        found = list(scene.relation.states if value.content else scene.relation.denies)
    else:
        plain = [one for one in scene.relation.states if one.startswith(PLAIN)]
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
        return scene.say(QUOTES, [fact], subject, source=source, V=value)
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
    """Return a fact of the asked relation behind an opener, in a frame with one of the words and none of `but`."""
    assert isinstance(fact.value, Value)
    frame = scene.rng.choice(frames(scene, fact.value, words, but))
    pattern = scene.rng.choice(openers) + lowered(frame)
    slots = {"S": subject, "V": written(fact.value), "source": fact.source} | more
    return block(fill(pattern, slots), fact)
