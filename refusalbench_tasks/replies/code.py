"""What a reply says by its form alone: a refusal code, bare or explained, or something
that needs a reader.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import Literal

from refusalbench_tasks.taxonomy import Label, canonical_code

from .citations import without_citations

Form = Literal["code", "several codes", "code in prose", "free text", "empty"]

_REASONING = re.compile(r"\s*<think>.*?</think>", re.DOTALL | re.IGNORECASE)
_THINK_IN_BRACKETS = re.compile(r"\[(/?think)\]", re.IGNORECASE)
_CODE = re.compile(
    r"""
    (?<![A-Za-z0-9_])
    (?:
        REFUSE(?:[_-][A-Z0-9]+)+
        | (?i:REFUSE(?:_[A-Z0-9]+)+)
    )
    (?![A-Za-z0-9_])
    """,
    re.ASCII | re.VERBOSE,
)
_INVISIBLE = re.compile(r"[\u00ad\u200b-\u200f\u2060\ufeff]")
_CUES = """
answer
final
code
refusal
response
reply
output
json
text
plaintext
"""
CUES = frozenset(_CUES.split())
"""Words that announce a code and say nothing."""
_BESIDE_CITATIONS = CUES | {"and"}
_LONGEST_CODE = 60
_WORD = re.compile(r"\w+")
_EDGES = "`*\"'“”‘’.,;:()[]{}<># \n\t_"
_MARKS = frozenset("`*_\"'“”‘’«»「」『』.,;:()[]{}<>#-–—/。、")
"""What can stand beside a code and say nothing.

An exclamation mark can only follow one: before it, it may negate.
"""
_DECORATION = _MARKS | frozenset("=~|^…")
"""What can stand in a reply and is no answer by itself."""
_RAISED = ("<super>", "<sub>", "<fraction>")
_SILENT = frozenset(("Zs", "Zl", "Zp", "Cc", "Cf"))
"""Categories of blanks and of invisible characters."""


@dataclass(frozen=True)
class ParsedReply:
    """A reply read by its form: the label if the form decides it, and which form it
    has.
    """

    label: Label | None
    form: Form


@dataclass(frozen=True, slots=True)
class StatedCode:
    """A code that a text names, and where."""

    label: Label
    start: int
    end: int


_FREE_TEXT = ParsedReply(None, "free text")


def visible_text(reply: str) -> str:
    """Return the reply without a leading `<think>` or `[THINK]` block, invisible
    characters and Markdown escapes.

    Compatibility characters are folded (NFKC), so that a full-width or ligature
    spelling reads as plain text; raised, lowered and fractional numbers stay as they
    are, since "10²" is not "102".
    """
    text = reply if reply.isascii() else _folded(_INVISIBLE.sub("", reply))
    if "[" in text:
        text = _THINK_IN_BRACKETS.sub(r"<\1>", text)
    block = _REASONING.match(text) if "<" in text else None
    return text[block.end() if block else 0 :].replace("\\_", "_").strip()


def parse_reply(reply: str) -> ParsedReply:
    """Return what the form of a reply decides.

    A code decides if it is the only distinct code and nothing of substance stands
    beside it. A code's words are joined by underscores, by hyphens in capitals, or by
    blanks if REFUSE is the first ("Refuse missing"): "Granularity mismatch" may be an
    answer. Case, quotes, Markdown, brackets, punctuation, the paper's shorter names and
    a cue such as "Answer:" are not substance; any other word and any other sign is
    ("not REFUSE_OTHER" and "≠ REFUSE_OTHER" must be read, not parsed). A bare unknown
    `REFUSE_*` is `REFUSE_OTHER`. A reply of blanks, decoration or citations alone is
    empty ("[3]", "Answer: [1], [2]"): it points at passages and says nothing. "?", "€"
    and "(3)" are replies. Every other form leaves `label` None: a judge has to read it
    (the paper's reads every reply). Never raises.
    """
    return parse_visible(visible_text(reply))


def parse_visible(text: str) -> ParsedReply:
    """Return what `parse_reply` does, of the visible text of a reply."""
    if not _says_something(text) or _only_cites(text):
        return ParsedReply(None, "empty")
    bare = text.lstrip(_EDGES).rstrip(f"{_EDGES}!")
    whole = _code(bare) or _spaced_code(bare)
    if whole is not None:
        return ParsedReply(whole, "code")
    if "_" not in text and "-" not in text:
        # every code in a sentence has one of them; most replies have neither
        return _FREE_TEXT
    labels = {_code(name) for name in _CODE.findall(text)}
    if labels <= {None}:
        return _FREE_TEXT
    if len(labels) > 1:
        return ParsedReply(None, "several codes")
    *before, after = _CODE.split(text)
    parts = [*before, after.replace("!", " ")]
    if all(says_only(part, CUES) for part in parts):
        return ParsedReply(labels.pop(), "code")
    return ParsedReply(None, "code in prose")


def stated_codes(text: str) -> list[StatedCode]:
    """Return the codes that a text names, left to right."""
    codes = []
    for match in _CODE.finditer(text):
        label = _code(match[0])
        if label is not None:
            codes.append(StatedCode(label, match.start(), match.end()))
    return codes


def says_only(text: str, words: frozenset[str]) -> bool:
    """Return whether a text has some words alone, and marks that say nothing."""
    named = {word.strip("_").lower() for word in _WORD.findall(text)} - {""}
    signs = set(_WORD.sub("", text)) - _MARKS
    return named <= words and all(map(str.isspace, signs))


def _folded(text: str) -> str:
    """Return a text with compatibility characters folded, but for raised and lowered
    numbers and fractions.
    """
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", "".join(map(_folded_character, text)))


@cache
def _folded_character(character: str) -> str:
    # raised and lowered digits, and fractions, stay
    is_raised = unicodedata.decomposition(character).startswith(_RAISED)
    if character.isascii() or is_raised:
        return character
    return unicodedata.normalize("NFKC", character)


def _says_something(text: str) -> bool:
    signs = set(text) - _DECORATION
    return any(unicodedata.category(sign) not in _SILENT for sign in signs)


def _only_cites(text: str) -> bool:
    """Return whether a text has citations, and nothing but marks and
    cues beside them.
    """
    rest = without_citations(text)
    if rest == text:
        return False
    words = {word.lower() for word in _WORD.findall(rest)}
    return words <= _BESIDE_CITATIONS and not _says_something(_WORD.sub("", rest))


def _code(name: str) -> Label | None:
    """Return the code that a name in the form of a code stands for: a hyphen joins the
    words of known codes alone.
    """
    label = canonical_code(name) if not re.search(r"\s", name) else None
    if "-" not in name:
        return label if "_" in name else None
    is_known = label is not Label.OTHER or name == "REFUSE-OTHER"
    return label if is_known and name == name.upper() else None


def _spaced_code(name: str) -> Label | None:
    """Return the known code whose words a name has, with blanks
    between some of them.
    """
    if len(name) > _LONGEST_CODE or not name.upper().startswith(("REFUSE ", "REFUSE_")):
        return None
    return canonical_code(name)


_CLAUSE_ENDS = re.compile(r"[.,;\n。，；]")
_SENTENCE_ENDS = re.compile(r"[.\n。]")
_GIVES = """
a
choose
give
here
i
is
it
my
right
so
the
therefore
this
thus
will
with
"""
_GIVING = CUES.union(_GIVES.split())
"""Words that a clause gives a code with.

"Would" is none: it may speak of another case.
"""
_NO_WORDS: frozenset[str] = frozenset()
_OPENING_MARKS = " \n\t.:;()[]*`\"'–—-"
_BREAKS_OFF = re.compile(r"[^\w\s]*\s*(?:\Z|[\n.;:(\[–—-]|because\b)")
"""What follows a code that is no part of a sentence.

A comma may go on: "REFUSE_OTHER, or 1987".
"""


@dataclass(frozen=True, slots=True)
class ExplainedCode:
    """A refusal code, and the words beside it without the clause that only names it."""

    label: Label
    explanation: str


def explained_code(text: str) -> ExplainedCode | None:
    """Return the one code that opens a text or closes its first or last sentence, with
    the rest; None without one.

    A code in the midst of a sentence may be spoken of, not given ("REFUSE_OTHER is not
    needed"). So may one whose clause holds a word beside those that give it, or a sign
    that is no punctuation ("1987 REFUSE_OTHER", "avoid REFUSE_OTHER", "REFUSE_OTHER?").
    The caller has to see that the explanation does not answer. Never raises.
    """
    codes = stated_codes(text)
    if len({code.label for code in codes}) != 1:
        return None
    first = codes[0]
    last = codes[-1]
    if says_only(text[: first.start], CUES) and _breaks_off(text, first.end):
        return ExplainedCode(first.label, text[first.end :].lstrip(_OPENING_MARKS))
    before = text[: last.start]
    after = text[last.end :]
    clause_start = 0
    for clause_end in _CLAUSE_ENDS.finditer(before):
        clause_start = clause_end.end()
    sentence_end, *_ = _SENTENCE_ENDS.split(after, maxsplit=1)
    closes = says_only(sentence_end.replace("!", " "), _NO_WORDS)
    if not closes or not says_only(before[clause_start:], _GIVING):
        return None
    earlier = before[:clause_start]
    if _SENTENCE_ENDS.search(earlier) and any(map(str.isalnum, after)):
        return None
    explanation = f"{earlier.rstrip(' ,;')}\n{after}"
    return ExplainedCode(last.label, explanation.strip(_OPENING_MARKS))


def _breaks_off(text: str, end: int) -> bool:
    match = _BREAKS_OFF.match(text, end)
    if match is None:
        return False
    return says_only(match[0].removesuffix("because"), _NO_WORDS)
