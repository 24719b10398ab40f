"""Rules on the form of a text: nothing of a reply, of a cut or of a gap is left in question or passages."""

import re
from collections import Counter
from collections.abc import Iterator

from refusalbench_tasks.generators.case import Case
from refusalbench_tasks.generators.case_texts import sentences_gone
from refusalbench_tasks.generators.kit.text.content_words import content_words
from refusalbench_tasks.generators.marks import Mark
from refusalbench_tasks.replies.sentences import sentences
from refusalbench_tasks.taxonomy import Intensity, PerturbationClass

_ENDS = (".", "!", "?", ":", ";", "…", '"', "'", "”", "’", "»", ")", "]", "|", "*", "_", "`", ">")
_FORMAT = re.compile(
    r"^\s*[{\[]\s*\"|```|\"(?:query|question|passages?|context|find|replace)\"\s*:"
    r"|^\W*(?:(?:modified|changed|new|perturbed|revised|edited|original|updated|rewritten)\s+)?"
    r"(?:question|query|passage|context|text|answer|output)\s*\d*\s*(?:\([^)]*\))?\W*:(?!\d)"
    r"|^\W*(?:modified|changed|new|revised|edited|updated|rewritten)\s+(?:question|query|passage|context|text)\s+[-–—]"
    r"|^\W*(?:sure|certainly|of course|okay)\s*[!,.:]|^\W*here(?:['’]s|\s+is|\s+are)\s+(?:the|a|my|your)\b[^.\n]{0,80}:"
    r"|(?:\n|[.?!]\s)[^\w\n]{0,20}(?:answer|explanation|reasoning|justification|rationale)\s*:|â€|Ã[©¨¼¶¤]|\ufffd"
    r"|(?:^|\n|[.?!]\s)[^\w\n]{0,20}(?:alternatively|or|option|version|variant|alternative|draft)"
    r"\s{0,3}(?:\d|(?-i:[A-D]))?\s{0,3}:"
    r"|</?(?:passage|question|query|context|answer|text)\b[^<>]*>|\*\*\w|^#+ |\\n|\\\"|&(?:amp|quot|lt|gt|nbsp|#\d+);",
    re.IGNORECASE,
)
_REMARK = re.compile(r"\?[\"'”’)]*\s(?=[^?]*$)[^?]*\w|\?\s*[\[(][^?]*$")
"""A remark behind a question."""
_QUOTED = re.compile(r"^\s*[\"“].*[\"”]\s*$", re.DOTALL)
_ELIDED = re.compile(
    r"[\[(]\s*(?:\.\.\.|…)\s*[\])]|[\[(][^\])]{0,200}\b(?:unchanged|(?:same )?as (?:before|above|in the original)|"
    r"(?:rest|remainder) of the (?:passage|text|paragraph))\b[^\])]{0,200}[\])]|(?:\.\.\.|…)\s*$",
    re.IGNORECASE,
)
_GAP = re.compile(r"\[[\w /'’-]+\]|\{[\w /-]+\}|<[A-Za-z][\w -]*>|_{3,}|(?-i:\bXX+\b)|\b(?-i:TBD|TODO|TBA)\b|█+")
_ORPHAN = re.compile(
    r"[^\s.…|]\s+[,;.!?](?=\s|$)|,\s*[,.;]|;\s*[,.;]|\(\s*\)|\[\s*\]|\"\"|“\s*”"
    r"|\b(?-i:the|an|a) (?-i:and|or|of|was|were|is|are|has|had|which|whose|but)\b(?!-)"
    r"|\b(?:the|an|a|of the|its|their)\s*[,;.?!](?!\.)|\b[a-z]{4,}(?<!approx)(?<!dept)(?<!incl)\. (?-i:[a-z])"
)
_TWICE = re.compile(r"\b(the|an?|of|and|or|for|with|from|its|their|his|they|he)\s+\1\b", re.IGNORECASE)
_GAP_MARKS = frozenset({Mark.BLANK, Mark.TAGGED, Mark.TABULAR, Mark.SECRET})
"""Marks of levers that leave a gap to be seen."""
_OPENING, _CLOSING = "([", ")]"
_WHOLE = 4
"""Words from which on a sentence that stands twice was pasted twice."""
_MOST_LOST, _MOST_LOST_OF_DETAILS = 0.45, 0.6
"""Shares of a passage's words of matter that may go where something is to be put beside it, or a detail to go."""
_GONE, _FEWEST = 0.25, 3
"""A sentence of so many words of matter is gone if less than this share of them is left in the passage."""


def text_cut(case: Case) -> str | None:
    """A changed passage must end as a text does, where the original did; the last line of a table need not.

    A question without its sign must not end with a word of grammar that calls for another ("of", "the").
    """
    for k in sorted(case.changed):
        before, after = case.base.passages[k].rstrip(), case.candidate.passages[k].rstrip()
        if before.endswith(_ENDS) and after and "\n" not in after and not after.endswith(_ENDS):
            return f"Passage {k + 1} breaks off: '…{after[-30:]}'. Give it whole."
    last = re.search(r"(\w+)\s*[,;]?$", case.candidate.query.strip())
    if case.query_changed and last and last[1].casefold() in ("the", "a", "an", "of", "and", "or", "its", "their"):
        return "The question breaks off; give it whole."
    return None


def format_left(case: Case) -> str | None:
    """Nothing of a reply's format may stand in question or passages, unless the original had it.

    That is JSON, a code fence, a heading such as "Passage 1:", bold type, escaped signs or quotes around it all.
    """
    if _REMARK.search(case.candidate.query) and not _REMARK.search(case.base.query):
        return "A remark stands behind the question; ask it and no more."
    for before, after in _pairs(case):
        quoted = _QUOTED.match(after) and not _QUOTED.match(before) and not before.lstrip().startswith(('"', "“"))
        if quoted or (_FORMAT.search(after) and not _FORMAT.search(before)):
            return "The question or a passage holds pieces of the reply's format (JSON, a heading); give the bare text."
    return None


def text_elided(case: Case) -> str | None:
    """No passage may be given in part, with an ellipsis or a remark in place of the rest."""
    if leaves_gap(case):
        return None
    found = next(
        (one[0] for old, new in _pairs(case) for one in [_ELIDED.search(new)] if one and one[0] not in old), ""
    )
    return f"A text is not given whole: '{found}'. Write all of it." if found else None


def gap_left(case: Case) -> str | None:
    """No placeholder may stand in a text ("[year]", "____"), unless the lever leaves a gap to be seen."""
    if leaves_gap(case):
        return None
    found = [gap for old, new in _pairs(case) for gap in _GAP.findall(new) if gap not in old]
    return f"A placeholder stands in the text: '{found[0]}'; write it out, or leave no gap." if found else None


def grammar_broken(case: Case) -> str | None:
    """A change must leave no orphaned comma, article or bracket, and no word twice."""
    for old, new in _pairs(case):
        for pattern in (_ORPHAN, _TWICE):
            more = Counter(one[0] for one in pattern.finditer(new)) - Counter(one[0] for one in pattern.finditer(old))
            if more:
                return f"The grammar is broken at '{next(iter(more))}'; mend what the change left."
        if _open_brackets(new) and not _open_brackets(old):
            return "A bracket is opened and not closed; mend what the change left."
    return None


def text_doubled(case: Case) -> str | None:
    """No sentence may stand twice in a changed passage."""
    for k in sorted(case.changed):
        said = Counter(one for one in sentences(case.candidate.passages[k]) if len(one.split()) >= _WHOLE)
        twice = [one for one, times in said.items() if times > max(1, case.base.passages[k].count(one))]
        if twice:
            return f"A sentence stands twice: '{twice[0][:60]}'."
    return None


def text_lost(case: Case) -> str | None:
    """A passage must keep most of what it says, where the lever puts something beside it or takes out a detail.

    A noise passage may be another one.
    """
    missing = case.slot.perturbation is PerturbationClass.MISSING_INFO
    beside = case.slot.perturbation is PerturbationClass.CONTRADICTION or case.slot.intensity is Intensity.LOW
    if not beside or case.target == "one_noise":
        return None
    for k in case.rewritten:
        old, new = content_words(case.base.passages[k]), content_words(case.candidate.passages[k])
        if len(old - new) > (_MOST_LOST_OF_DETAILS if missing else _MOST_LOST) * len(old):
            return f"Most of passage {k + 1} is gone; keep what the lever does not act on."
    return None


def sentences_lost(case: Case) -> str | None:
    """A passage must not lose two whole sentences where something is put beside them, or next to nothing is to go."""
    beside = (PerturbationClass.CONTRADICTION, PerturbationClass.AMBIGUITY)
    low = (PerturbationClass.GRANULARITY, PerturbationClass.MISSING_INFO)
    bound = case.slot.perturbation in beside or (case.slot.perturbation in low and case.slot.intensity is Intensity.LOW)
    if not bound or case.target == "one_noise":
        return None
    for k in case.rewritten:
        new = content_words(case.candidate.passages[k])
        told = [words for one in sentences_gone(case, k) if len(words := content_words(one)) >= _FEWEST]
        if sum(len(words & new) < _GONE * len(words) for words in told) > 1:
            return f"Passage {k + 1} has lost whole sentences; keep what the lever does not act on."
    return None


def _pairs(case: Case) -> Iterator[tuple[str, str]]:
    """Yield question and passages that changed, before and after."""
    before, after = ((one.query, *one.passages) for one in (case.base, case.candidate))
    return ((old, new) for old, new in zip(before, after, strict=False) if old != new)


def leaves_gap(case: Case) -> bool:
    """Return whether the lever leaves a gap to be seen: a blank, a tag, an empty field, a price kept private."""
    return case.lever is not None and not _GAP_MARKS.isdisjoint(case.lever.marks)


def _open_brackets(text: str) -> bool:
    return any(text.count(one) > text.count(other) for one, other in zip(_OPENING, _CLOSING, strict=True))
