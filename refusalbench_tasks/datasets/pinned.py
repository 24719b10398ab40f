"""One file of a public repository at a pinned commit, verified and cached."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.safe_writing import write_whole


@dataclass(frozen=True)
class PinnedFile:
    """A file at a commit; `blob` is the git object id of its content."""

    repo: str
    commit: str
    path: str
    blob: str

    def address(self, host: str = "https://raw.githubusercontent.com") -> str:
        """Return where the file can be had."""
        return f"{host}/{self.repo}/{self.commit}/{self.path}"


def git_blob(content: bytes) -> str:
    """Return the object id that git gives to a content: SHA-1 of a header with its length, and the content."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def fetch(
    file: PinnedFile,
    host: str = "https://raw.githubusercontent.com",
    cache: Path | None = None,
    instead: str = "data=sample or data=PATH",
) -> Path:
    """Return the local path of the file, from the cache or the network.

    The content is checked against the blob id each time, and never used if it differs. A cached file that differs
    is fetched again. Raises DataError with the reason if it cannot be had, and with what can be used `instead`.
    """
    local = (cache or _cache()) / file.blob / Path(file.path).name
    if local.is_file() and git_blob(local.read_bytes()) == file.blob:
        return local
    content = _download(file.address(host), instead)
    if git_blob(content) != file.blob:
        raise DataError(
            f"{file.address(host)}: the content has the git blob {git_blob(content)}, expected {file.blob}; "
            "it is not the pinned file, so it is not used"
        )
    write_whole(local, content)
    return local


def _cache() -> Path:
    from platformdirs import user_cache_path

    return user_cache_path("refusalbench_tasks")


def _download(address: str, instead: str) -> bytes:
    import httpx

    try:
        response = httpx.get(address, follow_redirects=True, timeout=60)
        response.raise_for_status()
    except httpx.HTTPError as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise DataError(f"cannot fetch {address}: {reason}. Check the network, or use {instead}") from error
    return response.content
