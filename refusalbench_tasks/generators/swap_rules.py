"""Rules on a question that was swapped for another one of the same text, or that holds the answer itself."""

from refusalbench_tasks.generators.answer_rules import is_one_choice
from refusalbench_tasks.generators.case import Case
from refusalbench_tasks.generators.kit.text.content_words import content_words
from refusalbench_tasks.generators.rewording import matched
from refusalbench_tasks.generators.values import answer_values
from refusalbench_tasks.replies.sentences import sentences
from refusalbench_tasks.taxonomy import Intensity, PerturbationClass

_HALF = 0.5
_FRESH = 3
"""New words of matter that make another question."""
_AHEAD = 3
"""By so many words an untouched sentence fits a question better than the one with the answer."""


def question_swapped(case: Case) -> str | None:
    """At LOW, and in an ambiguity, the question must not have become one that another sentence answers.

    Told where it keeps less than half of its words of matter, and a sentence without the answer (in an ambiguity one
    of the original) has more of the new question's words than any with it.
    """
    low = case.slot.intensity is Intensity.LOW
    if not case.query_says_more or not (low or case.slot.perturbation is PerturbationClass.AMBIGUITY):
        return None
    old, new = content_words(case.base.query), content_words(case.candidate.query)
    fresh = len(new) - matched(new, case.base.query)
    if not old or fresh < _FRESH or matched(old, case.candidate.query) >= _HALF * len(old):
        return None
    known = {one for text in case.base.passages for one in sentences(text)}
    others = [one for one in known if not low and not case.asked.given_in([one])]
    best = {True: -1, False: max((matched(new, one) for one in others), default=0)}
    for text in case.candidate.passages:
        said = sentences(text)
        for at, one in enumerate(said):
            given = bool(case.asked.given_in([one]))
            if given or low or one in known:
                about = " ".join(said[max(0, at - 1) : at + 1]) if given else one
                best[given] = max(best[given], matched(new, about))
    swapped = best[False] - best[True] >= (1 if low else _AHEAD)
    return "The question asks for something else than before; keep asking for the original answer." if swapped else None


def value_in_question(case: Case) -> str | None:
    """An ambiguous question must not give an answer that is a value, unless as one of two."""
    hard = case.slot.perturbation is PerturbationClass.AMBIGUITY and case.slot.intensity is not Intensity.LOW
    if not hard or not case.query_says_more or not answer_values(case) or is_one_choice(case):
        return None
    told = case.asked.given_in([case.candidate.query]) and not case.asked.given_in([case.base.query])
    return "The question must not contain the answer." if told else None
