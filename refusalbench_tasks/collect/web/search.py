"""The argument `search`: which engine finds the pages."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import httpx

from refusalbench_tasks.collect.web.hit import Search
from refusalbench_tasks.collect.web.providers.bing import ENDPOINT as BING_ENDPOINT
from refusalbench_tasks.collect.web.providers.bing import KEY as BING_KEY
from refusalbench_tasks.collect.web.providers.bing import URL as BING_URL
from refusalbench_tasks.collect.web.providers.bing import Bing
from refusalbench_tasks.collect.web.providers.brave import KEY as BRAVE_KEY
from refusalbench_tasks.collect.web.providers.brave import Brave
from refusalbench_tasks.collect.web.providers.corpus import Corpus
from refusalbench_tasks.collect.web.providers.metasearch import Metasearch
from refusalbench_tasks.collect.web.providers.searxng import SearXNG
from refusalbench_tasks.collect.web.providers.tavily import KEY as TAVILY_KEY
from refusalbench_tasks.collect.web.providers.tavily import Tavily
from refusalbench_tasks.errors import DataError

Environment = Mapping[str, str]


def engine_of(
    search: str, environment: Environment | None = None, more: Mapping[str, "Engine"] | None = None
) -> Search:
    """Return the engine that `search` names; no name has a default, since each costs someone something.

    * `corpus:PATH`: pages of one's own, a folder or a JSONL file. Asks nobody.
    * `searxng:URL`: a SearXNG server, also one on this machine.
    * `brave`, `tavily`, `bing`: by key, from BRAVE_API_KEY, TAVILY_API_KEY or BING_SEARCH_V7_SUBSCRIPTION_KEY.
    * `ddgs`: public engines through the library ddgs, one search in five seconds.

    `more` are engines of other rooms by name; they read themselves what stands behind the colon. Raises DataError for
    another name, a missing key, library, file or address.
    """
    known = os.environ if environment is None else environment
    name, _, rest = search.strip().partition(":")
    others = more or {}
    if name.lower() in others:
        return others[name.lower()](rest, known)
    make = _ENGINES.get(name.lower())
    if make is None:
        choices = ", ".join([*(f"{name}:{more}" if more else name for name, more in _REST.items()), *others])
        raise DataError(f"search: unknown engine '{search[:200]}'; use one of {choices}")
    if bool(rest) != bool(_REST[name.lower()]):
        wanted = f"{name.lower()}:{_REST[name.lower()]}".removesuffix(":")
        raise DataError(f"search: write {wanted}, not '{search[:200]}'")
    return make(rest, known)


def _corpus(rest: str, _: Environment) -> Search:
    return Corpus(Path(rest).expanduser())


def _searxng(rest: str, _: Environment) -> Search:
    try:
        url = httpx.URL(rest)
    except httpx.InvalidURL:
        url = httpx.URL()
    if url.scheme not in ("http", "https") or not url.host:
        raise DataError("search: searxng needs an address that begins with http:// or https://")
    if url.userinfo:
        raise DataError("search: give searxng's address without a name or password; addresses are logged")
    return SearXNG(str(url))


def _brave(_: str, known: Environment) -> Search:
    return Brave(_key(known, BRAVE_KEY, "brave"))


def _tavily(_: str, known: Environment) -> Search:
    return Tavily(_key(known, TAVILY_KEY, "tavily"))


def _bing(_: str, known: Environment) -> Search:
    return Bing(_key(known, BING_KEY, "bing"), known.get(BING_ENDPOINT) or BING_URL)


def _ddgs(_: str, __: Environment) -> Search:
    return Metasearch()


def _key(known: Environment, variable: str, engine: str) -> str:
    key = known.get(variable, "").strip()
    if not key:
        raise DataError(f"search={engine}: the environment variable {variable} is not set")
    if not (key.isascii() and key.isprintable()):
        raise DataError(f"search={engine}: the key in {variable} has characters that no key has")
    return key


Engine = Callable[[str, Environment], Search]
"""What makes an engine of the text behind its name and of the environment."""
_ENGINES: dict[str, Engine] = {
    "corpus": _corpus,
    "searxng": _searxng,
    "brave": _brave,
    "tavily": _tavily,
    "bing": _bing,
    "ddgs": _ddgs,
}
_REST = {"corpus": "PATH", "searxng": "URL", "brave": "", "tavily": "", "bing": "", "ddgs": ""}
