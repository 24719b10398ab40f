"""What sort of thing a question asks for, told by its question word alone."""

import re
from typing import Literal

Sort = Literal["person", "time", "place", "cause", "amount", "yes or no"]
_SORTS: tuple[tuple[Sort, str], ...] = (
    ("amount", r"\bhow (?:many|much|long|tall|wide|deep|high|heavy|old|far|often|fast|large|big)\b"),
    ("person", r"\b(?:who|whom|whose)\b"),
    ("time", r"\b(?:when|(?:what|which) (?:year|date|day|month|century|decade))\b"),
    ("place", r"\bwhere\b"),
    ("cause", r"\bwhy\b"),
)
_WHAT = re.compile(r"\b(?:what|which|how)\b", re.IGNORECASE)
_POLAR = re.compile(
    r"^\W*(?:did|do|does|was|were|is|are|has|have|had|can|could|will|would|may|must|should)\b", re.IGNORECASE
)


def asked_for(question: str) -> Sort | None:
    """Return the sort of thing that a question asks for; None where its words leave that open ("what", "which").

    The first question word counts; one behind a comma or a verb may belong to a clause.
    """
    found = [
        (match.start(), sort) for sort, pattern in _SORTS if (match := re.search(pattern, question, re.IGNORECASE))
    ]
    loose = _WHAT.search(question)
    if found and (loose is None or min(found)[0] <= loose.start()):
        return min(found)[1]
    if loose is None and not found and _POLAR.match(question):
        return "yes or no"
    return None
