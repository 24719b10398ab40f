"""The words that may stand around a short answer, and leave no room for a refusal or a denial."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib import resources
from typing import NamedTuple

from refusalbench_tasks.replies.plain_text import plain_text


class Frame(NamedTuple):
    """What stands before and behind an answer, as plain text."""

    before: str
    after: str


class Frames(NamedTuple):
    """Frames with spaces around the answer, frames that join it, those of a time, and phrases that name the source."""

    spaced: frozenset[Frame]
    joined: frozenset[Frame]
    times: frozenset[Frame]
    sources: tuple[str, ...]


_COPULAS = frozenset({"is", "was", "are", "were"})
_SUBJECT_WORDS = "who what which wer qui quién quien chi quem wie кто хто kto kdo vem hvem"
_SUBJECT = frozenset(_SUBJECT_WORDS.split())
"""Words that ask for the subject, so that the answer can take their place."""
_NAMED = frozenset({"what", "which"})
_PLACES = ("", "in", "on", "at")
_PRONOUNS = ("it", "he", "she", "they")
_DOUBT_WORDS = """
not no never none neither nor cannot can't isn't aren't wasn't weren't doesn't don't didn't won't wouldn't couldn't
hasn't hadn't without nothing nobody nowhere lack lacks missing absent besides except unless instead but although though
or either whether if maybe perhaps possibly might may could probably false wrong incorrect unknown unclear unspecified
uncertain
nicht kein keine keinen nie oder ne pas jamais ou nunca non não nem niet geen не нет ни или lub
"""
_DOUBT = frozenset(_DOUBT_WORDS.split())
_LONGEST = 200
"""Characters of a question whose words a reply may repeat: a longer one is no plain question."""


@cache
def closed_frames() -> Frames:
    """Return the bundled frames."""
    import yaml

    file = resources.files("refusalbench_tasks.replies") / "data" / "answer_frames.yaml"
    lists = yaml.load(file.read_text(encoding="utf-8"), yaml.CSafeLoader)
    texts = [text for own in lists["frames"].values() for text in own]
    frames = {text: _frame(text) for text in (*texts, *lists["times"])}
    joined = frozenset(frame for text, frame in frames.items() if re.search(r"\S_|_\S", text))
    spaced = frozenset({*frames.values(), Frame("", "")}) - joined
    times = frozenset(frames[text] for text in lists["times"])
    sources = {plain_text(text) for own in lists["sources"].values() for text in own}
    return Frames(spaced, joined, times, tuple(sorted(sources, key=len, reverse=True)))


def _frame(text: str) -> Frame:
    before, _, after = text.partition("_")
    return Frame(plain_text(before), plain_text(after))


@lru_cache(maxsize=4096)
def asked_frames(question: str) -> frozenset[Frame]:
    """Return the frames that repeat the question as a statement, none with a word of doubt, negation or choice.

    "Who founded the mill?" gives "_ founded the mill", "When was it built?" gives "it was built in _", "How many
    miners …?" gives "_ miners". English, and the bare subject question of some other languages; a question with
    several clauses is read from its last question word on.
    """
    clause = next((part for part in reversed(_clauses(question)) if part), "")
    words = clause.split()
    if not words or len(clause) > _LONGEST:
        return frozenset()
    statements = [*_as_subject(words), *_as_quantity(words), *_inverted(words), *_past(words)]
    return frozenset(frame for frame in statements if not _DOUBT.intersection(f"{frame.before} {frame.after}".split()))


def _clauses(question: str) -> list[str]:
    for stop in ";:—–!":
        question = question.replace(stop, ".")
    parts = [part for half in question.rstrip("?？؟ \n").split(". ") for part in half.split(", ")]
    return [plain_text(part) for part in parts]


def _as_subject(words: list[str]) -> Iterator[Frame]:
    if words[0] in _SUBJECT:
        yield Frame("", " ".join(words[1:]))
    if words[0] in _NAMED:
        yield Frame("", " ".join(words[2:]))


def _as_quantity(words: list[str]) -> Iterator[Frame]:
    if words[:2] in (["how", "many"], ["how", "much"]):
        for end in (3, 4, len(words)):
            yield Frame("", " ".join(words[2:end]))


def _inverted(words: list[str]) -> Iterator[Frame]:
    """Yield "S is _" and "S was built in _" for "what is S", "when was S built", "how wide is S"."""
    at = next((k for k, word in enumerate(words[:5]) if word in _COPULAS), None)
    if at is None or at == 0 or words[0] not in {"who", "what", "which", "when", "where", "how", "in", "on", "at"}:
        return
    copula, rest = words[at], words[at + 1 :]
    for cut in range(1, len(rest) + 1):
        for subject in (" ".join(rest[:cut]), *_PRONOUNS):
            for place in _PLACES if cut < len(rest) else ("",):
                yield Frame(" ".join([subject, copula, *rest[cut:], place]).strip(), "")


def _past(words: list[str]) -> Iterator[Frame]:
    """Yield "S opened in _" for "when did S open"."""
    if "did" not in words[1:4] or words[0] not in {"when", "where", "in", "on", "at"}:
        return
    rest = words[words.index("did") + 1 :]
    for cut in range(1, len(rest)):
        for subject in (" ".join(rest[:cut]), *_PRONOUNS):
            for past in (f"{rest[cut]}ed", f"{rest[cut]}d"):
                for place in _PLACES[1:]:
                    yield Frame(" ".join([subject, past, *rest[cut + 1 :], place]), "")
