"""From the arguments of `search` to an Inspect task."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset

from refusalbench_tasks.corpus.passages import Corpus, RowCorpus
from refusalbench_tasks.datasets.benchmarks import (
    NQ,
    Benchmark,
    Loaded,
    layout_of,
    load,
    select,
)
from refusalbench_tasks.datasets.draw import fingerprint, shard_facts
from refusalbench_tasks.datasets.item import RefusalItem, RunRows
from refusalbench_tasks.datasets.rows import read_rows
from refusalbench_tasks.datasets.worlds import WORLDS
from refusalbench_tasks.judging.graders import announce_graders
from refusalbench_tasks.scorers.refusal import refusal_correct
from refusalbench_tasks.scorers.row_facts import row_facts
from refusalbench_tasks.scorers.sample_list import sample_list
from refusalbench_tasks.tasks.refusal_task import headline_of, run_rows

from .proof import hidden_passages
from .run_corpus import corpus_facts, gather
from .search_agents import (
    SPARE_TURNS,
    instructions,
    tool_agent,
)
from .search_scorer import search_scores
from .search_server import end_offer, offer_over_mcp
from .search_settings import SearchSettings
from .search_tool import RunSearch, open_corpus


@dataclass(frozen=True)
class SearchRows:
    """The rows of a run and what they search."""

    benchmark: Benchmark
    loaded: Loaded
    whole: list[RefusalItem]
    """The selected rows of all shards."""
    corpus: Corpus
    left_out: Mapping[str, Sequence[int]]
    """What a row must not see of the corpus, by its id."""

    def view(self, item: RefusalItem) -> RowCorpus:
        """Return the corpus as a row sees it."""
        return self.corpus.view(
            item.source_id,
            item.passages,
            self.left_out.get(item.item_id, ()),
        )


def search_rows(settings: SearchSettings) -> SearchRows:
    """Return the rows of some settings, with their corpus, which is proven for them.

    Raises DataError for bad rows, and for a corpus that is none.
    """
    benchmark = _benchmark(settings.data)
    loaded = load(benchmark, settings)
    whole = select(loaded, settings)
    gathered = gather(benchmark, loaded, settings)
    corpus = gathered.corpus
    return SearchRows(
        benchmark,
        loaded,
        whole,
        corpus,
        hidden_passages(corpus, whole, gathered.asked),
    )


def _benchmark(data: str) -> Benchmark:
    """Return the data set whose layout the rows have: that of a file as its columns
    are.
    """
    if data in ("hub", "sample", WORLDS) and not Path(data).exists():
        return NQ
    return layout_of(read_rows(data)[0])


def search_task(version: str, settings: SearchSettings) -> Task:
    """Return the task of some settings. Raises DataError as `search_rows` does."""
    rows = search_rows(settings)
    grounded = rows.benchmark.grounded
    items, scoring = run_rows(rows.whole, settings, grounded)
    run = RunSearch(
        {item.item_id: rows.view(item) for item in items},
        settings.k,
        settings.searches,
    )
    remembered = scoring.model_dump() | {"ask": settings.ask}
    reply_scores = "grounded_scores" if grounded else "refusal_scores"
    samples = []
    for item in items:
        sample = item.to_sample(remembered)
        sample.input = item.query
        samples.append(sample)
    return Task(
        dataset=MemoryDataset(
            samples,
            name=f"{rows.benchmark.name}, searched",
        ),
        setup=[
            announce_graders(
                needed=settings.judge != "offline",
                rows=RunRows(items),
                check=scoring.check,
            ),
            open_corpus(run),
            *([offer_over_mcp(run)] if settings.mcp else []),
        ],
        solver=tool_agent(
            settings.searches,
            settings.codes,
            grounded,
            settings.ask,
        ),
        # each sample remembers how it is to be scored
        scorer=[refusal_correct(), search_scores(), row_facts()],
        headline_metric=headline_of(scoring, "search_scores"),
        viewer=sample_list("search_scores", reply_scores),
        # a search and its result are two messages, as are a turn without a call and
        # what it is system
        message_limit=2 * (settings.searches + SPARE_TURNS) + 2,
        cleanup=end_offer,
        version=version,
        metadata=_facts(rows, items, settings),
    )


def _facts(
    rows: SearchRows,
    items: Sequence[RefusalItem],
    settings: SearchSettings,
) -> dict[str, Any]:
    """Return what the log says of the rows, the corpus and the prompt."""
    given = (
        settings.searches,
        settings.codes,
        rows.benchmark.grounded,
        settings.ask,
    )
    # a run may have either agent
    prompts = instructions("by_tool", *given) + instructions("by_line", *given)
    searched = {
        "k": settings.k,
        "searches": settings.searches,
        "retrieve": settings.retrieve,
    }
    return {
        **rows.loaded.provenance,
        "selected_rows": len(items),
        "selected_fingerprint": fingerprint(items),
        "prompt_sha256": sha256(prompts.encode()).hexdigest(),
        "corpus": corpus_facts(rows.corpus, rows.left_out) | searched,
        **shard_facts(settings.shard, rows.whole),
    }
