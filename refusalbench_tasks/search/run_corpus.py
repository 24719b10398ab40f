"""The corpus of a run: the passages of its rows, near twins of them, and others."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from typing import Any

from refusalbench_tasks.bounded_reading import data_yaml
from refusalbench_tasks.corpus.passages import Corpus, CorpusPassage
from refusalbench_tasks.datasets.benchmarks import BENCHMARKS, Benchmark, Loaded
from refusalbench_tasks.datasets.rows import bundled_rows, read_rows
from refusalbench_tasks.datasets.worlds import (
    DEFAULT_ROWS,
    WORLDS,
    WorldDocuments,
    world_documents,
)
from refusalbench_tasks.outcome import Retrieve

from .search_settings import SearchSettings

_CELLS = 4
"""Rows of one world."""


@dataclass
class RunCorpus:
    """The passages of a run while they are gathered, and what the rows of worlds ask
    about.
    """

    passages: list[CorpusPassage] = field(default_factory=list)
    asked: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The names of the asked things by base question; rows of worlds alone have them.
    """
    retrieve: Retrieve = "bm25"

    def add_world(self, world: WorldDocuments) -> None:
        """Add the documents of a world."""
        self.asked[world.source] = world.asked
        for text in (*world.originals, *world.near):
            passage = CorpusPassage(
                text,
                world.source,
                original=text in world.originals,
                origin=WORLDS,
            )
            self.passages.append(passage)

    @property
    def corpus(self) -> Corpus:
        """Return the indexed corpus."""
        return Corpus.of(self.passages, self.retrieve)


def gather(
    benchmark: Benchmark,
    loaded: Loaded,
    settings: SearchSettings,
) -> RunCorpus:
    """Return the passages that the rows of a run share.

    They follow from the data, not from the rows that are selected of it, so that all
    shards of a run search the same. Raises DataError for a file that is no corpus.
    """
    gathered = RunCorpus(retrieve=settings.retrieve)
    start = 0
    worlds = world_documents(settings.seed, 0)
    if settings.data == WORLDS:
        start = settings.n or DEFAULT_ROWS[benchmark.passages]
        worlds = world_documents(
            settings.seed,
            0,
            settings.domains,
        )
        for world in islice(worlds, start // _CELLS):
            gathered.add_world(world)
    else:
        for item in loaded.controls:
            gathered.passages += [
                CorpusPassage(text, item.source_id, original=True)
                for text in item.passages
            ]
    if settings.data == "sample":
        for source, texts in near_twins().items():
            for text in texts:
                twin = CorpusPassage(text, source, origin="near twins")
                gathered.passages.append(twin)
    if settings.corpus == WORLDS:
        gathered.passages += _other_samples(benchmark, settings.data)
        while len(gathered.passages) < settings.passages:
            gathered.add_world(next(worlds))
    elif settings.corpus != "rows":
        gathered.passages += _of_file(settings.corpus)
    return gathered


@cache
def near_twins() -> Mapping[str, tuple[str, ...]]:
    """Return the near twins of the bundled rows, by base question: passages on like
    things, on other matters of the asked thing, and on its name.
    """
    twins = {}
    for source, texts in data_yaml("search", "near_twins.yaml").items():
        # lines of the file end where they are long
        twins[source] = tuple(" ".join(text.split()) for text in texts)
    return twins


def _other_samples(benchmark: Benchmark, data: str) -> list[CorpusPassage]:
    """Return the passages of the bundled rows that are not the run's."""
    passages = []
    for other in BENCHMARKS:
        if other is benchmark and data == "sample":
            continue
        for item in other.originals_of(bundled_rows(other.sample)):
            passages += [
                CorpusPassage(text, item.source_id, origin="samples")
                for text in item.passages
            ]
    return passages


def _of_file(name: str) -> list[CorpusPassage]:
    """Return the passages of a file. Raises DataError for one without texts."""
    passages = []
    for row in read_rows(name, "corpus", "'worlds', 'rows' or"):
        text = row.values.get("text")
        if not isinstance(text, str) or not text.strip():
            raise row.error("text", "expected the text of a passage")
        passages.append(CorpusPassage(text, origin="file"))
    return passages


def corpus_facts(corpus: Corpus, left_out: Mapping[str, object]) -> dict[str, Any]:
    """Return what a log says of a corpus: its size by origin, and for how many rows
    passages are left out.
    """
    origins = Counter(passage.origin for passage in corpus.passages)
    return {
        "passages": len(corpus.passages),
        "origins": dict(origins),
        "rows_with_passages_left_out": len(left_out),
    }
