"""Search results become sources: by their hosts' standing, the text that is there, and
one page a host.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from refusalbench_tasks.collect.settings import CollectSettings
from refusalbench_tasks.collect.web.engines import engine_of
from refusalbench_tasks.collect.web.extract import Article
from refusalbench_tasks.collect.web.fetch import Web
from refusalbench_tasks.collect.web.hit import Hit, KeptSearch, Search, SearchError
from refusalbench_tasks.collect.web.page import NoPageError, RefusedError
from refusalbench_tasks.collect.web.relevance import best_passages
from refusalbench_tasks.collect.web.trust import Trust, host_of, trust_lists
from refusalbench_tasks.replies.outside_text import one_line

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
    kept = KeptSearch(engine, settings.search, settings.folder / "searches")
    return Library(kept, Web(settings.folder / "pages", settings.delay), trust)


@dataclass(frozen=True)
class FoundSource:
    """A page that was read, at the address of a hit.

    `slot` is what the trust lists make of it, and `because` by which of their entries;
    `date` is the day of publication as the page, or else the engine, states it.
    """

    url: str
    host: str
    title: str
    date: str
    article: Article
    slot: str | None
    because: tuple[str, ...]
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

    async def hits(self, query: str) -> list[Hit]:
        """Return the hits of a query that weren't seen before; none, counted, for a
        search that failed.
        """
        self.looked["searches"] += 1
        try:
            found = await self.library.search.search(query, RESULTS)
        except SearchError as error:
            self.problem = error
            self.leave_out("search failed")
            return []
        self.answered += 1
        new = [hit for hit in found if hit.url not in self.urls]
        self.looked["hits"] += len(new)
        return new

    def leave_out(self, reason: str) -> FoundSource | None:
        """Count an address that is not used, and return None."""
        self.looked[f"left_out/{reason}"] += 1
        return None

    def require_a_search(self, since: int = 0) -> None:
        """Raise the last search's error if none was answered since a number of answers:
        nothing was found out then.
        """
        if self.answered == since and self.problem is not None:
            raise self.problem

    async def source(self, hit: Hit, query: str, shortest: int) -> FoundSource | None:
        """Read the page of a hit; None, with the reason counted, if
        it can't be used.
        """
        self.urls.add(hit.url)
        host = host_of(hit.url)
        trust = self.library.trust
        if host is None or host in self.hosts:
            return self.leave_out("host used" if host else "no host name")
        self.looked["pages"] += 1
        try:
            article = await self.library.pages.read(hit.url)
        except NoPageError as error:
            kind = "refused" if isinstance(error, RefusedError) else "failed"
            return self.leave_out(f"{kind}: {error}"[:80])
        verdict = trust.verdict(hit.url)
        if trust.verdict(article.url).slot != verdict.slot:
            # a redirect leads to a host of another standing, and the page is its
            return self.leave_out("redirect to another standing")
        if len(article.text) <= shortest:
            return self.leave_out("too short")
        self.hosts.add(host)
        title = one_line(article.title or hit.title)
        date = article.published or hit.date
        return FoundSource(
            hit.url, host, title, date, article, verdict.slot, verdict.because, query
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
        for hit in await look.hits(query):
            if tries >= GOLD_PAGES:
                break
            if look.library.trust.verdict(hit.url).slot != "reliable":
                look.leave_out("not reliable")
                continue
            tries += 1
            source = await look.source(hit, query, SHORTEST_GOLD)
            if source is not None:
                return source, one_line(
                    best_passages(query, [source.article.text], LONGEST_GOLD)[0][0]
                )
    look.require_a_search()
    return None, ""


async def find_sources(
    look: Gathering, queries: Sequence[str], wanted: Mapping[str, int]
) -> list[FoundSource]:
    """Return pages for the slots of a record, `SPARE` times as many as are wanted where
    there are.

    One page a host. What no list knows fills no slot and isn't read. Raises SearchError
    if every search failed.
    """
    trust = look.library.trust
    most = {slot: number * SPARE for slot, number in wanted.items()}
    found: list[FoundSource] = []
    counts: Counter[str | None] = Counter()
    for query in queries:
        if all(counts[slot] >= number for slot, number in most.items()):
            break
        for hit in await look.hits(query):
            verdict = trust.verdict(hit.url)
            slot = verdict.slot
            if slot is None:
                look.leave_out(f"standing {verdict.standing}")
            elif counts[slot] >= most.get(slot, 0):
                look.leave_out("slot full")
            elif (source := await look.source(hit, query, SHORTEST_SOURCE)) is not None:
                found.append(source)
                counts[slot] += 1
    look.require_a_search()
    return found


async def find_neighbours(
    look: Gathering, queries: Sequence[str], wanted: int
) -> list[FoundSource]:
    """Return pages on a neighbouring subject, `SPARE` times as many as are wanted where
    there are, of any standing.

    Raises SearchError if every search failed.
    """
    found: list[FoundSource] = []
    before = look.answered
    for query in queries:
        for hit in await look.hits(query) if len(found) < wanted * SPARE else ():
            if len(found) < wanted * SPARE:
                source = await look.source(hit, query, SHORTEST_GOLD)
                found += [source] if source else []
    if wanted:
        look.require_a_search(before)
    return found
