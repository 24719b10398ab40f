"""What a run holds does not grow with the pages that it reads."""

import json
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path

import anyio
import pytest

from refusalbench_tasks.collect import gathering
from refusalbench_tasks.collect.found import Candidates, FoundSource
from refusalbench_tasks.collect.gathering import find_candidates
from refusalbench_tasks.collect.gear import Gear
from refusalbench_tasks.collect.searches import KeptSearch
from refusalbench_tasks.collect.settings import Settings
from refusalbench_tasks.collect.web import fetch, hosts
from refusalbench_tasks.collect.web.extract import Article
from refusalbench_tasks.collect.web.fetch import Web
from refusalbench_tasks.collect.web.hit import Hit
from refusalbench_tasks.collect.web.hosts import Hosts
from refusalbench_tasks.collect.web.page import Page
from refusalbench_tasks.collect.web.providers.corpus import Corpus
from refusalbench_tasks.collect.web.transport import CheckedTransport
from refusalbench_tasks.generators.kit.text.remembered import LONG_KEPT, SHORT_KEPT, Remembered
from refusalbench_tasks.generators.kit.text.typed_tokens import typed_tokens
from tests.collect.web.recording import recorder
from tests.collect.web.site import PUBLIC

PAGE = "A page about lock {number}. " + "- " * 1_300
WORDY = "A page about lock {number}. " + "Nothing more is said here. " * 100
GOLD = FoundSource(url="http://gold.example.gov/", host="gold.example.gov", title="", text="")


@contextmanager
def traced() -> Iterator[Callable[[], tuple[int, int]]]:
    """Yield what returns the bytes that are held of what was made since, and the most that were."""
    tracemalloc.start()
    try:
        yield tracemalloc.get_traced_memory
    finally:
        tracemalloc.stop()


def corpus_of(number: int, folder: Path, page: str = PAGE) -> Path:
    path = folder / f"{number}.jsonl"
    rows = ({"url": f"http://h{k}.example.gov/", "text": page.format(number=k)} for k in range(number))
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_a_record_for_which_four_times_the_pages_are_read_holds_none_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gathering, "SHORTEST_SOURCE", 5_000)  # every page is read, and too short
    peaks = {}
    for number in (2, 50, 200):  # with the first two pages everything is loaded that stays
        gear = Gear(Settings(search=f"corpus:{corpus_of(number, tmp_path)}"))
        monkeypatch.setattr(gathering, "RESULTS", number)

        async def look(gear: Gear = gear) -> Candidates:
            return await find_candidates(gear, ["lock"], {"reliable": 1_000}, [], 0, GOLD)

        with traced() if number > 2 else nullcontext(lambda: (0, 0)) as taken:
            found = anyio.run(look)
            peaks[number] = taken()[1]
        assert (found.looked.pages, found.looked.left_out, found.sources) == (number, {"too short": number}, ())
    # 150 pages of 2.6 kB more, which are 390 kB; the hits take less than 1 kB each
    assert peaks[200] - peaks[50] < 150_000, peaks


def test_a_corpus_holds_no_texts_and_four_bytes_a_word_while_it_is_read(tmp_path: Path) -> None:
    path = corpus_of(100, tmp_path, WORDY)  # 270 kB, 50,000 words
    with traced() as taken:
        corpus = Corpus(path)
        held, peak = taken()
    assert held < 100_000
    assert peak < 600_000  # 3 MB if each word were a text of its own
    article = anyio.run(corpus.read, "http://h7.example.gov/")
    assert getattr(article, "text", "") == WORDY.format(number=7).strip()


def test_results_are_kept_of_few_long_texts() -> None:
    calls: list[str] = []

    def made(text: str) -> str:
        calls.append(text[:9])
        return text.upper()

    shout = Remembered(made)
    with traced() as taken:
        for k in range(1_000):
            shout(f"{k:09d}" + "a" * 10_000)
        assert taken()[0] < 2.2 * LONG_KEPT * 10_010  # not 1,000 texts and what was made of them
    assert (shout("000000999" + "a" * 10_000)[:10], len(calls)) == ("000000999A", 1_000)
    shout("000000000" + "a" * 10_000)  # forgotten
    assert len(calls) == 1_001
    for k in range(SHORT_KEPT):
        shout(str(k))
    assert (shout("0"), shout(str(SHORT_KEPT - 1)), len(calls)) == ("0", "4095", 1_001 + SHORT_KEPT)
    shout.cache_clear()
    shout("0")
    assert len(calls) == 1_002 + SHORT_KEPT
    # passages, of which a record has dozens
    assert isinstance(typed_tokens, Remembered)


def test_hosts_are_forgotten_when_nothing_is_left_to_know_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosts, "MOST", 20)

    async def run() -> tuple[int, int, bool]:
        free, counted = Hosts(None), Hosts(1)
        async with free.turn("held"), free.pace("held", 0.0):
            async with free.turn("waits"), free.pace("waits", 60.0):
                pass
            for k in range(500):
                for one in (free, counted):
                    one.admit(f"h{k}", "page")
                    async with one.turn(f"h{k}"), one.pace(f"h{k}", 0.0):
                        pass
            # the host at which somebody is, and the one that wants a pause, are among those that are left
            kept = {"held", "waits"} <= free._hosts.keys()
        return len(free), len(counted), kept and not counted.admit("h0", "another")

    free, counted, right = anyio.run(run)
    assert free <= 20
    # with a limit what was counted is kept
    assert (counted, right) == (500, True)


def test_rules_and_their_locks_are_few_however_many_hosts_are_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetch, "_MOST_RULES", 5)
    sent: list[tuple[str, int]] = []

    async def anywhere(host: str, port: int) -> list[str]:
        return [PUBLIC]

    async def run() -> tuple[int, int]:
        async with Web(tmp_path, delay=0.0, transport=CheckedTransport(anywhere, recorder(sent))) as web:
            async with anyio.create_task_group() as group:
                for k in range(16):
                    group.start_soon(one, web, f"http://h{k % 8}.example.com/{k}")
            return len(web._rules), len(web._rule_locks)

    async def one(web: Web, url: str) -> None:
        assert isinstance(await web.fetch(url), Page)

    assert anyio.run(run) == (5, 0)


def test_pages_are_read_one_at_a_time_so_that_no_two_trees_are_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside, most = 0, 0

    def slow(page: Page) -> Article:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        time.sleep(0.005)
        inside -= 1
        return Article(page.url)

    monkeypatch.setattr(fetch, "extract", slow)

    async def run() -> None:
        async with Web(tmp_path) as web, anyio.create_task_group() as group:
            for k in range(8):
                page = Page("a", f"http://h{k}.example.com/", "html", "", b"", datetime.now(UTC))
                group.start_soon(web.article, page)

    anyio.run(run)
    assert most == 1


def test_a_search_that_is_asked_twice_at_once_is_made_once(tmp_path: Path) -> None:
    class Slow:
        asked = 0

        async def search(self, query: str, n: int) -> list[Hit]:
            self.asked += 1
            await anyio.sleep(0.01)
            return [Hit("http://a.example.com/", query, "", "")]

    engine = Slow()
    kept = KeptSearch(engine, "slow", tmp_path)
    found: list[list[Hit]] = []

    async def ask(query: str) -> None:
        found.append(await kept.search(query, 3))

    async def run() -> None:
        async with anyio.create_task_group() as group:
            for query in ("a", "a", "b", "a"):
                group.start_soon(ask, query)

    anyio.run(run)
    assert (engine.asked, sorted(hits[0].title for hits in found)) == (2, ["a", "a", "a", "b"])
