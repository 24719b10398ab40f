"""Posts of Reddit, through its API and by keys alone (https://www.reddit.com/dev/api)."""

import base64
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import anyio

from refusalbench_tasks.collect.web.extract import Article
from refusalbench_tasks.collect.web.hit import Hit, SearchError, plain, value_at
from refusalbench_tasks.collect.web.hosts import Sleep
from refusalbench_tasks.collect.web.page import Failed
from refusalbench_tasks.collect.web.providers.endpoint import Endpoint
from refusalbench_tasks.collect.web.subreddits import subreddits
from refusalbench_tasks.errors import DataError

TOKEN_URL, URL = "https://www.reddit.com/api/v1/access_token", "https://oauth.reddit.com"
ID, SECRET = "REDDIT_CLIENT_ID", "REDDIT_CLIENT_SECRET"
LEAST_SCORE, LEAST_COMMENTS = 5, 2
"""What a post must have (released builder of BLUFF-1000)."""
COMMENTS, SHORTEST_COMMENT = 3, 50
"""How many comments stand below a post's text, the best ones that are longer than this (released builder)."""
PAUSE = 1.0
"""Seconds between two requests; Reddit allows about as many a minute."""
MOST = 25
EARLY = 60.0
"""Seconds before a token ends that a new one is asked for."""
_POST = re.compile(r"[a-z0-9]{1,13}")
PAGE = "https://www.reddit.com/comments/"
"""Where a post stands for people: with its id behind it."""
_GONE = ("[removed]", "[deleted]", "")


def is_post(url: str) -> bool:
    """Return whether an address is that of a post, as `search` gives them."""
    return url.startswith(PAGE) and bool(_POST.fullmatch(url.removeprefix(PAGE)))


def reddit_of(names: str, environment: Mapping[str, str]) -> "Reddit":
    """Return Reddit by the keys of the environment. Raises DataError where one is missing: nothing is asked then."""
    wanted = subreddits(names)
    keys = [environment.get(name, "").strip() for name in (ID, SECRET)]
    for name, key in zip((ID, SECRET), keys, strict=True):
        if not key:
            raise DataError(f"reddit: the environment variable {name} is not set; Reddit is asked by keys alone")
        if not (key.isascii() and key.isprintable()) or ":" in key:
            raise DataError(f"reddit: the key in {name} has characters that no key has")
    return Reddit(keys[0], keys[1], wanted)


class Reddit:
    """Reddit's API with the credentials of an application, which see what everybody sees."""

    def __init__(
        self,
        client: str,
        secret: str,
        among: Sequence[str] = (),
        token_url: str = TOKEN_URL,
        url: str = URL,
        pause: float = PAUSE,
        sleep: Sleep = anyio.sleep,
    ) -> None:
        """Take keys, and the subreddits that are searched (none: all). Nothing is asked yet."""
        key = base64.b64encode(f"{client}:{secret}".encode()).decode()
        self._agent = {"User-Agent": "python:refusalbench-tasks (research; by the holder of this client id)"}
        self._tokens = Endpoint("Reddit", token_url, {"Authorization": f"Basic {key}", **self._agent})
        self._url, self._among = url.rstrip("/"), tuple(among)
        self._pause, self._sleep = pause, sleep
        self._lock, self._next = anyio.Lock(), 0.0
        self._token, self._until = "", 0.0

    async def search(self, query: str, n: int) -> list[Hit]:
        """Return at most `n` posts, and never more than MOST, each with its text as the snippet. Raises SearchError.

        Left out are posts that few have taken up, that are gone, or that are not for everybody.
        """
        path = f"/r/{'+'.join(self._among)}/search" if self._among else "/search"
        found = await self._get(
            path, q=query, limit=min(n, MOST), sort="relevance", type="link", raw_json=1,
            restrict_sr=str(bool(self._among)).lower(),
        )  # fmt: skip
        posts = [one for one in _things(found, "t3") if _taken_up(one)]
        # addresses are built of ids: what the answer says of addresses is outside text
        return [Hit(f"{PAGE}{one['id']}", _said(one, "title"), _said(one, "selftext"), _day(one)) for one in posts[:n]]

    async def read(self, url: str) -> Article | Failed:
        """Return a post with its best comments as an article. Nobody's name is kept."""
        if not is_post(url):
            return Failed(url, "no post of Reddit")
        name = url.removeprefix(PAGE)
        try:
            answer = await self._get(f"/comments/{name}", sort="top", limit=4 * COMMENTS, depth=1, raw_json=1)
        except SearchError as error:
            return Failed(url, str(error))
        posts, comments = answer if isinstance(answer, list) and len(answer) == 2 else (None, None)
        post = next(_things(posts, "t3"), None)
        if post is None or post.get("id") != name:
            return Failed(url, "no such post")
        best = [text for one in _things(comments, "t1") if len(text := _said(one, "body")) > SHORTEST_COMMENT]
        title = _said(post, "title")
        text = "\n".join(filter(None, (title, _said(post, "selftext"), *best[:COMMENTS])))
        return Article(text, title, "", _day(post), "")

    async def _get(self, path: str, **parameters: str | int) -> Any:
        async with self._lock:
            if anyio.current_time() >= self._until:
                await self._renew()
            await self._rest()
            bearer = {"Authorization": f"Bearer {self._token}", **self._agent}
            return await Endpoint("Reddit", self._url + path, bearer).get(**parameters)

    async def _renew(self) -> None:
        await self._rest()
        answer = await self._tokens.form({"grant_type": "client_credentials"})
        token, seconds = value_at(answer, "access_token"), value_at(answer, "expires_in")
        if not isinstance(token, str) or not token.isascii() or not isinstance(seconds, int | float):
            raise SearchError("Reddit gives no token for these keys")
        self._token, self._until = token, anyio.current_time() + seconds - EARLY

    async def _rest(self) -> None:
        """Wait until the next request is due."""
        wait = self._next - anyio.current_time()
        if wait > 0:
            await self._sleep(wait)
        self._next = anyio.current_time() + self._pause


def _things(listing: object, kind: str) -> Iterator[Mapping[str, Any]]:
    children = value_at(listing, "data", "children")
    for one in children if isinstance(children, list) else ():
        data = value_at(one, "data")
        if value_at(one, "kind") == kind and isinstance(data, dict):
            yield data


def _taken_up(post: Mapping[str, Any]) -> bool:
    numbers = [post.get(name) for name in ("score", "num_comments")]
    if not all(isinstance(number, int) for number in numbers) or not _POST.fullmatch(str(post.get("id"))):
        return False
    gone = _said(post, "title") == ""
    enough = numbers[0] >= LEAST_SCORE and numbers[1] >= LEAST_COMMENTS  # type: ignore[operator]
    return bool(enough and not gone and not post.get("over_18"))


def _said(thing: Mapping[str, Any], name: str) -> str:
    """Return what somebody wrote, as plain text; nothing for what is gone or stands there by office."""
    text = thing.get(name)
    if not isinstance(text, str) or text.strip() in _GONE or thing.get("stickied"):
        return ""
    return plain(text)


def _day(post: Mapping[str, Any]) -> str:
    moment = post.get("created_utc")
    try:
        return datetime.fromtimestamp(float(moment), UTC).date().isoformat()  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError, OSError):
        return ""
