"""Search results become sources: by their hosts' standing, the text that is there, and one page a host."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from refusalbench_tasks.collect.found import Candidates, FoundSource, GoldSource, Looked, one_line
from refusalbench_tasks.collect.gear import Gear, Read
from refusalbench_tasks.collect.web.domains import place_of
from refusalbench_tasks.collect.web.hit import Hit, Search, SearchError
from refusalbench_tasks.collect.web.relevance import best_passages

RESULTS = 20
"""Hits that a query is asked for (the released builder: 15 for sources, 100 for the gold source)."""
SHORTEST_GOLD, SHORTEST_SOURCE = 300, 400
"""Characters that a page must have beyond (released builder)."""
LONGEST_GOLD = 2_000
"""Characters of the gold passage (released builder)."""
GOLD_PAGES = 8
"""Pages that are read for one query's gold source before the next query's turn (our definition)."""
SPARE = 2
"""Candidates that are read for each slot: some repeat others, or aren't relevant (our definition)."""
POSTS = "posts of Reddit, unreliable as published"


async def find_gold(gear: Gear, queries: Sequence[str]) -> GoldSource:
    """Return the first reliable page with enough text among the results of the queries, the first query first.

    Its passage is the part of the page that is nearest to the query. Raises SearchError if every search failed.
    """
    look = _Look(gear)
    for query in queries:
        tries = 0
        for hit in await look.hits(query):
            if tries >= GOLD_PAGES:
                break
            if gear.trust.slot(hit.url) != "reliable":
                look.looked.leave_out("not reliable")
                continue
            tries += 1
            source = await look.source(hit, query, SHORTEST_GOLD)
            if source is not None:
                passage = one_line(best_passages(query, [source.text], LONGEST_GOLD)[0].text)
                return GoldSource(source=source, passage=passage, looked=look.looked)
    look.require_one_search()
    return GoldSource(looked=look.looked)


async def find_candidates(
    gear: Gear,
    queries: Sequence[str],
    wanted: Mapping[str, int],
    neighbour_queries: Sequence[str],
    neighbours: int,
    gold: FoundSource,
) -> Candidates:
    """Return pages for the slots of a record, `SPARE` times as many as are wanted where there are, and neighbours.

    One page a host; the gold page is none. What no list knows fills no slot and isn't read. Where Reddit is asked and
    unreliable sources are still wanted, it is, for the second query. A neighbour may come from any host. Raises
    SearchError if every search for slots, or every one for neighbours, failed.
    """
    look = _Look(gear, {gold.url}, set())
    most = {slot: number * SPARE for slot, number in wanted.items()}
    sources: list[FoundSource] = []
    for query in queries:
        counts = Counter(one.slot for one in sources)
        if all(counts[slot] >= number for slot, number in most.items()):
            break
        sources += await _for_slots(look, query, most, counts)
    look.require_one_search()
    if gear.posts is not None and Counter(one.slot for one in sources)["unreliable"] < most.get("unreliable", 0):
        sources += await _post(look, gear.posts.search, queries[:2][-1])
    found: list[FoundSource] = []
    before = look.answered
    for query in neighbour_queries:
        for hit in await look.hits(query) if len(found) < neighbours * SPARE else ():
            if len(found) < neighbours * SPARE:
                source = await look.source(hit, query, SHORTEST_GOLD)
                found += [source] if source else []
    if neighbours and look.answered == before and look.problem:
        raise look.problem
    return Candidates(sources=tuple(sources), neighbours=tuple(found), looked=look.looked)


async def _for_slots(
    look: "_Look", query: str, most: Mapping[str, int], counts: Counter[str | None]
) -> list[FoundSource]:
    found: list[FoundSource] = []
    for hit in await look.hits(query):
        slot = look.gear.trust.slot(hit.url)
        if slot is None:
            look.looked.leave_out(f"standing {look.gear.trust.verdict(hit.url).standing}")
        elif counts[slot] >= most.get(slot, 0):
            look.looked.leave_out("slot full")
        else:
            source = await look.source(hit, query, SHORTEST_SOURCE)
            if source is not None:
                found.append(source)
                counts[slot] += 1
    return found


async def _post(look: "_Look", reddit: Search, query: str) -> list[FoundSource]:
    """Return a post as an unreliable source, as published, unless a list says otherwise of Reddit."""
    for hit in await look.hits(query, reddit):
        standing = look.gear.trust.verdict(hit.url).standing
        if standing not in ("unknown", "unreliable"):
            look.looked.leave_out(f"standing {standing}")
            continue
        source = await look.source(hit, query, SHORTEST_SOURCE)
        if source is not None:
            because = source.because or (POSTS,)
            return [source.model_copy(update={"slot": "unreliable", "because": because})]
    return []


@dataclass
class _Look:
    """One record's looking: which addresses and hosts were seen, and what came of them."""

    gear: Gear
    urls: set[str] = field(default_factory=set)
    hosts: set[str] = field(default_factory=set)
    looked: Looked = field(default_factory=Looked)
    answered: int = 0
    problem: SearchError | None = None

    async def hits(self, query: str, engine: Search | None = None) -> list[Hit]:
        """Return the hits of a query that weren't seen before; none, counted, for a search that failed."""
        try:
            found = await (engine or self.gear.search).search(query, RESULTS)
        except SearchError as error:
            self.problem = error
            self.looked.leave_out("search failed")
            return []
        finally:
            self.looked.searches += 1
        self.answered += 1
        new = [hit for hit in found if hit.url not in self.urls]
        self.looked.hits += len(new)
        return new

    def require_one_search(self) -> None:
        """Raise the last search's error if none was answered: nothing was found out then."""
        if not self.answered and self.problem is not None:
            raise self.problem

    async def source(self, hit: Hit, query: str, shortest: int) -> FoundSource | None:
        """Read the page of a hit; None, with the reason counted, if it can't be used."""
        self.urls.add(hit.url)
        place = place_of(hit.url)
        if place is None or place.host in self.hosts:
            self.looked.leave_out("host used" if place else "no host name")
            return None
        self.looked.pages += 1
        read = await self.gear.read(hit.url)
        if not isinstance(read, Read):
            self.looked.leave_out(f"{type(read).__name__.lower()}: {read.reason}"[:80])
            return None
        slot = self.gear.trust.slot(hit.url)
        if self.gear.trust.slot(read.url) != slot:
            # a redirect leads to a host of another standing, and the page is its
            self.looked.leave_out("redirect to another standing")
            return None
        if len(read.article.text) <= shortest:
            self.looked.leave_out("too short")
            return None
        self.hosts.add(place.host)
        return FoundSource(
            url=hit.url,
            host=place.host,
            title=one_line(read.article.title or hit.title),
            text=read.article.text,
            date=read.article.published or hit.date,
            author=read.article.author,
            slot=slot,
            because=self.gear.trust.verdict(hit.url).because,
            query=query,
            fetched=read.fetched,
        )
