"""Before the run and without a model: which shared passages would change what a row
asks for, so that the row must not see them.
"""

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np

from refusalbench_tasks.corpus.index import tokens_of
from refusalbench_tasks.corpus.passages import Corpus
from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.replies.alias import answer_tokens

TELLING = 0.01
"""A word of the question tells the asked thing if at most this share of the passages
has it; in a small corpus if it stands in three.
"""


def hidden_passages(
    corpus: Corpus,
    items: Sequence[RefusalItem],
    asked: Mapping[str, Sequence[str]],
) -> dict[str, tuple[int, ...]]:
    """Return the positions that each row must not see, by the row's id; nothing for
    rows without any.

    Of worlds, where the solver has proven the row's own world, the passages of others
    that name an asked thing. Elsewhere passages that hold a gold alias beside a telling
    word of the question: they might answer it. The originals of the row's source, which
    it does not see anyway, are not listed.
    """
    passages = corpus.passages
    spaced = [_spaced(passage.text) for passage in passages]
    most = max(3, TELLING * len(passages))

    @cache
    def naming(source: str) -> set[int]:
        named = _with_words(corpus, " ".join(asked[source]))
        return {position for position in named if passages[position].source != source}

    @cache
    def answering(query: str, answers: tuple[str, ...]) -> set[int]:
        aliases = [alias for alias in map(_spaced, answers) if alias.strip()]
        frequency = corpus.index.frequency
        telling = [word for word in {*tokens_of(query)} if frequency(word) <= most]
        positions = set()
        for position in _with_words(corpus, " ".join(telling)):
            if any(alias in spaced[position] for alias in aliases):
                positions.add(position)
        return positions

    hidden = {}
    for item in items:
        if item.source_id in asked:
            against = naming(item.source_id)
        else:
            against = answering(item.query, item.answers)
        positions = against.difference(corpus.originals.get(item.source_id, ()))
        if positions:
            hidden[item.item_id] = tuple(sorted(positions))
    return hidden


def _with_words(corpus: Corpus, words: str) -> list[int]:
    """Return the positions of passages that have one of the words."""
    return [int(position) for position in np.flatnonzero(corpus.index.scores(words))]


def _spaced(text: str) -> str:
    """Return the comparable words of a text between blanks, so that whole words are
    found in it.
    """
    return f" {' '.join(answer_tokens(text))} "
