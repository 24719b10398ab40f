"""Text as a sequence of plain words, in a form that a byte matcher can search."""

import re

_TYPOGRAPHIC = str.maketrans(
    {"’": "'", "‘": "'", "ʼ": "'", "“": " ", "”": " ", "„": " ", "«": " ", "»": " ", "–": " ", "—": " ", "‑": " "}
    | {"…": ".", "\u00a0": " ", "\u202f": " ", "\u2009": " ", "\u200b": None, "\u00ad": None, "\ufeff": None}
)
_STOPS = b".!?\n"
_SPACES = b',;:()[]{}"*_`-/\\|<>=+#~^\t\r\x0b\x0c'
_NUMBER_WORDS = frozenset(
    b"one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    b"eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion half "
    b"dozen".split()
)
_CURRENCY = (b"$", "£".encode(), "€".encode(), "¥".encode())
_MONTH = re.compile(r"(?<![\w'’])May(?![\w'’])")
_VERB_AFTER = re.compile(r"\s+(?:I|we|you|he|she|they|it|the|this|that|these|those|be|also|not|have)\b")
_OPENS_SENTENCE = re.compile(r"(?:^|[.!?:\n]\s*|[\"“(*-]\s*)$")


def _table() -> bytes:
    table = bytearray(range(256))
    for upper in range(ord("A"), ord("Z") + 1):
        table[upper] = upper + 32
    for byte in _SPACES:
        table[byte] = ord(" ")
    for byte in _STOPS:
        table[byte] = ord(".")
    return bytes(table)


_TABLE = _table()


def normal_words(text: str) -> bytes:
    """Return the words of a text in lower case as UTF-8, each with a space on either side (so two between words).

    Punctuation is dropped; a stop, and a line's end, stands as a word of its own. Typographic apostrophes are plain.
    """
    if not text.isascii():
        text = text.translate(_TYPOGRAPHIC).lower()
    plain = text.encode("utf-8", "replace").translate(_TABLE).replace(b".", b" . ")
    if b"'" in plain:
        plain = plain.replace(b" '", b" ").replace(b"' ", b" ").strip(b"'")
    return b"".join((b" ", b"  ".join(plain.split()), b" "))


def padded(term: str) -> bytes:
    """Return a term in the form in which it occurs in `normal_words`."""
    return normal_words(term)


def next_is_number(words: bytes, end: int) -> bool:
    """Whether the word that begins after position `end` is a number, in digits or in letters."""
    word = words[end + 1 : words.find(b" ", end + 1)]
    return word[:1].isdigit() or word in _NUMBER_WORDS or word.startswith(_CURRENCY)


def month_as_name(text: str) -> str:
    """Return the text with the month May written so that it is no longer the verb.

    A capitalised "May" is the verb only where a sentence begins and a subject or an auxiliary follows.
    """
    return _MONTH.sub(lambda found: found[0] if _is_verb(text, found) else "Mayo", text)


def _is_verb(text: str, found: re.Match[str]) -> bool:
    return bool(_OPENS_SENTENCE.search(text[: found.start()]) and _VERB_AFTER.match(text, found.end()))
