"""Brave Search (https://api-dashboard.search.brave.com/app/documentation/web-search)."""

from refusalbench_tasks.collect.web.hit import Hit, hits_of, paged, value_at
from refusalbench_tasks.collect.web.providers.endpoint import Endpoint

URL = "https://api.search.brave.com/res/v1/web/search"
KEY = "BRAVE_API_KEY"
NAMES = {"url": "url", "title": "title", "snippet": "description", "date": "page_age"}
MOST_A_PAGE, MOST_PAGES = 20, 10


class Brave:
    """Brave's web search by key."""

    def __init__(self, key: str, url: str = URL, **options: float) -> None:
        self._endpoint = Endpoint("Brave", url, {"X-Subscription-Token": key}, **options)  # type: ignore[arg-type]

    async def search(self, query: str, n: int) -> list[Hit]:
        """Return at most `n` hits, twenty a request, at most two hundred. Raises SearchError."""

        async def page(number: int) -> list[Hit]:
            answer = await self._endpoint.get(q=query, count=min(n, MOST_A_PAGE), offset=number)
            # an answer without the group `web` is one without hits
            return hits_of(value_at(answer, "web", "results"), NAMES, n)

        return await paged(page, n, MOST_PAGES)
