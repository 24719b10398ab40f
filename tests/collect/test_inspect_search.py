"""Inspect's own web search as an engine: what a reply cites becomes hits, and nothing else."""

from typing import Any

import anyio
import httpx
import pytest
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

from refusalbench_tasks.collect.inspect_search import ModelSearch, ServiceSearch, cited, inspect_search
from refusalbench_tasks.collect.web.hit import Hit, SearchError
from refusalbench_tasks.collect.web.search import engine_of
from refusalbench_tasks.errors import DataError
from tests.collect.outside import Outside
from tests.collect.panel import metrics, reader, run, write
from tests.models import output, part

USE = ContentToolUse(tool_type="web_search", id="1", name="web_search", arguments="{}", result="")


def text(*citations: Any, said: str = "See http://elsewhere.example.com/x") -> ContentText:
    return ContentText(text=said, citations=list(citations))


def citing(url: str, quoted: Any = "Barges <b>wait</b>.", title: str | None = "A lock") -> UrlCitation:
    return UrlCitation(url=url, title=title, cited_text=quoted)


def reply(*content: Content, calls: list[ToolCall] | None = None) -> ModelOutput:
    message = ChatMessageAssistant(content=list(content), tool_calls=calls)
    return output(ModelOutput.from_message(message))


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


def searching(answer: ModelOutput, seen: list[Any]) -> Any:
    def generate(messages: Any, tools: list[ToolInfo], choice: Any, config: GenerateConfig) -> ModelOutput:
        seen.append((part(messages[-1].text, "QUERY"), [(tool.name, set(tool.options or {})) for tool in tools]))
        return answer

    return get_model("mockllm/own", custom_outputs=generate, memoize=False)


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
    model = searching(answer, [])
    monkeypatch.setattr("refusalbench_tasks.collect.inspect_search.get_model", lambda **roles: model)
    with pytest.raises(SearchError, match=problem):
        anyio.run(ModelSearch().search, "barges", 5)


def test_a_search_that_found_nothing_is_an_empty_list(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []
    model = searching(reply(USE, text(said="Nothing was found.")), seen)
    monkeypatch.setattr("refusalbench_tasks.collect.inspect_search.get_model", lambda **roles: model)
    monkeypatch.setenv("GOOGLE_CSE_ID", "x")
    monkeypatch.setenv("GOOGLE_CSE_API_KEY", "x")
    assert anyio.run(ModelSearch().search, "barges", 5) == []
    ((query, ((name, options),)),) = seen
    assert (query, name) == ("barges", "web_search")
    # only what a provider does itself is offered, whatever keys stand in the environment
    assert not options & {"google", "tavily", "exa"}
    assert {"openai", "anthropic"} <= options


def test_records_are_collected_by_the_search_of_the_role_searcher_or_else_of_the_writer(outside: Outside) -> None:
    asked: list[str] = []

    def search(prompt: str) -> Any:
        query = part(prompt, "QUERY")
        asked.append(query)
        found = [outside.urls[place] for place, _ in outside._index.nearest(query, 20)]
        return reply(USE, text(*(citing(url) for url in found)))

    def both(prompt: str) -> Any:
        return search(prompt) if prompt.startswith("Search the web") else write(prompt)

    log = run("inspect", read_by=[reader("a")], searcher=reader("s", search), locks=1)
    assert (metrics(log)["n_accepted"], outside.searches) == (1, [])
    # the gold query's hits are kept for the sources: of 11 searches 10 were asked for
    assert (metrics(log)["searches"], len(asked), len(set(asked))) == (11, 10, 10)
    assert metrics(run("inspect", read_by=[reader("a")], locks=1, logs="again"))["n_accepted"] == 1
    assert len(asked) == 10
    log = run("inspect", reader("w", both), [reader("a")], locks=1, archive="another", logs="alone")
    assert (metrics(log)["n_accepted"], len(asked)) == (1, 20)


def test_a_service_is_asked_through_inspect_and_its_failure_names_no_key() -> None:
    async def found(query: str) -> ContentText:
        return text(citing(f"http://a.example.com/{query}"))

    async def fails(query: str) -> str:
        raise httpx.ConnectError("https://api/?key=secret")

    async def nothing(query: str) -> str:
        return "I couldn't find any relevant information on the web."

    assert anyio.run(ServiceSearch("exa", found).search, "x", 5) == [
        Hit("http://a.example.com/x", "A lock", "Barges wait.")
    ]
    assert anyio.run(ServiceSearch("exa", nothing).search, "x", 5) == []
    with pytest.raises(SearchError, match=r"^exa finds nothing out \(ConnectError\)$"):
        anyio.run(ServiceSearch("exa", fails).search, "x", 5)


def test_inspects_engines_are_chosen_by_name() -> None:
    more = {"inspect": inspect_search}
    assert isinstance(engine_of("inspect", {}, more), ModelSearch)
    assert isinstance(engine_of("inspect:exa", {"EXA_API_KEY": "k"}, more), ServiceSearch)
    for spec, problem in (
        ("inspect:exa", "EXA_API_KEY is not set"),
        ("inspect:google", "write inspect, inspect:tavily or inspect:exa"),
        ("google", "ddgs, inspect$"),
    ):
        with pytest.raises(DataError, match=problem):
            engine_of(spec, {}, more)
