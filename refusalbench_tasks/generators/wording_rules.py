"""Rules on how a candidate reads."""

import re

from refusalbench_tasks.generators.case import Case
from refusalbench_tasks.taxonomy import CLASSES

SHORTEST, LONGEST = 0.3, 3.0
"""How far a changed passage's length may be from the original's, as a ratio."""
_NAMES = "|".join(re.escape(name) for one in CLASSES for name in (one.value, one.short))
_NAMES = _NAMES.replace("|Ambiguity|", "|").replace("|Contradiction|", "|")  # these two are words of English as well
_LABELS = re.compile(rf"\bREFUSE_[A-Z]\w*|\bANSWER_CORRECTLY\b|\b(?:{_NAMES})\b|\b[Pp]erturb")


def length_out_of_range(case: Case) -> str | None:
    """A changed passage must have a length like the original's."""
    if len(case.candidate.query) > LONGEST * max(len(case.base.query), 100):
        return "The question is far longer than before."
    for k in sorted(case.changed):
        ratio = len(case.candidate.passages[k]) / len(case.base.passages[k])
        if not SHORTEST <= ratio <= LONGEST:
            return f"Passage {k + 1} is {ratio:.1f} times as long as before; keep between {SHORTEST} and {LONGEST}."
    return None


def label_in_text(case: Case) -> str | None:
    """Neither question nor passages may name codes, classes, the lever or the task."""
    before = "\n".join((case.base.query, *case.base.passages))
    after = "\n".join((case.candidate.query, *case.candidate.passages))
    found = set(_LABELS.findall(after)) - set(_LABELS.findall(before))
    lever = case.candidate.lever
    if " " in lever and lever in after and lever not in before:
        found.add(lever)
    return "The text must not speak of codes, classes or perturbation." if found else None
