"""Names of persons and places in a text: whole, short, or part of a longer name."""

from collections.abc import Sequence

from refusalbench_tasks.generators.kit.text.content_words import FUNCTION_WORDS
from refusalbench_tasks.generators.kit.text.typed_tokens import Token

_TITLES_WORDS = """
mr mister mrs ms miss dr sir lady lord dame prof professor doctor captain colonel general major lieutenant sergeant
admiral king queen prince princess emperor empress duke duchess count countess baron baroness bishop archbishop
pope saint st father mother brother sister sultan tsar president chancellor minister premier senator governor
mayor judge justice reverend rev uncle aunt engineer architect master mistress
"""
_TITLES = frozenset(_TITLES_WORDS.split())
_PARTICLES_WORDS = "van von der den de du la le di da del della dos das al el bin ibn ten ter zu af"
_PARTICLES = frozenset(_PARTICLES_WORDS.split())
_PLACES_WORDS = """
city town village port county province state isle island islands kingdom republic district parish borough region
municipality canton harbour bay gulf
"""
_PLACES = frozenset(_PLACES_WORDS.split())


def is_full_name(tokens: Sequence[Token]) -> bool:
    """Return whether tokens are a name that has a short form: two names, or one with a title or a number.

    "Ole Brandt", "Jan van Dam", "Queen Sigrid II"; all words have capital letters but for particles.
    """
    names, ranked = _names(tokens), any(token.form in _TITLES or token.kind == "ordinal" for token in tokens)
    regular = all(token.is_name or token.kind == "ordinal" or token.form in _PARTICLES for token in tokens)
    return regular and len(names) > (0 if ranked else 1)


def surname(tokens: Sequence[Token]) -> Sequence[Token]:
    """Return the last name of a full name, with what a hyphen joins to it."""
    names = _names(tokens)
    start = len(names) - 1
    while start > 1 and names[start].glued:
        start -= 1
    return names[start:]


def first_name(tokens: Sequence[Token]) -> Sequence[Token]:
    """Return the first name of a full name; nothing if that is an initial or if there is one name only."""
    names = _names(tokens)
    return names[:1] if len(names) > 1 and len(names[0].raw) > 2 else ()


def _names(tokens: Sequence[Token]) -> list[Token]:
    return [token for token in tokens if token.is_name and token.form not in _TITLES and token.form not in _PARTICLES]


def is_alone(text: Sequence[Token], start: int, end: int, name: Sequence[Token]) -> bool:
    """Return whether a part of a name stands at a place of a text with no other name before or behind it."""
    before = start > 0 and not text[start].apart and text[start - 1].is_name and not _is_grammar(text[start - 1])
    return text[start].is_name and not before and not (end < len(text) and _joined_name(text[end]))


def is_surname_of(text: Sequence[Token], start: int, end: int, name: Sequence[Token]) -> bool:
    """Return whether a surname that stands at a place of a text may be that of a full name.

    It may if nothing but the name's own first names, initials, titles or grammar stands before it: "Brandt",
    "O. Brandt", "Captain Brandt", not "Per Brandt" or "Brandt Street".
    """
    if not text[start].is_name or (end < len(text) and _joined_name(text[end])):
        return False
    own = {token.form for token in name}
    at = start
    while at > 0 and not text[at].apart and text[at - 1].is_name:
        before = text[at - 1]
        if before.form in own or (len(before.raw) == 1 and before.form in {form[0] for form in own}):
            return True
        if before.form in _TITLES or _is_grammar(before):
            return True
        at -= 1
    return at == start


def is_in_longer_name(text: Sequence[Token], start: int, end: int) -> bool:
    """Return whether a name at a place of a text is part of a longer one: "York" in "Duke of York", "York Road".

    Titles, and what kind of place it is ("City of York"), make no name longer.
    """
    if not all(token.is_name or token.form in _PARTICLES or token.form == "of" for token in text[start:end]):
        return False
    # the stop behind a letter may be that of an initial or of a sentence ("in Basin C. Old Brenna")
    if end < len(text) and _joined_name(text[end]) and len(text[end - 1].raw) > 1:
        return True
    if text[start].apart or start == 0:
        return False
    before = text[start - 1]
    if before.form == "of" and start > 1:
        head = text[start - 2]
        return head.is_name and head.form not in _PLACES and not _is_grammar(head)
    own = before.raw.endswith(("'s", "'")) or before.form in _TITLES
    return before.is_name and not own and not _is_grammar(before)


def _joined_name(token: Token) -> bool:
    return token.is_name and not token.apart and not _is_grammar(token)


def _is_grammar(token: Token) -> bool:
    # within a sentence a word with a capital letter is a name ("Per Brandt", "The Who")
    return token.opens and (token.form in FUNCTION_WORDS or token.raw.lower() in FUNCTION_WORDS)
