"""The words that a sentence must hold for a pattern to fit: a cheap question before the dear one."""

import re

_ESCAPED = re.compile(r"\\.")
_OPTIONAL = "?*{"
_SPECIAL = ".^$+|"


def landmark(pattern: str) -> str:
    """Return the longest run of letters and spaces that every text a pattern fits must hold; empty if there is none."""
    runs, run, depth = [], "", 0
    text = _ESCAPED.sub("\x00", pattern)
    for at, character in enumerate(text):
        if character == "|" and not depth:
            return ""
        depth += (character in "([") - (character in ")]")
        plain = not depth and character not in ")]\x00" + _SPECIAL + _OPTIONAL
        kept = plain and text[at + 1 : at + 2] not in tuple(_OPTIONAL)
        if kept:
            run += character
        else:
            runs.append(run)
            run = ""
    return max([*runs, run], key=len)
