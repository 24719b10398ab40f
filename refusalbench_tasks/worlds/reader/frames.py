"""Frames: whole sentences with slots, as `affairs.yaml` holds them, compiled to patterns over masked sentences."""

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from refusalbench_tasks.worlds.reader.landmark import landmark
from refusalbench_tasks.worlds.reader.lexicon import WORDS

SLOT = re.compile(r"\b([NEQYDS])(\d)(?=s?\b)")
GROUP = re.compile(r"\(\?P<(\w+)>(?:[^()]|\([^()]*\))*\)")
LISTS = re.compile(r"\{(\w+)\}")
NO_MATTERS = ("macros", "homonyms")


@dataclass(frozen=True, slots=True)
class Frame:
    """One way to speak of a matter."""

    pattern: re.Pattern[str]
    landmark: str
    """Words that a sentence must hold to fit."""
    entry: dict[str, Any]
    of_pair: bool = False
    """Whether it speaks of the two that the sentence before brought in."""


@cache
def affairs() -> dict[str, Any]:
    """Return what `affairs.yaml` holds."""
    held: dict[str, Any] = yaml.load(
        files(__package__).joinpath("affairs.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader
    )
    return held


@cache
def frames(use: str) -> tuple[Frame, ...]:
    """Return the frames of texts (`text`) or questions (`ask`)."""
    return tuple(
        Frame(found, landmark(found.pattern), entry, "P1" in str(entry))
        for name, entries in affairs().items()
        if name not in NO_MATTERS
        for entry in entries
        for found in map(compiled, entry.get(use, ()))
    )


def near(use: str, shape: str) -> list[Frame]:
    """Return the frames of a use but for those of which a whole word does not stand in a masked sentence."""
    index, held = _by_word(use), {*shape.split(" ")}
    places = sorted(place for word in ("", *held) for place in index.get(word, ()))
    every = frames(use)
    return [every[place] for place in places]


@cache
def _by_word(use: str) -> dict[str, list[int]]:
    """Return the places of frames by the longest whole word of their landmarks, which may be empty."""
    found: dict[str, list[int]] = {}
    for place, frame in enumerate(frames(use)):
        # the first and the last may be parts of words
        whole = frame.landmark.split(" ")[1:-1]
        found.setdefault(max(whole, key=len, default=""), []).append(place)
    return found


def compiled(pattern: str) -> re.Pattern[str]:
    """Return a frame as a pattern: `N1` is a name, `E1` a thing, `DOC` what is kept in an office, `{trade}` a list.

    A slot or group that stands twice must hold the same both times.
    """
    seen: set[str] = set()

    def slot(found: re.Match[str]) -> str:
        name = found[1] + found[2]
        if name in seen:
            return f"(?P={name})"
        seen.add(name)
        bare = r"|^[a-z][\w-]*" if found[1] == "N" else ""
        return rf"(?P<{name}><{found[1]}\d+>{bare})"

    def once(found: re.Match[str]) -> str:
        if found[1] in seen:
            return f"(?P={found[1]})"
        seen.add(found[1])
        return found[0]

    macros = affairs()["macros"]
    text = pattern
    while any(one in macros for one in LISTS.findall(text)):
        text = LISTS.sub(lambda one: macros[one[1]] if one[1] in macros else one[0], text)
    text = LISTS.sub(lambda one: f"(?:{'|'.join(WORDS[one[1]])})", text)
    text = text.replace("DOC", f"(?:{'|'.join(WORDS['documents'])})")
    return re.compile(SLOT.sub(slot, GROUP.sub(once, text)))
