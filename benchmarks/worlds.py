"""Worlds: how fast rows are made and replies rewarded, and how well shortcuts solve the
rows.
"""

import time
from collections.abc import Callable
from functools import partial

from benchmarks.result import Result
from benchmarks.worlds_shortcuts import ATTACKS, readings
from refusalbench_tasks.worlds.document import DOCUMENTS
from refusalbench_tasks.worlds.quad_rows import Layout, quad_rows
from refusalbench_tasks.worlds.reply import reply_verdict

SEED = 41
ROWS = 4_000
QUADS = 3_200


def results() -> list[Result]:
    """Return all measures; about three minutes on one quiet core."""
    return [*_speed(), _rewards(), *_attacks()]


def _seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _made(layout: Layout, number: int) -> None:
    for _ in quad_rows(SEED, 0, number, layout=layout):
        pass


def _speed() -> list[Result]:
    found = []
    layouts: tuple[tuple[Layout, str, int], ...] = (
        ("context", "one passage", ROWS),
        ("grounding", "ten", ROWS // 10),
    )
    for layout, name, number in layouts:
        seconds = _seconds(partial(_made, layout, number))
        value = f"{seconds * 10_000 / number:.1f} s"
        found.append(
            Result(
                f"worlds: 10,000 rows of {name}",
                value,
                f"processor time, from {number:,} rows",
            )
        )
    return found


def _rewards() -> Result:
    made = list(quad_rows(SEED, 0, ROWS))
    replies = [
        "I don't know.",
        r"\boxed{REFUSE_OTHER}",
        "Answer: £40",
        "According to the list it is 17:15.",
    ]
    seconds = _seconds(
        lambda: [reply_verdict(row, reply) for row in made for reply in replies]
    )
    return Result(
        "rewards a second",
        f"{ROWS * len(replies) / seconds:,.0f}",
        f"{len(replies)} replies a row",
    )


def _attacks() -> list[Result]:
    made = readings(SEED, QUADS, DOCUMENTS)
    found = []
    for name, (attack, _) in ATTACKS.items():
        told = attack(made)
        found.append(
            Result(f"worlds: {name}", f"{told.accuracy:.3f}", f"{told.n:,} unseen rows")
        )
    return found
