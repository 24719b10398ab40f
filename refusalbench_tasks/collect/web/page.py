"""A page as it was served, and why there is none: a refusal of ours, or a failure of theirs."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Kind = Literal["html", "plain", "pdf"]

KINDS: dict[str, Kind] = {
    "text/html": "html",
    "application/xhtml+xml": "html",
    "text/plain": "plain",
    "application/pdf": "pdf",
}
"""The content types that are read."""


class NoPageError(Exception):
    """There is no page to be had at an address. The message is the reason, in English, without the address."""


class RefusedError(NoPageError):
    """A page that we don't ask for or don't take: a closed address, robots.txt, its size, its type, our limits."""


class FailedError(NoPageError):
    """A page that we asked for and didn't get: no connection, no answer in time, a status, a broken body."""


@dataclass(frozen=True)
class WebPage:
    """A page as it was served.

    `url` is where redirects led; `body` is decompressed; `charset` is what the server declared ("" if nothing);
    `fetched` is when the server gave it, in UTC, not when the page was published.
    """

    url: str
    kind: Kind
    charset: str
    body: bytes
    fetched: datetime


def kind_of(content_type: str, body: bytes) -> Kind | None:
    """Return what a body is, by the declared content type, or None if it is nothing that is read.

    PDF is known by its first bytes, whatever is declared, so that no PDF is read as text. Without a declared type an
    HTML page is known by its first tag.
    """
    if body[:1024].lstrip().startswith(b"%PDF-"):
        return "pdf"
    declared = content_type.split(";")[0].strip().lower()
    if declared:
        return KINDS.get(declared) if declared != "application/pdf" else None
    start = body[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return "html" if start.startswith((b"<!doctype html", b"<html", b"<head", b"<body")) else None
