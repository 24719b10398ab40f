"""A page as it was served, and why there is none: a refusal of ours, or a failure of
theirs.
"""

from typing import Literal

import httpx
from pydantic import AwareDatetime, BaseModel, ConfigDict

Kind = Literal["html", "plain", "pdf"]

KINDS: dict[str, Kind] = {
    "text/html": "html",
    "application/xhtml+xml": "html",
    "text/plain": "plain",
    "application/pdf": "pdf",
}
"""The content types that are read."""
MOVED = frozenset({301, 302, 303, 307, 308})


class NoPageError(Exception):
    """There is no page to be had at an address.

    The message is the reason, in English, without the address.
    """


class RefusedError(NoPageError):
    """A page that we don't ask for or don't take: a closed address, robots.txt, its
    size, its type.
    """


class FailedError(NoPageError):
    """A page that we asked for and didn't get: no connection, no answer in time, a
    status, a broken body.
    """


class WebPage(BaseModel):
    """What a server answered with: the address, status, type, where it redirects to,
    the body, and when, in UTC.

    The body is decompressed. It is empty if it is of a type that isn't read, or too
    large (`oversize`).
    """

    model_config = ConfigDict(
        frozen=True, ser_json_bytes="base64", val_json_bytes="base64"
    )

    url: str
    status: int
    content_type: str = ""
    location: str = ""
    body: bytes = b""
    fetched: AwareDatetime
    oversize: str = ""

    @property
    def kind(self) -> Kind | None:
        """Return what the body is, by the declared content type, or None if it is
        nothing that is read.

        PDF is known by its first bytes, whatever is declared, so that no PDF is read as
        text. Without a declared type an HTML page is known by its first tag.
        """
        if self.body[:1024].lstrip().startswith(b"%PDF-"):
            return "pdf"
        declared = media_type(self.content_type)
        if declared:
            return KINDS.get(declared) if declared != "application/pdf" else None
        start = self.body[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
        return (
            "html"
            if start.startswith((b"<!doctype html", b"<html", b"<head", b"<body"))
            else None
        )

    @property
    def charset(self) -> str:
        """Return the charset that the server declared, "" if none."""
        return (
            self.content_type.lower()
            .partition("charset=")[2]
            .split(";")[0]
            .strip("\"' ")
        )

    @property
    def target(self) -> str:
        """Return the address that a redirect leads to.

        Raises FailedError if it names none.
        """
        if not self.location:
            raise FailedError(f"status {self.status} without an address")
        try:
            return str(httpx.URL(self.url).join(self.location))
        except (httpx.InvalidURL, ValueError):
            return self.location

    def require_readable(self) -> None:
        """Raise RefusedError for a page that is too large or of a type that isn't read;
        FailedError for no page.
        """
        if self.status != 200:
            raise FailedError(f"status {self.status}")
        if self.oversize:
            raise RefusedError(self.oversize)
        if self.kind is None:
            raise RefusedError(f"content type '{self.content_type[:60]}' is not read")
        if not self.body:
            raise FailedError("an empty page")


def media_type(content_type: str) -> str:
    """Return the type that a header declares, without its parameters."""
    return content_type.split(";")[0].strip().lower()
