"""A small web on this machine: pages on locks, odd ones, robots.txt files, a search
engine.

Its hosts have public names and addresses, so that the guard sees what it would see
outside; only the last step, the connection, is led here.
"""

import asyncio
import gzip
from collections.abc import Awaitable, Callable

import httpx
from aiohttp import web

from refusalbench_tasks.collect.web.transport import CheckedTransport
from refusalbench_tasks.corpus.index import Index
from tests.collect.pages import MEADOWS, PAGES, RELIABLE, UNRELIABLE
from tests.collect.recording import Local, names
from tests.listening import Listening

PUBLIC = "93.184.216.34"
ODD = "odd.example.com"
Handler = Callable[["Site", web.Request], Awaitable[web.StreamResponse]]
ROBOTS = {
    "denied.example.com": "User-agent: *\nDisallow: /\n",
    "partly.example.com": (
        "User-agent: *\nDisallow: /\n\nUser-agent: refusalbench-tasks\nDisallow:"
        " /private\n"
    ),
    "slowly.example.com": "User-agent: *\nCrawl-delay: 600\n",
}
TRAPS = {
    "http://trap.example.gov/to-loopback": "http://127.0.0.1/secret",
    "http://trap.example.edu/to-metadata": "http://169.254.169.254/latest/meta-data/",
    "http://trap.example.ac.uk/to-inside": "http://inside.example.com/secret",
}
LOCATIONS = {
    "/to-loopback": "http://127.0.0.1/secret",
    "/to-inside": "http://inside.example.com/secret",
    "/to-number": "http://2130706433/secret",
    "/to-file": "file:///etc/passwd",
    "/to-denied": "http://denied.example.com/page",
    "/to-page": "http://records.example.gov/velmoor-lock.html#top",
    "/to-self": "/to-self",
    "/to-nowhere": "",
    **{f"/hops/{n}": f"/hops/{n - 1}" for n in range(1, 9)},
}
SOME = (
    "<html><body><p>A page with a sentence that says a little about very"
    " little.</p></body></html>"
)
HOSTS = (
    *(*RELIABLE, *UNRELIABLE, *MEADOWS, *(url.split("/")[2] for url in TRAPS), *ROBOTS),
    *(ODD, "unheard.example.com"),
)


class Site(Listening):
    """The web, served by a thread while the context is open.

    `seen` holds (host, path, headers) of every request.

    With `traps` every search finds the addresses first that lead to closed places.
    """

    def __init__(self) -> None:
        super().__init__()
        self.urls = list(PAGES)
        self.seen: list[tuple[str, str, dict[str, str]]] = []
        self.searches: list[str] = []
        self.down: dict[str, int] = {}
        self.traps, self.title = False, "A page"
        self._index = Index(PAGES.values())

    def transport(self, **_: object) -> httpx.AsyncBaseTransport:
        """Return a guarded transport that knows the hosts of this web, and whose last
        step leads here.
        """
        table = {host: [PUBLIC] for host in HOSTS} | {
            "inside.example.com": ["10.0.0.7"]
        }
        return CheckedTransport(names(table), Local(self.port))

    def engine(self) -> str:
        """Return the argument that names the engine of this web."""
        return f"searxng:http://127.0.0.1:{self.port}"

    def found(self, query: str) -> list[str]:
        """Return the addresses of the pages nearest to a query."""
        return [self.urls[place] for place, _ in self._index.nearest(query, 40)]

    def paths(self, host: str = "") -> list[str]:
        """Return the paths that were asked for, without robots.txt."""
        return [
            path
            for where, path, _ in self.seen
            if where.startswith(host) and path != "/robots.txt"
        ]

    def add_routes(self, routes: web.UrlDispatcher) -> None:
        routes.add_route("*", "/{path:.*}", self._answer)

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        host = request.host
        path = request.path
        url = f"http://{host}{path}"
        if path == "/search":
            return self._search(request)
        self.seen.append((host, path, dict(request.headers)))
        if path == "/robots.txt":
            text = ROBOTS.get(host)
            status = 503 if host == "unheard.example.com" else 200 if text else 404
            # no page has that type
            return web.Response(
                status=status, text=text, content_type="application/x-rules"
            )
        if url in PAGES:
            return web.Response(
                text=PAGES[url],
                content_type="text/html",
                headers={"Set-Cookie": "v=secret"},
            )
        if url in TRAPS or path in LOCATIONS:
            location = TRAPS.get(url) or LOCATIONS[path]
            return web.Response(
                status=302, headers={"Location": location} if location else {}
            )
        if path in ODDITIES:
            return await ODDITIES[path](self, request)
        if path in ("/page", "/private", "/hops/0"):
            return web.Response(text=SOME, content_type="text/html")
        return web.Response(status=404, text="nothing here")

    def _search(self, request: web.Request) -> web.StreamResponse:
        query = request.query["q"]
        key = request.headers.get("X-Subscription-Token", "a-key")
        if key != "a-key":
            return web.json_response({}, status=401)
        if query.startswith("fails "):
            self.searches.append(query)
            return FAILURES[query.removeprefix("fails ")]()
        self.searches.append(query)
        urls = [*(TRAPS if self.traps else ()), *self.found(query)]
        rows = [
            {"url": url, "title": self.title, "content": f"<b>{self.title}</b>"}
            for url in urls
        ]
        return web.json_response({"results": rows[:20]})


async def _slow(site: Site, request: web.Request) -> web.StreamResponse:
    await asyncio.sleep(0.5)
    return web.Response(text=SOME, content_type="text/html")


async def _dripping(site: Site, request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/html"})
    await response.prepare(request)
    for _ in range(25):
        await response.write(b"<p>drip</p>")
        await asyncio.sleep(0.02)
    return response


async def _endless(site: Site, request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/html"})
    await response.prepare(request)
    for _ in range(400):  # 26 MB, and more than any reader should take
        await response.write(b"a" * 65_536)
    return response


async def _cut(site: Site, request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(
        headers={"Content-Type": "text/html", "Content-Length": "1000"}
    )
    await response.prepare(request)
    await response.write(b"<html>")
    assert request.transport is not None
    request.transport.close()
    return response


async def _flaky(site: Site, request: web.Request) -> web.StreamResponse:
    site.down[request.path] = site.down.get(request.path, 0) + 1
    if site.down[request.path] < 3:
        return web.Response(status=503, headers={"Retry-After": "0"})
    return web.Response(text=SOME, content_type="text/html")


def _always(body: bytes, status: int = 200, **headers: str) -> Handler:
    async def handler(site: Site, request: web.Request) -> web.StreamResponse:
        given = {"Content-Type": "text/html"} | {
            key.replace("_", "-"): value for key, value in headers.items()
        }
        return web.Response(status=status, body=body, headers=given)

    return handler


_UMLAUT = (
    "<html><body><p>Größe und Höhe der Brücke über den Fluß: vierzehn Meter, früher"
    " zwölf.</p></body></html>"
)
_GREEK = (
    "<html><head><meta charset='iso-8859-7'></head><body><p>Η γέφυρα έχει ύψος"
    " δεκατέσσερα μέτρα.</p></body></html>"
)
ODDITIES: dict[str, Handler] = {
    "/slow": _slow,
    "/dripping": _dripping,
    "/endless": _endless,
    "/cut": _cut,
    "/flaky": _flaky,
    "/bomb": _always(gzip.compress(b"a" * 8_000_000), Content_Encoding="gzip"),
    "/zipped": _always(gzip.compress(SOME.encode()), Content_Encoding="gzip"),
    "/broken-gzip": _always(b"not gzip", Content_Encoding="gzip"),
    "/half-gzip": _always(gzip.compress(SOME.encode())[:-12], Content_Encoding="gzip"),
    "/brotli": _always(b"??", Content_Encoding="br"),
    "/picture": _always(b"\x89PNG", Content_Type="image/png"),
    "/not-html": _always(b"%PDF-1.4 nothing"),
    "/empty": _always(b""),
    "/latin": _always(
        _UMLAUT.encode("latin-1"), Content_Type="text/html; charset=utf-8"
    ),
    "/utf": _always(_UMLAUT.encode(), Content_Type="text/html; charset=iso-8859-1"),
    "/greek": _always(_GREEK.encode("iso-8859-7")),
    "/gone": _always(b"gone", 410),
    "/down": _always(b"", 503),
    "/down-long": _always(b"", 503, Retry_After="86400"),
    "/plain": _always(
        b"A plain text. It has two sentences.", Content_Type="text/plain; charset=ascii"
    ),
}
FAILURES: dict[str, Callable[[], web.Response]] = {
    "403": lambda: web.Response(status=403),
    "429": lambda: web.Response(status=429),
    "302": lambda: web.Response(
        status=302, headers={"Location": "http://127.0.0.1:9/"}
    ),
    "nonsense": lambda: web.Response(text="<html>", content_type="application/json"),
    "large": lambda: web.Response(
        text="[" + "1," * 3_000_000 + "1]", content_type="application/json"
    ),
    "empty": lambda: web.json_response({}),
}
