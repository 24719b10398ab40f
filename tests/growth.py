"""How the work of a function grows with its text: the ratio of two
sizes, not a time.
"""

import time
from collections.abc import Callable

SHORT = 2_000
LONG = 32_000
LINEAR = LONG // SHORT
"""By how much linear work grows between the sizes; quadratic work grows by its square.
"""
MARGIN = 4


def grows_linearly(
    function: Callable[[str], object], piece: str, end: str = ""
) -> bool:
    """Whether 16 times as many characters cost less than 64 times the work (quadratic
    work: 256 times).
    """
    return _work(function, piece, end, LONG) < MARGIN * LINEAR * _work(
        function, piece, end, SHORT
    )


def _work(function: Callable[[str], object], piece: str, end: str, size: int) -> float:
    """Return the least processor time of several calls: the others were disturbed."""
    text = piece * (size // len(piece)) + end
    times = []
    for _ in range(3):
        began = time.thread_time()
        function(text)
        times.append(time.thread_time() - began)
    # a floor, where the clock's own steps would be the larger part
    return max(min(times), 1e-5)
