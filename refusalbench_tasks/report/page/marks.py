"""The small pictures inside tables: a model's mark, and a value with its interval."""

from refusalbench_tasks.report.drawing.style import MARKERS, colour, marker
from refusalbench_tasks.report.value import Value

_SHAPES = {
    "o": "M6 1a5 5 0 1 0 .01 0z",
    "s": "M1.5 1.5h9v9h-9z",
    "D": "M6 .5L11.5 6 6 11.5.5 6z",
    "^": "M6 1l5.5 10H.5z",
    "v": "M6 11L.5 1h11z",
    "P": "M4 1h4v3h3v4H8v3H4V8H1V4h3z",
    "*": "M6 .4l1.5 3.9 4.2.2-3.3 2.6 1.1 4L6 8.8 2.5 11.1l1.1-4L.3 4.5l4.2-.2z",
    "X": "M3 1l3 3 3-3 2 2-3 3 3 3-2 2-3-3-3 3-2-2 3-3-3-3z",
}
assert set(_SHAPES) == set(MARKERS)
WIDTH = 84
_LEFT, _MIDDLE = 3, 7


def mark_svg(look: int) -> str:
    """Return the mark that a model has in every figure."""
    return (
        f'<svg class="mark" data-look="{look}" viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">'
        f'<path d="{_SHAPES[marker(look)]}" fill="{colour(look)}"/></svg>'
    )


def bar_svg(value: Value, look: int) -> str:
    """Return a track from 0 to 1 with the interval of a value as a bar and the value as a tick; blank without one."""
    if not value.known:
        return ""
    interval = ""
    if value.has_interval:
        low, high = _x(value.low), _x(value.high)
        interval = f'<rect x="{low:.1f}" y="4" width="{max(high - low, 1):.1f}" height="6" rx="3" opacity=".45"/>'
    tick = f'<rect x="{_x(value.value) - 1.5:.1f}" y="1" width="3" height="12" rx="1"/>'
    return (
        f'<svg class="bar" viewBox="0 0 {WIDTH} 14" width="{WIDTH}" height="14" aria-hidden="true">'
        f'<path d="M{_LEFT} {_MIDDLE}H{WIDTH - _LEFT}M{_LEFT} 3v8M{WIDTH - _LEFT} 3v8" class="track"/>'
        f'<g fill="{colour(look)}">{interval}{tick}</g></svg>'
    )


def _x(share: float) -> float:
    return _LEFT + min(max(share, 0.0), 1.0) * (WIDTH - 2 * _LEFT)
