"""What a host's robots.txt allows."""

from dataclasses import dataclass
from typing import Any

from refusalbench_tasks.collect.web.extract import library

LONGEST = 500 * 1024
"""How much of a robots.txt is read, in bytes (RFC 9309, §2.5)."""


@dataclass(frozen=True)
class RobotsRules:
    """What we may ask of a host. `refusal` is why nothing may be asked; `parsed` is None if everything may."""

    parsed: Any = None
    refusal: str | None = None

    def refused(self, url: str, agent: str) -> str | None:
        """Return why a page may not be asked for, or None."""
        if self.refusal or self.parsed is None or self.parsed.can_fetch(url, agent):
            return self.refusal
        return "robots.txt disallows it"

    def delay(self, agent: str) -> float:
        """Return how many seconds the host wants between two requests, 0 if it doesn't say."""
        if self.parsed is None:
            return 0.0
        rate = self.parsed.request_rate(agent)
        return max(float(self.parsed.crawl_delay(agent) or 0), rate.seconds / rate.requests if rate else 0.0)


def rules_of(status: int, body: bytes) -> RobotsRules:
    """Return the rules of a robots.txt, as RFC 9309 reads its status.

    2xx: the file's rules. 4xx: there is none, all is allowed. Anything else: the host can't say, nothing is allowed.
    Raises DataError without the extra `web`.
    """
    if 200 <= status < 300:
        return RobotsRules(library("protego").Protego.parse(body[:LONGEST].decode("utf-8", "replace")))
    if 400 <= status < 500 and status != 429:
        return RobotsRules()
    return unreachable(f"status {status}")


def unreachable(reason: str) -> RobotsRules:
    """Return the rules of a host whose robots.txt can't be had: nothing is allowed."""
    return RobotsRules(refusal=f"robots.txt cannot be read ({reason})")
