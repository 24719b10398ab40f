"""How a reply stands to its question and its passages, and what its form is like:
numbers beside the n-grams of its words, and the chances that a model makes of both.
"""

import math
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from .alias import QUESTION_MARKS

Words = set[str]

Triple = tuple[str, ...]


class Chances(NamedTuple):
    """How likely it is that a text answers, declines, or asks back, and does nothing
    else.

    The three are read apart, so that all are small for a text that does several or
    none.
    """

    answers: float
    declines: float
    asks_back: float


ChanceModel = Callable[[str, str, Sequence[str]], Chances]
"""Tells the chances of a text that replies to a question beside passages."""


NUMBERS = 22
"""How many numbers `relations_of` returns."""
_MAX_CHARACTERS = 3000
_PASSAGES = 256
"""Passages whose words are remembered: many replies go by the same."""
_WORD = re.compile(r"\w+")
_UNSPACED = re.compile("[\u3040-\u9fff\uac00-\ud7af]")
_ENDS = r"[.!?。！？؟।\n]"
# from the first sign of a run on, so that a long run takes linear time
_SENTENCE_END = re.compile(rf"(?<!{_ENDS}){_ENDS}+(?=\s|[^\x00-\x7f]|\Z)")
_STOPS = (*QUESTION_MARKS, *".!。！।:")
_LONG = 4
"""Characters of a word that may be the question's subject, not its grammar."""
_ASKED = "¤"
_ASKED_SEVERAL = re.compile(f"{_ASKED}(?:\\W*{_ASKED})+")
_LOOPS = 0.4
"""From this share of repeated triples of words a text loops."""


class PassageWords(NamedTuple):
    """The words of a passage, and the triples of words that stand side by side."""

    words: frozenset[str]
    triples: frozenset[Triple]


def relations_of(
    text: str,
    question: str = "",
    passages: Sequence[str] = (),
) -> list[float]:
    """Return `NUMBERS` numbers on a reply, most of them shares or 0 and 1.

    What is not given leaves zeros, as if the reply had nothing to do with it. Whether
    the reply holds a gold answer is none of them: so does a refusal that doubts it.
    Never raises.
    """
    words = comparable_words(text[:_MAX_CHARACTERS])
    different = set(words)
    asked = set(comparable_words(question))
    triples = _triples(words)
    copied = _beside_passages(
        different - asked,
        different,
        triples,
        passages,
    )
    repeated = 1 - len(set(triples)) / len(triples) if triples else 0.0
    sentences = len(_SENTENCE_END.findall(text.rstrip())) or 1
    ending = text.rstrip()[-1:]
    n = len(words)
    return [
        repeated,
        repeated > _LOOPS,
        math.log1p(n) / 3,
        n <= 2,
        n <= 6,
        n >= 40,
        sentences == 1,
        sentences >= 4,
        ending in QUESTION_MARKS,
        ending not in _STOPS,
        *_beside_question(different, asked),
        *copied,
    ]


def without_question(text: str, question: str) -> str:
    """Return a text in which longer words of the question, and what stands between
    them, are one sign: its own words then weigh as much in a reply that repeats the
    question at length.
    """
    asked = {word for word in comparable_words(question) if len(word) >= _LONG}
    if not asked:
        return text
    parts = []
    for word in re.split(r"(\W+)", text):
        parts.append(_ASKED if word.casefold() in asked else word)
    return _ASKED_SEVERAL.sub(_ASKED, "".join(parts))


def comparable_words(text: str) -> list[str]:
    """Return the words of a text in lower case; of scripts without spaces its pairs of
    characters.
    """
    words = []
    for word in _WORD.findall(text.casefold()):
        if len(word) > 3 and _UNSPACED.search(word):
            words += [word[start : start + 2] for start in range(len(word) - 1)]
        else:
            words.append(word)
    return words


def _triples(words: Sequence[str]) -> list[Triple]:
    return [tuple(words[start : start + 3]) for start in range(len(words) - 2)]


def _beside_question(words: Words, asked: Words) -> list[float]:
    """Return how much of a reply is the question, and of the question in the reply."""
    if not asked or not words:
        return [0.0] * 4
    shared = len(words & asked)
    share = shared / len(words)
    covered = shared / len(asked)
    return [
        share,
        covered,
        share > 0.6,
        covered > 0.6,
    ]


def _beside_passages(
    new: Words,
    words: Words,
    triples: Sequence[Triple],
    passages: Sequence[str],
) -> list[float]:
    """Return how much of what the question does not say stands in the passages: words,
    numbers, triples of words.
    """
    read = [_passage_words(passage) for passage in passages]
    if not any(passage.words for passage in read) or not words:
        return [0.0] * 8
    known = frozenset().union(*(passage.words for passage in read))
    copied = len(new & known) / len(new) if new else 0.0
    numbers = {word for word in new if word[0].isdecimal()}
    known_triples = frozenset().union(*(passage.triples for passage in read))
    in_order = [triple for triple in triples if triple in known_triples]
    ordered = len(in_order) / len(triples) if triples else 0.0
    return [
        copied,
        copied > 0.5,
        not new,
        len(words & known) / len(words),
        bool(numbers),
        bool(numbers & known),
        ordered,
        ordered > 0.5,
    ]


@lru_cache(maxsize=_PASSAGES)
def _passage_words(passage: str) -> PassageWords:
    words = comparable_words(passage)
    return PassageWords(frozenset(words), frozenset(_triples(words)))
