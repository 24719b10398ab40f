"""What a scripted writer leaves of a lever: the marks of it, and no sense."""

import re
from functools import cache

from refusalbench_tasks.generators.kit.answer_kind import MONTH
from refusalbench_tasks.generators.kit.subject_words import subject_words
from refusalbench_tasks.generators.levers import bundled_levers
from refusalbench_tasks.generators.marks import Mark, word_marks

ASKED = {
    Mark.ONE_IN_QUESTION: "one",
    Mark.TWO_UNIVERSALS_AND_NEGATION: "not all and every",
    Mark.PREPOSITIONS: "of it in it by it",
    Mark.RANKED_BEST: "most",
}
TOLD = {
    Mark.BARE_QUESTION_WORD: "Nobody wrote where.",
    Mark.BLANK: "[xx]",
    Mark.FORBIDDEN: "It is forbidden.",
    Mark.INITIALS: "The XYZ did.",
    Mark.LATER_THAN_DEATH: "It was later.",
    Mark.LISTS_OF_UNEQUAL_LENGTH: "Ada, Una and Bess were cook and clerk respectively.",
    Mark.OTHER_DATE: "It was on 3 May 1743.",
    Mark.PRONOUN_FIRST: "It was.",
    Mark.PRONOUNS: "He saw that he had his.",
    Mark.TABULAR: "| a | b |",
    Mark.TAGGED: "[citation needed]",
}
GONE = {
    Mark.BRACKET_REMOVED: r"\([^()]*\)",
    Mark.COLOUR_REMOVED: rf"\b(?:{'|'.join(sorted(subject_words()['colour']))})\b",
    Mark.MONTH_REMOVED: MONTH.pattern,
    Mark.NUMBER_REMOVED: r"\b\d[\d,.]*\b",
}


def asked_with(lever: str, opening: str, question: str) -> str:
    """Return a question that shows the marks of a lever."""
    marks = marks_of(lever)
    words = [ASKED.get(mark) or _first_word(mark) for mark in marks if mark in ASKED or _place(mark) == "question"]
    if Mark.OFF_THE_SUBJECT in marks:
        return f"{opening}is it {' '.join(words)}?"
    asked = f"{opening}{' '.join([*words, question[0].lower()])}{question[1:]}"
    return f"{asked.rstrip('?')}, and what did he?" if Mark.STRANDED_AUXILIARY in marks else asked


def told_with(lever: str) -> str:
    """Return a sentence that shows the marks of a lever in a passage, with a space before it; nothing for most."""
    marks = marks_of(lever)
    words = [
        TOLD.get(mark) or f"So: {_first_word(mark)}."
        for mark in marks
        if mark in TOLD or _place(mark) in ("new", "passages")
    ]
    return "".join(f" {one}" for one in words)


def taken_out(lever: str, text: str, answers: list[str]) -> str:
    """Return a text without what a lever takes out, where the answer is not in it."""
    for mark in marks_of(lever):
        every = re.finditer(GONE[mark], text) if mark in GONE else ()
        free = mark is Mark.MONTH_REMOVED
        found = next((one for one in every if free or not any(one[0].strip(".,") in text for text in answers)), None)
        if found:
            text = text[: found.start()] + text[found.end() :].lstrip()
    return text


@cache
def marks_of(lever: str) -> tuple[Mark, ...]:
    """Return the marks of a bundled lever."""
    return next((one.marks for one in bundled_levers() if one.name == lever), ())


def _place(mark: Mark) -> str:
    return word_marks()[mark].place if mark in word_marks() else ""


def _first_word(mark: Mark) -> str:
    return next(word for word in word_marks()[mark].patterns.split() if word.isalpha())
