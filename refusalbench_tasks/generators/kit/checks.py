"""Checks of a text against the one that it was made of.

None of them understands a language.

Each returns a sentence for the writer, or None. `before` is the original: what stood
there already is not objected to.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable
from typing import TypeVar

from refusalbench_tasks.generators.kit.answers import words_of
from refusalbench_tasks.generators.kit.words import word_count
from refusalbench_tasks.taxonomy import CLASSES

Case = TypeVar("Case")
_ECHO = 8
_COMMON = 12
_FEWEST = 5
_ENOUGH = 20
_SHORT = 4
_NAMES = (
    "|".join(re.escape(one.value) for one in CLASSES)
    + "|"
    + "|".join(
        one.short
        for one in CLASSES
        if one.short
        # these two are words of English
        not in (
            "Ambiguity",
            "Contradiction",
        )
    )
)
_LABEL = re.compile(
    rf"\bREFUSE_[A-Z]\w*|\bANSWER_CORRECTLY\b|\b(?:{_NAMES})\b|\b[Pp]erturb(?:ed|ation|s|ing)?\b"
)
_FORMAT = re.compile(
    r"```|</?[a-z][\w-]*(?:\s[^<>]*)?>|\{\{|\}\}|^\s*[{\[]\s*\"|\\n|\*\*|^#{1,6}\s|\"(?:find|replace|edits|evidence)\"\s*:"
    r"|\b(?:BEGIN|END) [A-Z ]+ [0-9a-f]{16}\b|\[(?:\.\.\.|…)\]|_{3,}|\bX{3,}\b",
    re.MULTILINE,
)
_ENDS = tuple(".!?…:;\"'”’»)]}。！？」』】।؟")
_ELIDED = re.compile(r"(?:\.\.\.|…)\s*$")
_SENTENCE = re.compile(r"[.!?](?=\s|$)|[。！？।؟\n]")
_SPACE = re.compile(r"\s+")


def broken(
    checks: Iterable[Callable[[Case], str | None]], case: Case
) -> dict[str, str]:
    """Return the checks that a case breaks, by name, each with a sentence for the
    writer.
    """
    return {
        check.__name__: problem
        for check in checks
        if (problem := check(case)) is not None
    }


def label_left(text: str, before: str = "") -> str | None:
    """Return what is wrong with a text that names a code, a class or the perturbation
    itself.
    """
    found = _new(_LABEL, text, before)
    return f"The item must not speak of codes or tests: '{found}'." if found else None


def format_left(text: str, before: str = "") -> str | None:
    """Return what is wrong with a text that holds a fence, JSON, tags, Markdown, a gap
    mark or a mark of the prompt.
    """
    found = _new(_FORMAT, text, before)
    return f"The item must be plain text, without '{found}'." if found else None


def text_cut(text: str, before: str = "") -> str | None:
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


def text_doubled(text: str, before: str = "") -> str | None:
    """Return what is wrong with a text in which a sentence of five words or more stands
    more often than before.
    """
    told = Counter(
        words for one in parts_of(before) if len(words := words_of(one)) > _SHORT
    )
    found = Counter(
        words for one in parts_of(text) if len(words := words_of(one)) > _SHORT
    )
    twice = next((words for words, n in found.items() if n > max(1, told[words])), None)
    return (
        f"A sentence stands there twice: '{' '.join(twice)[:80]}'." if twice else None
    )


def echoed(text: str, instruction: str, before: str = "") -> str | None:
    """Return what is wrong with a text that has eight words in a row
    of an instruction.
    """
    runs = _runs(instruction) & (_runs(text) - _runs(before))
    return (
        f"The item must not repeat its instruction: '{' '.join(min(runs))}'."
        if runs
        else None
    )


def script_changed(text: str, before: str) -> str | None:
    """Return what is wrong with a text in another script, or without any of its
    original's commonest short words.
    """
    if (old := _script(before)) and (new := _script(text)) and old != new:
        return "The item must stay in the language and the script of its original."
    short = [
        word
        for word, _ in Counter(words_of(before)).most_common()
        if len(word) <= _SHORT
    ][:_COMMON]
    common = [word for word in short if word.isalpha()]
    words = words_of(text)
    if (
        len(common) >= _FEWEST
        and len(words) >= _ENOUGH
        and not set(common) & set(words)
    ):
        return "The item must stay in the language of its original."
    return None


def length_off(text: str, before: str, least: float, most: float) -> str | None:
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


def not_once(quote: str, text: str) -> str | None:
    """Return what is wrong with a quote that does not stand in a text exactly once,
    spacing aside.
    """
    n = _SPACE.sub(" ", text).count(_SPACE.sub(" ", quote).strip())
    if n == 1:
        return None
    return (
        f"'{quote[:80]}' must stand {'once' if n else ''} in the text; it stands there"
        f" {n} times.".replace("  ", " ")
    )


def parts_of(text: str) -> list[str]:
    """Return the parts of a text between signs that end a sentence in some script; a
    decimal point is none.
    """
    return [one for one in _SENTENCE.split(text) if words_of(one)]


def _new(form: re.Pattern[str], text: str, before: str) -> str | None:
    """Return what a form finds in a text that does not stand in the original."""
    return next(
        (
            found[0].strip()
            for found in form.finditer(text)
            if found[0].strip() not in before
        ),
        None,
    )


def _runs(text: str) -> set[tuple[str, ...]]:
    words = words_of(text)
    return {words[at : at + _ECHO] for at in range(len(words) - _ECHO + 1)}


def _script(text: str) -> str:
    """Return the script in which most letters of a text are written; none for a text of
    few letters.
    """
    names = Counter(
        unicodedata.name(one, "").split(" ")[0] for one in text if one.isalpha()
    )
    return names.most_common(1)[0][0] if names.total() >= _SHORT else ""
