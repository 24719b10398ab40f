"""The arguments of a run that say how sources are found and composed."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from refusalbench_tasks.collect.sizes import AMBIGUOUS, CLEAR, Sizes, sizes_of
from refusalbench_tasks.collect.web.trust import Unknown

RelevanceBy = Literal["bm25", "paper"]
THRESHOLD = 0.3
"""The relevance from which on a source is kept (paper §3.1; `web.relevance` has it too, and more to import)."""


@dataclass(frozen=True)
class Settings:
    """Engine, trust lists, what unknown hosts are, archive, politeness; topics, sizes of the sets, relevance; Reddit.

    `delay` is in seconds between two requests to a host; `host_limit` the most pages of one host (None: any number).
    `reddit` names subreddits or is `all`; empty: Reddit isn't asked. `trust_columns` names columns of lists in CSV.
    """

    search: str = ""
    trust: str = "bundled"
    unknown: Unknown = "unknown"
    archive: str | None = None
    offline: bool = False
    delay: float = 1.0
    host_limit: int | None = None
    topics: str | None = None
    clear: str = CLEAR
    ambiguous: str = AMBIGUOUS
    relevance: RelevanceBy = "bm25"
    threshold: float = THRESHOLD
    seed: int = 0
    reddit: str = ""
    trust_columns: str = ""

    @property
    def folder(self) -> Path:
        """Return where pages and searches are kept: the archive, or a folder of the user's cache."""
        from platformdirs import user_cache_path

        return Path(self.archive).expanduser() if self.archive else user_cache_path("refusalbench_tasks") / "archive"

    @property
    def sizes(self) -> Sizes:
        """Return the composition of both sets."""
        return sizes_of(self.clear, self.ambiguous)
