"""A page as it was served, and why there is none: a refusal of ours, or a failure of
theirs.
"""

import httpx
from pydantic import AwareDatetime, BaseModel

HTML = frozenset({"text/html", "application/xhtml+xml"})
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


class WebPage(BaseModel, frozen=True, ser_json_bytes="base64", val_json_bytes="base64"):
    """What a server answered with: the address, status, type, where it redirects to,
    the body, and when, in UTC.

    The body is decompressed. It is empty if it is no HTML, or too large (`oversize`).
    """

    url: str
    status: int
    content_type: str = ""
    location: str = ""
    body: bytes = b""
    fetched: AwareDatetime
    oversize: str = ""

    @property
    def charset(self) -> str:
        """Return the charset that the server declared, "" if none."""
        _, _, charset = self.content_type.lower().partition("charset=")
        return charset.partition(";")[0].strip("\"' ")

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
        # a PDF is no text, whatever is declared
        if not is_html(self.content_type) or self.body.lstrip()[:5] == b"%PDF-":
            raise RefusedError(f"content type '{self.content_type[:60]}' is not read")
        if not self.body:
            raise FailedError("an empty page")


def is_html(content_type: str) -> bool:
    """Return whether a header declares a page of HTML."""
    return content_type.partition(";")[0].strip().lower() in HTML
