"""Rules on how a candidate reads."""

import re

from refusalbench_tasks.generators.case import Case
from refusalbench_tasks.generators.form_rules import leaves_gap
from refusalbench_tasks.generators.kit.betraying import betraying_phrases, labels, remarks_in_brackets

SHORTEST, LONGEST = 0.3, 3.0
"""How far a changed passage's length may be from the original's, as a ratio."""
_SHORT_TEXT = 100
"""Characters; a shorter text may grow like one of this length, and shrink to a fifth."""
_SHORTEST_OF_SHORT = 0.2
_WORDS_OF_A_PLAIN_NAME = 2
"""A name of so few words may be met in a text by chance; it counts only in its own capitals."""


def length_out_of_range(case: Case) -> str | None:
    """A changed question may not be far longer, a changed passage must have a length like the original's."""
    if len(case.candidate.query) > LONGEST * max(len(case.base.query), _SHORT_TEXT):
        return "The question is far longer than before."
    for k in sorted(case.changed):
        before, after = len(case.base.passages[k]), len(case.candidate.passages[k])
        least = SHORTEST if before >= _SHORT_TEXT else _SHORTEST_OF_SHORT
        if not least * before <= after <= LONGEST * max(before, _SHORT_TEXT):
            ratio = after / before
            return f"Passage {k + 1} is {ratio:.1f} times as long as before; keep between {SHORTEST} and {LONGEST}."
    return None


def label_in_text(case: Case) -> str | None:
    """Neither question nor passages may name codes, classes, the lever or the task, unless the original did.

    "Perturb" is a word of astronomy too: it counts only where it is said of a question, a passage or an item.
    """
    before, after = _texts(case)
    found = labels(after) - labels(before)
    name = case.lever.name if case.lever else case.candidate.lever
    if _names(name, after) and not _names(name, before):
        found = found | {name}
    return f"The text must not speak of codes, classes or perturbation: '{min(found)}'." if found else None


def betraying_phrase(case: Case) -> str | None:
    """The text must not say what makes it hard: that it is silent, unclear, ambiguous or against itself.

    Phrases that the original has may stay.
    """
    before, after = _texts(case)
    found = betraying_phrases(after) - betraying_phrases(before)
    if not leaves_gap(case):
        found |= remarks_in_brackets(after) - remarks_in_brackets(before)
    return f"The text must not say what the test is about: '{min(found)}'." if found else None


def _names(lever: str, text: str) -> bool:
    """Whether a text has a lever's name: in any case of letters, if it is one that nobody would write by chance."""
    if lever.count(" ") < _WORDS_OF_A_PLAIN_NAME:
        return " " in lever and lever in text
    return lever.casefold() in text.casefold()


def _texts(case: Case) -> tuple[str, str]:
    # quotes of any type are plain, so that "doesn’t" is found
    pairs = ((one.query, *one.passages) for one in (case.base, case.candidate))
    before, after = (re.sub("[’‘]", "'", "\n".join(texts)) for texts in pairs)
    return before, after
