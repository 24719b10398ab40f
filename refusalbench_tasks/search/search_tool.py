"""The tool `search`: it shows passages of the row's corpus, and notes what it has
shown.
"""

from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import Tool, tool
from inspect_ai.util import Store, store

from refusalbench_tasks.corpus.passage_id import passage_id
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.replies.outside_text import well_formed
from refusalbench_tasks.solvers.retrieved import STORED, record_retrieved

if TYPE_CHECKING:
    from refusalbench_tasks.corpus.passages import RowCorpus

SEARCHES = "refusalbench:searches"
"""The key in a sample's store of its searches: for each the query, the ids of the
passages that it showed, and their numbers in the conversation.
"""
ROW = "refusalbench:search_row"
NONE_LEFT = "No searches are left: reply now."
NOTHING = "No document has any of these words."


@dataclass(frozen=True)
class RunSearch:
    """What the rows of a run search: each its own corpus, within one budget."""

    corpora: Mapping[str, "RowCorpus"]
    k: int
    searches: int

    def _repr_params_(self) -> int:
        """Return what Inspect writes down of an argument of this kind: how many rows
        there are.
        """
        return len(self.corpora)


RUN_SEARCH: ContextVar[RunSearch | None] = ContextVar("RUN_SEARCH", default=None)


@solver
def open_corpus(run: RunSearch) -> Solver:
    """Let the sample search its corpus: offer the tool, and note that nothing was shown
    so far.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        RUN_SEARCH.set(run)
        state.store.set(ROW, str(state.sample_id))
        state.store.set(SEARCHES, [])
        record_retrieved(state, [])
        state.tools = [*state.tools, search_tool()]
        return state

    return solve


@tool(name="search")
def search_tool() -> Tool:
    """Return the tool by which an agent searches the corpus of its row; it takes
    nothing, so that any agent can be given it.
    """

    async def execute(query: str) -> str:
        """Search the documents. Shows those nearest to your words.

        Args:
            query: A few words that the document would have.
        """
        return shown_by(query, store())

    return execute


def searches_left(sample: Store) -> int:
    """Return how many searches a sample has left."""
    return _run().searches - len(sample.get(SEARCHES, []))


def nearest_in_row(query: str, k: int, sample: Store) -> list[str]:
    """Return the texts of the k passages nearest to a query in a sample's corpus, and
    note nothing.
    """
    return _run().corpora[sample.get(ROW)].nearest(query, k)


def shown_by(query: str, sample: Store) -> str:
    """Return the passages nearest to a query as an agent is shown them, and note them.

    A passage keeps the number under which it was first shown. Raises DataError outside
    of a run of the task `search`.
    """
    run = _run()
    searches: list[dict[str, Any]] = sample.get(SEARCHES, [])
    if len(searches) >= run.searches:
        return NONE_LEFT
    texts = nearest_in_row(query, run.k, sample)
    shown: list[str] = list(sample.get(STORED, []))
    numbers = []
    for text in map(well_formed, texts):
        if text not in shown:
            shown.append(text)
        numbers.append(shown.index(text) + 1)
    note = {
        "query": well_formed(query),
        "ids": [passage_id(text) for text in texts],
        "numbers": numbers,
    }
    sample.set(SEARCHES, [*searches, note])
    sample.set(STORED, shown)
    blocks = [f"[{number}] {shown[number - 1]}" for number in numbers]
    return "\n\n".join(blocks) or NOTHING


def _run() -> RunSearch:
    run = RUN_SEARCH.get()
    if run is None:
        raise DataError("the tool search works in runs of the task search alone")
    return run
