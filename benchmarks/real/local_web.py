"""A small web on this machine, for `collect`: bundled sources and a search engine.

Its hosts have public names and addresses, so that all checks of addresses are made;
only the last step, the connection, leads here.
"""

import html
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from unittest.mock import patch
from urllib.parse import parse_qs, urlsplit

from refusalbench_tasks.collect.web.transport import CheckedTransport
from refusalbench_tasks.corpus.index import Index
from refusalbench_tasks.datasets.bluff import load_bluff
from tests.collect.recording import Local

TRANSPORT = "refusalbench_tasks.collect.web.fetch.CheckedTransport"
PUBLIC = "93.184.216.34"
RESULTS = 20


@dataclass(frozen=True)
class Page:
    """A page: its title, its day of publication and its text."""

    title: str
    date: str
    text: str

    def as_html(self) -> str:
        """Return the page as a browser gets it."""
        title = html.escape(self.title)
        text = html.escape(self.text)
        return (
            f'<html><head><title>{title}</title><meta name="date" '
            f'content="{html.escape(self.date)}"></head>'
            f"<body><article><h1>{title}</h1><p>{text}</p></article></body></html>"
        )


def bundled_pages() -> dict[str, Page]:
    """Return the sources of the bundled hedging data, gold passages too, by address.

    The hosts of reliable ones are those of a university, so that the bundled list of
    institutions knows them; it knows none of the others.
    """
    items, _ = load_bluff("sample", ("clear", "ambiguous", "gold"))
    pages: dict[str, Page] = {}
    for item in items:
        for source in item.sources:
            suffix = "edu" if source.category == "reliable" else "com"
            # a host of its own, as a record takes one page of a host
            host = f"{source.host.partition('.')[0]}{len(pages)}.example.{suffix}"
            page = Page(source.title, source.date, source.text)
            pages[f"http://{host}/page.html"] = page
    return pages


class LocalWeb:
    """Pages and a search over their words, by address."""

    def __init__(self, pages: dict[str, Page]) -> None:
        self._pages = pages
        self._addresses = list(pages)
        texts = (f"{page.title} {page.text}" for page in pages.values())
        self._index = Index(texts)

    def answer(self, host: str, path: str) -> tuple[int, str, str]:
        """Return the status, the type and the body of an answer."""
        parts = urlsplit(path)
        if parts.path == "/search":
            query = parse_qs(parts.query).get("q", [""])[0]
            return 200, "application/json", json.dumps({"results": self._hits(query)})
        page = self._pages.get(f"http://{host}{parts.path}")
        if page is None:
            return 404, "text/plain", "nothing here"
        return 200, "text/html; charset=utf-8", page.as_html()

    def _hits(self, query: str) -> list[dict[str, str]]:
        hits = []
        for position, _ in self._index.nearest(query, RESULTS):
            address = self._addresses[position]
            hits.append({"url": address, "title": self._pages[address].title})
        return hits


class Handler(BaseHTTPRequestHandler):
    """Answers a request from the local web, without a line on the screen."""

    def __init__(self, web: LocalWeb, *args: Any) -> None:
        self._web = web
        super().__init__(*args)

    def do_GET(self) -> None:
        """Answer a request."""
        host = self.headers.get("Host", "")
        status, kind, body = self._web.answer(host, self.path)
        content = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Write nothing."""


@contextmanager
def local_web() -> Iterator[str]:
    """Give the argument `search` of a web whose pages are fetched from this machine."""
    handler = partial(Handler, LocalWeb(bundled_pages()))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    port = server.server_address[1]
    transport = partial(CheckedTransport, _public, Local(port))
    try:
        with patch(TRANSPORT, transport):
            yield f"searxng:http://127.0.0.1:{port}"
    finally:
        server.shutdown()
        server.server_close()


async def _public(host: str, port: int) -> list[str]:
    """Return a public address for any name."""
    return [PUBLIC]
