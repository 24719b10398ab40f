"""Which parts of Reddit are searched: the argument `reddit`."""

import re

from refusalbench_tasks.errors import DataError

ALL = "all"
_NAME = re.compile(r"[A-Za-z0-9_]{2,21}")


def subreddits(names: str) -> tuple[str, ...]:
    """Return the subreddits that `all` or a comma list names; none for `all`. Raises DataError for another form."""
    found = tuple(name.strip().removeprefix("r/") for name in names.split(",") if name.strip())
    if found == (ALL,):
        return ()
    if not found or ALL in found or not all(_NAME.fullmatch(name) for name in found):
        raise DataError(f"reddit: expected 'all' or names of subreddits, joined by commas, not '{names[:200]}'")
    return found
