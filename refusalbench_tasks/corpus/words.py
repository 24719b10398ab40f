"""Counts of words in any script, and runs of words."""

import re
from collections.abc import Sequence

# scripts that are written without spaces: Thai, Lao, Khmer, Burmese, kana, Han
UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
    "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
)
_RUN = re.compile(f"[{UNSPACED}]+")


def word_runs(words: Sequence[str], length: int) -> frozenset[tuple[str, ...]]:
    """Return the runs of so many words; of fewer words the whole, of none nothing."""
    starts = range(max(1, len(words) - length + 1))
    runs = {tuple(words[start : start + length]) for start in starts}
    return frozenset(filter(None, runs))


def word_count(text: str) -> int:
    """Return the number of words between spaces; where a script has no spaces, two
    characters count as one word.
    """
    if text.isascii():
        return len(text.split())
    words = sum((len(run) + 1) // 2 for run in _RUN.findall(text))
    for word in _RUN.sub(" ", text).split():
        words += any(map(str.isalnum, word))
    return words
