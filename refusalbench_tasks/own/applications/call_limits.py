"""How an application may be called: how long, how often, how much, and where to."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import SplitResult, parse_qsl, urljoin, urlsplit

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.own.applications.failed import ApplicationFailed

LONGEST_WAIT = 120.0
"""Seconds that a Retry-After may make a call wait; one that asks for more waits so long."""
KEEPS_POST = (307, 308)
"""Redirects that repeat the request; the others would turn it into one without the question."""
_SECRET = re.compile(r"(?:^|[_-])(?:api|access|auth)?(?:key|token|secret|password|signature|sig)$", re.IGNORECASE)
"""Names of parameters of an address that hold secrets."""


@dataclass(frozen=True)
class CallLimits:
    """The limits of one call."""

    timeout: float = 120.0
    """Seconds of one attempt."""
    attempts: int = 5
    backoff: float = 1.0
    """Seconds before the second attempt; doubled for each further one, with jitter."""
    max_bytes: int = 5_000_000
    redirects: tuple[str, ...] = ()
    """Hosts, beside the address's own, that a redirect may lead to."""

    def check(self) -> None:
        """Raise DataError for a limit that is none."""
        for name, least in (("timeout", 0.001), ("attempts", 1), ("backoff", 0), ("max_bytes", 1)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or value < least:
                raise DataError(f"{name}: expected a number of at least {least:g}, got {value!r}")


def checked_address(url: object) -> str:
    """Return the address of an application. Raises DataError for what is none, and for one that holds a secret."""
    try:
        parts = urlsplit(url if isinstance(url, str) else "")
        known = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        known = False
    if not known:
        raise DataError("url: expected an address such as http://localhost:8000/ask")
    if parts.username or parts.password:
        raise DataError("url: a password does not belong in an address, which logs keep; use headers=")
    secret = next((name for name, _ in parse_qsl(parts.query) if _SECRET.search(name)), None)
    if secret:
        raise DataError(f"url: '{secret}' looks like a secret, and logs keep addresses; use headers=")
    return str(url)


def redirected(address: str, location: str, status: int, allowed: Sequence[str]) -> str:
    """Return where a redirect leads. Raises ApplicationFailed where it must not be followed.

    It may lead to the same scheme, host and port, from http to https of the same host, and to the hosts that are
    allowed; and only if the request is repeated there as it is.
    """
    target = urljoin(address, location)
    here, there = urlsplit(address), urlsplit(target)
    if status not in KEEPS_POST:
        raise ApplicationFailed(f"the application redirects with {status}, which drops the question; give its address")
    upgraded = here.hostname == there.hostname and here.scheme == "http" and there.scheme == "https"
    listed = there.scheme == "https" or here.scheme == "http"
    listed = listed and (there.hostname in allowed or there.netloc in allowed)
    if not (same_origin(here, there) or upgraded or listed):
        raise ApplicationFailed(
            f"the application redirects to another host, {there.scheme}://{there.hostname}; "
            f"allow it with redirects={there.hostname} if it is to see the questions"
        )
    return target


def same_origin(one: SplitResult, other: SplitResult) -> bool:
    """Return whether two addresses have the same scheme, host and port."""
    return (one.scheme, one.hostname, one.port) == (other.scheme, other.hostname, other.port)


def seconds_to_wait(retry_after: str | None, now: datetime | None = None) -> float | None:
    """Return the seconds that a Retry-After header asks for, in [0, LONGEST_WAIT]: a number or a date; else None."""
    text = (retry_after or "").strip()
    try:
        wait = float(text) if text.replace(".", "", 1).isdecimal() else None
        if wait is None and text:
            due = parsedate_to_datetime(text)
            due = due if due.tzinfo else due.replace(tzinfo=UTC)
            wait = (due - (now or datetime.now(UTC))).total_seconds()
    except ValueError:
        return None
    return None if wait is None else min(max(wait, 0.0), LONGEST_WAIT)
