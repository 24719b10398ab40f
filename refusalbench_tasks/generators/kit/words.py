"""How many words a text has, in any script."""

import re

# scripts that are written without spaces: Thai, Lao, Khmer, Burmese, kana, Han
UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
    "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
)
_RUN = re.compile(f"[{UNSPACED}]+")


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
