"""A small application for tests, which answers over HTTP as a script says."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import web

from tests.listening import Listening

Answer = Callable[[web.Request, Any], Awaitable[web.StreamResponse]]


class Application(Listening):
    """The application, on the loopback address while the context is open; `got` holds
    every request's JSON.
    """

    def __init__(self, answer: Answer) -> None:
        super().__init__()
        self.answer = answer
        self.got: list[Any] = []
        self.headers: list[dict[str, str]] = []
        self.peak = self._in_flight = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/ask"

    def add_routes(self, routes: web.UrlDispatcher) -> None:
        routes.add_post("/{path:.*}", self._handle)

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        self._in_flight += 1
        self.peak = max(self.peak, self._in_flight)
        try:
            body = json.loads(await request.text())
            self.got.append(body)
            self.headers.append(dict(request.headers))
            return await self.answer(request, body)
        finally:
            self._in_flight -= 1


def saying(body: Any, status: int = 200, **headers: str) -> Answer:
    """Return an application that always answers the same JSON."""

    async def answer(request: web.Request, got: Any) -> web.StreamResponse:
        return web.json_response(
            body,
            status=status,
            headers={k.replace("_", "-"): v for k, v in headers.items()},
        )

    return answer


def in_turn(*answers: Answer) -> Answer:
    """Return an application that answers in turn, and goes on with the last."""
    left = list(answers)

    async def answer(request: web.Request, got: Any) -> web.StreamResponse:
        return await (left.pop(0) if len(left) > 1 else left[0])(request, got)

    return answer
