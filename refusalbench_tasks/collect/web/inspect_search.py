"""Inspect's `web_search()` as a search engine: hits are the pages that its reply cites."""

from collections.abc import Mapping, Sequence
from typing import Any

import httpx
from inspect_ai.model import ContentText, ContentToolUse, get_model
from inspect_ai.tool import Tool, WebSearchProviders, web_search

from refusalbench_tasks.collect.web.hit import Hit, SearchError, hits_of
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.judging.material import material
from refusalbench_tasks.prompting import bundled

ROLE = "searcher"
OWN = WebSearchProviders(openai=True, anthropic=True, gemini=True, grok=True, mistral=True, perplexity=True)
"""The providers whose models search by themselves."""
SERVICES = {"tavily": "TAVILY_API_KEY", "exa": "EXA_API_KEY"}
"""The services that Inspect asks by key. Its `google` isn't one: it fetches pages itself, past our guard."""


class ModelSearch:
    """The search of a model's own provider: of the role `searcher`, or of the writer where nobody has it."""

    async def search(self, query: str, n: int) -> list[Hit]:
        """Return at most `n` pages that the model cites after a search; one call each. Raises SearchError.

        A reply that made no search, or a model that has none, is an error and no empty result. Raises the provider's
        own error.
        """
        model = get_model(role=ROLE, default=get_model())
        prompt = f"{bundled('refusalbench_tasks.collect', 'search.txt')}\n\n{material({'QUERY': query})}"
        output = await model.generate(prompt, tools=[web_search(OWN)])
        if not output.choices:
            raise SearchError(f"{model} gives no reply to a search")
        content = output.message.content
        parts = content if isinstance(content, list) else []
        hits = cited(parts, n)
        if hits or any(isinstance(one, ContentToolUse) for one in parts):
            return hits
        if output.message.tool_calls:
            raise SearchError(f"{model} has no web search of its own; use search=inspect:tavily or another engine")
        raise SearchError(f"{model} answers without a search")


class ServiceSearch:
    """A search service by key, as Inspect asks it."""

    def __init__(self, name: str, environment: Mapping[str, str], tool: Tool | None = None) -> None:
        """Take a service of SERVICES. Raises DataError without its key."""
        self._name, self._tool = name, tool
        if not environment.get(SERVICES[name], "").strip():
            raise DataError(f"search=inspect:{name}: the environment variable {SERVICES[name]} is not set")

    async def search(self, query: str, n: int) -> list[Hit]:
        """Return at most `n` pages, as many as the service gives. Raises SearchError."""
        self._tool = self._tool or web_search(self._name)  # type: ignore[arg-type]
        try:
            found: Any = await self._tool(query=query)
        except (httpx.HTTPError, ValueError) as error:
            # not the error's text, which may repeat what was sent
            raise SearchError(f"{self._name} finds nothing out ({type(error).__name__})") from None
        return cited(found if isinstance(found, list) else [found], n)


def cited(parts: Sequence[object], n: int) -> list[Hit]:
    """Return the pages that texts cite by address, the first first, each once, at most `n`.

    What is quoted of a page is the snippet. Whatever a text says besides, addresses in it too, is no hit.
    """
    citations = [one for part in parts if isinstance(part, ContentText) for one in part.citations or ()]
    return hits_of(
        [one.model_dump() for one in citations if one.type == "url"], {"url": "url", "snippet": "cited_text"}, n
    )
