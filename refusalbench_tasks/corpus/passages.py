"""The passages that a run searches: shared by its rows, but for what a row has in place
of its own source's.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from refusalbench_tasks.outcome import Retrieve

from .index import Index, nearest_of
from .meaning import Meaning
from .passage_id import passage_id


@dataclass(frozen=True)
class CorpusPassage:
    """A passage, and where it is from."""

    text: str
    source: str = ""
    """The base question that it was written for; empty for none."""
    original: bool = False
    """Whether it is the unperturbed passage of its base question, and no near twin."""
    origin: str = "rows"
    """Which collection brought it, for counts."""

    @cached_property
    def id(self) -> str:
        """Return its id, `passage_id` of its text."""
        return passage_id(self.text)


@dataclass(frozen=True)
class Corpus:
    """The passages that the rows of a run share, and their index."""

    passages: tuple[CorpusPassage, ...]
    index: Index = field(repr=False)
    """The index by words, which the proof before a run goes by too."""
    searched: Index | Meaning = field(repr=False)
    """What searches go by."""

    @classmethod
    def of(
        cls,
        passages: Iterable[CorpusPassage],
        retrieve: Retrieve = "bm25",
    ) -> "Corpus":
        """Return the corpus of passages, each once for its source, in their order."""
        distinct: dict[tuple[str, str], CorpusPassage] = {}
        for passage in passages:
            distinct.setdefault((passage.source, passage.text), passage)
        kept = tuple(distinct.values())
        texts = [passage.text for passage in kept]
        index = Index(texts)
        return cls(kept, index, Meaning(texts) if retrieve == "e5" else index)

    @cached_property
    def originals(self) -> dict[str, list[int]]:
        """Return the positions of the unperturbed passages of each base question."""
        positions: dict[str, list[int]] = {}
        for position, passage in enumerate(self.passages):
            if passage.original:
                positions.setdefault(passage.source, []).append(position)
        return positions

    def view(
        self,
        source: str,
        row_passages: Sequence[str],
        left_out: Iterable[int] = (),
    ) -> "RowCorpus":
        """Return the corpus as a row of a source sees it, without further positions."""
        hidden = {*self.originals.get(source, ()), *left_out}
        return RowCorpus(self, tuple(row_passages), tuple(sorted(hidden)))


@dataclass(frozen=True)
class RowCorpus:
    """The corpus as one row sees it: its own passages stand in place of the originals
    of its source.

    It holds no copy of what is shared. Scores by words go by their frequencies in the
    shared corpus, so that they don't depend on which rows a run has.
    """

    shared: Corpus
    row_passages: tuple[str, ...]
    hidden: Sequence[int]
    """Positions of shared passages that the row does not see."""

    def nearest(self, query: str, k: int) -> list[str]:
        """Return the texts of the k passages nearest to a query, the nearest first; of
        equal ones the row's own first.
        """
        scores = self.shared.searched.scores(query)
        scores[list(self.hidden)] = 0
        row_scores = self.shared.searched.scores_of(query, self.row_passages)
        every = np.concatenate([row_scores, scores])
        texts: dict[str, None] = {}
        for position, _ in nearest_of(every, k + len(self.row_passages)):
            texts[self._text(position)] = None
        return list(texts)[:k]

    def _text(self, position: int) -> str:
        if position < len(self.row_passages):
            return self.row_passages[position]
        return self.shared.passages[position - len(self.row_passages)].text
