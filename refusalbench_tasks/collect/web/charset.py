"""The text of bytes whose charset is declared, wrongly declared or not declared."""

import codecs
import re

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_META = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([a-z0-9_:.-]{2,40})""", re.IGNORECASE)
_PARAMETER = re.compile(r"""charset\s*=\s*["']?\s*([a-z0-9_:.-]{2,40})""", re.IGNORECASE)
_HEAD, _READ = 2_048, 100_000
_ENOUGH = 32
"""How many bytes beyond ASCII a guess needs; of fewer, charset-normalizer makes rare scripts."""
# what browsers read under these names (WHATWG Encoding Standard)
_READ_AS = {"iso8859-1": "cp1252", "ascii": "cp1252", "gb2312": "gb18030", "gbk": "gb18030", "iso8859-9": "cp1254"}
_NOT_TEXT = frozenset({"idna", "punycode", "undefined", "raw-unicode-escape", "unicode-escape", "utf-7"})


def declared_charset(content_type: str) -> str:
    """Return the charset parameter of a content type, or "" without one."""
    found = _PARAMETER.search(content_type)
    return found[1] if found else ""


def text_of(body: bytes, declared: str = "", html: bool = True) -> str:
    """Return the text of a body; nothing raises, and a byte that fits no charset becomes U+FFFD.

    In this order: the byte-order mark; a declared charset of 7-bit or wide units (ISO-2022, UTF-16, UTF-32); UTF-8 if
    the bytes are valid UTF-8, because other text hardly ever is by chance; the declared charset (of the header, then
    of the page's `meta`) if all bytes fit it; what charset-normalizer finds; Windows-1252.
    """
    for mark, name in _MARKS:
        if body.startswith(mark):
            return body.decode(name, "replace")
    meta = _META.search(body[:_HEAD]) if html else None
    names = [_codec(declared), _codec(meta[1].decode("ascii")) if meta else ""]
    wide = [name for name in names if name.startswith(("iso2022", "utf-16", "utf-32", "hz"))]
    for name in (*wide, "utf-8", *names):
        text = _strict(body, name)
        if text is not None:
            return text
    guessed = _guessed(body)
    return body.decode("cp1252", "replace") if guessed is None else guessed


def _codec(name: str) -> str:
    try:
        info = codecs.lookup(name)
    except (LookupError, ValueError):
        return ""
    if info.name in _NOT_TEXT or not getattr(info, "_is_text_encoding", True):
        return ""
    return _READ_AS.get(info.name, info.name)


def _strict(body: bytes, name: str) -> str | None:
    try:
        return body.decode(name) if name else None
    except UnicodeError:
        return None


def _guessed(body: bytes) -> str | None:
    if sum(byte > 0x7F for byte in body[:_READ]) < _ENOUGH:
        return None
    try:
        from charset_normalizer import from_bytes
    except ImportError:
        return None
    best = from_bytes(body[:_READ]).best()
    return _strict(body, best.encoding) if best else None
