"""Names of models as short as they can be told apart."""

from collections import Counter
from collections.abc import Sequence


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Return for each name its shortest ending, cut at slashes, that no other name is given.

    The prefix of a provider goes first and the telling part at the end stays: `openai/gpt-4o` is `gpt-4o`, unless
    `azure/gpt-4o` is there too. Different names never become equal.
    """
    parts = {name: name.split("/") for name in names}
    depths = {name: _least(some) for name, some in parts.items()}
    while True:
        short = {name: "/".join(some[-depths[name] :]) for name, some in parts.items()}
        times = Counter(short.values())
        alike = [name for name in parts if times[short[name]] > 1]
        if not alike:
            return short
        for name in alike:
            depths[name] = min(depths[name] + 1, len(parts[name]))


def _least(parts: Sequence[str]) -> int:
    """Return how many parts from the end hold some text."""
    return next((n for n, part in enumerate(reversed(parts), start=1) if part.strip()), len(parts))
