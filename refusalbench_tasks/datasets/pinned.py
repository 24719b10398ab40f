"""One file of a public repository at a pinned commit, verified and cached."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.safe_writing import write_whole

HOST = "https://raw.githubusercontent.com"


@dataclass(frozen=True)
class PinnedFile:
    """A file at a commit; `blob` is the git object id of its content, empty where it is not known."""

    repo: str
    commit: str
    path: str
    blob: str


def git_blob(content: bytes) -> str:
    """Return the object id that git gives to a content: SHA-1 of a header with its length, and the content."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def fetch(
    file: PinnedFile, host: str = HOST, cache: Path | None = None, instead: str = "data=sample or data=PATH"
) -> Path:
    """Return the local path of the file, from the cache or the network.

    The content is checked against the blob id each time, and never used if it differs. A cached file that differs
    is fetched again. Without a blob id the commit in the address is the only pin. Raises DataError with the reason if
    it cannot be had, and with what can be used `instead`.
    """
    import httpx
    from platformdirs import user_cache_path

    kept = file.blob or f"{file.commit}-{Path(file.path).parent.name}"
    local = (cache or user_cache_path("refusalbench_tasks")) / kept / Path(file.path).name
    if local.is_file() and file.blob in ("", git_blob(local.read_bytes())):
        return local
    address = f"{host}/{file.repo}/{file.commit}/{file.path}"
    try:
        content = httpx.get(address, follow_redirects=True, timeout=60).raise_for_status().content
    except httpx.HTTPError as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise DataError(f"cannot fetch {address}: {reason}. Check the network, or use {instead}") from error
    if file.blob not in ("", git_blob(content)):
        raise DataError(
            f"{address}: the content has the git blob {git_blob(content)}, expected {file.blob}; "
            "it is not the pinned file, so it is not used"
        )
    write_whole(local, content)
    return local
