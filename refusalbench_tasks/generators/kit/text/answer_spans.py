"""Where the tokens of an answer are found among those of a text."""

import math
from collections.abc import Iterator, Sequence
from itertools import takewhile

from refusalbench_tasks.generators.kit.text.content_words import is_content
from refusalbench_tasks.generators.kit.text.typed_tokens import Token

_LONG_ANSWER, _MOST = 4, 0.75
_LONG_WORD = 7
_SLACK = 2
"""How many more words a reordered answer may be spread over."""
_SAME_SIZE = 1e-3
"""How far a converted quantity may be off, as a share: measures are rounded when they are converted."""


def spans(answer: Sequence[Token], text: Sequence[Token], lenient: bool = False) -> Iterator[tuple[int, int]]:
    """Yield where an answer stands: word for word, as a compound, in another order, or (lenient) for the most part."""
    length = len(answer)
    if length == 1 and answer[0].raw.islower() and len(answer[0].form) >= _LONG_WORD:
        yield from ((at, at + 1) for at, token in enumerate(text) if _akin(answer[0], token))
        return
    joined = "".join(token.form for token in answer) if all(token.kind == "word" for token in answer) else ""
    wanted = [token for token in answer if is_content(token)]
    for start in range(len(text)):
        window = text[start : start + length]
        if len(window) == length and all(map(same, answer, window)):
            yield start, start + length
        elif len(joined) > 5 and (end := _compound(joined, text, start)):
            yield start, end
        elif len(wanted) > 1 and any(same(mine, text[start]) for mine in wanted):
            spread = _spread(_until_stop(text[start:]), length, len(wanted))
            if all(any(same(mine, theirs) for theirs in spread) for mine in wanted):
                yield (
                    start,
                    start + max(k for k, theirs in enumerate(spread, 1) if any(same(one, theirs) for one in wanted)),
                )
    if lenient and len(wanted) >= _LONG_ANSWER:
        for start, token in enumerate(text):
            if token.opens:
                said = sentence_at(text, start)
                if sum(any(same(mine, theirs) for theirs in said) for mine in wanted) >= _MOST * len(wanted):
                    yield start, start + 1


def _spread(text: Sequence[Token], length: int, wanted: int) -> Sequence[Token]:
    """Return the beginning of a text over which a reordered answer may be spread.

    Two words of matter may be a few words apart ("rust flake"); more of them may have any grammar between them.
    """
    if wanted < 3:
        return text[: length + _SLACK]
    matter = [k for k, token in enumerate(text, 1) if is_content(token)][: wanted + 1]
    return text[: matter[-1]] if matter else ()


def _akin(mine: Token, theirs: Token) -> bool:
    """Return whether two words are one but for their endings ("acquitted", "acquittal")."""
    pairs = zip(mine.form, theirs.form, strict=False)
    shared = len(list(takewhile(lambda pair: pair[0] == pair[1], pairs))) if theirs.kind == "word" else 0
    return same(mine, theirs) or (shared >= 6 and shared >= 0.75 * max(len(mine.form), len(theirs.form)))


def _compound(joined: str, text: Sequence[Token], start: int) -> int | None:
    """Return where a run of words ends that is the answer but for spaces and hyphens."""
    run = ""
    for at in range(start, len(text)):
        if text[at].kind != "word" or (run and text[at].apart):
            return None
        run += text[at].form
        if run == joined:
            return at + 1
        if not joined.startswith(run):
            return None
    return None


def same(mine: Token, theirs: Token) -> bool:
    """Return whether a token of a text says what one of the answer says."""
    if mine.kind == "number":
        if theirs.raw[:1] == "'" and 1000 <= mine.number <= 2200:
            return mine.number % 100 == theirs.number
        if theirs.kind == "date" and theirs.date:
            return theirs.date.year == mine.number
        return theirs.kind in ("number", "quantity") and theirs.number == mine.number
    if mine.kind != theirs.kind:
        return False
    if mine.kind == "quantity":
        if mine.unit != theirs.unit or mine.size * theirs.number == theirs.size * mine.number:
            return mine.unit == theirs.unit and mine.number == theirs.number
        return math.isclose(mine.size, theirs.size, rel_tol=_SAME_SIZE)
    if mine.date and theirs.date:
        return theirs.date.gives(mine.date)
    return mine.number == theirs.number if mine.kind in ("ordinal", "time") else mine.form == theirs.form


def sentence_at(text: Sequence[Token], at: int) -> Sequence[Token]:
    """Return the tokens of the sentence in which a token stands."""
    start = at
    while start and not text[start].opens:
        start -= 1
    return [text[start], *_until_stop(text[start + 1 :])]


def _until_stop(text: Sequence[Token]) -> list[Token]:
    end = next((at for at, token in enumerate(text) if at and token.opens), len(text))
    return list(text[:end])
