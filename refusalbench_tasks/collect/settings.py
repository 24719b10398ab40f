"""The arguments of `collect`: how sources are found and composed, and who reads them.

Every `inspect` command imports this module, so it imports no work.
"""

import re
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from refusalbench_tasks.arguments import (
    Count,
    Fraction,
    Natural,
    Switch,
    Text,
    Whole,
    names_of,
)
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.kit.panel import LONGEST_RUN
from refusalbench_tasks.scorers.run_settings import ScorerSettings

PACKAGE = "refusalbench_tasks.collect"
SCORER = "collection_scores"
Category = Literal["reliable", "unreliable", "distraction"]
CATEGORIES: tuple[Category, ...] = ("reliable", "unreliable", "distraction")
ARMS = ("clear", "ambiguous")
Sizes = dict[str, dict[Category, int]]
"""The number of sources by arm and category."""
CLEAR = "4+1"
AMBIGUOUS = "1+2+2"
THRESHOLD = 0.3
"""The composition and the relevance of the paper (§3.1)."""
_MOST = 20
Composition = Annotated[str, BeforeValidator(str, json_schema_input_type=str)]
"""A number alone is YAML's, and text all the same."""
TrustLists = Annotated[
    str,
    BeforeValidator(
        lambda value: ",".join(names_of(value)), json_schema_input_type=str | list[str]
    ),
]
Unknown = Literal["unknown", "unreliable"]


class RecordSettings(ScorerSettings):
    """How a record is read: what `collect` and its scorer take alike."""

    self_reads: Switch = False
    """Whether the writer may read its own records."""
    cache: Switch = True
    """Keep finished calls for a week, so that an interrupted run pays for none twice.
    """
    max_failures: Natural = LONGEST_RUN
    """Failures of one reader in a row that stop the run; 0 allows any number, and
    leaves out the call to each reader at the start.
    """
    seed: Whole = 0
    """Seed of the plan, of the order of sources and of the cache."""


class CollectSettings(RecordSettings):
    """The arguments of `collect`."""

    search: Text = Field(description="e.g. -T search=brave or -T search=inspect")
    """How pages are found: `brave`, `searxng:ADDRESS`, or `inspect`: Inspect's
    `web_search()` by the role `searcher`, or the writer.
    """
    n: Count = 10
    """Number of records to plan."""
    topics: Text | None = None
    """A YAML file of topics and their fields; without it the ten topics of the paper.
    """
    clear: Composition = CLEAR
    """The clear set: reliable+unreliable+distractions."""
    ambiguous: Composition = AMBIGUOUS
    """The ambiguous set, likewise."""
    trust: TrustLists = "bundled"
    """Comma list of trust lists: `bundled`, FILE.yaml, unreliable:FILE (a host a line),
    reliable:FILE.
    """
    unknown: Unknown = "unknown"
    """What a host on no list counts as: `unknown` (fills no slot) or `unreliable` (as
    published).
    """
    threshold: Fraction = THRESHOLD
    """The relevance (BM25) at or above which a source is kept, and below which a
    distraction is.
    """
    archive: Text | None = None
    """The folder that stores fetched pages and searches; default: one in the user's
    cache.
    """
    delay: Annotated[
        float,
        Field(
            ge=0,
            le=3600,
            strict=True,
        ),
    ] = 1.0
    """Seconds between two requests to a host."""

    @model_validator(mode="after")
    def _can_be_run(self) -> Self:
        _ = self.sizes
        if not self.trust:
            raise DataError(
                "trust: expected names of trust lists, found none; leave it out to have"
                " the bundled ones"
            )
        return self

    @property
    def sizes(self) -> Sizes:
        """Return the composition of both sets.

        Raises DataError for text of another form, and for what can't be.
        """
        return {
            "clear": _size("clear", self.clear),
            "ambiguous": _size("ambiguous", self.ambiguous),
        }

    @property
    def folder(self) -> Path:
        """Return where pages and searches are kept: the archive, or a folder of the
        user's cache.
        """
        from platformdirs import user_cache_path

        if self.archive:
            return Path(self.archive).expanduser()
        return user_cache_path("refusalbench_tasks") / "archive"


def _size(argument: str, value: str) -> dict[Category, int]:
    text = value.replace(" ", "")
    numbers: list[int] = []
    if re.fullmatch(r"\d{1,2}(\+\d{1,2}){0,2}", text):
        numbers = [int(part) for part in text.split("+")]
    # of text of another form nothing is left, and no source is too few
    if not sum(numbers[:2]) or sum(numbers) > _MOST:
        raise DataError(
            f"{argument}: expected reliable+unreliable+distraction, as {CLEAR} or"
            f" {AMBIGUOUS}, 1 to {_MOST} in all and not only distractions, got"
            f" '{value}'"
        )
    return dict(zip(CATEGORIES, (*numbers, 0, 0), strict=False))
