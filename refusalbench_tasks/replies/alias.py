"""Whether a reply gives one of the gold answers, decided without a model."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import chain
from typing import NamedTuple

from .abstention import is_plain_refusal
from .citations import without_citations
from .plain_text import plain_text

QUESTION_MARKS = ("?", ";", "؟", "？")
_ARTICLES = frozenset({"a", "an", "the"})
_LONGEST = 300
"""Characters beside an alias, beyond which a reply is no short answer."""
_SAME = 4
"""Characters at a word's beginning that make it a form of another: "defeated" is one of
"defeat".
"""


class Frames(NamedTuple):
    """Words around a short answer: those that say nothing, those of doubt, those of
    times, phrases of sources.
    """

    joined: frozenset[tuple[str, str]]
    neutral: frozenset[str]
    doubt: frozenset[str]
    times: frozenset[str]
    sources: tuple[str, ...]


def asks(text: str) -> bool:
    """Return whether a text ends with a question mark."""
    return text.rstrip().endswith(QUESTION_MARKS)


def answer_tokens(text: str) -> list[str]:
    """Return the comparable tokens of an answer: lower case, no punctuation, no
    articles, no citations.

    The usual normalisation of extractive question answering (SQuAD), with three
    additions: typographic forms are folded (NFKC), apostrophes join a word, and
    separators inside a number are kept apart from punctuation ("1,200" is "1200", "3.5"
    stays "3.5").
    """
    folded = unicodedata.normalize("NFKC", without_citations(text)).lower()
    folded = re.sub(r"['’‘`]", "", folded)
    folded = re.sub(r"(?<=\d),(?=\d{3})", "", folded)
    tokens = re.findall(r"\d+(?:\.\d+)+|\w+", folded.replace("_", " "))
    return [token for token in tokens if token not in _ARTICLES]


def gives_alias(
    reply: str,
    aliases: Sequence[str],
    question: str = "",
) -> bool:
    """Return whether a reply is a short answer that gives one of the aliases; False
    means "cannot tell", never "wrong".

    It is one if it equals an alias (see `plain_text`), or if all that stands around the
    alias is words that say nothing ("The answer is …"; many languages), a phrase such
    as "according to the passage" at an end, and words of the question in its order,
    none of doubt, negation or choice. Any other word leaves room for a refusal or a
    denial. An alias that reads as a refusal ("unknown") is never told from one. Written
    to be precise, not complete (our definition).
    """
    if equals_alias(reply, aliases):
        return True
    if asks(reply):
        return False
    text = plain_text(reply)
    asked = plain_text(question)
    return any(_is_framed(text, alias, asked) for alias in _plain_aliases(aliases))


def equals_alias(reply: str, aliases: Sequence[str]) -> bool:
    """Return whether a reply is one of the aliases as plain text, but for a leading
    article.
    """
    text = _without_article(plain_text(reply))
    return any(text == alias for alias in _plain_aliases(aliases))


def _plain_aliases(aliases: Sequence[str]) -> list[str]:
    return [plain for plain in map(_plain_alias, aliases) if plain]


@lru_cache(maxsize=4096)
def _plain_alias(alias: str) -> str:
    """Return an alias as plain text; nothing for one that reads as a refusal."""
    return "" if is_plain_refusal(alias) else _without_article(plain_text(alias))


def _without_article(text: str) -> str:
    first, _, rest = text.partition(" ")
    return rest if first in _ARTICLES and rest else text


@cache
def frames() -> Frames:
    """Return the bundled words."""
    from refusalbench_tasks.bounded_reading import data_yaml

    lists = data_yaml("replies", "answer_frames.yaml")
    of_answers = _sides(chain.from_iterable(lists["frames"].values()))
    of_times = _sides(lists["times"])
    silent = _words_of(of_answers)
    times = _words_of(of_times) - silent
    doubt = frozenset(lists["doubt"].split())
    neutral = silent.union(times, lists["neutral"].split()) - doubt
    sources = set(map(plain_text, chain.from_iterable(lists["sources"].values())))
    longest_first = tuple(
        sorted(
            sources,
            key=len,
            reverse=True,
        )
    )
    return Frames(
        of_answers | of_times,
        neutral,
        doubt,
        times,
        longest_first,
    )


def _sides(listed: Iterable[str]) -> frozenset[tuple[str, str]]:
    """Return what stands before and after an answer in each frame."""
    sides = set()
    for frame in listed:
        before, _, after = frame.partition("_")
        sides.add((plain_text(before), plain_text(after)))
    return frozenset(sides)


def _words_of(sides: Iterable[tuple[str, str]]) -> frozenset[str]:
    return frozenset(" ".join(chain.from_iterable(sides)).split())


def _is_framed(
    text: str,
    alias: str,
    question: str,
) -> bool:
    """Return whether a plain text gives a plain alias and says nothing more."""
    if _without_article(text) == alias:
        return True
    beginning, given, end = text.partition(alias)
    if not given or len(text) > len(alias) + _LONGEST:
        return False
    before = beginning.strip()
    after = end.strip()
    phrases = frames()
    # what names the source, at either end, is no part of what stands around
    for source in phrases.sources:
        if f"{before} ".startswith(f"{source} "):
            before = before.removeprefix(source).strip()
            break
    for source in phrases.sources:
        if f" {after}".endswith(f" {source}"):
            after = after.removesuffix(source).strip()
            break
    words = f"{before} {after}".split()
    is_number = alias.isdecimal() and len(alias) != 4
    if is_number and phrases.times.intersection(words):
        return False
    if (before, after) in phrases.joined:
        return True
    if beginning[-1:].strip() or end[:1].strip():
        return False
    if phrases.doubt.intersection(words) or alias in question:
        return False
    silent = phrases.neutral | _ARTICLES
    asked = (word for word in question.split() if word[0].isalnum())
    # each word takes asked words away up to its own, so that they stand in one order
    return all(has_form(word, asked) for word in words if word not in silent)


def has_form(word: str, asked: Iterable[str]) -> bool:
    """Return whether a plain word is one of the asked, perhaps with another ending
    ("defeat", "defeated"); reads no further.
    """
    stem = word[:_SAME] if word.isalpha() and len(word) >= _SAME else None
    return any(other == word or other[:_SAME] == stem for other in asked)
