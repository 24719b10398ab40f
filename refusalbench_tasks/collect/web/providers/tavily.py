"""Tavily (https://docs.tavily.com/documentation/api-reference/endpoint/search)."""

from refusalbench_tasks.collect.web.hit import Hit, SearchError, hits_of, value_at
from refusalbench_tasks.collect.web.providers.endpoint import Endpoint

URL = "https://api.tavily.com/search"
KEY = "TAVILY_API_KEY"
NAMES = {"url": "url", "title": "title", "snippet": "content", "date": "published_date"}
MOST = 20


class Tavily:
    """Tavily's search by key."""

    def __init__(self, key: str, url: str = URL, **options: float) -> None:
        self._endpoint = Endpoint("Tavily", url, {"Authorization": f"Bearer {key}"}, **options)  # type: ignore[arg-type]

    async def search(self, query: str, n: int) -> list[Hit]:
        """Return at most `n` hits, and never more than twenty: Tavily has no second page. Raises SearchError."""
        answer = await self._endpoint.post({"query": query, "max_results": min(n, MOST), "search_depth": "basic"})
        rows = value_at(answer, "results")
        if not isinstance(rows, list):
            raise SearchError("Tavily answers without a list 'results'")
        return hits_of(rows, NAMES, n)
