"""Bing Web Search, version 7: the layout of its documentation.

Microsoft has withdrawn its public service; what still answers are endpoints of the same layout, whose address stands
in BING_SEARCH_V7_ENDPOINT.
"""

from refusalbench_tasks.collect.web.hit import Hit, hits_of, paged, value_at
from refusalbench_tasks.collect.web.providers.endpoint import Endpoint

URL = "https://api.bing.microsoft.com/v7.0/search"
KEY, ENDPOINT = "BING_SEARCH_V7_SUBSCRIPTION_KEY", "BING_SEARCH_V7_ENDPOINT"
NAMES = {"url": "url", "title": "name", "snippet": "snippet", "date": "datePublished"}
MOST_A_PAGE, MOST_PAGES = 50, 4


class Bing:
    """Bing's web search by key."""

    def __init__(self, key: str, url: str = URL, **options: float) -> None:
        self._endpoint = Endpoint("Bing", url, {"Ocp-Apim-Subscription-Key": key}, **options)  # type: ignore[arg-type]

    async def search(self, query: str, n: int) -> list[Hit]:
        """Return at most `n` hits, fifty a request, at most two hundred. Raises SearchError."""
        size = min(n, MOST_A_PAGE)

        async def page(number: int) -> list[Hit]:
            answer = await self._endpoint.get(q=query, count=size, offset=number * size, responseFilter="Webpages")
            return hits_of(value_at(answer, "webPages", "value"), NAMES, n)

        return await paged(page, n, MOST_PAGES)
