"""Text as a sequence of plain words, in the form that terms of a
list are compared in.
"""

import re

STOP = "."
"""The word that stands for the end of a sentence or a line."""
_TYPOGRAPHIC = str.maketrans(
    {
        **dict.fromkeys("’‘ʼ", "'"),
        **dict.fromkeys("“”„«»–—‑\u00a0\u202f\u2009", " "),
        **dict.fromkeys("\u200b\u00ad\ufeff", ""),
        "…": STOP,
    }
)
_SIGNS = str.maketrans(
    {
        **dict.fromkeys("!?\n", STOP),
        **dict.fromkeys(',;:()[]{}"*_`-/\\|<>=+#~^\t\r\x0b\x0c', " "),
    }
)
_POINT = re.compile(r"(?<=[0-9])\.(?=[0-9])")
_NUMBER_SIGNS = frozenset("0123456789$£¥€")
_NUMBERS = """
one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty
ninety hundred thousand million billion half dozen
"""
_NUMBER_WORDS = frozenset(_NUMBERS.split())
_MONTH = re.compile(r"(?<![\w'’])May(?![\w'’])")
_VERB_AFTER = re.compile(
    r"\s+(?:I|we|you|he|she|they|it|the|this|that|these|those|be|also|not|have)\b"
)
_OPENS_SENTENCE = frozenset('.!?:"“(*-')


def normal_words(text: str) -> list[str]:
    """Return the words of a text in lower case.

    Punctuation is dropped, and so is the point of a number; a stop, and a line's end,
    stands as a word of its own. Typographic apostrophes are plain.
    """
    text = text.translate(_TYPOGRAPHIC)
    text = text.encode("utf-8", "replace").decode().lower().translate(_SIGNS)
    # the point of 6.2 ends no sentence
    text = _POINT.sub(" ", text).replace(STOP, f" {STOP} ")
    text = text.replace(" '", " ").replace("' ", " ").strip("'")
    return [word for word in text.split(" ") if word]


def is_number(word: str) -> bool:
    """Whether a word is a number, in digits (perhaps after a sign of money) or in
    letters.
    """
    return word[:1] in _NUMBER_SIGNS or word in _NUMBER_WORDS


def month_as_name(text: str) -> str:
    """Return the text with the month May written so that it is no longer the verb.

    A capitalised "May" is the verb only where a sentence begins and a subject or an
    auxiliary follows.
    """
    if "May" not in text:
        return text
    return _MONTH.sub(lambda match: match[0] if _is_verb(text, match) else "Mayo", text)


def _is_verb(text: str, month: re.Match[str]) -> bool:
    if not _VERB_AFTER.match(text, month.end()):
        return False
    # only the white space before it is read, so that it is linear in a long text
    start = month.start()
    while start and text[start - 1].isspace():
        start -= 1
    before = text[start : month.start()]
    return not start or "\n" in before or text[start - 1] in _OPENS_SENTENCE
