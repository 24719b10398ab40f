"""The argument `search`: the engines that find pages."""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import anyio
import httpx
from inspect_ai.model import ContentText, ContentToolUse, get_model
from inspect_ai.tool import WebSearchProviders, web_search

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.judging.material import material
from refusalbench_tasks.prompting import bundled

from .download import SECONDS, Sleep, download
from .page import FailedError
from .searches import (
    Search,
    SearchError,
    addresses_in,
)

KNOWN = "inspect, brave, searxng:ADDRESS"
ROLE = "searcher"
OWN = WebSearchProviders(
    openai=True,
    anthropic=True,
    gemini=True,
    grok=True,
    mistral=True,
    perplexity=True,
)
"""The providers whose models search by themselves."""
BRAVE = "https://api.search.brave.com/res/v1/web/search"
"""https://api-dashboard.search.brave.com/app/documentation/web-search"""
VARIABLE = "BRAVE_API_KEY"


def engine_of(search: str, environment: Mapping[str, str] = os.environ) -> Search:
    """Return the engine that `search` names (docs/bluff-data.md); no name has a
    default, since each costs someone.

    Raises DataError for another name, and for a missing key.
    """
    name, _, rest = search.strip().partition(":")
    if name == "searxng" and rest:
        return searxng(rest)
    if search == "brave":
        return brave(environment)
    if search == "inspect":
        return ModelSearch()
    raise DataError(f"search: unknown engine '{search[:200]}'; use one of {KNOWN}")


@dataclass(frozen=True)
class ApiSearch:
    """An engine, and where its hits stand in the answer (`results`).

    Its headers may hold a key: they are never shown.
    """

    name: str
    url: str
    parameters: Mapping[str, str | int]
    results: tuple[str, ...]
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    sleep: Sleep = anyio.sleep

    async def search(
        self,
        query: str,
        n: int,
    ) -> list[str]:
        """Return the addresses of at most `n` hits; none for an answer that lacks the
        list of them.

        Raises SearchError.
        """
        url = httpx.URL(self.url).copy_merge_params({**self.parameters, "q": query})
        headers = {
            "Accept": "application/json",
            "Accept-Encoding": "gzip",
        }
        headers |= self.headers
        async with httpx.AsyncClient(headers=headers, timeout=SECONDS) as client:
            try:
                answer = await download(
                    client,
                    str(url),
                    any_kind=True,
                    sleep=self.sleep,
                )
            except FailedError as error:
                raise SearchError(f"{self.name}: {error}") from None
        problem = answer.oversize
        if not problem and answer.status != 200:
            problem = f"status {answer.status}"
            if answer.status in (401, 403):
                problem += " (check the key, or that the server gives JSON)"
        if problem:
            raise SearchError(f"{self.name}: {problem}")
        return addresses_in(self._rows(answer.body), n)

    def _rows(self, body: bytes) -> Any:
        try:
            value = json.loads(body)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            raise SearchError(
                f"{self.name} answers with something that is no JSON object"
            )
        for key in self.results:
            value = value.get(key) if isinstance(value, dict) else None
        return value


def brave(environment: Mapping[str, str]) -> ApiSearch:
    """Return Brave's search.

    Raises DataError where the environment has no key for it.
    """
    key = environment.get(VARIABLE, "").strip()
    if not key or not (key.isascii() and key.isprintable()):
        problem = "has characters that no key has" if key else "is not set"
        raise DataError(f"search=brave: the environment variable {VARIABLE} {problem}")
    return ApiSearch(
        name="brave",
        url=BRAVE,
        parameters={"count": 20},
        results=("web", "results"),
        headers={"X-Subscription-Token": key},
    )


def searxng(address: str) -> ApiSearch:
    """Return the search of a SearXNG server, whose settings must list `json`.

    Raises DataError for no address.
    """
    if not address.startswith(("http://", "https://")):
        raise DataError(
            "search=searxng: expected an address, as searxng:http://127.0.0.1:8888,"
            f" not '{address[:200]}'"
        )
    return ApiSearch(
        name="searxng",
        url=f"{address.rstrip('/')}/search",
        parameters={"format": "json"},
        results=("results",),
    )


class ModelSearch:
    """The search of a model's own provider: of the role `searcher`, or of the writer
    where nobody has it.
    """

    async def search(
        self,
        query: str,
        n: int,
    ) -> list[str]:
        """Return the addresses of at most `n` pages that the model cites after a
        search; one call each.

        Raises SearchError.

        A reply that made no search, or a model that has none, is an error and no empty
        result. Raises the provider's own error.
        """
        model = get_model(role=ROLE, default=get_model())
        request = bundled("refusalbench_tasks.collect", "search.txt")
        prompt = f"{request}\n\n{material({'QUERY': query})}"
        output = await model.generate(prompt, tools=[web_search(OWN)])
        if not output.choices:
            raise SearchError(f"{model} gives no reply to a search")
        content = output.message.content
        parts = content if isinstance(content, list) else []
        hits = cited(parts, n)
        if hits or any(isinstance(part, ContentToolUse) for part in parts):
            return hits
        if output.message.tool_calls:
            raise SearchError(
                f"{model} has no web search of its own; use another engine"
            )
        raise SearchError(f"{model} answers without a search")


def cited(parts: Sequence[object], n: int) -> list[str]:
    """Return the addresses that texts cite, the first first, each once, at most `n`.

    Whatever a text says besides, addresses in it too, is no hit.
    """
    rows: list[dict[str, object]] = []
    for part in parts:
        if isinstance(part, ContentText):
            rows += (citation.model_dump() for citation in part.citations or ())
    return addresses_in(rows, n)
