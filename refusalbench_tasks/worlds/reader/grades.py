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


QUOTED = re.compile(rf"'{TERM}'")
GRADING = re.compile(r"\b(?:grad(?:es?|ing)|stamp|verdict|class(?:es)?)\b")
"""What is said of a word in quotes that grades."""
PUT_DOWN = re.compile(rf"\b(?:entered|graded|put down|marked|set down) (?:(?:the|an?) [^<>]*<E\d+> )?as {TERM}[.]?$")
GRADERS = re.compile(r"\b(?:grade book|examiners|graders|assessors|official list|book|scale)\b")


def grade(shape: str) -> tuple[str, bool] | None:
    """Return the word that a masked sentence grades a thing by, and whether it holds; None if it grades nothing."""
    for pattern in GRADES:
        found = pattern.search(shape)
        if found:
            return found["term"], not found["no"]
    found = QUOTED.search(shape) if GRADING.search(shape) else None
    found = found or (PUT_DOWN.search(shape) if GRADERS.search(shape) else None)
    return (found["term"], not found["no"]) if found else None
