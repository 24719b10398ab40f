"""Responses of the web on disk, as WARC: what a second run reads instead of asking again."""

import hashlib
import io
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from httpx import codes

from refusalbench_tasks.collect.web.extract import library
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.safe_writing import write_whole

_KEPT_OUT = frozenset({"set-cookie", "set-cookie2", "transfer-encoding", "connection", "keep-alive"})
"""Headers that aren't stored: cookies are secrets, and the others belong to the connection."""


@dataclass(frozen=True)
class Exchange:
    """One response: the address, its status, headers in order, the body as sent, and when it was had, in UTC.

    `truncated` is why the body isn't whole: "length" (larger than the limit; the body holds its first bytes),
    "unspecified" (not read, because its type isn't one that is read), or "".
    """

    url: str
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    date: datetime
    truncated: str = ""

    def header(self, name: str) -> str:
        """Return the first header of that name, or ""."""
        return next((value for key, value in self.headers if key.lower() == name.lower()), "")


class Archive:
    """A folder with one `.warc.gz` for each address, whose files joined are one valid WARC.

    A file is written whole or not at all, so a run that was killed leaves no half page. Every read opens one file:
    memory does not grow with the number of pages. Raises DataError without the extra `web`.
    """

    def __init__(self, folder: Path) -> None:
        library("warcio")
        self.folder = folder

    def path(self, url: str) -> Path:
        """Return the file of an address."""
        name = hashlib.sha256(url.encode()).hexdigest()
        return self.folder / name[:2] / f"{name}.warc.gz"

    def get(self, url: str) -> Exchange | None:
        """Return the response of an address, or None. Raises DataError if the file is damaged."""
        path = self.path(url)
        if not path.exists():
            return None
        found = _response(path)
        if found is None or found.url != url:
            raise DataError(f"{path}: holds no response of {url}; delete the file to fetch the page again")
        return found

    def put(self, exchange: Exchange) -> None:
        """Keep a response in place of an earlier one. Raises DataError if it can't be written."""
        write_whole(self.path(exchange.url), _member(exchange))


def _member(exchange: Exchange) -> bytes:
    out = io.BytesIO()
    writer = library("warcio.warcwriter").WARCWriter(out, gzip=True, warc_version="1.1")
    headers = [(name, value) for name, value in exchange.headers if name.lower() not in _KEPT_OUT]
    status = f"{exchange.status} {codes.get_reason_phrase(exchange.status)}"
    facts = {"WARC-Date": exchange.date.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")}
    record = writer.create_warc_record(
        exchange.url,
        "response",
        payload=io.BytesIO(exchange.body),
        http_headers=library("warcio.statusandheaders").StatusAndHeaders(status, headers, protocol="HTTP/1.1"),
        warc_headers_dict=facts | ({"WARC-Truncated": exchange.truncated} if exchange.truncated else {}),
    )
    writer.write_record(record)
    return out.getvalue()


def _response(path: Path) -> Exchange | None:
    damaged = library("warcio.exceptions").ArchiveLoadFailed
    try:
        with path.open("rb") as file:
            records = library("warcio.archiveiterator").ArchiveIterator(file, check_digests="raise")
            read = [_exchange(record) for record in records if record.rec_type == "response"]
    except (damaged, OSError, ValueError, AttributeError) as error:
        raise DataError(f"{path}: damaged archive ({error}); delete the file to fetch the page again") from None
    return read[-1] if read else None


def _exchange(record: Any) -> Exchange:
    facts = record.rec_headers
    return Exchange(
        url=facts.get_header("WARC-Target-URI"),
        status=int(record.http_headers.get_statuscode()),
        headers=tuple(record.http_headers.headers),
        body=record.raw_stream.read(),
        date=datetime.fromisoformat(facts.get_header("WARC-Date")),
        truncated=facts.get_header("WARC-Truncated") or "",
    )
