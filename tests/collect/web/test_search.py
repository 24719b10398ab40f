"""Search engines, asked in their documented layouts on this machine."""

import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refusalbench_tasks.collect.web.extract import Article
from refusalbench_tasks.collect.web.fetch import Web
from refusalbench_tasks.collect.web.hit import Hit, Search, SearchError, day_of, hits_of, plain
from refusalbench_tasks.collect.web.page import Failed
from refusalbench_tasks.collect.web.providers.bing import Bing
from refusalbench_tasks.collect.web.providers.brave import Brave
from refusalbench_tasks.collect.web.providers.corpus import Corpus
from refusalbench_tasks.collect.web.providers.endpoint import Endpoint
from refusalbench_tasks.collect.web.providers.metasearch import Metasearch
from refusalbench_tasks.collect.web.providers.searxng import SearXNG
from refusalbench_tasks.collect.web.providers.tavily import Tavily
from refusalbench_tasks.collect.web.reading import reader_of
from refusalbench_tasks.collect.web.search import engine_of
from refusalbench_tasks.errors import DataError
from tests.collect.web.pages import OUTLETS, PAGES, SUBJECTS, html_of, paragraphs
from tests.collect.web.site import Site

QUERY = "the Veldmoor lock lets through barges"
MAKE: dict[str, Callable[[str, str], Search]] = {
    "searxng": lambda url, key: SearXNG(url + "/searxng/"),
    "brave": lambda url, key: Brave(key, url + "/brave/res/v1/web/search"),
    "bing": lambda url, key: Bing(key, url + "/bing/v7.0/search"),
    "tavily": lambda url, key: Tavily(key, url + "/tavily/search"),
}


def search(engine: Search, query: str, n: int) -> list[Hit]:
    return anyio.run(engine.search, query, n)


@pytest.mark.parametrize("name", MAKE)
def test_an_engine_gives_its_hits_in_order_with_their_days(site: Site, name: str) -> None:
    hits = search(MAKE[name](site.here, "a-key"), QUERY, 10)
    assert [hit.url for hit in hits] == [url for url in PAGES if url.endswith("/veldmoor.html")]
    assert {hit.title for hit in hits} == {"About the Veldmoor lock"}
    assert hits[0].snippet.startswith("The Veldmoor lock lets through barges of at most 84 tonnes.")
    assert "<" not in hits[0].snippet
    assert [hit.date for hit in hits] == ["2021-03-12"] * 5 + [""] * 5


@pytest.mark.parametrize(
    ("name", "n", "found"), [("searxng", 35, 35), ("brave", 35, 35), ("bing", 70, 70), ("tavily", 35, 20)]
)
def test_more_hits_than_a_page_come_from_further_pages_each_once(site: Site, name: str, n: int, found: int) -> None:
    hits = search(MAKE[name](site.here, "a-key"), "they know this place well", n)
    assert len({hit.url for hit in hits}) == len(hits) == found


@pytest.mark.parametrize("name", MAKE)
def test_a_search_without_hits_is_an_empty_list(site: Site, name: str) -> None:
    assert search(MAKE[name](site.here, "a-key"), "xylophones", 10) == []


@pytest.mark.parametrize("name", ["brave", "bing", "tavily"])
def test_a_refused_key_is_an_error_that_does_not_show_it(
    site: Site, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    engine = MAKE[name](site.here, "sk-secret")
    with pytest.raises(SearchError, match="answers with status 401 \\(the key is refused\\)") as error:
        search(engine, QUERY, 10)
    assert "sk-secret" not in caplog.text + str(error.value) + repr(engine) + repr(vars(engine))


@pytest.mark.parametrize(
    ("path", "problem", "tries"),
    [
        ("403", r"answers with status 403 \(access is refused", 1),
        ("429", r"answers with status 429 \(too many searches", 3),
        ("302", "answers with status 302", 1),
        ("nonsense", "answers with something that is no JSON", 1),
        ("large", "answers with more than 5,000,000 bytes", 1),
        ("slow", "gives no answer within 0.1 s", None),
    ],
)
def test_an_engine_that_fails_says_how(site: Site, path: str, problem: str, tries: int | None) -> None:
    seconds = 0.1 if path == "slow" else 20
    endpoint = Endpoint("Engine", f"{site.here}/fails/{path}", seconds=seconds, backoff=0)
    with pytest.raises(SearchError, match=f"^Engine {problem}"):
        anyio.run(endpoint.get)
    assert tries in (None, len(site.seen))


def test_an_engine_that_is_not_there_says_so() -> None:
    with pytest.raises(SearchError, match=r"^Engine cannot be reached \(ConnectError\)$"):
        anyio.run(Endpoint("Engine", "http://127.0.0.1:9/", backoff=0).get)


@pytest.mark.parametrize("answer", [None, [], {}, {"results": None}, {"results": {}}, "text", 3])
def test_an_answer_without_results_is_an_error_not_an_empty_list(
    answer: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def ask(*_: object, **__: object) -> object:
        return answer

    monkeypatch.setattr(Endpoint, "_ask", ask)
    for engine in (SearXNG("http://127.0.0.1:9"), Tavily("a-key")):
        with pytest.raises(SearchError, match="without a list 'results'"):
            search(engine, QUERY, 3)


JSON = st.sampled_from([None, True, 3, "", "text", "2021-03-12", "http://a.com/", "\ud800", [], ["x"], {}, {"u": 1}])


@settings(max_examples=60)
@given(st.lists(st.fixed_dictionaries({"u": JSON, "t": JSON, "s": JSON, "d": JSON}) | JSON, max_size=4))
def test_no_rows_of_an_engine_raise(rows: list[Any]) -> None:
    for hit in hits_of(rows, {"url": "u", "title": "t", "snippet": "s", "date": "d"}, 3):
        assert hit.url.startswith("http")


def test_hits_are_plain_text() -> None:
    assert plain("<b>Two</b> &lt;  5 &amp;\n x<y") == "Two < 5 & x<y"
    assert plain(None) == plain({}) == ""


@pytest.mark.parametrize(
    ("value", "day"),
    [
        ("2021-03-12", "2021-03-12"),
        ("2021-03-12T23:00:00Z", "2021-03-12"),
        ("Fri, 12 Mar 2021 08:00:00 GMT", "2021-03-12"),
        ("2021-13-12", ""),
        ("yesterday", ""),
        ("", ""),
        (None, ""),
        (20210312, ""),
    ],
)
def test_a_day_is_read_or_unknown(value: object, day: str) -> None:
    assert day_of(value) == day


def test_the_metasearch_rests_between_searches_and_tells_nothing_found_from_failure() -> None:
    slept: list[float] = []
    answers: list[Any] = [
        [{"title": "A", "href": "http://a.com/", "body": "b"}, {"title": "none"}],
        Exception("No results found."),
        Exception("202 Ratelimit at http://engine/?q=secret"),
    ]

    def finder(query: str, n: int) -> list[dict[str, Any]]:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return list(answer)

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    async def run() -> None:
        engine = Metasearch(finder, pause=5, sleep=sleep)
        assert await engine.search("x", 3) == [Hit("http://a.com/", "A", "b")]
        assert await engine.search("x", 3) == []
        with pytest.raises(SearchError, match=r"^ddgs finds nothing out \(Exception\)$"):
            await engine.search("x", 3)

    anyio.run(run)
    assert [round(seconds) for seconds in slept] == [5, 5]


@pytest.fixture
def corpus_file(tmp_path: Path) -> Path:
    path = tmp_path / "pages.jsonl"
    rows = [
        {"url": url, "html": html_of(*pair)}
        if number % 2
        else {"url": url, "text": "\n".join(paragraphs(*pair)), "date": "2020-02-03"}
        for number, (url, pair) in enumerate(list(PAGES.items())[:30])
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_a_corpus_finds_its_pages_and_reads_them(corpus_file: Path) -> None:
    corpus = engine_of(f"corpus:{corpus_file}", {})
    hits = search(corpus, QUERY, 10)
    assert {hit.url for hit in hits} == {url for url in PAGES if url.endswith("/veldmoor.html")}
    assert {hit.date for hit in hits} == {"2020-02-03", "2021-03-10"}
    read = reader_of(corpus, None)
    article = anyio.run(read, hits[0].url)
    assert isinstance(article, Article)
    assert hits[0].snippet in article.text
    assert anyio.run(read, "http://a.com/") == Failed("http://a.com/", "not in the corpus")


def test_a_folder_is_a_corpus_whose_paths_are_addresses(tmp_path: Path) -> None:
    for outlet in OUTLETS[:2]:
        folder = tmp_path / outlet.host / "a"
        folder.mkdir(parents=True)
        (folder / "lock.html").write_text(html_of(SUBJECTS[0], outlet), encoding="utf-8")
    (tmp_path / "notes.txt").write_text("Barges wait at the Veldmoor lock.", encoding="utf-8")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    corpus = Corpus(tmp_path)
    assert len(corpus) == 3
    assert {hit.url for hit in search(corpus, QUERY, 5)} == {
        "http://records.example.gov/a/lock.html",
        "http://library.example.edu/a/lock.html",
        "http://notes.txt",
    }


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "line 2: not valid JSON"),
        ("[]", "line 2: expected an object"),
        ('{"text": "x"}', "line 2, field 'url'"),
        ('{"url": "http://b.com/"}', "line 2, field 'text': expected either"),
        ('{"url": "http://b.com/", "text": "x", "html": "y"}', "expected either"),
        ('{"url": "http://b.com/", "text": "x", "title": 3}', "line 2, field 'title'"),
        ('{"url": "http://b.com/", "text": "x", "date": "soon"}', "line 2, field 'date'"),
        ('{"url": "http://b.com/", "html": "<p></p>"}', "line 2, field 'html': no text"),
        ('{"url": "http://a.com/", "text": "x"}', "line 2, field 'url': is that of line 1"),
    ],
)
def test_a_bad_row_of_a_corpus_is_one_line_that_names_it(tmp_path: Path, line: str, problem: str) -> None:
    path = tmp_path / "pages.jsonl"
    path.write_text('{"url": "http://a.com/", "text": "one"}\n' + line + "\n", encoding="utf-8")
    with pytest.raises(DataError, match=problem):
        Corpus(path)


def test_a_corpus_that_is_empty_or_missing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="holds no page"):
        Corpus(tmp_path)
    with pytest.raises(DataError, match="no such file or folder"):
        Corpus(tmp_path / "none")


def test_hits_of_an_engine_are_read_through_the_web_client(site: Site, tmp_path: Path) -> None:
    async def run() -> list[Any]:
        async with Web(tmp_path, transport=site.transport(), delay=0) as web:
            engine = SearXNG(site.here + "/searxng")
            read = reader_of(engine, web)
            return [await read(hit.url) for hit in await engine.search(QUERY, 3)]

    articles = anyio.run(run)
    assert [article.author for article in articles] == ["Ida Marsh", "Tom Okafor", "Nell Abara"]
    with pytest.raises(ValueError):
        reader_of(SearXNG(site.here), None)


KEYS = {"BRAVE_API_KEY": "k", "TAVILY_API_KEY": "k", "BING_SEARCH_V7_SUBSCRIPTION_KEY": "k"}


@pytest.mark.parametrize(
    ("spec", "kind"),
    [
        ("brave", Brave),
        (" Tavily ", Tavily),
        ("bing", Bing),
        ("searxng:http://127.0.0.1:8080/s", SearXNG),
        ("ddgs", Metasearch),
    ],
)
def test_an_engine_is_chosen_by_name(spec: str, kind: type) -> None:
    assert isinstance(engine_of(spec, KEYS), kind)


@pytest.mark.parametrize(
    ("spec", "problem"),
    [
        ("", "unknown engine ''; use one of corpus:PATH, searxng:URL, brave, tavily, bing, ddgs"),
        ("google", "unknown engine 'google'"),
        ("http://127.0.0.1:8080", "unknown engine"),
        ("brave:key", "write brave, not 'brave:key'"),
        ("corpus", "write corpus:PATH"),
        ("searxng:", "write searxng:URL"),
        ("searxng:localhost", "begins with http"),
        ("searxng:http://user:pw@host/", "without a name or password"),
        ("brave", "BRAVE_API_KEY is not set"),
        ("tavily", "TAVILY_API_KEY is not set"),
        ("bing", "BING_SEARCH_V7_SUBSCRIPTION_KEY is not set"),
    ],
)
def test_a_wrong_choice_is_one_line_that_says_what_to_write(spec: str, problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        engine_of(spec, {})
    assert "pw" not in problem
