"""The sentences of a text: one rule for everything that is graded or matched sentence by sentence."""

import re


def sentences(text: str) -> list[str]:
    """Return the sentences of a text that hold a word, by the rules of the sentencex library.

    A stop within a number, an abbreviation or initials ("3.5", "Dr.", "U.S.") ends none.
    """
    import sentencex

    return [one.strip() for one in sentencex.segment("en", text) if re.search(r"\w", one)]
