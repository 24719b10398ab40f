"""What the search engines answer, in their documented layouts, about the pages of the test web."""

from collections.abc import Mapping
from typing import Any

from tests.collect.web.pages import PAGES, paragraphs


def ranked(query: str) -> list[tuple[str, str, str, bool]]:
    """Return (address, title, snippet, dated) of the pages that share words with a query, those with most first."""
    words = {word.strip("?.,").lower() for word in query.split() if len(word) > 3}
    found = []
    for url, (subject, outlet) in PAGES.items():
        text = " ".join(paragraphs(subject, outlet))
        score = sum(word in text.lower() for word in words)
        if score:
            found.append((score, (url, f"About {subject.name}", text[:120], outlet.right)))
    found.sort(key=lambda pair: -pair[0])
    return [hit for _, hit in found]


def searxng(asked: Mapping[str, Any]) -> Any:
    """Ten results a page, with a day or null, and no JSON unless it is asked for."""
    if asked.get("format") != "json":
        return None
    start = 10 * (int(asked.get("pageno", 1)) - 1)
    rows = [
        {"url": url, "title": title, "content": text, "publishedDate": "2021-03-12T00:00:00" if dated else None}
        for url, title, text, dated in ranked(asked["q"])[start : start + 10]
    ]
    return {"query": asked["q"], "number_of_results": 0, "results": rows, "answers": [], "suggestions": []}


def brave(asked: Mapping[str, Any]) -> Any:
    """At most 20 results a page, the query's words in bold, and no group `web` without results."""
    count, start = int(asked["count"]), int(asked["count"]) * int(asked["offset"])
    if count > 20 or int(asked["offset"]) > 9:
        return None
    found = ranked(asked["q"])
    rows = [
        {"title": title, "url": url, "description": f"<strong>{text[:9]}</strong>{text[9:]} &amp; more"}
        | ({"page_age": "2021-03-12T08:00:00"} if dated else {})
        for url, title, text, dated in found[start : start + count]
    ]
    group = {"web": {"type": "search", "results": rows}} if rows else {}
    return {"type": "search", "query": {"more_results_available": len(found) > start + count}, **group}


def bing(asked: Mapping[str, Any]) -> Any:
    """At most 50 results a page."""
    count, start = int(asked["count"]), int(asked["offset"])
    if count > 50:
        return None
    rows = [
        {"id": "x", "name": title, "url": url, "snippet": text, "dateLastCrawled": "2024-01-01T00:00:00"}
        | ({"datePublished": "2021-03-12T00:00:00.0000000"} if dated else {})
        for url, title, text, dated in ranked(asked["q"])[start : start + count]
    ]
    return {"_type": "SearchResponse", "webPages": {"totalEstimatedMatches": 100, "value": rows}}


def tavily(asked: Mapping[str, Any]) -> Any:
    """At most 20 results."""
    if asked["max_results"] > 20:
        return None
    rows = [
        {"title": title, "url": url, "content": text, "score": 0.5, "raw_content": None}
        | ({"published_date": "Fri, 12 Mar 2021 08:00:00 GMT"} if dated else {})
        for url, title, text, dated in ranked(asked["query"])[: asked["max_results"]]
    ]
    return {"query": asked["query"], "answer": None, "results": rows, "response_time": "0.1"}


KEYS = {"brave": "X-Subscription-Token", "bing": "Ocp-Apim-Subscription-Key", "tavily": "Authorization"}
ENGINES = {"searxng": searxng, "brave": brave, "bing": bing, "tavily": tavily}
