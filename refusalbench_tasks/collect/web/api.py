"""A search engine that answers with JSON, as a file describes it: with a time limit, a size limit and further tries."""

import json
import re
from collections.abc import Awaitable, Callable, Mapping
from importlib.resources import files
from typing import Annotated, Any

import anyio
import httpx
from pydantic import BaseModel, ConfigDict, Field

from refusalbench_tasks.bounded_reading import file_at, read_text, yaml_value
from refusalbench_tasks.collect.web.hit import Hit, SearchError, hits_of
from refusalbench_tasks.collect.web.valid import valid
from refusalbench_tasks.errors import DataError

LARGEST = 5_000_000
"""How many bytes of an answer are read."""
MOST_PAGES, SECONDS, TRIES = 5, 20.0, 3
AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})
_MEANS = {
    401: " (the key is refused)",
    403: " (access is refused: check the key, or that the engine's JSON format is switched on)",
    429: " (too many searches; try later or with fewer at a time)",
}
_VARIABLE = re.compile(r"\$([A-Z][A-Z0-9_]*)")
BUNDLED = ("brave",)


class ApiEngine(BaseModel):
    """How an engine is asked by GET, and where its hits stand in the answer.

    The query goes into the parameter `query`, and the number of a page of results into `page` ("": there is one page),
    from `first_page` on. `results` is the path to the list of hits, joined by dots; `may_lack_results`: an answer
    without it has no hits, and is no error. `fields` are the names of `url`, `title`, `snippet` and `date` in a hit. In
    `headers` a $NAME is a variable of the environment, for keys.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    url: Annotated[str, Field(pattern=r"^https?://")]
    headers: dict[str, str] = {}
    parameters: dict[str, str | int] = {}
    query: str
    page: str = ""
    first_page: int = 1
    results: str
    may_lack_results: bool = False
    fields: dict[str, str] = {}


def api_engine(name: str) -> ApiEngine:
    """Return a bundled engine, or the one that a YAML file describes. Raises DataError, naming the field."""
    bundled = files("refusalbench_tasks.collect.web").joinpath(f"data/{name}.yaml")
    text = bundled.read_text("utf-8") if name in BUNDLED else read_text(file_at(name, "search"), f"search: {name}")
    return valid(ApiEngine, yaml_value(text, name), f"search: {name}")


class ApiSearch:
    """An engine by its description. Its headers may hold a key: they are never shown."""

    def __init__(
        self,
        name: str,
        environment: Mapping[str, str],
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
    ) -> None:
        """Read the description and put the keys in. Raises DataError where the environment has none."""
        self._name, self._engine, self._sleep = name, api_engine(name), sleep
        given = {"Accept": "application/json", **self._engine.headers}
        self._headers = {
            key: _VARIABLE.sub(lambda at: self._key(environment, at[1]), one) for key, one in given.items()
        }

    def __repr__(self) -> str:
        """Return the engine's name, without headers."""
        return f"ApiSearch({self._name!r})"

    def _key(self, environment: Mapping[str, str], variable: str) -> str:
        key = environment.get(variable, "").strip()
        if not key or not (key.isascii() and key.isprintable()):
            problem = "has characters that no key has" if key else "is not set"
            raise DataError(f"search={self._name}: the environment variable {variable} {problem}")
        return key

    async def search(self, query: str, n: int) -> list[Hit]:
        """Return at most `n` hits, from up to five pages of results, each address once. Raises SearchError."""
        found: dict[str, Hit] = {}
        for number in range(MOST_PAGES if self._engine.page else 1):
            before = len(found)
            for hit in hits_of(await self._rows(query, number), self._engine.fields, n):
                found.setdefault(hit.url, hit)
            if len(found) >= n or len(found) == before:
                break
        return list(found.values())[:n]

    async def _rows(self, query: str, number: int) -> Any:
        engine = self._engine
        page = {engine.page: engine.first_page + number} if engine.page else {}
        answer = await self._ask({**engine.parameters, engine.query: query, **page})
        for key in engine.results.split("."):
            answer = answer.get(key) if isinstance(answer, dict) else None
        if isinstance(answer, list) or (answer is None and engine.may_lack_results):
            return answer
        raise SearchError(f"{self._name} answers without a list '{engine.results}'")

    async def _ask(self, parameters: Mapping[str, str | int]) -> Any:
        problem = ""
        for tries in range(TRIES):
            try:
                with anyio.fail_after(SECONDS):
                    status, body = await self._once(parameters)
                if status == 200:
                    return json.loads(body)
                problem = f"answers with status {status}{_MEANS.get(status, '')}"
                if status not in AGAIN:
                    break
            except (TimeoutError, httpx.TimeoutException):
                problem = f"gives no answer within {SECONDS:g} s"
            except httpx.HTTPError as error:
                problem = f"cannot be reached ({type(error).__name__})"  # the error's text may repeat what was sent
            except (ValueError, RecursionError):
                raise SearchError(f"{self._name} answers with something that is no JSON") from None
            if tries < TRIES - 1:
                await self._sleep(2.0**tries)
        raise SearchError(f"{self._name} {problem}")

    async def _once(self, parameters: Mapping[str, str | int]) -> tuple[int, bytes]:
        async with (
            httpx.AsyncClient(timeout=SECONDS, follow_redirects=False) as client,
            client.stream("GET", self._engine.url, headers=self._headers, params=dict(parameters)) as response,
        ):
            body = bytearray()
            async for part in response.aiter_bytes(65_536):
                body += part
                if len(body) > LARGEST:
                    raise SearchError(f"{self._name} answers with more than {LARGEST:,} bytes")
            return response.status_code, bytes(body)
