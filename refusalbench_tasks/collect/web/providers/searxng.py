"""SearXNG, a metasearch server that anyone can run (https://docs.searxng.org/dev/search_api.html)."""

from refusalbench_tasks.collect.web.hit import Hit, SearchError, hits_of, paged, value_at
from refusalbench_tasks.collect.web.providers.endpoint import Endpoint

NAMES = {"url": "url", "title": "title", "snippet": "content", "date": "publishedDate"}
MOST_PAGES = 5


class SearXNG:
    """A SearXNG server by its base address. Its settings must list `json` under `search: formats`."""

    def __init__(self, url: str, **options: float) -> None:
        self._endpoint = Endpoint("SearXNG", f"{url.rstrip('/')}/search", **options)  # type: ignore[arg-type]

    async def search(self, query: str, n: int) -> list[Hit]:
        """Return at most `n` hits, from up to five pages of results. Raises SearchError."""

        async def page(number: int) -> list[Hit]:
            answer = await self._endpoint.get(q=query, format="json", pageno=number + 1)
            rows = value_at(answer, "results")
            if not isinstance(rows, list):
                raise SearchError("SearXNG answers without a list 'results'")
            return hits_of(rows, NAMES, n)

        return await paged(page, n, MOST_PAGES)
