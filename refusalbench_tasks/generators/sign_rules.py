"""The rule on signs of markup and of editing, which no prose has."""

from refusalbench_tasks.generators.case import Case
from refusalbench_tasks.generators.form_rules import leaves_gap
from refusalbench_tasks.generators.marks import Mark

_SIGNS = frozenset("<>\\^~*#=@+→←↔⇒⇨➜➔►▶■□█▓▒░¶")
_SHOWS_CODE = frozenset({Mark.RATED})
"""Marks of levers that show a piece of code."""


def sign_left(case: Case) -> str | None:
    """No sign of markup, of code or of editing may stand in a text that had none ("418 -> 41,800", "~~1962~~").

    Levers that leave a gap, a tag or a table, or show code, may have them.
    """
    if leaves_gap(case) or (case.lever and not _SHOWS_CODE.isdisjoint(case.lever.marks)):
        return None
    before, after = ("\n".join((one.query, *one.passages)) for one in (case.base, case.candidate))
    found = sorted(_SIGNS & (set(after) - set(before)))
    return f"'{found[0]}' stands in the text; write plain prose." if found else None
