"""Outside text as it may go to a terminal."""

import unicodedata


def one_line(text: str) -> str:
    """Return a text as one line without control characters: a name must not move the cursor or forge lines of ours."""
    return " ".join("".join(" " if _moves(one) else one for one in text).split())


def printable(text: str) -> str:
    """Return a text of several lines without any other control character; spaces stay as they are."""
    return "\n".join("".join(" " if _moves(one) else one for one in line) for line in text.split("\n"))


def _moves(character: str) -> bool:
    """Whether a character is a control, a format (as those that turn the direction) or a line separator."""
    return unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp", "Cs")
