"""Rules on what becomes of the answer."""

import re

from refusalbench_tasks.generators.case import Case
from refusalbench_tasks.generators.rewording import only_reworded
from refusalbench_tasks.generators.target_rules import allowed
from refusalbench_tasks.replies.content_words import content_words
from refusalbench_tasks.taxonomy import Intensity, PerturbationClass

_CHOICE = re.compile(r"(?P<left>[^,;:?]*(?:,[^,;:?]*)*?),?\s+or\s+(?P<right>[^;:?]*)", re.IGNORECASE)


def answer_lost(case: Case) -> str | None:
    """An answer that stood in the passages must still stand in them, where the lever keeps it (`keeps_answer: yes`)."""
    if case.keeps_answer != "yes" or not case.asked.kept_in(case.base.passages):
        return None
    if case.asked.kept_in(case.candidate.passages):
        return None
    return "The answer must still stand in the text."


def answer_kept(case: Case) -> str | None:
    """No answer may stand any more in the passages that may change, where the lever removes it (`keeps_answer: no`).

    Nor where it may go or stay (`any`) and the question asks the same as before: the item would be answerable.
    """
    contradiction = case.slot.perturbation is PerturbationClass.CONTRADICTION
    asks_the_same = not case.query_says_more or only_reworded(case.base.query, case.candidate.query)
    answerable = case.keeps_answer == "any" and asks_the_same and not contradiction
    if case.keeps_answer != "no" and not answerable:
        return None
    texts = [text for k, text in enumerate(case.candidate.passages) if not case.slot.multi or k in allowed(case)]
    return "The answer still stands in the text." if case.asked.given_in(texts) else None


def answer_in_question(case: Case) -> str | None:
    """At LOW the question must not give the answer away, unless it did before or offers another too ("A or B")."""
    told = case.slot.intensity is Intensity.LOW and case.asked.given_in([case.candidate.query])
    if not told or case.asked.given_in([case.base.query]) or _is_one_choice(case):
        return None
    return "The question must not contain the answer."


def _is_one_choice(case: Case) -> bool:
    """Whether the answer is one of two options in the question, and the other is something else."""
    found = _CHOICE.search(case.candidate.query)
    if not found:
        return False
    sides = [" ".join(found["left"].split()[-8:]), found["right"]]
    given = [case.asked.given_in([side]) for side in sides]
    other = sides[given.index(False)] if False in given else ""
    return any(given) and bool(content_words(other))
