"""Search engines: one that answers with JSON, a file of pages, Inspect's web search, ddgs."""

import json
import logging
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inspect_ai.model import (
    ChatMessageAssistant,
    Content,
    ContentCitation,
    ContentText,
    ContentToolUse,
    GenerateConfig,
    ModelOutput,
    UrlCitation,
    get_model,
)
from inspect_ai.tool import ToolCall, ToolInfo

from refusalbench_tasks.collect.web import api
from refusalbench_tasks.collect.web.api import ApiSearch
from refusalbench_tasks.collect.web.corpus import Corpus
from refusalbench_tasks.collect.web.hit import Hit, KeptSearch, Search, SearchError, day_of, hits_of, plain
from refusalbench_tasks.collect.web.inspect_search import ModelSearch, ServiceSearch, cited
from refusalbench_tasks.collect.web.page import FailedError
from refusalbench_tasks.collect.web.search import Metasearch, engine_of
from refusalbench_tasks.errors import DataError
from tests.collect.pages import LOCKS, PAGES, url_of
from tests.collect.site import Site
from tests.models import output, part

QUERY = "how heavy a barge may be in the Velmoor lock"
USE = ContentToolUse(tool_type="web_search", id="1", name="web_search", arguments="{}", result="")


def search(engine: Search, query: str = QUERY, n: int = 10) -> list[Hit]:
    return anyio.run(engine.search, query, n)


def test_an_engine_by_description_gives_its_hits_in_order_from_further_pages_each_once(site: Site) -> None:
    engine = engine_of(site.engine())
    assert [hit.url for hit in search(engine)] == site.found(QUERY)[:10]
    assert search(engine)[0].snippet == "A page"
    many = search(engine, QUERY, 35)
    assert len({hit.url for hit in many}) == len(many) == 35
    assert search(engine, "xylophones") == []
    path = Path(site.engine().removeprefix("api:"))
    path.write_text(f"{path.read_text()}may_lack_results: true\n")
    assert search(engine_of(f"api:{path}"), "fails empty") == []


def test_a_refused_or_missing_key_is_an_error_that_does_not_show_it(
    site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    engine = engine_of(site.engine(), {"A_KEY": "sk-secret"})
    with pytest.raises(SearchError, match="answers with status 401 \\(the key is refused\\)") as error:
        search(engine)
    assert "sk-secret" not in caplog.text + str(error.value) + repr(engine)
    for known, problem in (({}, "A_KEY is not set"), ({"A_KEY": "é"}, "characters that no key has")):
        with pytest.raises(DataError, match=problem):
            engine_of(site.engine(), known)
    assert isinstance(engine_of("brave", {"BRAVE_API_KEY": "k"}), ApiSearch)


@pytest.mark.parametrize(
    ("query", "problem", "tries"),
    [
        ("403", r"answers with status 403 \(access is refused", 1),
        ("429", r"answers with status 429 \(too many searches", 3),
        ("302", "answers with status 302", 1),
        ("nonsense", "answers with something that is no JSON", 1),
        ("large", "answers with more than 5,000,000 bytes", 1),
        ("empty", "answers without a list 'found.results'", 1),
    ],
)
def test_an_engine_that_fails_says_how(site: Site, query: str, problem: str, tries: int) -> None:
    async def sleep(seconds: float) -> None:
        return None

    engine = ApiSearch(site.engine().removeprefix("api:"), {"A_KEY": "a-key"}, sleep)
    with pytest.raises(SearchError, match=problem):
        search(engine, f"fails {query}")
    assert len(site.searches) == tries


def test_an_engine_that_is_not_there_or_badly_described_says_so(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api, "TRIES", 1)
    path = tmp_path / "e.yaml"
    path.write_text("url: http://127.0.0.1:9/\nquery: q\nresults: x\n")
    with pytest.raises(SearchError, match=r"cannot be reached \(ConnectError\)$"):
        search(engine_of(f"api:{path}"))
    path.write_text("url: ftp://a/\nquery: q\nresults: x\n")
    with pytest.raises(DataError, match="field 'url'"):
        engine_of(f"api:{path}")


@pytest.mark.parametrize(
    "spec", ["", "google", "http://127.0.0.1:8080", "brave:key", "corpus", "inspect:google", "api:"]
)
def test_a_wrong_choice_is_one_line_that_says_what_to_write(spec: str) -> None:
    with pytest.raises(DataError, match="unknown engine '.*'; use one of corpus:FILE.jsonl, inspect,"):
        engine_of(spec, {})


JSON = st.sampled_from([None, True, 3, "", "text", "2021-03-12", "http://a.com/", "\ud800", [], ["x"], {}, {"u": 1}])


@settings(max_examples=60)
@given(st.lists(st.fixed_dictionaries({"u": JSON, "t": JSON, "s": JSON, "d": JSON}) | JSON, max_size=4))
def test_no_rows_of_an_engine_raise(rows: list[Any]) -> None:
    for hit in hits_of(rows, {"url": "u", "title": "t", "snippet": "s", "date": "d"}, 3):
        assert hit.url.startswith("http")


def test_hits_are_plain_text_with_a_day_or_none() -> None:
    assert plain("<b>Two</b> &lt;  5 &amp;\n x<y") == "Two < 5 & x<y"
    assert plain(None) == plain({}) == ""
    days = ("2021-03-12", "2021-03-12T23:00:00Z", "Fri, 12 Mar 2021 08:00:00 GMT", "2021-13-12", "soon", "", None, 2021)
    assert [day_of(one) for one in days] == ["2021-03-12"] * 3 + [""] * 5


def test_the_metasearch_rests_between_searches_and_tells_nothing_found_from_failure() -> None:
    slept: list[float] = []
    answers: list[Any] = [
        [{"title": "A", "href": "http://a.com/", "body": "b"}, {"title": "none"}],
        Exception("No results found."),
        Exception("202 Ratelimit at http://engine/?q=secret"),
    ]

    class Finder:
        def __init__(self, timeout: int) -> None:
            self.answer = answers.pop(0)

        def text(self, query: str, max_results: int) -> Any:
            if isinstance(self.answer, Exception):
                raise self.answer
            return self.answer

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    async def run() -> None:
        engine = Metasearch(5, sleep)
        engine._ddgs = Finder
        assert await engine.search("x", 3) == [Hit("http://a.com/", "A", "b")]
        assert await engine.search("x", 3) == []
        with pytest.raises(SearchError, match=r"^ddgs finds nothing out \(Exception\)$"):
            await engine.search("x", 3)

    anyio.run(run)
    assert [round(seconds) for seconds in slept] == [0, 5, 5]


def test_a_corpus_finds_its_pages_and_reads_them(tmp_path: Path) -> None:
    path = tmp_path / "pages.jsonl"
    rows = [{"url": url, "text": f"{text} More.", "date": "2020-02-03"} for url, text in list(PAGES.items())[:30]]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    corpus = engine_of(f"corpus:{path}", {})
    assert isinstance(corpus, Corpus)
    hits = search(corpus)
    assert url_of(LOCKS[0], "records.example.gov") in {hit.url for hit in hits}
    article = anyio.run(corpus.read, hits[0].url)
    assert (hits[0].date, hits[0].snippet in article.text, article.published) == ("2020-02-03", True, "2020-02-03")
    with pytest.raises(FailedError, match="not in the corpus"):
        anyio.run(corpus.read, "http://a.com/")


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "line 2: not valid JSON"),
        ("[]", "line 2"),
        ('{"text": "x"}', "line 2, field 'url'"),
        ('{"url": "http://b.com/", "text": " "}', "line 2, field 'text'"),
        ('{"url": "http://b.com/", "text": "x", "title": 3}', "line 2, field 'title'"),
        ('{"url": "http://b.com/", "text": "x", "date": "soon"}', "line 2, field 'date'"),
        ('{"url": "http://a.com/", "text": "x"}', "line 2, field 'url': stands there twice"),
    ],
)
def test_a_bad_row_of_a_corpus_is_one_line_that_names_it(tmp_path: Path, line: str, problem: str) -> None:
    path = tmp_path / "pages.jsonl"
    path.write_text('{"url": "http://a.com/", "text": "one"}\n' + line + "\n", encoding="utf-8")
    with pytest.raises(DataError, match=problem):
        Corpus(path)
    path.write_text("")
    for bad in (path, tmp_path / "none.jsonl"):
        with pytest.raises(DataError, match="search=corpus: "):
            Corpus(bad)


def text(*citations: Any, said: str = "See http://elsewhere.example.com/x") -> ContentText:
    return ContentText(text=said, citations=list(citations))


def citing(url: str, quoted: Any = "Barges <b>wait</b>.", title: str | None = "A lock") -> UrlCitation:
    return UrlCitation(url=url, title=title, cited_text=quoted)


def reply(*content: Content, calls: list[ToolCall] | None = None) -> ModelOutput:
    return output(ModelOutput.from_message(ChatMessageAssistant(content=list(content), tool_calls=calls)))


def searching(answer: ModelOutput, seen: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    def generate(messages: Any, tools: list[ToolInfo], choice: Any, config: GenerateConfig) -> ModelOutput:
        seen.append((part(messages[-1].text, "QUERY"), [(tool.name, set(tool.options or {})) for tool in tools]))
        return answer

    model = get_model("mockllm/own", custom_outputs=generate, memoize=False)
    monkeypatch.setattr("refusalbench_tasks.collect.web.inspect_search.get_model", lambda **roles: model)


def test_hits_are_the_pages_that_are_cited_each_once_and_no_other_address() -> None:
    parts = [
        USE,
        text(citing("http://a.example.com/1"), citing("ftp://b.example.com/"), ContentCitation(title="none")),
        text(citing("http://a.example.com/1", "again"), citing("http://c.example.com/2", (3, 9), None)),
    ]
    first, second = Hit("http://a.example.com/1", "A lock", "Barges wait."), Hit("http://c.example.com/2", "", "")
    assert cited(parts, 10) == [first, second]
    assert cited(parts, 1) == [first]
    assert cited(["http://a.example.com/1", None], 3) == []


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (reply(ContentText(text="From memory.")), "answers without a search"),
        (reply(calls=[ToolCall(id="1", function="web_search", arguments={"query": "x"})]), "no web search of its own"),
        (output(ModelOutput(model="mockllm/own", choices=[])), "gives no reply"),
    ],
)
def test_a_reply_without_a_search_is_no_empty_result(
    answer: ModelOutput, problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    searching(answer, [], monkeypatch)
    with pytest.raises(SearchError, match=problem):
        search(engine_of("inspect", {}))


def test_a_search_that_found_nothing_is_an_empty_list_and_only_a_providers_own_search_is_offered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[Any] = []
    searching(reply(USE, text(said="Nothing was found.")), seen, monkeypatch)
    for name in ("GOOGLE_CSE_ID", "GOOGLE_CSE_API_KEY"):
        monkeypatch.setenv(name, "x")
    assert search(ModelSearch(), "barges") == []
    ((query, ((name, options),)),) = seen
    assert (query, name) == ("barges", "web_search")
    assert not options & {"google", "tavily", "exa"}
    assert {"openai", "anthropic"} <= options


def test_a_service_is_asked_through_inspect_and_its_failure_names_no_key() -> None:
    async def found(query: str) -> ContentText:
        return text(citing(f"http://a.example.com/{query}"))

    async def fails(query: str) -> str:
        raise httpx.ConnectError("https://api/?key=secret")

    async def nothing(query: str) -> str:
        return "I couldn't find any relevant information on the web."

    keys = {"EXA_API_KEY": "k"}
    assert search(ServiceSearch("exa", keys, found), "x") == [Hit("http://a.example.com/x", "A lock", "Barges wait.")]
    assert search(ServiceSearch("exa", keys, nothing), "x") == []
    with pytest.raises(SearchError, match=r"^exa finds nothing out \(ConnectError\)$"):
        search(ServiceSearch("exa", keys, fails), "x")
    with pytest.raises(DataError, match="EXA_API_KEY is not set"):
        engine_of("inspect:exa", {})


def test_a_search_that_is_asked_twice_at_once_is_made_once_and_kept(tmp_path: Path) -> None:
    class Slow:
        asked = 0

        async def search(self, query: str, n: int) -> list[Hit]:
            self.asked += 1
            await anyio.sleep(0.01)
            return [Hit("http://a.example.com/", query, "", "")]

    engine = Slow()
    found: list[list[Hit]] = []

    async def run() -> None:
        kept = KeptSearch(engine, "slow", tmp_path)

        async def ask(query: str) -> None:
            found.append(await kept.search(query, 3))

        async with anyio.create_task_group() as group:
            for query in ("a", "a", "b", "a"):
                group.start_soon(ask, query)

    anyio.run(run)
    assert (engine.asked, sorted(hits[0].title for hits in found)) == (2, ["a", "a", "a", "b"])
    offline = KeptSearch(engine, "slow", tmp_path, offline=True)
    assert anyio.run(offline.search, "a", 3) in found
    assert [hit.title for hit in anyio.run(offline.search, "a", 3)] == ["a"]
    with pytest.raises(SearchError, match="offline=true asks nobody"):
        anyio.run(offline.search, "c", 3)
    next(tmp_path.glob("*.json")).write_text("{")
    with pytest.raises(DataError, match="damaged; delete the file"):
        [anyio.run(offline.search, query, 3) for query in "ab"]
