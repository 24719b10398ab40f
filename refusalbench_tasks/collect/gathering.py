"""Search results become sources: by their hosts' standing, the text that is there, and
one page a host.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from refusalbench_tasks.replies.outside_text import one_line

from .settings import CollectSettings
from .web.engines import engine_of
from .web.extract import Article
from .web.fetch import Web
from .web.page import NoPageError, RefusedError
from .web.relevance import best_passages
from .web.searches import KeptSearch, Search, SearchError
from .web.trust import (
    Trust,
    TrustVerdict,
    host_of,
    trust_lists,
)

RESULTS = 20
"""Hits that a query is asked for (the released builder: 15 for sources, 100 for the
gold source).
"""
SHORTEST_GOLD = 300
SHORTEST_SOURCE = 400
"""Characters that a page must have beyond (released builder)."""
LONGEST_GOLD = 2_000
"""Characters of the gold passage (released builder)."""
GOLD_PAGES = 8
"""Pages that are read for one query's gold source before the next query's turn (our
definition).
"""
SPARE = 2
"""Candidates that are read for each slot: some repeat others, or aren't relevant (our
definition).
"""


@dataclass(frozen=True)
class Library:
    """An engine, the pages that its hits lead to, and the lists that say which of them
    can be relied on.
    """

    search: Search
    pages: Web
    trust: Trust


def open_library(settings: CollectSettings) -> Library:
    """Return what settings name.

    Nothing is asked yet. Raises DataError for what is wrong with the settings.
    """
    engine = engine_of(settings.search)
    trust = Trust(trust_lists(settings.trust), settings.unknown)
    kept = KeptSearch(
        engine,
        settings.search,
        settings.folder / "hits",
    )
    return Library(
        kept,
        Web(settings.folder / "pages", settings.delay),
        trust,
    )


@dataclass(frozen=True)
class FoundSource:
    """A page that was read, at the address of a hit.

    `trust` is what the trust lists say of the host.
    """

    url: str
    host: str
    article: Article
    trust: TrustVerdict
    query: str


@dataclass
class Gathering:
    """One record's looking: which addresses and hosts were seen, and what came of them.

    `looked` counts searches, hits, pages, and by `left_out/REASON` addresses that are
    not used.
    """

    library: Library
    looked: Counter[str]
    urls: set[str] = field(default_factory=set)
    hosts: set[str] = field(default_factory=set)
    answered: int = 0
    problem: SearchError | None = None

    async def hits(self, query: str) -> list[str]:
        """Return the addresses that a query leads to and that weren't seen before;
        none, counted, for a search that failed.
        """
        self.looked["searches"] += 1
        try:
            hits = await self.library.search.search(query, RESULTS)
        except SearchError as error:
            self.problem = error
            self.leave_out("search failed")
            return []
        self.answered += 1
        new = [url for url in hits if url not in self.urls]
        self.looked["hits"] += len(new)
        return new

    def leave_out(self, reason: str) -> None:
        """Count an address that is not used."""
        self.looked[f"left_out/{reason}"] += 1

    def require_a_search(self, since: int = 0) -> None:
        """Raise the last search's error if none was answered since a number of answers:
        nothing was found out then.
        """
        if self.answered == since and self.problem is not None:
            raise self.problem

    async def source(
        self,
        url: str,
        query: str,
        shortest: int,
    ) -> FoundSource | None:
        """Read a page; None, with the reason counted, if it can't be used."""
        self.urls.add(url)
        host = host_of(url)
        leave_out = self.leave_out
        if host is None or host in self.hosts:
            leave_out("host used" if host else "no host name")
            return None
        self.looked["pages"] += 1
        try:
            article = await self.library.pages.read(url)
        except NoPageError as error:
            kind = "refused" if isinstance(error, RefusedError) else "failed"
            leave_out(f"{kind}: {error}"[:80])
            return None
        trust = self.library.trust
        verdict = trust.verdict(url)
        if trust.verdict(article.url).slot != verdict.slot:
            # a redirect leads to a host of another standing, and the page is its
            leave_out("redirect to another standing")
            return None
        if len(article.text) <= shortest:
            leave_out("too short")
            return None
        self.hosts.add(host)
        return FoundSource(
            url,
            host,
            article,
            verdict,
            query,
        )


async def find_gold(
    look: Gathering, queries: Sequence[str]
) -> tuple[FoundSource | None, str]:
    """Return the first reliable page with enough text among the results of the queries,
    and its passage.

    The passage is the part of the page that is nearest to the query. Raises SearchError
    if every search failed.
    """
    for query in queries:
        tries = 0
        for url in await look.hits(query):
            if tries >= GOLD_PAGES:
                break
            if look.library.trust.verdict(url).slot != "reliable":
                look.leave_out("not reliable")
                continue
            tries += 1
            source = await look.source(url, query, SHORTEST_GOLD)
            if source is not None:
                best = best_passages(
                    query,
                    [source.article.text],
                    LONGEST_GOLD,
                )
                return source, one_line(best[0][0])
    look.require_a_search()
    return None, ""


async def find_sources(
    look: Gathering,
    queries: Sequence[str],
    wanted: Mapping[str, int],
) -> list[FoundSource]:
    """Return pages for the slots of a record, `SPARE` times as many as are wanted where
    there are.

    One page a host. What no list knows fills no slot and isn't read. Raises SearchError
    if every search failed.
    """
    left = {slot: number * SPARE for slot, number in wanted.items()}
    sources = []
    for query in queries:
        if not any(left.values()):
            break
        for url in await look.hits(query):
            verdict = look.library.trust.verdict(url)
            if verdict.slot is None:
                look.leave_out(f"standing {verdict.standing}")
                continue
            if not left.get(verdict.slot):
                look.leave_out("slot full")
                continue
            source = await look.source(
                url,
                query,
                SHORTEST_SOURCE,
            )
            if source is not None:
                sources.append(source)
                left[verdict.slot] -= 1
    look.require_a_search()
    return sources


async def find_neighbours(
    look: Gathering,
    queries: Sequence[str],
    wanted: int,
) -> list[FoundSource]:
    """Return pages on a neighbouring subject, `SPARE` times as many as are wanted where
    there are, of any standing.

    Raises SearchError if every search failed.
    """
    sources: list[FoundSource] = []
    before = look.answered
    most = wanted * SPARE
    for query in queries:
        if len(sources) == most:
            return sources
        for url in await look.hits(query):
            source = await look.source(url, query, SHORTEST_GOLD)
            if source is not None:
                sources.append(source)
            if len(sources) == most:
                return sources
    look.require_a_search(before)
    return sources
