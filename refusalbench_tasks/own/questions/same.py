"""When two questions ask the same."""

from refusalbench_tasks.generators.kit.text.content_words import content_words
from refusalbench_tasks.replies.plain_text import plain_text

NEAR = 0.8
"""The share of words of matter that two questions have in common from which on they are one (ours)."""


def nearly_same(one: str, other: str) -> bool:
    """Return whether two questions are one but for case, stops and grammar, or share nearly all words of matter.

    Numbers and dates count in one form each; the share is Jaccard's.
    """
    if plain_text(one) == plain_text(other):
        return True
    mine, theirs = content_words(one), content_words(other)
    return bool(mine and theirs) and len(mine & theirs) >= NEAR * len(mine | theirs)
