"""Speed of the hedge matcher, against the released procedure over the same list."""

import random
import time
from collections.abc import Callable

from benchmarks.result import Result
from refusalbench_tasks.replies.lexicon import bundled_lexicon

_TEXT = """
the committee found that a new rule applies to all members of council and it may reduce cost energy in northern towns
although two reports published by ministry seem to say opposite likely about 40 percent homes will be reached before
end decade perhaps unclear whether sources disagree bridge opened river year
"""
_WORDS = _TEXT.split()


def responses(n: int) -> list[str]:
    """Return n responses of seventy words, with a comma or a stop now and then."""
    rng = random.Random(0)
    return [" ".join(rng.choice(_WORDS) + rng.choice(("", "", "", "", ",", ".")) for _ in range(70)) for _ in range(n)]


def rate(count: Callable[[str], int], texts: list[str]) -> float:
    """Return responses per second, best of three."""
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        for text in texts:
            count(text)
        best = min(best, time.perf_counter() - start)
    return len(texts) / best


def results() -> list[Result]:
    """Return the rate of the matcher and its ratio to counting substrings."""
    lexicon, texts = bundled_lexicon("hedges"), responses(20_000)
    lexicon.count(texts[0])
    ours, released = rate(lexicon.count, texts), rate(lexicon.count_substrings, texts[:2_000])
    method = "70 words, 350 terms, one core; the released procedure counts each term as a substring"
    return [
        Result("hedge matcher, responses a second", f"{ours:,.0f}", "≥ 100,000", method),
        Result("the same against the released procedure", f"{ours / released:.0f}×", "(none)", method),
    ]
