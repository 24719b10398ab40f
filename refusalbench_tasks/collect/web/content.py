"""The body of a response without its compression, within a limit."""

import zlib

GZIP_OR_ZLIB, RAW_DEFLATE = 47, -15


class TooLargeError(Exception):
    """The body is larger than the limit, as sent or decompressed."""


class BrokenBodyError(Exception):
    """The body can't be decompressed. The message says why."""


def decompressed(body: bytes, encoding: str, limit: int) -> bytes:
    """Return a body without its content encoding: none, gzip or deflate, at most `limit` bytes.

    No more than `limit` + 1 bytes are ever made of it, so a small body that swells (a gzip bomb) costs no memory.
    Raises TooLargeError, or BrokenBodyError for damaged bodies, encodings that weren't asked for and nested ones.
    """
    name = encoding.strip().lower()
    if name in ("", "identity"):
        if len(body) > limit:
            raise TooLargeError
        return body
    if name not in ("gzip", "x-gzip", "deflate"):
        raise BrokenBodyError(f"content encoding '{name[:30]}' was not asked for")
    try:
        return _inflated(body, GZIP_OR_ZLIB, limit)
    except zlib.error:
        pass
    try:
        return _inflated(body, RAW_DEFLATE, limit)
    except zlib.error:
        raise BrokenBodyError(f"the body is not valid {name}") from None


def _inflated(body: bytes, window: int, limit: int) -> bytes:
    made = bytearray()
    while body:  # a gzip file may have several members, one after the other
        machine = zlib.decompressobj(window)
        made += machine.decompress(body, limit + 1 - len(made))
        if len(made) > limit:
            raise TooLargeError
        if not machine.eof:
            raise BrokenBodyError("the compressed body ends too early")
        body = machine.unused_data.lstrip(b"\0")
    return bytes(made)
