"""Text as a sequence of plain words, in a form that a byte matcher can search."""

import re

_TYPOGRAPHIC = {
    sign.encode(): plain
    for signs, plain in (("’‘ʼ", b"'"), ("“”„«»–—‑\u00a0\u202f\u2009", b" "), ("…", b"."), ("\u200b\u00ad\ufeff", b""))
    for sign in signs
}
_SIGN = re.compile(b"|".join(map(re.escape, _TYPOGRAPHIC)))
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
    """Return the words of a text in lower case as UTF-8, each followed by one space.

    Punctuation is dropped; a stop, and a line's end, stands as a word of its own. Typographic apostrophes are plain.
    """
    if text.isascii():
        plain = text.encode()
    else:
        plain = _SIGN.sub(lambda sign: _TYPOGRAPHIC[sign[0]], text.lower().encode("utf-8", "replace"))
    plain = plain.translate(_TABLE).replace(b".", b" . ")
    if b"'" in plain:
        plain = plain.replace(b" '", b" ").replace(b"' ", b" ").strip(b"'")
    # joining what `split` returns does the same in twice the time
    while b"  " in plain:
        plain = plain.replace(b"  ", b" ")
    return plain.strip(b" ") + b" "


def next_is_number(words: bytes, end: int) -> bool:
    """Whether the word that begins at `end`, a place in `normal_words`, is a number, in digits or in letters."""
    word = words[end : words.find(b" ", end)]
    return word[:1].isdigit() or word in _NUMBER_WORDS or word.startswith(_CURRENCY)


def month_as_name(text: str) -> str:
    """Return the text with the month May written so that it is no longer the verb.

    A capitalised "May" is the verb only where a sentence begins and a subject or an auxiliary follows.
    """
    return _MONTH.sub(lambda found: found[0] if _is_verb(text, found) else "Mayo", text)


def _is_verb(text: str, found: re.Match[str]) -> bool:
    return bool(_OPENS_SENTENCE.search(text[: found.start()]) and _VERB_AFTER.match(text, found.end()))
