"""Posts of Reddit: by keys alone, in its documented layout, on this machine."""

from typing import Any

import anyio
import pytest

from refusalbench_tasks.collect.web.extract import Article
from refusalbench_tasks.collect.web.hit import Hit, SearchError
from refusalbench_tasks.collect.web.page import Failed
from refusalbench_tasks.collect.web.providers.reddit import PAGE, Reddit, is_post, reddit_of
from refusalbench_tasks.collect.web.subreddits import subreddits
from refusalbench_tasks.errors import DataError
from tests.collect.web.reddit import BODY, ID, SAID, SECRET
from tests.collect.web.site import Site

KEYS = {"REDDIT_CLIENT_ID": ID, "REDDIT_CLIENT_SECRET": SECRET}
POST = f"{PAGE}abc12"


def reddit(site: Site, secret: str = SECRET, among: tuple[str, ...] = (), **more: Any) -> Reddit:
    urls: dict[str, Any] = {"token_url": f"{site.here}/reddit/token", "url": f"{site.here}/reddit", "pause": 0}
    return Reddit(ID, secret, among, **urls | more)


def test_posts_that_people_took_up_are_found_by_one_token(site: Site) -> None:
    async def run() -> list[Hit]:
        one = reddit(site)
        await one.search("heavy barges", 10)
        return await one.search("heavy barges", 1)

    assert anyio.run(run) == [Hit(POST, "Heavy barges at the lock?", BODY, "2020-03-01")]
    assert site.paths() == ["/reddit/token", "/reddit/search", "/reddit/search"]


def test_a_search_stays_inside_the_subreddits_that_are_named(site: Site) -> None:
    anyio.run(reddit(site, among=("canals", "AskHistorians")).search, "barges", 3)
    assert site.paths()[-1] == "/reddit/r/canals+AskHistorians/search"


def test_a_post_is_its_text_and_its_best_comments_and_names_nobody(site: Site) -> None:
    found = anyio.run(reddit(site).read, POST)
    assert found == Article(f"Heavy barges at the lock?\n{BODY}\n{SAID}", "Heavy barges at the lock?", "", "2020-03-01")


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1/secret", f"{PAGE}../../api/v1/me", f"{PAGE}abc12/../x", f"{PAGE}", "https://reddit.com/abc12"],
)
def test_nothing_but_a_post_is_read(site: Site, url: str) -> None:
    assert not is_post(url)
    assert anyio.run(reddit(site).read, url) == Failed(url, "no post of Reddit")
    assert site.paths() == []


def test_a_post_that_is_another_is_none(site: Site) -> None:
    assert anyio.run(reddit(site).read, f"{PAGE}def34") == Failed(f"{PAGE}def34", "no such post")


def test_wrong_keys_are_one_line_without_them(site: Site) -> None:
    with pytest.raises(SearchError, match="^Reddit answers with status 401 \\(the key is refused\\)$"):
        anyio.run(reddit(site, "wrong").search, "barges", 3)
    assert anyio.run(reddit(site, "wrong").read, POST) == Failed(
        POST, "Reddit answers with status 401 (the key is refused)"
    )


def test_requests_keep_a_pause(site: Site) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    async def run() -> None:
        one = reddit(site, pause=50.0, sleep=sleep)
        await one.search("barges", 3)
        await one.read(POST)

    anyio.run(run)
    # a token, a search and a post: two pauses between the three
    assert [round(seconds) for seconds in slept] == [50, 50]


@pytest.mark.parametrize("missing", KEYS)
def test_without_keys_nothing_is_asked(missing: str) -> None:
    with pytest.raises(DataError, match=f"{missing} is not set; Reddit is asked by keys alone"):
        reddit_of("all", KEYS | {missing: " "})


def test_a_key_with_a_colon_or_a_line_is_none() -> None:
    with pytest.raises(DataError, match="characters that no key has") as error:
        reddit_of("all", KEYS | {"REDDIT_CLIENT_SECRET": "a:b"})
    assert "a:b" not in str(error.value)


def test_subreddits_are_named_or_all() -> None:
    assert subreddits("all") == ()
    assert subreddits("r/canals, AskHistorians") == ("canals", "AskHistorians")
    for wrong in ("", "a b", "canals/../x", "all,canals", "x"):
        with pytest.raises(DataError, match="expected 'all' or names of subreddits"):
            subreddits(wrong)
