"""How relevant a text is to a question, as the released builder of BLUFF-1000 scores the sources that it finds."""

import re
from functools import cache

from refusalbench_tasks.collect.web.extract import library

READ_CHARACTERS = 5_000
"""How much of a text is compared with the question."""
_WORD = re.compile(r"[^\W\d_]{3,}")


def relevance(question: str, text: str) -> float:
    """Return 0.6 · the share of the question's keywords in the text + 0.4 · the likeness of their words, in [0, 1].

    A keyword is found as a substring of the lower-cased text. Likeness is RapidFuzz's `token_set_ratio` / 100, which
    tells capitals from small letters. Without keywords the score is 0. Source: the released code (the paper names the
    keywords alone). Raises DataError without the extra `web`.
    """
    words, lowered = keywords(question), text.lower()
    if not words:
        return 0.0
    likeness = float(library("rapidfuzz.fuzz").token_set_ratio(question, text[:READ_CHARACTERS])) / 100
    return 0.6 * sum(word in lowered for word in words) / len(words) + 0.4 * likeness


def keywords(question: str) -> list[str]:
    """Return the lower-cased words of three letters or more that scikit-learn's English stop list lacks.

    A word that occurs twice is there twice, and so counts double. Raises DataError without the extra `web`.
    """
    return [word for word in _WORD.findall(question.lower()) if word not in _stop_words()]


@cache
def _stop_words() -> frozenset[str]:
    return frozenset(library("sklearn.feature_extraction.text").ENGLISH_STOP_WORDS)
