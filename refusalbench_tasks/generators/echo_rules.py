"""Rules on what stands in a text and belongs to the order: the lever's instruction, or the question itself."""

import re
from collections.abc import Sequence
from functools import lru_cache

from refusalbench_tasks.generators.case import Case
from refusalbench_tasks.generators.case_texts import all_new, all_new_with_ground
from refusalbench_tasks.generators.kit.text.content_words import content_words
from refusalbench_tasks.generators.rewording import matched

_RUN, _RUN_OF_QUESTION = 7, 10
"""So many words in a row are copied; a question may well say "the output of the world economy in the same year"."""
_COPIED, _FEWEST = 0.8, 4
"""The share of what is new in a sentence that the instruction has, of so many words of matter at least."""
_SAME_QUESTION = 0.8
_QUESTION = re.compile(r"\?(?=\s|$)")


def instruction_echoed(case: Case) -> str | None:
    """No text may repeat the lever's instruction: many words of it in a row, or a sentence made of its words."""
    if case.lever is None:
        return None
    instruction = case.lever.instruction
    copied = _copied(case.base.passages, case.candidate.passages, instruction, _RUN)
    copied |= _copied([case.base.query], [case.candidate.query], instruction, _RUN_OF_QUESTION)
    found = min(copied) if copied else _made_of_instruction(case, instruction)
    return f"The text repeats the instruction of the lever: '{found}'; carry it out instead." if found else None


def _made_of_instruction(case: Case, instruction: str) -> str | None:
    known = content_words("\n".join((case.base.query, *case.base.passages)))
    told = content_words(instruction)
    for text in all_new(case):
        new = content_words(text) - known
        if len(new) >= _FEWEST and len(new & told) >= _COPIED * len(new):
            return text[:60]
    return None


def _copied(before: Sequence[str], after: Sequence[str], instruction: str, length: int) -> set[str]:
    known, new = ({run for text in texts for run in _runs(text, length)} for texts in (before, after))
    return (new - known) & _runs(instruction, length)


@lru_cache(4096)
def _runs(text: str, length: int) -> frozenset[str]:
    words = re.findall(r"\w+", text.casefold())
    return frozenset(" ".join(words[at : at + length]) for at in range(len(words) - length + 1))


def question_in_passage(case: Case) -> str | None:
    """No passage may hold the question, the old one or the new one."""
    asked = [content_words(one) for one in (case.base.query, case.candidate.query)]
    for text in all_new_with_ground(case):
        if text.rstrip(" \"'”’)").endswith("?") and any(
            words and matched(words, text) >= _SAME_QUESTION * len(words) for words in asked
        ):
            return "The question stands in a passage; leave it out there."
    return None


def question_doubled(case: Case) -> str | None:
    """One question must be asked, as before: not two, nor one in several versions. Quoted ones don't count."""
    more = len(_QUESTION.findall(case.candidate.query)) > max(1, len(_QUESTION.findall(case.base.query)))
    return "There must be one question." if more and case.query_says_more else None
