"""What Reddit's API answers, in its documented layout: a token by keys, a search, and a post with its comments."""

import base64
from typing import Any

from aiohttp import web

ID, SECRET, TOKEN = "an-id", "a-secret", "a-token"
BASIC = "Basic " + base64.b64encode(f"{ID}:{SECRET}".encode()).decode()
BODY = (
    "So I walked along the towpath last weekend and asked around about the barges. One man told me that up to "
    "9,000 tonnes go through there at night, when nobody counts, and his neighbour nodded. I have no photograph and "
    "no paper, but the water did look rather low the next morning. Has anybody else heard of this, or is it one of "
    "those tales that people tell to visitors before they sell them a map of the old canal?"
)
SAID = "My uncle worked there and says the same, though he never weighed one himself."


def post(name: str, **more: Any) -> dict[str, Any]:
    facts = {
        "id": name, "title": "Heavy barges at the lock?", "selftext": BODY, "score": 12, "num_comments": 4,
        "over_18": False, "created_utc": 1583020800.0, "author": "somebody", "url": "http://127.0.0.1/secret",
    }  # fmt: skip
    return {"kind": "t3", "data": facts | more}


FOUND = (
    post("low", score=4), post("alone", num_comments=1), post("adult", over_18=True), post("../../x"),
    post("gone", title="[removed]"), {"kind": "t5", "data": {}}, "nonsense", post("abc12"), post("def34"),
)  # fmt: skip
COMMENTS = (
    {
        "kind": "t1",
        "data": {"body": "Rules of this board: be kind, and read what others wrote before.", "stickied": True},
    },
    {"kind": "t1", "data": {"body": "[deleted]"}},
    {"kind": "t1", "data": {"body": "No."}},
    {"kind": "t1", "data": {"body": SAID, "author": "another"}},
    {"kind": "more", "data": {}},
)


def listing(*children: Any) -> dict[str, Any]:
    return {"kind": "Listing", "data": {"children": list(children)}}


async def answer(request: web.Request) -> web.StreamResponse:
    """Answer as Reddit does, for who has the keys and then the token, and tells who asks."""
    path = request.path.removeprefix("/reddit")
    if "refusalbench-tasks" not in request.headers.get("User-Agent", ""):
        return web.json_response({"error": 429}, status=429)
    if path == "/token":
        form = await request.post()
        if request.headers.get("Authorization") != BASIC or form.get("grant_type") != "client_credentials":
            return web.json_response({"error": 401}, status=401)
        return web.json_response({"access_token": TOKEN, "token_type": "bearer", "expires_in": 86400, "scope": "*"})
    if request.headers.get("Authorization") != f"Bearer {TOKEN}":
        return web.json_response({"error": 401}, status=401)
    if path.endswith("/search"):
        inside = path.startswith("/r/")
        if request.query["restrict_sr"] != str(inside).lower() or request.query["type"] != "link":
            return web.json_response({"error": 400}, status=400)
        return web.json_response(listing(*FOUND))
    name = path.removeprefix("/comments/")
    if name == "def34":
        return web.json_response([listing(post("other")), listing()])
    return web.json_response([listing(post(name)), listing(*COMMENTS)])
