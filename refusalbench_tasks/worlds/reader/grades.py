"""Grades: whether a word of judgement holds of a thing by the book of its whole."""

import re

TERM = r"(?P<no>not )?(?P<term>(?:an? )?[a-z]+(?: (?!there\b|exactly\b|only\b)[a-z]+)?)"
"""`tasty`, `not high`, `a sound investment`."""
GRADES = tuple(
    re.compile(one)
    for one in (
        rf"\b(?:grade|rating)[^<>:]*: {TERM}[.]?$",
        rf"\bclass \w is {TERM} as such\b",
        rf"\b(?:entered|graded?|booked|listed(?! as an? )) (?:the [^<>]*<E\d+> |an? [^<>]*<E\d+> )?as {TERM}[.]?$",
        rf"\bwhatever falls into that class is {TERM}[.]?$",
        rf"\beverything in class \w of <E\d+> is {TERM}[.]?$",
        rf"\ball that is in (?P<class>class \w) is {TERM} by definition, and .* in (?P=class)[.]?$",
        rf"\b(?:stands|the class) for '{TERM}'[.]?$",
        rf"\bwhatever is in class \w is {TERM}; .* in it[.]?$",
        rf"\bofficial grades? of <E\d+>.* <E\d+> is {TERM}[.]?$",
    )
)


def grade(shape: str) -> tuple[str, bool] | None:
    """Return the word that a masked sentence grades a thing by, and whether it holds; None if it grades nothing."""
    for pattern in GRADES:
        found = pattern.search(shape)
        if found:
            return found["term"], not found["no"]
    return None
