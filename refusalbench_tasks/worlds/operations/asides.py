"""Idle remarks that stand behind a name in a question, set off by commas."""

import re

from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.script import Script
from refusalbench_tasks.worlds.solve import Impure

PARTS: dict[str, tuple[str, ...]] = {
    "place": ("blue logo", "lucky mascot", "signature tune", "printed slogan", "colour postcard", "guest book"),
    "paper": ("blue cover", "red ribbon", "printed index", "wax seal", "large margin", "title page"),
    "object": ("red label", "blue sticker", "little badge", "yellow stripe", "carrying bag", "spare key"),
    "program": ("blue logo", "welcome screen", "signature tune", "help page", "night mode", "little badge"),
}
"""Small parts that things have, by what sort of thing it is."""
SORTS = {
    **dict.fromkeys(("contract", "framework", "appendix"), "paper"),
    **dict.fromkeys(("program", "suite", "plugin"), "program"),
    **dict.fromkeys(("appliance", "accessory", "instrument", "painting", "plough", "van", "locomotive"), "object"),
}
"""The kinds of things that are no places, firms or clubs."""
ADDED = (
    "which has a {part}",
    "which has a {part} of its own",
    "which comes with a {part}",
    "which boasts a {part}",
)
_HOLDER = re.compile(r"\b(\w+) (?:about|on|for) $")
_TAKES_ONE = frozenset({"committee", "adviser", "speaker", "spokeswoman"})
"""Words before `on` or `for` that no remark with `which` is taken to belong to."""


def aside(scene: Scene, subject: str, question: str, phrases: tuple[str, ...]) -> str:
    """Return the question with one of the phrases set off by commas behind the thing's name.

    Raises Impure where it would hang in the air: behind another phrase set off so, or behind something of which it
    could be said as well, such as the song about the thing.
    """
    place = question.find(subject) + len(subject)
    if subject not in question or question[place : place + 1] not in (" ", ",", "?", ":"):
        raise Impure("the question has no place for an aside")
    before, rest = question[: place - len(subject)], question[place:]
    holder = _HOLDER.search(before)
    if (holder and not holder[1].endswith("s") and holder[1] not in _TAKES_ONE) or ("," in before and rest[0] == ","):
        raise Impure("an aside could belong to something else")
    phrase = scene.rng.choice(phrases).replace("{K}", scene.once("", "aside", scene.names.word))
    return f"{before}{subject}, {phrase}{rest if rest[0] in ',?:' else ',' + rest}"


def add_on(scene: Scene, subject: str, question: str, script: Script | None) -> str:
    """Give the thing a small part that the text does not know."""
    parts = PARTS[SORTS.get(scene.relation.subject, "place")]
    part = scene.once("", "part", lambda: scene.rng.choice(parts))
    return aside(scene, subject, question, tuple(one.replace("{part}", part) for one in ADDED))


def prize(scene: Scene, subject: str, question: str, script: Script | None) -> str:
    """Give the thing a prize that the text does not know."""
    phrases = ("has won the {K} Prize", "holds the {K} Award", "was awarded the {K} Medal", "once won the {K} Prize")
    who = "which" if scene.pack.kinds[scene.relation.subject].pronoun else "who"
    return aside(scene, subject, question, tuple(f"{who} {one}" for one in phrases))


def parent(scene: Scene, subject: str, question: str, script: Script | None) -> str:
    """Give the thing an owner that the text does not know."""
    phrases = (
        "which is now in the hands of {K} Holdings",
        "which was taken over by the {K} Group",
        "which is controlled by {K} and Partners",
        "which has long been owned by the {K} Trust",
    )
    return aside(scene, subject, question, phrases)
