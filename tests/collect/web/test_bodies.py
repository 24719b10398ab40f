"""Bodies of responses: decompressed within a limit, read in their charset, known by their type."""

import gzip
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refusalbench_tasks.collect.web.charset import declared_charset, text_of
from refusalbench_tasks.collect.web.content import BrokenBodyError, TooLargeError, decompressed
from refusalbench_tasks.collect.web.page import kind_of


@settings(max_examples=30)
@given(st.binary(max_size=300))
def test_what_was_compressed_comes_back(body: bytes) -> None:
    raw = zlib.compressobj(wbits=-15)
    for encoding, packed in (
        ("", body),
        ("Identity", body),
        ("gzip", gzip.compress(body, mtime=0)),
        ("x-gzip", gzip.compress(body[:9], mtime=0) + gzip.compress(body[9:])),
        ("deflate", zlib.compress(body)),
        ("deflate", raw.compress(body) + raw.flush()),
    ):
        assert decompressed(packed, encoding, 300) == body


@pytest.mark.parametrize("encoding", ["", "gzip", "deflate"])
def test_a_body_of_one_byte_more_than_the_limit_is_too_large(encoding: str) -> None:
    def packed(body: bytes) -> bytes:
        return {"": body, "gzip": gzip.compress(body, mtime=0), "deflate": zlib.compress(body)}[encoding]

    assert len(decompressed(packed(b"a" * 100), encoding, 100)) == 100
    with pytest.raises(TooLargeError):
        decompressed(packed(b"a" * 101), encoding, 100)


def test_a_bomb_is_never_unpacked() -> None:
    import tracemalloc

    bomb = gzip.compress(b"\0" * 15_000_000, mtime=0) * 3
    tracemalloc.start()
    with pytest.raises(TooLargeError):
        decompressed(bomb, "gzip", 100_000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2_000_000


@pytest.mark.parametrize(
    ("body", "encoding", "reason"),
    [
        (b"nonsense", "gzip", "not valid gzip"),
        (gzip.compress(b"a" * 1000, mtime=0)[:-12], "gzip", "ends too early"),
        (b"x", "br", "'br' was not asked for"),
        (gzip.compress(b"x", mtime=0), "gzip, gzip", "was not asked for"),
    ],
)
def test_a_damaged_body_says_what_is_wrong(body: bytes, encoding: str, reason: str) -> None:
    with pytest.raises(BrokenBodyError, match=reason):
        decompressed(body, encoding, 10_000)


TEXT = "Über die Brücke führt – seit 1912 – ein Weg für „alle“."


@pytest.mark.parametrize(
    ("body", "declared"),
    [
        (TEXT.encode(), ""),
        (TEXT.encode(), "iso-8859-1"),
        (TEXT.encode("utf-8-sig"), "latin-1"),
        (TEXT.encode("utf-16"), ""),
        (TEXT.encode("utf-16-le"), "utf-16le"),
        (TEXT.encode("utf-32"), "utf-8"),
        (TEXT.encode("cp1252"), "iso-8859-1"),  # what is declared as Latin-1 is read as Windows-1252
        (TEXT.encode("cp1252"), "utf-8"),
        (TEXT.encode("cp1252"), "no-such-charset"),
        (b"<meta charset=windows-1252>" + TEXT.encode("cp1252"), ""),
    ],
)
def test_text_is_read_whatever_is_declared(body: bytes, declared: str) -> None:
    assert text_of(body, declared).endswith(TEXT)


def test_seven_bit_charsets_are_believed() -> None:
    assert text_of("橋の高さ".encode("iso2022_jp"), "iso-2022-jp") == "橋の高さ"


@settings(max_examples=40)
@given(st.binary(max_size=200), st.text(max_size=12))
def test_no_bytes_and_no_name_of_a_charset_raise(body: bytes, declared: str) -> None:
    assert isinstance(text_of(body, declared), str)


@pytest.mark.parametrize("declared", ["unicode_escape", "rot13", "zlib", "punycode", "idna", "base64", "utf-7"])
def test_codecs_that_are_no_charsets_are_not_used(declared: str) -> None:
    assert text_of(b"a\\x41 caf\xe9", declared) == "a\\x41 café"


def test_the_declared_charset_is_a_parameter_of_the_type() -> None:
    assert declared_charset('text/html; q=1; Charset="UTF-8"') == "UTF-8"
    assert declared_charset("text/html") == ""


@pytest.mark.parametrize(
    ("declared", "body", "kind"),
    [
        ("text/html; charset=x", b"anything", "html"),
        ("application/xhtml+xml", b"anything", "html"),
        ("text/plain", b"<html>", "plain"),
        ("application/pdf", b"%PDF-1.7", "pdf"),
        ("text/html", b"\n%PDF-1.7", "pdf"),
        ("application/pdf", b"<html>", None),
        ("", b"\xef\xbb\xbf <!DOCTYPE HTML><html>", "html"),
        ("", b"anything", None),
        ("image/png", b"<html>", None),
        ("application/json", b"{}", None),
    ],
)
def test_a_body_is_what_its_type_and_first_bytes_say(declared: str, body: bytes, kind: str | None) -> None:
    assert kind_of(declared, body) == kind
