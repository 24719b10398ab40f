"""A local web with the pages on locks, a search engine over them, and addresses that lead where nobody may go."""

from collections.abc import Mapping

import httpx
from aiohttp import web

from refusalbench_tasks.collect.web.transport import CheckedTransport
from refusalbench_tasks.generators.kit.search import Index
from tests.collect.pages import MEADOWS, PAGES, RELIABLE, STUBS, UNRELIABLE
from tests.collect.web.recording import Local, names
from tests.collect.web.site import PUBLIC, Site

TRAPS = {
    "http://trap.example.gov/to-loopback": "http://127.0.0.1/secret",
    "http://trap.example.edu/to-metadata": "http://169.254.169.254/latest/meta-data/",
    "http://trap.example.ac.uk/to-inside": "http://inside.example.com/secret",
}
HOSTS = (*RELIABLE, *UNRELIABLE, *MEADOWS, *STUBS, *(url.split("/")[2] for url in TRAPS))


def transport_to(port: int) -> httpx.AsyncBaseTransport:
    """Return a guarded transport that knows the hosts of this web, and whose last step leads to a port here."""
    table = {host: [PUBLIC] for host in HOSTS} | {"inside.example.com": ["10.0.0.7"]}
    return CheckedTransport(names(table), Local(port))


class Outside(Site):
    """The web of these tests. With `traps` every search finds the addresses first that lead to closed places."""

    def __init__(self, traps: bool = False, pages: Mapping[str, str] = PAGES) -> None:
        super().__init__()
        self.traps = traps
        self.pages = pages
        self.searches: list[str] = []
        self.title = "A page"
        self.urls = list(pages)
        self._index = Index([pages[url] for url in self.urls])

    def __enter__(self) -> "Outside":
        super().__enter__()
        return self

    def transport(self, **more: list[str]) -> httpx.AsyncBaseTransport:
        return transport_to(self.port)

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        url = f"http://{request.host}{request.path}"
        if request.path == "/searxng/search":
            return self._search(request.query["q"], int(request.query.get("pageno", 1)))
        if url in self.pages or url in TRAPS:
            self.seen.append((request.host, request.path, dict(request.headers)))
            if url in TRAPS:
                return web.Response(status=302, headers={"Location": TRAPS[url]})
            return web.Response(text=self.pages[url], content_type="text/html")
        return await super()._answer(request)

    def _search(self, query: str, page: int) -> web.StreamResponse:
        self.searches.append(f"{query} {page}")
        found = [self.urls[place] for place, _ in self._index.nearest(query, 40)]
        rows = [
            {"url": url, "title": self.title, "content": self.title} for url in [*(TRAPS if self.traps else ()), *found]
        ]
        return web.json_response({"results": rows[(page - 1) * 20 : page * 20]})
