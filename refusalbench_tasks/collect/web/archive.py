"""Responses of the web on disk, as WARC: what a second run reads instead of asking again."""

import hashlib
import io
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from httpx import codes

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.safe_writing import write_whole

NOT_MODIFIED = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
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

    A file is written whole or not at all, so a run that was killed leaves no half page. Earlier versions of a page
    stay in its file; that a server confirmed a version is a `revisit` record. Every read opens one file: memory does
    not grow with the number of pages. Raises DataError without the extra `web`.
    """

    def __init__(self, folder: Path) -> None:
        _warcio()
        self.folder = folder

    def path(self, url: str) -> Path:
        """Return the file of an address."""
        name = hashlib.sha256(url.encode()).hexdigest()
        return self.folder / name[:2] / f"{name}.warc.gz"

    def get(self, url: str) -> Exchange | None:
        """Return the latest response of an address, with the time of its latest confirmation, or None.

        Raises DataError if the file is damaged.
        """
        path = self.path(url)
        if not path.exists():
            return None
        latest: Exchange | None = None
        for record, exchange in _records(path):
            if record == "response":
                latest = exchange
            elif latest is not None:
                latest = replace(latest, date=exchange.date)
        if latest is None or latest.url != url:
            raise DataError(f"{path}: holds no response of {url}; delete the file to fetch the page again")
        return latest

    def put(self, exchange: Exchange) -> None:
        """Add a response. Raises DataError if it can't be written."""
        self._append(exchange, "response")

    def confirm(self, exchange: Exchange, date: datetime) -> Exchange:
        """Note that the server confirmed a stored response, and return it with the new time."""
        confirmed = replace(exchange, date=date)
        self._append(confirmed, "revisit")
        return confirmed

    def _append(self, exchange: Exchange, kind: str) -> None:
        path = self.path(exchange.url)
        before = path.read_bytes() if path.exists() else b""
        write_whole(path, before + _member(exchange, kind))

    def __iter__(self) -> Iterator[Exchange]:
        """Yield the latest response of each address, in the order of the files' names."""
        for path in sorted(self.folder.glob("*/*.warc.gz")):
            found = [exchange for record, exchange in _records(path) if record == "response"]
            if found:
                yield found[-1]


def _member(exchange: Exchange, kind: str) -> bytes:
    writer_type, headers_type = _warcio()
    out = io.BytesIO()
    writer = writer_type(out, gzip=True, warc_version="1.1")
    revisit = kind == "revisit"
    headers = [(name, value) for name, value in exchange.headers if name.lower() not in _KEPT_OUT]
    facts = {"WARC-Date": exchange.date.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")}
    if exchange.truncated:
        facts["WARC-Truncated"] = exchange.truncated
    if revisit:
        facts["WARC-Profile"] = NOT_MODIFIED
    status = "304 Not Modified" if revisit else f"{exchange.status} {codes.get_reason_phrase(exchange.status)}"
    record = writer.create_warc_record(
        exchange.url,
        kind,
        payload=io.BytesIO(b"" if revisit else exchange.body),
        http_headers=headers_type(status, headers, protocol="HTTP/1.1"),
        warc_headers_dict=facts,
    )
    writer.write_record(record)
    return out.getvalue()


def _records(path: Path) -> Iterator[tuple[str, Exchange]]:
    from warcio.archiveiterator import ArchiveIterator
    from warcio.exceptions import ArchiveLoadFailed

    try:
        with path.open("rb") as file:
            for record in ArchiveIterator(file, check_digests="raise"):
                if record.rec_type in ("response", "revisit"):
                    yield record.rec_type, _exchange(record)
    except (ArchiveLoadFailed, OSError, ValueError, AttributeError) as error:
        raise DataError(f"{path}: damaged archive ({error}); delete the file to fetch the page again") from None


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


def _warcio() -> tuple[Any, Any]:
    try:
        from warcio.statusandheaders import StatusAndHeaders
        from warcio.warcwriter import WARCWriter
    except ImportError as error:
        raise DataError(f"web: needs {error.name}; pip install 'refusalbench-tasks[web]'") from None
    return WARCWriter, StatusAndHeaders
