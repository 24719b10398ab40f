"""Numbers in English words: "three million two hundred thousand", "eighteen seventy-four", "third"."""

from collections.abc import Sequence

_ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
_ONES += "seventeen eighteen nineteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_SMALL = {word: value for value, word in enumerate(_ONES.split())}
_ROUND = {word: 10 * value for value, word in enumerate(_TENS.split(), 2)}
ONES = tuple(word for word, value in _SMALL.items() if value)
"""The words from one to nineteen."""
TENS = tuple(_ROUND)
"""The words from twenty to ninety."""
SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
"""Words that multiply what stands before them, in digits or in words."""
_HUNDREDS = {"hundred": 100, "dozen": 12, "score": 20}
_ODD_ORDINALS = {"first": 1, "second": 2, "third": 3, "fifth": 5, "eighth": 8, "ninth": 9, "twelfth": 12}
_ORDINALS = (
    _ODD_ORDINALS
    | {f"{word}th": value for word, value in _SMALL.items() if value not in _ODD_ORDINALS.values()}
    | {f"{word[:-1]}ieth": value for word, value in _ROUND.items()}
)
BEGINNINGS = frozenset({"a", *_SMALL, *_ROUND, *_HUNDREDS, *SCALES, *_ORDINALS})
"""The words that a number, an ordinal or a fraction begins with."""


def is_number_word(word: str) -> bool:
    """Return whether a word in lower case is a number by itself ("seven", "hundred"; not "and")."""
    return word in _SMALL or word in _ROUND or word in _HUNDREDS or word in SCALES


def ordinal(words: Sequence[str]) -> tuple[int, int] | None:
    """Return the ordinal that a list of words begins with, up to "ninety-ninth", and how many words it takes."""
    if not words:
        return None
    if words[0] in _ORDINALS:
        return _ORDINALS[words[0]], 1
    if words[0] in _ROUND and len(words) > 1 and _ORDINALS.get(words[1], 10) < 10:
        return _ROUND[words[0]] + _ORDINALS[words[1]], 2
    return None


def fraction(words: Sequence[str]) -> tuple[float, int] | None:
    """Return the fraction that a list of words begins with ("one third", "three quarters"), and how many it takes.

    "a third" is one only where it ends the list or "of" follows: "a third man" has none.
    """
    parts = words[1].removesuffix("s") if len(words) > 1 else ""
    below = 4 if parts == "quarter" else _ORDINALS.get(parts, 0)
    above = 1 if words[:1] == ["a"] else _SMALL.get(words[0], 0) if words else 0
    if below < 3 or not 0 < above < below:
        return None
    loose = words[0] == "a" and len(words) > 2 and words[2] not in ("of", "")
    return None if loose else (above / below, 2)


def cardinal(words: Sequence[str]) -> tuple[int, int] | None:
    """Return the number that a list of words in lower case begins with, and how many words it takes.

    A year may be read in two halves ("eighteen seventy-four"). "and" belongs to a number only behind a hundred or a
    scale. "a hundred" is left to the caller: the number begins at "hundred", which counts as one hundred.
    """
    year = _year(words)
    if year:
        return year
    total = group = taken = 0
    for at, word in enumerate(words):
        if word == "and" and at and words[at - 1] in (_HUNDREDS | SCALES) and _continues(words[at + 1 :]):
            continue
        joins = at == 0 or words[at - 1] in ("and", *_HUNDREDS, *SCALES)
        if word in _SMALL and (joins or (words[at - 1] in _ROUND and 0 < _SMALL[word] < 10)):
            group += _SMALL[word]
        elif word in _ROUND and joins:
            group += _ROUND[word]
        elif word in _HUNDREDS and group < 100:
            group = (group or 1) * _HUNDREDS[word]
        elif word in SCALES:
            total, group = total + (group or 1) * SCALES[word], 0
        else:
            break
        taken = at + 1
    return (total + group, taken) if taken else None


def _continues(words: Sequence[str]) -> bool:
    return bool(words) and (words[0] in _SMALL or words[0] in _ROUND)


def _year(words: Sequence[str]) -> tuple[int, int] | None:
    century = _SMALL.get(words[0], 0) if words else 0
    if not 10 <= century <= 20 and (not words or words[0] != "twenty"):
        return None
    century = century or 20
    rest = words[1:3]
    if rest and rest[0] in _ROUND:
        digit = _SMALL.get(rest[1], 0) if len(rest) > 1 else 0
        # "twenty thirty" is a year; "ten twenty" and the like are rare enough
        return century * 100 + _ROUND[rest[0]] + (digit if digit < 10 else 0), 3 if 0 < digit < 10 else 2
    if rest and 10 <= _SMALL.get(rest[0], 0) <= 19:
        return century * 100 + _SMALL[rest[0]], 2
    return None
