"""Whether a reply gives one of the gold answers, decided without a model."""

import re
import unicodedata
from collections.abc import Sequence

_ARTICLES = frozenset({"a", "an", "the"})
_CITATION = re.compile(r"\[\d+(?:\s*[,;-]\s*\d+)*\]")
_DOUBT_WORDS = """
not no never none neither nor cannot cant isnt arent wasnt werent doesnt dont didnt wont wouldnt couldnt
unclear unknown unspecified uncertain unsure undetermined conflicting contradictory contradicts ambiguous
insufficient unable unanswerable refuse however but although though or either whether if unless instead
except maybe perhaps possibly might may could probably false wrong incorrect missing
"""
_DOUBT = frozenset(_DOUBT_WORDS.split())
_LONGEST = 60


def answer_tokens(text: str) -> list[str]:
    """Return the comparable tokens of an answer: lower case, no punctuation, no articles, no `[n]` citations.

    The usual normalisation of extractive question answering (SQuAD), with three additions: typographic forms are
    folded (NFKC), apostrophes join a word, and separators inside a number are kept apart from punctuation
    ("1,200" is "1200", "3.5" stays "3.5").
    """
    folded = unicodedata.normalize("NFKC", _CITATION.sub(" ", text)).lower()
    folded = re.sub(r"['’‘`]", "", folded)
    folded = re.sub(r"(?<=\d),(?=\d{3})", "", folded)
    tokens = re.findall(r"\d+(?:\.\d+)+|\w+", folded.replace("_", " "))
    return [token for token in tokens if token not in _ARTICLES]


def gives_alias(reply: str, aliases: Sequence[str]) -> bool:
    """Return whether a reply clearly gives one of the aliases; False means "cannot tell", never "wrong".

    It does if it equals an alias after normalisation, or if it is a statement of at most 60 tokens that contains
    an alias as whole tokens, has no word of doubt, negation or choice beside it, and, where the alias has a
    number, no other number. Written to be precise, not complete (our definition).
    """
    tokens = answer_tokens(reply)
    return any(_states(tokens, answer_tokens(alias)) for alias in aliases)


def equals_alias(reply: str, aliases: Sequence[str]) -> bool:
    """Return whether a reply is one of the aliases after normalisation."""
    tokens = answer_tokens(reply)
    return any(tokens == answer_tokens(alias) != [] for alias in aliases)


def _states(reply: list[str], alias: list[str]) -> bool:
    if not alias:
        return False
    if reply == alias:
        return True
    if len(reply) > _LONGEST:
        return False
    rest = _without(reply, alias)
    if rest is None or _DOUBT.intersection(rest):
        return False
    has_number = any(_is_number(token) for token in alias)
    return not (has_number and any(_is_number(token) for token in rest))


def _without(reply: list[str], alias: list[str]) -> list[str] | None:
    """Return the reply's tokens around every occurrence of the alias, or None if there is none."""
    rest: list[str] = []
    at, size, found = 0, len(alias), False
    while at < len(reply):
        if reply[at : at + size] == alias:
            found, at = True, at + size
        else:
            rest.append(reply[at])
            at += 1
    return rest if found else None


def _is_number(token: str) -> bool:
    return token[0].isdigit()
