"""A search engine that answers with JSON, as a file describes it: with a time limit, a size limit and further tries."""

import json
import re
from collections.abc import Awaitable, Callable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal

import anyio
import httpx
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from refusalbench_tasks.bounded_reading import file_at, read_text, yaml_value
from refusalbench_tasks.collect.web.hit import Hit, SearchError, hits_of
from refusalbench_tasks.errors import DataError

LARGEST = 5_000_000
"""How many bytes of an answer are read."""
MOST_PAGES = 5
SECONDS, TRIES = 20.0, 3
AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})
_MEANS = {
    401: "the key is refused",
    402: "the account has no credit left",
    403: "access is refused: check the key, or that the engine's JSON format is switched on",
    404: "no such endpoint",
    422: "the query or the key is refused",
    429: "too many searches; try later or with fewer at a time",
}
_VARIABLE = re.compile(r"\$([A-Z][A-Z0-9_]*)")


class ApiEngine(BaseModel):
    """How an engine is asked, and where its hits stand in the answer.

    The query goes into the parameter `query`, and the number of a page of results into `page` ("": there is one page),
    from `first_page` on. Parameters stand in the address (`get`) or in a JSON body (`post`). `results` is the path to
    the list of hits, joined by dots; `may_lack_results`: an answer without it has no hits, and is no error. `fields`
    are the names of `url`, `title`, `snippet` and `date` in a hit. In `headers` a $NAME is a variable of the
    environment, for keys.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    url: Annotated[str, Field(pattern=r"^https?://")]
    method: Literal["get", "post"] = "get"
    headers: dict[str, str] = {}
    parameters: dict[str, str | int | bool] = {}
    query: str
    page: str = ""
    first_page: int = 1
    results: str
    may_lack_results: bool = False
    fields: dict[Literal["url", "title", "snippet", "date"], str] = {}


def api_of(path: str) -> ApiEngine:
    """Return the engine that a YAML file describes. Raises DataError, naming the field, for another layout."""
    return _engine(yaml_value(read_text(file_at(Path(path).expanduser(), "search"), path), path), path)


def bundled_engines() -> dict[str, ApiEngine]:
    """Return the engines that are described here, by name."""
    text = files("refusalbench_tasks.collect.web").joinpath("data/engines.yaml").read_text(encoding="utf-8")
    return {name: _engine(value, name) for name, value in yaml_value(text, "engines.yaml").items()}  # type: ignore[union-attr]


def _engine(value: object, source: str) -> ApiEngine:
    try:
        return ApiEngine.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise DataError(f"search: {source}, field '{place}': {first['msg']}") from None


class ApiSearch:
    """An engine by its description. Its headers may hold a key: they are never shown."""

    def __init__(
        self,
        name: str,
        engine: ApiEngine,
        environment: Mapping[str, str],
        backoff: float = 1.0,
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
    ) -> None:
        """Put the keys in. Raises DataError where the environment has none."""
        self._name, self._engine, self._backoff, self._sleep = name, engine, backoff, sleep
        self._headers = {"Accept": "application/json"}
        for header, value in engine.headers.items():
            self._headers[header] = _VARIABLE.sub(lambda found: _key(environment, found[1], name), value)

    def __repr__(self) -> str:
        """Return the engine's name and address, without headers."""
        return f"ApiSearch({self._name!r}, {self._engine.url!r})"

    async def search(self, query: str, n: int) -> list[Hit]:
        """Return at most `n` hits, from up to five pages of results, each address once. Raises SearchError."""
        found: dict[str, Hit] = {}
        for number in range(MOST_PAGES if self._engine.page else 1):
            before = len(found)
            for hit in hits_of(self._rows(await self._ask(query, number)), dict(self._engine.fields), n):
                found.setdefault(hit.url, hit)
            if len(found) >= n or len(found) == before:
                break
        return list(found.values())[:n]

    def _rows(self, answer: Any) -> Any:
        for key in self._engine.results.split("."):
            answer = answer.get(key) if isinstance(answer, dict) else None
        if isinstance(answer, list) or (answer is None and self._engine.may_lack_results):
            return answer
        raise SearchError(f"{self._name} answers without a list '{self._engine.results}'")

    async def _ask(self, query: str, number: int) -> Any:
        engine = self._engine
        what: dict[str, Any] = {**engine.parameters, engine.query: query}
        if engine.page:
            what[engine.page] = engine.first_page + number
        for tries in range(TRIES):
            try:
                with anyio.fail_after(SECONDS):
                    status, body = await self._once(what)
                if status == 200:
                    return self._read(body)
                problem = f"answers with status {status}" + (f" ({_MEANS[status]})" if status in _MEANS else "")
                if status not in AGAIN:
                    break
            except (TimeoutError, httpx.TimeoutException):
                problem = f"gives no answer within {SECONDS:g} s"
            except httpx.HTTPError as error:
                problem = f"cannot be reached ({type(error).__name__})"  # the error's text may repeat what was sent
            if tries < TRIES - 1:
                await self._sleep(self._backoff * 2**tries)
        raise SearchError(f"{self._name} {problem}")

    async def _once(self, what: Mapping[str, Any]) -> tuple[int, bytes]:
        engine = self._engine
        given: dict[str, Any] = {"params": what} if engine.method == "get" else {"json": what}
        async with (
            httpx.AsyncClient(timeout=SECONDS, follow_redirects=False) as client,
            client.stream(engine.method.upper(), engine.url, headers=self._headers, **given) as response,
        ):
            body = bytearray()
            async for part in response.aiter_bytes(65_536):
                body += part
                if len(body) > LARGEST:
                    raise SearchError(f"{self._name} answers with more than {LARGEST:,} bytes")
            return response.status_code, bytes(body)

    def _read(self, body: bytes) -> Any:
        try:
            return json.loads(body)
        except (ValueError, RecursionError):
            raise SearchError(f"{self._name} answers with something that is no JSON") from None


def _key(environment: Mapping[str, str], variable: str, engine: str) -> str:
    key = environment.get(variable, "").strip()
    if not key:
        raise DataError(f"search={engine}: the environment variable {variable} is not set")
    if not (key.isascii() and key.isprintable()):
        raise DataError(f"search={engine}: the key in {variable} has characters that no key has")
    return key
