"""Search engines: one that answers with JSON, and Inspect's web search."""

import logging
from dataclasses import replace
from typing import Any

import anyio
import pytest
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

from refusalbench_tasks.collect.web import download, engines
from refusalbench_tasks.collect.web.engines import (
    ModelSearch,
    cited,
    engine_of,
    searxng,
)
from refusalbench_tasks.collect.web.searches import Search, SearchError
from refusalbench_tasks.errors import DataError
from tests.collect.site import Site
from tests.models import output, part

QUERY = "how heavy a barge may be in the Velmoor lock"


USE = ContentToolUse(
    tool_type="web_search", id="1", name="web_search", arguments="{}", result=""
)


def search(engine: Search, query: str = QUERY, n: int = 10) -> list[str]:
    return anyio.run(engine.search, query, n)


def test_an_engine_gives_its_hits_in_order(site: Site) -> None:
    engine = engine_of(site.engine())
    assert search(engine) == site.found(QUERY)[:10]
    assert search(engine, "xylophones") == search(engine, "fails empty") == []


def test_a_refused_or_missing_key_is_an_error_that_does_not_show_it(
    site: Site, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setattr(engines, "BRAVE", f"http://127.0.0.1:{site.port}/search")
    engine = engine_of("brave", {"BRAVE_API_KEY": "sk-secret"})
    with pytest.raises(
        SearchError, match="brave: status 401 \\(check the key"
    ) as error:
        search(engine)
    assert "sk-secret" not in caplog.text + str(error.value) + repr(engine)
    # its hits stand elsewhere
    assert search(engine_of("brave", {"BRAVE_API_KEY": "a-key"})) == []
    for known, problem in (
        ({}, "BRAVE_API_KEY is not set"),
        ({"BRAVE_API_KEY": "é"}, "characters that no key has"),
    ):
        with pytest.raises(DataError, match=problem):
            engine_of("brave", known)


@pytest.mark.parametrize(
    ("query", "problem", "tries"),
    [
        (
            "403",
            r"searxng: status 403 \(check the key, or that the server gives JSON\)",
            1,
        ),
        ("429", "searxng: status 429", 3),
        ("302", "searxng: status 302", 1),
        ("nonsense", "answers with something that is no JSON object", 1),
        ("large", "searxng: larger than 2,000,000 bytes", 1),
    ],
)
def test_an_engine_that_fails_says_how(
    site: Site, query: str, problem: str, tries: int
) -> None:
    async def sleep(seconds: float) -> None:
        return None

    engine = replace(searxng(f"http://127.0.0.1:{site.port}/"), sleep=sleep)
    with pytest.raises(SearchError, match=problem):
        search(engine, f"fails {query}")
    assert len(site.searches) == tries


def test_an_engine_that_is_not_there_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download, "TRIES", 1)
    with pytest.raises(SearchError, match=r"no connection \(ConnectError\)$"):
        search(engine_of("searxng:http://127.0.0.1:9/"))
    with pytest.raises(DataError, match="expected an address"):
        engine_of("searxng:ftp://a/")


@pytest.mark.parametrize(
    "spec", ["", "google", "http://127.0.0.1:8080", "brave:key", "searxng:"]
)
def test_a_wrong_choice_is_one_line_that_says_what_to_write(spec: str) -> None:
    with pytest.raises(DataError, match="unknown engine '.*'; use one of inspect,"):
        engine_of(spec, {})


JSON = st.sampled_from(
    [
        None,
        True,
        3,
        "",
        "text",
        "2021-03-12",
        "http://a.com/",
        "\ud800",
        [],
        ["x"],
        {},
        {"u": 1},
    ]
)


def text(
    *citations: Any, said: str = "See http://elsewhere.example.com/x"
) -> ContentText:
    return ContentText(text=said, citations=list(citations))


def citing(
    url: str, quoted: Any = "Barges <b>wait</b>.", title: str | None = "A lock"
) -> UrlCitation:
    return UrlCitation(url=url, title=title, cited_text=quoted)


def reply(*content: Content, calls: list[ToolCall] | None = None) -> ModelOutput:
    return output(
        ModelOutput.from_message(
            ChatMessageAssistant(content=list(content), tool_calls=calls)
        )
    )


def searching(
    answer: ModelOutput, seen: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def generate(
        messages: Any, tools: list[ToolInfo], choice: Any, config: GenerateConfig
    ) -> ModelOutput:
        seen.append(
            (
                part(messages[-1].text, "QUERY"),
                [(tool.name, set(tool.options or {})) for tool in tools],
            )
        )
        return answer

    model = get_model("mockllm/own", custom_outputs=generate, memoize=False)
    monkeypatch.setattr(
        "refusalbench_tasks.collect.web.engines.get_model", lambda **roles: model
    )


def test_hits_are_the_pages_that_are_cited_each_once_and_no_other_address() -> None:
    parts = [
        USE,
        text(
            citing("http://a.example.com/1"),
            citing("ftp://b.example.com/"),
            ContentCitation(title="none"),
        ),
        text(
            citing("http://a.example.com/1", "again"),
            citing("http://c.example.com/2", (3, 9), None),
        ),
    ]
    first = "http://a.example.com/1"
    second = "http://c.example.com/2"
    assert cited(parts, 10) == [first, second]
    assert cited(parts, 1) == [first]
    assert cited(["http://a.example.com/1", None], 3) == []


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (reply(ContentText(text="From memory.")), "answers without a search"),
        (
            reply(
                calls=[
                    ToolCall(id="1", function="web_search", arguments={"query": "x"})
                ]
            ),
            "no web search of its own",
        ),
        (output(ModelOutput(model="mockllm/own", choices=[])), "gives no reply"),
    ],
)
def test_a_reply_without_a_search_is_no_empty_result(
    answer: ModelOutput, problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    searching(answer, [], monkeypatch)
    with pytest.raises(SearchError, match=problem):
        search(engine_of("inspect", {}))


def test_an_empty_search_is_a_list_and_only_a_providers_search_is_offered(
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
