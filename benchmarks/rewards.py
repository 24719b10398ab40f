"""Speed and share of the reward of a reply to a row of worlds, over scripted replies."""

import time

from benchmarks.result import Result
from refusalbench_tasks.generators.kit.text.typed_tokens import typed_tokens
from refusalbench_tasks.worlds.rewards import reward
from tests.worlds.reply_styles import LATER_STYLES, STYLES, Scripted, made_rows, scripted

_SEED, _QUADS = 9_001, 400


def replies(seed: int = _SEED, quads: int = _QUADS) -> list[Scripted]:
    """Return the scripted replies to some rows, in all styles, traps included."""
    styles = {**STYLES, **LATER_STYLES}
    return [one for quad in made_rows(seed, quads) for one in scripted(quad, seed, styles)]


def rate(said: list[Scripted]) -> float:
    """Return replies a second of processor time, best of five; every row has been seen, no reply is remembered."""
    best = float("inf")
    for _ in range(6):
        typed_tokens.cache_clear()
        start = time.process_time()
        for one in said:
            reward(one.text, one.row)
        best = min(best, time.process_time() - start)
    return len(said) / best


def results() -> list[Result]:
    """Return the rate, the share that is decided without a judge, and the wrong rewards."""
    said = replies()
    labelled = [one for one in said if one.truth is not None]
    answerable = [one for one in labelled if one.row["expected_rag_behavior"] == "ANSWER_CORRECTLY"]
    decided = [one for one in labelled if reward(one.text, one.row) is not None]
    wrong = [one for one in answerable if reward(one.text, one.row) not in (None, float(bool(one.truth)))]
    traps = [one for one in said if one.truth is None]
    judged = [one for one in traps if reward(one.text, one.row) is not None]
    method = f"{len(STYLES) + len(LATER_STYLES)} styles, rows of a held-out seed"
    return [
        Result("reward of a reply, calls a second", f"{rate(said):,.0f}", "≥ 20,000", f"{method}, one core"),
        Result(
            "short replies decided without a judge",
            f"{len(decided) / len(labelled):.2%} of {len(labelled):,}",
            "≥ 99 %",
            method,
        ),
        Result("wrong rewards", f"{len(wrong)} of {len(answerable):,}", "0", f"{method}, answerable rows"),
        Result("verdicts on texts that are none", f"{len(judged)} of {len(traps):,}", "0", "refusals, denials, doubts"),
    ]
