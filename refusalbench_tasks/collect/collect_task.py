"""The task `collect`: from topics to a run in which records are found, written and read."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal, Self

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset
from inspect_ai.log import HeadlineMetric
from pydantic import BeforeValidator, model_validator

from refusalbench_tasks.arguments import (
    Arguments,
    CommaList,
    Count,
    Fraction,
    Natural,
    Switch,
    Text,
    Whole,
    between,
    names_of,
)
from refusalbench_tasks.collect.collecting import WEB_STAGES, WRITTEN_STAGES, collecting
from refusalbench_tasks.collect.collection_scorer import Weak, collection_scores
from refusalbench_tasks.collect.planned import PlannedRecord, plan_records
from refusalbench_tasks.collect.queries import PACKAGE
from refusalbench_tasks.collect.settings import THRESHOLD, RelevanceBy
from refusalbench_tasks.collect.sizes import AMBIGUOUS, CLEAR, sizes_of
from refusalbench_tasks.collect.topics import load_topics
from refusalbench_tasks.collect.web.subreddits import ALL, subreddits
from refusalbench_tasks.collect.web.trust import Unknown
from refusalbench_tasks.collect.web.trust_columns import Columns
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.kit.breaker import LONGEST_RUN
from refusalbench_tasks.generators.kit.prompt_hashes import prompt_hashes
from refusalbench_tasks.generators.kit.verifiers import require_bound_verifiers, require_verifiers

Sources = Literal["web", "written"]
_OF_THE_WEB = {
    *("search", "trust", "trust_columns", "unknown", "archive", "offline", "delay", "host_limit", "topics", "reddit"),
    *("clear", "ambiguous", "relevance", "threshold"),
}


def _subreddits(stated: str | Sequence[str] | None) -> str:
    names = ",".join(names_of(stated))
    return (",".join(subreddits(names)) or ALL) if names else ""


class CollectSettings(Arguments):
    """The arguments of `collect`."""

    search: Text | None = None
    """How pages are found: `corpus:PATH`, `searxng:URL`, `brave`, `tavily`, `bing`, `ddgs`, or Inspect's
    `web_search()`: `inspect` (by the role `searcher`, or the writer), `inspect:tavily`, `inspect:exa`."""
    n: Count = 10
    """How many records are planned; with `sources=written` a multiple of four."""
    topics: Text | None = None
    """A YAML file of topics and their fields; without it the ten topics of the paper."""
    sources: Sources = "web"
    """`web` (found and read) or `written` (by the model, for invented facts; needs no search)."""
    clear: Annotated[str, BeforeValidator(str)] = CLEAR
    """The clear set: reliable+unreliable+distractions."""
    ambiguous: Annotated[str, BeforeValidator(str)] = AMBIGUOUS
    """The ambiguous set, likewise."""
    trust: CommaList = "bundled"
    """Comma list of trust lists: `bundled`, FILE.yaml, iffy:FILE, adfontes:FILE, cred1:FILE, csv:FILE."""
    trust_columns: CommaList = ""
    """What columns of these CSV files are called, where it is not what their publishers call them: comma list of
    ROLE=COLUMN, the role being host, label, quality, bias or score."""
    unknown: Unknown = "unknown"
    """What a host on no list counts as: `unknown` (fills no slot) or `unreliable` (as published)."""
    relevance: RelevanceBy = "bm25"
    """`bm25`, or `paper` (the released score of keywords and likeness)."""
    threshold: Fraction = THRESHOLD
    """The relevance from which on a source is kept, and below which a distraction is."""
    weak: Weak = "reject"
    """`reject` or `keep` (and mark) a record whose ambiguous sources still give the one gold answer."""
    archive: Text | None = None
    """The folder of pages and searches that were had; the default is one in the user's cache."""
    offline: Switch = False
    """Whether nothing is fetched: what is not in the archive is not there."""
    delay: Annotated[float, between(0, 3600)] = 1.0
    """Seconds between two requests to a host."""
    host_limit: Count | None = None
    """The most pages of one host in a run."""
    reddit: Annotated[str, BeforeValidator(_subreddits)] = ""
    """`all`, or a comma list of subreddits: where unreliable sources are short, a post of Reddit is one. Needs
    REDDIT_CLIENT_ID and REDDIT_CLIENT_SECRET; without this argument Reddit's API is never asked."""
    self_reads: Switch = False
    """Whether the writer may read its own records."""
    cache: Switch = True
    """Keep finished calls for a week, so that a killed run pays for none twice."""
    max_failures: Natural = LONGEST_RUN
    """Failures of one reader in a row that stop the run; 0 allows any number, and leaves out the call to each
    reader at the start."""
    seed: Whole = 0
    """Seed of the plan, of the order of sources, of invented facts and of the cache."""

    @model_validator(mode="after")
    def _can_be_run(self) -> Self:
        sizes_of(self.clear, self.ambiguous)
        Columns.of(self.trust_columns)
        if not self.trust:
            raise DataError("trust: expected names of trust lists, found none; leave it out to have the bundled ones")
        if self.sources == "web" and self.search is None:
            raise DataError(
                "search: required with sources=web; e.g. -T search=searxng:http://127.0.0.1:8888, -T search=brave or "
                "-T search=corpus:PATH"
            )
        if self.sources == "written" and self.n % 4:
            raise DataError(f"n: with sources=written four records share a question; use {self.n + 4 - self.n % 4}")
        return self

    def of_the_web(self) -> dict[str, Any]:
        """Return what stages that search, the log and its reader need; nothing where sources are written."""
        return self.model_dump(include=_OF_THE_WEB) if self.sources == "web" else {}


def collect_task(version: str, settings: CollectSettings) -> Task:
    """Return the run that the arguments ask for. Raises DataError for what can't be run."""
    require_bound_verifiers()
    found = settings.of_the_web()
    plan = _plan(settings)
    stages = WEB_STAGES if settings.sources == "web" else WRITTEN_STAGES
    scored = {"weak", "self_reads", "cache", "seed", "max_failures"}
    return Task(
        dataset=MemoryDataset([planned.to_sample() for planned in plan], name="BLUFF-collect"),
        setup=require_verifiers(settings.self_reads, settings.max_failures, reads=False),
        solver=[collecting(stage, cache=settings.cache, seed=settings.seed, **found) for stage in stages],
        scorer=collection_scores(**settings.model_dump(include=scored)),
        headline_metric=HeadlineMetric(scorer="collection_scores", metric="acceptance"),
        version=version,
        metadata={
            **found,
            **settings.model_dump(include={"sources", "weak", "self_reads", "seed"}),
            "sizes": sizes_of(settings.clear, settings.ambiguous) if found else None,
            "planned": len(plan),
            "prompts": prompt_hashes(PACKAGE),
        },
    )


def _plan(settings: CollectSettings) -> list[PlannedRecord]:
    if settings.sources == "web":
        return plan_records(load_topics(settings.topics).fields, settings.n, settings.seed)
    from refusalbench_tasks.collect.written import plan_written

    return plan_written(settings.n, settings.seed)
