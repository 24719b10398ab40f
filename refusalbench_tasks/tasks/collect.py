"""Hedging data of one's own: questions with a clear and an ambiguous set of sources, which a panel has checked."""

from typing import Any, Literal, Never

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset
from inspect_ai.log import HeadlineMetric

from refusalbench_tasks.arguments import known_only, share, switches, texts, whole_number
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
from refusalbench_tasks.datasets.selection import names_of
from refusalbench_tasks.errors import DataError, one_of
from refusalbench_tasks.generators.kit.breaker import LONGEST_RUN
from refusalbench_tasks.generators.recipe import prompt_hashes
from refusalbench_tasks.generators.verifiers import require_bound_verifiers, require_verifiers

VERSION = "1-A"
Sources = Literal["web", "written"]


@task
def collect(
    search: str | None = None,
    n: int = 10,
    topics: str | None = None,
    sources: Sources = "web",
    clear: str = CLEAR,
    ambiguous: str = AMBIGUOUS,
    trust: str | list[str] = "bundled",
    trust_columns: str | list[str] | None = None,
    unknown: Unknown = "unknown",
    relevance: RelevanceBy = "bm25",
    threshold: float = THRESHOLD,
    weak: Weak = "reject",
    archive: str | None = None,
    offline: bool = False,
    delay: float = 1.0,
    host_limit: int | None = None,
    reddit: str | list[str] | None = None,
    self_reads: bool = False,
    cache: bool = True,
    max_failures: int = LONGEST_RUN,
    seed: int = 0,
    **unknown_names: Never,
) -> Task:
    """Return a run that collects records: the model under evaluation writes, the role `verifier` reads.

    Args:
        search: How pages are found: `corpus:PATH`, `searxng:URL`, `brave`, `tavily`, `bing`, `ddgs`, or Inspect's
            `web_search()`: `inspect` (by the role `searcher`, or the writer), `inspect:tavily`, `inspect:exa`.
        n: How many records are planned; with `sources=written` a multiple of four.
        topics: A YAML file of topics and their fields; without it the ten topics of the paper.
        sources: `web` (found and read) or `written` (by the model, for invented facts; needs no search).
        clear: The clear set: reliable+unreliable+distractions.
        ambiguous: The ambiguous set, likewise.
        trust: Comma list of trust lists: `bundled`, FILE.yaml, iffy:FILE, adfontes:FILE, cred1:FILE, csv:FILE.
        trust_columns: What columns of these CSV files are called, where it is not what their publishers call them:
            comma list of ROLE=COLUMN, the role being host, label, quality, bias or score.
        unknown: What a host on no list counts as: `unknown` (fills no slot) or `unreliable` (as published).
        relevance: `bm25`, or `paper` (the released score of keywords and likeness).
        threshold: The relevance from which on a source is kept, and below which a distraction is.
        weak: `reject` or `keep` (and mark) a record whose ambiguous sources still give the one gold answer.
        archive: The folder of pages and searches that were had; the default is one in the user's cache.
        offline: Whether nothing is fetched: what is not in the archive is not there.
        delay: Seconds between two requests to a host.
        host_limit: The most pages of one host in a run.
        reddit: `all`, or a comma list of subreddits: where unreliable sources are short, a post of Reddit is one. Needs
            REDDIT_CLIENT_ID and REDDIT_CLIENT_SECRET; without this argument Reddit's API is never asked.
        self_reads: Whether the writer may read its own records.
        cache: Keep finished calls for a week, so that a killed run pays for none twice.
        max_failures: Failures of one reader in a row that stop the run; 0 allows any number, and leaves out the call to
            each reader at the start.
        seed: Seed of the plan, of the order of sources, of invented facts and of the cache.
        **unknown_names: Nothing: a name that no task has is an error, before anything is loaded.
    """
    known_only(collect, unknown_names)
    # Inspect's command line makes a list of what has a comma
    trust, reddit = ",".join(names_of(trust)), ",".join(names_of(reddit))
    columns = ",".join(names_of(trust_columns))
    Columns.of(columns)
    texts(search=search, topics=topics, archive=archive, trust=trust)
    switches(offline=offline, self_reads=self_reads, cache=cache)
    for name, value in (("sources", sources), ("unknown", unknown), ("relevance", relevance), ("weak", weak)):
        one_of(name, value, {"sources": Sources, "unknown": Unknown, "relevance": RelevanceBy, "weak": Weak}[name])
    whole_number("n", n, 1)
    whole_number("max_failures", max_failures, 0)
    whole_number("seed", seed)
    share("threshold", threshold)
    if host_limit is not None:
        whole_number("host_limit", host_limit, 1)
    if isinstance(delay, bool) or not isinstance(delay, int | float) or not 0 <= delay <= 3600:
        raise DataError(f"delay: expected seconds from 0 to 3600, got {delay!r}")
    sizes = sizes_of(clear, ambiguous)
    require_bound_verifiers()
    found: dict[str, Any] = {}
    if sources == "web":
        found = {"search": _required(search), "trust": trust, "trust_columns": columns,
                 "unknown": unknown, "archive": archive, "offline": offline,
                 "delay": float(delay), "host_limit": host_limit, "topics": topics,
                 "reddit": ",".join(subreddits(reddit)) or ALL if reddit else "",
                 "clear": str(clear), "ambiguous": str(ambiguous), "relevance": relevance,
                 "threshold": float(threshold)}  # fmt: skip
    plan = _plan(sources, n, topics, seed)
    stages = WEB_STAGES if sources == "web" else WRITTEN_STAGES
    return Task(
        dataset=MemoryDataset([planned.to_sample() for planned in plan], name="BLUFF-collect"),
        setup=require_verifiers(self_reads, max_failures, reads=False),
        solver=[collecting(stage, cache=cache, seed=seed, **found) for stage in stages],
        scorer=collection_scores(weak, self_reads, cache, seed, max_failures),
        headline_metric=HeadlineMetric(scorer="collection_scores", metric="acceptance"),
        version=VERSION,
        metadata={
            "sources": sources,
            **found,
            "sizes": sizes if sources == "web" else None,
            "planned": len(plan),
            "weak": weak,
            "self_reads": self_reads,
            "seed": seed,
            "prompts": prompt_hashes(PACKAGE),
        },
    )


def _required(search: str | None) -> str:
    if search is None:
        raise DataError(
            "search: required with sources=web; e.g. -T search=searxng:http://127.0.0.1:8888, -T search=brave or "
            "-T search=corpus:PATH"
        )
    return search


def _plan(sources: Sources, n: int, topics: str | None, seed: int) -> list[PlannedRecord]:
    if sources == "web":
        return plan_records(load_topics(topics).fields, n, seed)
    from refusalbench_tasks.collect.written import PER_QUESTION, plan_written

    if n % PER_QUESTION:
        raise DataError(
            f"n: with sources=written four records share a question; use {n + PER_QUESTION - n % PER_QUESTION}"
        )
    return plan_written(n, seed)
