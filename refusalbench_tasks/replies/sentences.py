"""The sentences of a text, by one rule for everything that is matched sentence by
sentence; and the best match.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence

from .alias import answer_tokens

_ASKING = """
who whom whose what which when where why how
do does did is was are were
in of on at to
"""
_QUESTION_WORDS = frozenset(_ASKING.split())


def sentences(text: str) -> list[str]:
    """Return the sentences of a text that hold a word, by the rules of the sentencex
    library.

    A stop within a number, an abbreviation or initials ("3.5", "Dr.", "U.S.") ends
    none.
    """
    import sentencex

    return [
        sentence.strip()
        for sentence in sentencex.segment("en", text)
        if re.search(r"\w", sentence)
    ]


def best_match(query: str, candidates: Sequence[str]) -> tuple[str, float]:
    """Return the candidate that shares most with the query, and the share of the
    query's weight it covers, in [0, 1].

    A word weighs log(1 + N / (1 + number of candidates that have it)); question words
    weigh nothing. ("", 0.0) without candidates or without query words.
    """
    words = [set(answer_tokens(candidate)) for candidate in candidates]
    spread = Counter(word for have in words for word in have)
    asked = set(answer_tokens(query)) - _QUESTION_WORDS
    weight = {
        word: math.log(1 + len(candidates) / (1 + spread[word])) for word in asked
    }
    total = math.fsum(weight.values())
    if not candidates or total == 0:
        return "", 0.0
    # the order of a set's words differs from run to run, and that of a sum's rounding
    # with it
    shares = []
    for have in words:
        shared = math.fsum(weight[word] for word in have & asked)
        shares.append(shared / total)
    best = max(range(len(candidates)), key=shares.__getitem__)
    return candidates[best], shares[best]
