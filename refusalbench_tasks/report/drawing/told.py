"""What a mark says of itself when somebody looks closer."""

import math

from refusalbench_tasks.report.value import Value


def told(value: Value, *names: str) -> str:
    """Return names, value, interval and n in one line."""
    what = ", ".join(" ".join(name.split()) for name in names if name)
    return f"{what}: {in_words(value)}" if what else in_words(value)


def in_words(value: Value) -> str:
    """Return the value, its interval and its n."""
    if not value.known:
        return "undefined" + n_of(value, ", ")
    interval = f" [{value.low:.3f}, {value.high:.3f}]" if value.has_interval else ""
    number = f"{value.value:,.0f}" if abs(value.value) >= 1000 else f"{value.value:.3f}"
    return f"{number}{interval}{n_of(value, ', ')}"


def n_of(value: Value, before: str = "") -> str:
    """Return the n, blank without one."""
    return "" if math.isnan(value.n) else f"{before}n={value.n:,.0f}"
