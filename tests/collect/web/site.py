"""A small web on this machine: a hundred pages, odd ones, robots.txt files and search engines.

Its hosts have public names and addresses, so that the guard sees what it would see outside; only the last step, the
connection, is led here.
"""

import asyncio
import gzip
from collections.abc import Awaitable, Callable

import httpx
from aiohttp import web

from refusalbench_tasks.collect.web.transport import CheckedTransport
from tests.collect.web.engines import ENGINES, KEYS
from tests.collect.web.pages import PAGES, html_of
from tests.collect.web.recording import Local, names
from tests.listening import Listening

PUBLIC = "93.184.216.34"
ODD = "odd.example.com"
Handler = Callable[["Site", web.Request], Awaitable[web.StreamResponse]]
ROBOTS = {
    "denied.example.com": "User-agent: *\nDisallow: /\n",
    "partly.example.com": "User-agent: refusalbench-tasks\nDisallow: /private\n",
    "slowly.example.com": "User-agent: *\nCrawl-delay: 600\n",
}
LOCATIONS = {
    "/to-loopback": "http://127.0.0.1/secret",
    "/to-metadata": "http://169.254.169.254/latest/meta-data/",
    "/to-inside": "http://inside.example.com/secret",
    "/to-number": "http://2130706433/secret",
    "/to-file": "file:///etc/passwd",
    "/to-denied": "http://denied.example.com/page",
    "/to-page": "http://records.example.gov/veldmoor.html#top",
    "/to-self": "/to-self",
    "/to-nowhere": "",
    **{f"/hops/{n}": f"/hops/{n - 1}" for n in range(1, 9)},
}
SOME = "<html><body><p>A page with a sentence that says a little about very little.</p></body></html>"


class Site(Listening):
    """The web, served by a thread while the context is open. `seen` holds (host, path, headers) of every request."""

    def __init__(self, slow: float = 5.0) -> None:
        super().__init__()
        self.slow = slow
        self.seen: list[tuple[str, str, dict[str, str]]] = []
        self.down: dict[str, int] = {}

    @property
    def here(self) -> str:
        """The site's address here: `/searxng`, `/brave`, `/bing` and `/tavily` are engines, `/reddit` an API."""
        return f"http://127.0.0.1:{self.port}"

    def transport(self, **more: list[str]) -> httpx.AsyncBaseTransport:
        """Return a guarded transport that knows the site's names, and those of `more` (`_` for `.`)."""
        hosts = {url.split("/")[2] for url in PAGES} | set(ROBOTS) | {ODD, "unheard.example.com"}
        table = {host: [PUBLIC] for host in hosts} | {"inside.example.com": ["10.0.0.7"]}
        return CheckedTransport(names(table | {k.replace("_", "."): v for k, v in more.items()}), Local(self.port))

    def paths(self, host: str = "") -> list[str]:
        """Return the paths that were asked for, without robots.txt."""
        return [path for where, path, _ in self.seen if where.startswith(host) and path != "/robots.txt"]

    def add_routes(self, routes: web.UrlDispatcher) -> None:
        routes.add_route("*", "/{path:.*}", self._answer)

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        host, path = request.host, request.path
        self.seen.append((host, path, dict(request.headers)))
        if host == "unheard.example.com" and path == "/robots.txt":
            return web.Response(status=503)
        if path == "/robots.txt":
            text = ROBOTS.get(host)
            # a type that no page may have
            return web.Response(text=text, content_type="application/x-rules") if text else web.Response(status=404)
        engine = path.split("/")[1]
        if engine in ENGINES and host.startswith("127.0.0.1"):
            return await _engine(engine, request)
        if f"http://{host}{path}" in PAGES:
            return _page(request, html_of(*PAGES[f"http://{host}{path}"]))
        if path in LOCATIONS:
            return web.Response(status=302, headers={"Location": LOCATIONS[path]} if LOCATIONS[path] else {})
        if path in ODDITIES:
            return await ODDITIES[path](self, request)
        return (
            web.Response(text=SOME, content_type="text/html") if path in ("/page", "/private", "/hops/0") else _none()
        )


def _none() -> web.Response:
    return web.Response(status=404, text="nothing here")


def _page(request: web.Request, text: str) -> web.Response:
    tag = f'"{len(text)}"'
    if request.headers.get("If-None-Match") == tag:
        return web.Response(status=304)
    return web.Response(text=text, content_type="text/html", headers={"ETag": tag, "Set-Cookie": "visitor=secret"})


async def _engine(name: str, request: web.Request) -> web.StreamResponse:
    """Answer as a search engine: 401 without its key, 400 for what it doesn't allow."""
    if name in KEYS and request.headers.get(KEYS[name]) not in ("a-key", "Bearer a-key"):
        return web.json_response({"error": "bad key"}, status=401)
    answer = ENGINES[name](await request.json() if request.method == "POST" else request.query)
    return web.json_response(answer) if answer else web.json_response({"error": "bad request"}, status=400)


async def _slow(site: Site, request: web.Request) -> web.StreamResponse:
    await asyncio.sleep(site.slow)
    return web.Response(text=SOME, content_type="text/html")


async def _dripping(site: Site, request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/html"})
    await response.prepare(request)
    for _ in range(int(site.slow / 0.02)):
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
    response = web.StreamResponse(headers={"Content-Type": "text/html", "Content-Length": "1000"})
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
        return web.Response(
            status=status, body=body, headers={key.replace("_", "-"): value for key, value in headers.items()}
        )

    return handler


_UMLAUT = "<html><body><p>Größe und Höhe der Brücke über den Fluß: vierzehn Meter, früher zwölf.</p></body></html>"
_GREEK = (
    "<html><head><meta charset='iso-8859-7'></head><body><p>Η γέφυρα έχει ύψος δεκατέσσερα μέτρα.</p></body></html>"
)
ODDITIES: dict[str, Handler] = {
    "/slow": _slow,
    "/dripping": _dripping,
    "/endless": _endless,
    "/cut": _cut,
    "/flaky": _flaky,
    "/bomb": _always(gzip.compress(b"a" * 8_000_000), Content_Type="text/html", Content_Encoding="gzip"),
    "/zipped": _always(gzip.compress(SOME.encode()), Content_Type="text/html", Content_Encoding="gzip"),
    "/broken-gzip": _always(b"not gzip", Content_Type="text/html", Content_Encoding="gzip"),
    "/brotli": _always(b"??", Content_Type="text/html", Content_Encoding="br"),
    "/picture": _always(b"\x89PNG", Content_Type="image/png"),
    "/not-html": _always(b"%PDF-1.4 nothing", Content_Type="text/html"),
    "/empty": _always(b"", Content_Type="text/html"),
    "/latin": _always(_UMLAUT.encode("latin-1"), Content_Type="text/html; charset=utf-8"),
    "/utf": _always(_UMLAUT.encode(), Content_Type="text/html; charset=iso-8859-1"),
    "/greek": _always(_GREEK.encode("iso-8859-7"), Content_Type="text/html"),
    "/gone": _always(b"gone", 410, Content_Type="text/html"),
    "/down": _always(b"", 503),
    "/down-long": _always(b"", 503, Retry_After="86400"),
    "/fails/401": _always(b"{}", 401),
    "/fails/403": _always(b"{}", 403),
    "/fails/429": _always(b"{}", 429),
    "/fails/302": _always(b"", 302, Location="http://127.0.0.1:9/"),
    "/fails/nonsense": _always(b"<html>", 200, Content_Type="application/json"),
    "/fails/large": _always(b"[" + b"1," * 3_000_000 + b"1]", 200, Content_Type="application/json"),
    "/fails/slow": _slow,
    "/plain": _always(b"A plain text. It has two sentences.", Content_Type="text/plain; charset=ascii"),
}
