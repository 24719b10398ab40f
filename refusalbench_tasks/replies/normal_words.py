"""Text as a sequence of plain words, in a form that a byte matcher can search."""

import re

_TYPOGRAPHIC = [
    (sign, plain)
    for signs, plain in (("’‘ʼ", "'"), ("“”„«»–—‑\u00a0\u202f\u2009", " "), ("…", "."), ("\u200b\u00ad\ufeff", ""))
    for sign in signs
]
_TIGHT_COMMA, _TIGHT_STOP = re.compile(rb",[^ ]").search, re.compile(rb"\.[^ ]").search
_POINT = re.compile(rb"(?<=[0-9]) \.(?=[0-9])")
_QUOTE = ord("'")
_STOPS = b".!?\n"
_SPACES = b',;:()[]{}"*_`-/\\|<>=+#~^\t\r\x0b\x0c'
_NUMBER = re.compile(
    rb"[0-9$]|\xc2\xa3|\xc2\xa5|\xe2\x82\xac|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|"
    rb"fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|"
    rb"hundred|thousand|million|billion|half|dozen) "
).match
"""A number in digits, perhaps after a sign of money ($, £, ¥, €), or in letters."""
_MONTH = re.compile(r"(?<![\w'’])May(?![\w'’])")
_VERB_AFTER = re.compile(r"\s+(?:I|we|you|he|she|they|it|the|this|that|these|those|be|also|not|have)\b")
_OPENS_SENTENCE = frozenset('.!?:"“(*-')


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

    Punctuation is dropped, and so is the point of a number; a stop, and a line's end, stands as a word of its own.
    Typographic apostrophes are plain.
    """
    plain = text.encode() if text.isascii() else _typographic_signs_plain(text)
    # commas and stops before a space, most of them by far, leave no second space that must be removed
    plain = (plain.translate(_TABLE) if _TIGHT_COMMA(plain) else plain.translate(_TABLE, b",")).replace(b".", b" .")
    if _TIGHT_STOP(plain):
        # the point of 6.2 ends no sentence
        plain = _POINT.sub(b" ", plain).replace(b".", b". ")
    # a search for a byte costs a tenth of one for a string of it
    if _QUOTE in plain:
        plain = plain.replace(b" '", b" ").replace(b"' ", b" ").strip(b"'")
    # from the right: that is the faster search where one sign of two is frequent
    while plain.rfind(b"  ") >= 0:
        plain = plain.replace(b"  ", b" ")
    return plain.strip(b" ") + b" "


def _typographic_signs_plain(text: str) -> bytes:
    """Return a text in UTF-8, in lower case if it has letters that are not ASCII."""
    for sign, plain in _TYPOGRAPHIC:
        text = text.replace(sign, plain)
        if text.isascii():
            # the first sign is the most frequent, and in most replies the only one
            return text.encode()
    encoded = text.encode("utf-8", "replace")
    return encoded if encoded.isascii() else encoded.decode().lower().encode()


def next_is_number(words: bytes, end: int) -> bool:
    """Whether the word that begins at `end`, a place in `normal_words`, is a number, in digits or in letters."""
    return _NUMBER(words, end) is not None


def month_as_name(text: str) -> str:
    """Return the text with the month May written so that it is no longer the verb.

    A capitalised "May" is the verb only where a sentence begins and a subject or an auxiliary follows.
    """
    if "May" not in text:
        return text
    return _MONTH.sub(lambda found: found[0] if _is_verb(text, found) else "Mayo", text)


def _is_verb(text: str, found: re.Match[str]) -> bool:
    return bool(_VERB_AFTER.match(text, found.end())) and _opens_sentence(text, found.start())


def _opens_sentence(text: str, place: int) -> bool:
    """Whether a sentence begins at a place; looks back over white space only, so that it is linear in a long text."""
    while place and text[place - 1].isspace():
        place -= 1
        if text[place] == "\n":
            return True
    return not place or text[place - 1] in _OPENS_SENTENCE
