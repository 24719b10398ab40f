"""Speed of the hedge matcher, against the released procedure over the same list."""

import random
import time
from collections.abc import Callable

from benchmarks.reply_sentences import read_sentences
from benchmarks.result import Result
from refusalbench_tasks.replies.lexicon_file import bundled_lexicon

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


def real_replies(n: int) -> list[str]:
    """Return n replies of seventy words or a few more, made of labelled sentences: nearly each of them hedges."""
    rng, sentences = random.Random(0), [one.text for one in read_sentences()]
    made = []
    for _ in range(n):
        reply = ""
        while len(reply.split()) < 70:
            reply += " " + rng.choice(sentences)
        made.append(reply)
    return made


def rate(count: Callable[[str], int], texts: list[str]) -> float:
    """Return responses per second of processor time, best of twenty, so that other work on the machine costs little."""
    count(texts[0])
    best = float("inf")
    for _ in range(20):
        start = time.process_time()
        for text in texts:
            count(text)
        best = min(best, time.process_time() - start)
    return len(texts) / best


def results() -> list[Result]:
    """Return the rates of the matcher with both lists, on dense replies, and against counting substrings."""
    first, second = bundled_lexicon("v1"), bundled_lexicon("v2")
    texts, real = responses(1_000), real_replies(1_000)
    method = "70 words, one core, processor time"
    rows = [
        ("hedge matcher v2, responses a second", rate(second.count, texts), "≥ 100,000", f"{method}, eight hedges"),
        ("hedge matcher v1, the same", rate(first.count, texts), "≥ 100,000", f"{method}, eight hedges"),
        ("hedge matcher v2, labelled sentences", rate(second.count, real), "(none)", f"{method}, most sentences hedge"),
        ("hedge matcher v1, the same sentences", rate(first.count, real), "(none)", f"{method}, most sentences hedge"),
    ]
    ratio = rate(first.count, texts) / rate(first.count_substrings, texts[:200])
    against = "v1; the released procedure counts each of the 350 terms as a substring"
    return [Result(name, f"{value:,.0f}", goal, how) for name, value, goal, how in rows] + [
        Result("the same against the released procedure", f"{ratio:.0f}×", "(none)", against)
    ]
