"""Whether a reply gives one of the gold answers, decided without a model."""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from refusalbench_tasks.replies.abstention import is_plain_refusal
from refusalbench_tasks.replies.answer_frames import Frame, asked_frames, closed_frames
from refusalbench_tasks.replies.citations import without_citations
from refusalbench_tasks.replies.plain_text import plain_text

_ARTICLES = frozenset({"a", "an", "the"})
_LONGEST_FRAME = 300


def answer_tokens(text: str) -> list[str]:
    """Return the comparable tokens of an answer: lower case, no punctuation, no articles, no citations.

    The usual normalisation of extractive question answering (SQuAD), with three additions: typographic forms are
    folded (NFKC), apostrophes join a word, and separators inside a number are kept apart from punctuation
    ("1,200" is "1200", "3.5" stays "3.5").
    """
    folded = unicodedata.normalize("NFKC", without_citations(text)).lower()
    folded = re.sub(r"['’‘`]", "", folded)
    folded = re.sub(r"(?<=\d),(?=\d{3})", "", folded)
    tokens = re.findall(r"\d+(?:\.\d+)+|\w+", folded.replace("_", " "))
    return [token for token in tokens if token not in _ARTICLES]


def gives_alias(reply: str, aliases: Sequence[str], question: str = "") -> bool:
    """Return whether a reply is a short answer that gives one of the aliases; False means "cannot tell", never "wrong".

    It is one if it equals an alias (see `plain_text`), or if what stands around the alias is a frame that says nothing
    else: one of a closed list ("The answer is …"; many languages), or the question's own words as a statement. A phrase
    such as "according to the passage" may stand before or behind. Any other word leaves room for a refusal or a denial.
    An alias that reads as a refusal ("unknown") is never told from one. Written to be precise, not complete (our
    definition).
    """
    text = plain_text(reply)
    return any(_is_framed(text, alias, question) for alias in _plain_aliases(aliases))


def equals_alias(reply: str, aliases: Sequence[str]) -> bool:
    """Return whether a reply is one of the aliases as plain text, but for a leading article."""
    text = _without_article(plain_text(reply))
    return any(text == alias for alias in _plain_aliases(aliases))


def _plain_aliases(aliases: Sequence[str]) -> list[str]:
    return [plain for plain in map(_plain_alias, aliases) if plain]


@lru_cache(maxsize=4096)
def _plain_alias(alias: str) -> str:
    """Return an alias as plain text; nothing for one that reads as a refusal."""
    return "" if is_plain_refusal(alias) else _without_article(plain_text(alias))


def _without_article(text: str) -> str:
    first, _, rest = text.partition(" ")
    return rest if first in _ARTICLES and rest else text


def _is_framed(text: str, alias: str, question: str) -> bool:
    if _without_article(text) == alias:
        return True
    if len(text) > len(alias) + _LONGEST_FRAME:
        return False
    known, asked = closed_frames(), asked_frames(question)
    for found in re.finditer(re.escape(alias), text):
        before, after = text[: found.start()], text[found.end() :]
        frame = _without_sources(_before(before), after.strip(), known.sources)
        if frame in known.times and alias.isdecimal() and len(alias) != 4:
            continue
        apart = before[-1:] in ("", " ") and after[:1] in ("", " ")
        if frame in known.joined or (apart and (frame in known.spaced or frame in asked)):
            return True
    return False


def _before(text: str) -> str:
    words = text.split()
    return " ".join(words[:-1] if words and words[-1] in _ARTICLES else words)


def _without_sources(before: str, after: str, sources: tuple[str, ...]) -> Frame:
    """Return the frame without a phrase that names the source, at either end."""
    opening = closing = ""
    # one look for all of them first: few replies have any
    if before.startswith(sources):
        opening = next((source for source in sources if before == source or before.startswith(f"{source} ")), "")
    if after.endswith(sources):
        closing = next((source for source in sources if after == source or after.endswith(f" {source}")), "")
    return Frame(before[len(opening) :].strip(), after[: len(after) - len(closing)].strip())
