"""The names of our scores in a log."""

from collections.abc import Collection, Iterable


def scores_of(names: Iterable[str], scorers: Collection[str]) -> list[str]:
    """Return the names that are those of our scorers, the newest last.

    `inspect score --action append` numbers what it adds: `refusal_scores1` is newer than `refusal_scores`.
    """
    return [name for name in names if name.rstrip("0123456789") in scorers]
