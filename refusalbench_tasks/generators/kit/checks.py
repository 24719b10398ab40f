"""Checks of a text against the one that it was made of.

None of them understands a language.

Each returns a sentence for the writer, or None. `before` is the original: what stood
there already is not objected to.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from refusalbench_tasks.corpus.words import word_count, word_runs
from refusalbench_tasks.taxonomy import CLASSES

from .answers import words_of

Problem = str | None
"""What is wrong, for the next attempt; None where nothing is."""

Case = TypeVar("Case")
_ECHO = 8
"""Words in a row of an instruction that no text may have."""
_COMMON = 12
_FEWEST = 5
_ENOUGH = 20
"""A text of 20 words or more has one of its original's 12 commonest short words, where
that has five.
"""
_SHORT = 4
_ENGLISH = ("Ambiguity", "Contradiction")
"""Short names of classes that are words of English."""
_NAMES = [re.escape(perturbation.value) for perturbation in CLASSES]
_NAMES += (
    perturbation.short for perturbation in CLASSES if perturbation.short not in _ENGLISH
)
_LABELS = (
    r"\bREFUSE_[A-Z]\w*",
    r"\bANSWER_CORRECTLY\b",
    rf"\b(?:{'|'.join(_NAMES)})\b",
    r"\b[Pp]erturb(?:ed|ation|s|ing)?\b",
)
_LABEL = re.compile("|".join(_LABELS))
_FORMATS = (
    # a fence, a tag, a template's braces, JSON
    r"```",
    r"</?[a-z][\w-]*(?:\s[^<>]*)?>",
    r"\{\{|\}\}",
    r"^\s*[{\[]\s*\"",
    r"\\n",
    r"\"(?:find|replace|edits|evidence)\"\s*:",
    # Markdown
    r"\*\*",
    r"^#{1,6}\s",
    # marks of the prompt, gaps
    r"\b(?:BEGIN|END) [A-Z ]+ [0-9a-f]{16}\b",
    r"\[(?:\.\.\.|…)\]",
    r"_{3,}",
    r"\bX{3,}\b",
)
_FORMAT = re.compile("|".join(_FORMATS), re.MULTILINE)
_ENDS = tuple(".!?…:;\"'”’»)]}。！？」』】।؟")
_ELIDED = re.compile(r"(?:\.\.\.|…)\s*$")
_SENTENCE = re.compile(r"[.!?](?=\s|$)|[。！？।؟\n]")
_SPACE = re.compile(r"\s+")


def broken(
    checks: Mapping[str, Callable[[Case], Problem]], case: Case
) -> dict[str, str]:
    """Return the checks that a case breaks, by name, each with a sentence for the
    writer.
    """
    problems = {name: check(case) for name, check in checks.items()}
    return {name: problem for name, problem in problems.items() if problem is not None}


def label_problem(text: str, before: str = "") -> Problem:
    """Return what is wrong with a text that names a code, a class or the perturbation
    itself.
    """
    mark = _new(_LABEL, text, before)
    return f"The item must not speak of codes or tests: '{mark}'." if mark else None


def format_problem(text: str, before: str = "") -> Problem:
    """Return what is wrong with a text that holds a fence, JSON, tags, Markdown, a gap
    mark or a mark of the prompt.
    """
    mark = _new(_FORMAT, text, before)
    return f"The item must be plain text, without '{mark}'." if mark else None


def cut_problem(text: str, before: str = "") -> Problem:
    """Return what is wrong with a text that ends in its middle, or in an ellipsis,
    where the original does not.
    """
    old = before.rstrip()
    new = text.rstrip()
    if _ELIDED.search(new) and not _ELIDED.search(old):
        return "The text must be whole: it ends in an ellipsis."
    if old.endswith(_ENDS) and new and not new.endswith(_ENDS):
        return "The text must be whole: its last sentence has no end."
    return None


def doubled_problem(text: str, before: str = "") -> Problem:
    """Return what is wrong with a text in which a sentence of five words or more stands
    more often than before.
    """
    old = _long_sentences(before)
    for words, times in _long_sentences(text).items():
        if times > max(1, old[words]):
            return f"A sentence stands there twice: '{' '.join(words)[:80]}'."
    return None


def _long_sentences(text: str) -> Counter[tuple[str, ...]]:
    sentences = map(words_of, sentence_parts(text))
    return Counter(words for words in sentences if len(words) > _SHORT)


def echoed(
    text: str,
    instruction: str,
    before: str = "",
) -> Problem:
    """Return what is wrong with a text that has eight words in a row
    of an instruction.
    """
    runs = _runs(instruction) & (_runs(text) - _runs(before))
    if not runs:
        return None
    return f"The item must not repeat its instruction: '{' '.join(min(runs))}'."


def script_changed(text: str, before: str) -> Problem:
    """Return what is wrong with a text in another script, or without any of its
    original's commonest short words.
    """
    old = _script(before)
    new = _script(text)
    if old and new and old != new:
        return "The item must stay in the language and the script of its original."
    by_number = Counter(words_of(before)).most_common()
    short = [word for word, _ in by_number if len(word) <= _SHORT]
    common = {word for word in short[:_COMMON] if word.isalpha()}
    words = words_of(text)
    telling = len(common) >= _FEWEST and len(words) >= _ENOUGH
    if telling and common.isdisjoint(words):
        return "The item must stay in the language of its original."
    return None


def length_off(
    text: str,
    before: str,
    least: float,
    most: float,
) -> Problem:
    """Return what is wrong with a text that has fewer or more words than so many times
    its original's.
    """
    share = word_count(text) / max(1, word_count(before))
    if least <= share <= most:
        return None
    return (
        f"The text must be about as long as its original; it has {share:.1f} times its"
        " words."
    )


def stands_once(quote: str, texts: Iterable[str]) -> bool:
    """Return whether a quote stands exactly once in one of some texts, spacing
    aside.
    """
    words = _SPACE.sub(" ", quote).strip()
    return any(_SPACE.sub(" ", text).count(words) == 1 for text in texts)


def sentence_parts(text: str) -> list[str]:
    """Return the parts of a text between signs that end a sentence in some script; a
    decimal point is none.
    """
    return [part for part in _SENTENCE.split(text) if words_of(part)]


def _new(
    form: re.Pattern[str],
    text: str,
    before: str,
) -> Problem:
    """Return what a form finds in a text that does not stand in the original."""
    for match in form.finditer(text):
        mark = match[0].strip()
        if mark not in before:
            return mark
    return None


def _runs(text: str) -> frozenset[tuple[str, ...]]:
    words = words_of(text)
    return word_runs(words, _ECHO) if len(words) >= _ECHO else frozenset()


def _script(text: str) -> str:
    """Return the script in which most letters of a text are written; none for a text of
    few letters.
    """
    letters = filter(str.isalpha, text)
    names = Counter(unicodedata.name(letter, "").split(" ")[0] for letter in letters)
    return names.most_common(1)[0][0] if names.total() >= _SHORT else ""
