"""The small pictures inside tables: a model's mark, and a value with its interval."""

from refusalbench_tasks.report.drawing.style import colour, shape
from refusalbench_tasks.report.value import Value

WIDTH = 84
_LEFT, _MIDDLE = 3, 7


def mark_svg(look: int) -> str:
    """Return the mark that a model has in every figure."""
    outline = "L".join(f"{6 + 4.8 * x:.1f} {6 + 4.8 * y:.1f}" for x, y in shape(look))
    return (
        f'<svg class="mark" data-look="{look}" viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">'
        f'<path d="M{outline}Z" fill="{colour(look)}"/></svg>'
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
