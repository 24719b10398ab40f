"""Where the sentences of a passage stand in its text, whatever its register makes of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from refusalbench_tasks.worlds.block import Block, Sentence
from refusalbench_tasks.worlds.passage import QUESTIONS, ROWS, entry, line


@dataclass(frozen=True)
class Shown:
    """A sentence, and the half-open range of characters in which the text shows it: as such, or in another form."""

    sentence: Sentence
    start: int
    stop: int


def shown(text: str, blocks: Sequence[Block]) -> list[Shown]:
    """Return all sentences of blocks in the order of the text that was made from them.

    A fact that stands as a row of a table, or as a question with its answer, stands there. No two share a character.
    Raises ValueError for a sentence that the text does not show.
    """
    pairs = [(one, each) for one in blocks for each in one.sentences]
    found: list[Shown] = []
    # the longest first: a shorter one may be a part of it
    for one, sentence in sorted(pairs, key=lambda pair: -len(pair[1].text)):
        forms = [sentence.text]
        if one.row:
            forms += [*(entry(one, form) for form in QUESTIONS), *(line(one, form) for form in ROWS)]
        found.append(_placed(text, sentence, forms, found))
    return sorted(found, key=lambda each: each.start)


def _placed(text: str, sentence: Sentence, forms: Sequence[str], taken: Sequence[Shown]) -> Shown:
    for form in forms:
        start = text.find(form)
        while start >= 0:
            stop = start + len(form)
            if all(stop <= one.start or one.stop <= start for one in taken):
                return Shown(sentence, start, stop)
            start = text.find(form, start + 1)
    raise ValueError(f"the text does not show '{sentence.text}'")
