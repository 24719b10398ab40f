"""What an address of an application and the numbers of its limits may be."""

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import parse_qsl, urlsplit

from refusalbench_tasks.errors import DataError

LONGEST_WAIT = 120.0
"""Seconds that a Retry-After may make a call wait; one that asks for more waits so long."""
_SECRET = re.compile(r"(?:^|[_-])(?:api|access|auth)?(?:key|token|secret|password|signature|sig)$", re.IGNORECASE)
"""Names of parameters of an address that hold secrets."""


def require_number(name: str, value: object, least: float) -> None:
    """Raise DataError for what is no number of at least `least`."""
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


def seconds_to_wait(retry_after: str | None, now: datetime | None = None) -> float | None:
    """Return the seconds that a Retry-After header asks for, in [0, LONGEST_WAIT]: a number or a date; else None."""
    text = (retry_after or "").strip()
    try:
        wait = float(text) if text.replace(".", "", 1).isdecimal() else None
        if wait is None and text:
            due = parsedate_to_datetime(text)
            wait = ((due if due.tzinfo else due.replace(tzinfo=UTC)) - (now or datetime.now(UTC))).total_seconds()
    except ValueError:
        return None
    return None if wait is None else min(max(wait, 0.0), LONGEST_WAIT)
