"""The arguments of the task `search`."""

from typing import Self

from pydantic import model_validator

from refusalbench_tasks.arguments import Count, Switch, Text
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.outcome import Retrieve
from refusalbench_tasks.tasks.refusal_task import RowSettings

PASSAGES = 1000
"""The passages that a corpus has at least: among thirty the first search would find
everything.
"""


class SearchSettings(RowSettings):
    """The arguments of `search`: its rows, what is searched, and how replies are
    scored.
    """

    corpus: Text = "worlds"
    """What stands beside the rows' own passages: `worlds` (other bundled rows, and
    documents of invented worlds up to `passages`), `rows` (nothing), or a file of
    passages with the column `text`, such as `refusalbench documents` writes.
    """
    passages: Count = PASSAGES
    """How many passages `corpus=worlds` has at least."""
    retrieve: Retrieve = "bm25"
    """How passages are found: `bm25` by words, `e5` by meaning (extra `reader`)."""
    k: Count = 3
    """Passages that a search returns."""
    searches: Count = 8
    """Searches that an agent has; further ones return nothing."""
    mcp: Switch = False
    """Offer the tool over MCP too, at an address that the request of an `endpoint` has
    as `{{search}}`.
    """

    @model_validator(mode="after")
    def _agents_state_no_level(self) -> Self:
        if self.confidence:
            raise DataError("confidence: an agent is not asked for it; leave it out")
        return self
