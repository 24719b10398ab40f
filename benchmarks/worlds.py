"""Worlds: how fast rows are made and proven, how varied they are, and what counted words tell."""

import time
from collections import Counter
from itertools import islice
from typing import Any

from benchmarks.result import Result
from refusalbench_tasks.datasets.benchmarks import NQ
from refusalbench_tasks.worlds.proof import Disagreement, prove
from refusalbench_tasks.worlds.quad import Quad, make_quad
from refusalbench_tasks.worlds.rows import rows
from refusalbench_tasks.worlds.shortcuts import LIMITS, shortcuts
from refusalbench_tasks.worlds.surface import differences, distinct_2, skeletons

SEED, SPEED_QUADS, SHOWN, SEEN = 31, 600, 200, 10_000


def results() -> list[Result]:
    """Return all measures; about five minutes on one quiet core."""
    return [*_speed(), *_variety(), *_tells()]


def _speed() -> list[Result]:
    for index in range(SPEED_QUADS):
        make_quad(SEED, index)
    start = time.process_time()
    quads = [make_quad(SEED + 1, index) for index in range(SPEED_QUADS)]
    made = time.process_time()
    unread = sum(not _proven(quad) for quad in quads)
    proven = time.process_time()
    n = 4 * SPEED_QUADS
    method = f"{n:,} rows of all levers, processor time of one process"
    return [
        Result("worlds: rows made a second", f"{n / (made - start):,.0f}", "1,500", method),
        Result(
            "worlds: rows proven a second", f"{n / (proven - made):,.0f}", "300", f"{method}; {unread} quads failed"
        ),
    ]


def _proven(quad: Quad) -> bool:
    try:
        prove(quad)
    except Disagreement:
        return False
    return True


def _variety() -> list[Result]:
    import sacrebleu

    made = [str(row["perturbed_context"]) for row in islice(rows(SEED, 0, 10 * SHOWN), 0, None, 10)]
    written = [str(row.values["perturbed_context"]) for row in NQ.sample_rows()]
    found = []
    for name, texts in (("worlds", made), ("bundled rows by hand", written)):
        bleus = [sacrebleu.sentence_bleu(text, [other for other in texts if other != text]).score for text in texts]
        method = f"{len(texts)} passages"
        found.append(Result(f"{name}: distinct-2", f"{distinct_2(texts):.3f}", "0.60", method))
        found.append(Result(f"{name}: self-BLEU", f"{sum(bleus) / len(bleus):.1f}", "25 at most", method))
    many = [str(row["perturbed_context"]) for row in rows(SEED, 0, 2000)]
    return [*found, Result("worlds: sentence skeletons", f"{len(skeletons(many)):,}", "5,000", "2,000 rows")]


def _tells() -> list[Result]:
    seen: list[dict[str, Any]] = list(rows(SEED, 0, SEEN))
    codes = Counter(row["expected_rag_behavior"] for row in seen if row["intensity"] != "LOW")
    told = [(f"{one.classifier} on {one.sees}", one) for one in shortcuts(seen)]
    found = [
        Result(f"worlds: {name}", f"{one.accuracy:.3f}", f"{LIMITS[one.sees]} at most", f"{one.n} unseen rows")
        for name, one in told
    ]
    tests = differences(seen).items()
    found += [Result(f"worlds: {name}", f"p = {p:.3f}", "0.01", "K-S, answerable against not") for name, p in tests]
    share = min(codes.values()) / max(codes.values())
    return [*found, Result("worlds: rarest code by commonest", f"{share:.2f}", "", f"{len(seen):,} rows")]
