"""The rule that a lever was done: what it must leave in question or passages is there."""

from refusalbench_tasks.generators.case import Case
from refusalbench_tasks.generators.case_texts import all_new
from refusalbench_tasks.generators.grammar_marks import GRAMMAR_MARKS
from refusalbench_tasks.generators.marks import Mark, WordMark, word_marks
from refusalbench_tasks.generators.value_marks import VALUE_MARKS

_TOLD = GRAMMAR_MARKS | VALUE_MARKS
_PLACES = {"question": "in the question", "passages": "in the changed passages", "new": "in what was added"}


def lever_not_done(case: Case) -> str | None:
    """Each mark of the lever must show: a word in the question, a turn of grammar, a value that is far off.

    Marks tell what was surely not done, and never that a lever was done.
    """
    missing = [_missing(case, mark) for mark in (case.lever.marks if case.lever else ())]
    first = next((one for one in missing if one), None)
    return f"The lever is not done: it needs {first}." if first else None


def _missing(case: Case, mark: Mark) -> str | None:
    """Return what a mark is in words if it does not show."""
    words = word_marks().get(mark)
    if words is None:
        shows, says = _TOLD[mark]
        return None if shows(case) else says
    texts = _texts(case, words)
    return None if not texts or any(map(words.stands_in, texts)) else f"{words.says} {_PLACES[words.place]}"


def _texts(case: Case, words: WordMark) -> list[str]:
    if words.place == "question":
        return [case.candidate.query]
    if words.place == "passages":
        return [case.candidate.passages[k] for k in sorted(case.changed)]
    return all_new(case)
