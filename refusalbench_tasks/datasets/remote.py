"""Data from elsewhere: a set on the Hugging Face hub, and one file of a repository at a
pinned commit.
"""

import hashlib
import json
import re
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path

from refusalbench_tasks.bounded_reading import data_text, reason_of
from refusalbench_tasks.errors import DataError

from .rows import Row, checked_row

HOST = "https://raw.githubusercontent.com"


def read_hub(
    repo: str,
    split: str,
    revision: str | None = None,
) -> tuple[list[Row], str | None]:
    """Return all rows of a split, through the `datasets` client and its cache, and the
    commit they came from.

    `repo` is a hub id, or a local folder in a hub repository's layout: then the client
    says no commit. Raises DataError, with the client's own reason and what to do, if
    the data cannot be had.
    """
    try:
        client = import_module("datasets")
        builder = client.load_dataset_builder(repo, revision=revision)
        builder.download_and_prepare()
        loaded = builder.as_dataset(split=split)
    except Exception as error:  # whatever the client raises, the run ends in one line
        at = ""
        checks = "the network"
        if revision:
            at = f" (revision {revision})"
            checks = "the network and the revision"
        raise DataError(
            f"cannot load {repo}{at}: {reason_of(error)}. Check {checks}, set"
            " HF_HUB_OFFLINE=1 if it was loaded before, or use data=sample or data=PATH"
        ) from error
    rows = []
    for number, values in enumerate(loaded, start=1):
        rows.append(checked_row(repo, f"row {number}", values))
    # the client calls its copy of a hub's set by the commit
    match = re.fullmatch(r"[0-9a-f]{40}", str(builder.hash))
    return rows, match[0] if match else None


@cache
def pin_of(repo: str) -> str | None:
    """Return the commit of a hub set that `make pins` wrote into the package; None if
    it is not pinned.
    """
    pins = json.loads(data_text("datasets", "pins.json"))
    commit: str | None = pins.get(repo, {}).get("commit")
    return commit


@dataclass(frozen=True)
class PinnedFile:
    """A file at a commit; `blob` is the git object id of its content, empty where it is
    not known.
    """

    repo: str
    commit: str
    path: str
    blob: str


def git_blob(content: bytes) -> str:
    """Return the object id that git gives to a content: SHA-1 of a header with its
    length, and the content.
    """
    header = b"blob %d\0" % len(content)
    return hashlib.sha1(header + content, usedforsecurity=False).hexdigest()


def cached_path(
    file: PinnedFile,
    cache: Path | None = None,
) -> Path:
    """Return where a fetched file is kept, by default in the user's cache."""
    from platformdirs import user_cache_path

    folder = cache or user_cache_path("refusalbench_tasks")
    subfolder = file.blob or f"{file.commit}-{Path(file.path).parent.name}"
    return folder / subfolder / Path(file.path).name


def fetch(
    file: PinnedFile,
    host: str = HOST,
    cache: Path | None = None,
    instead: str = "data=sample or data=PATH",
) -> Path:
    """Return the local path of the file, from the cache or the network.

    Content that differs from the blob id is fetched again, and never used. Without a
    blob id the commit in the address is the only pin. Raises DataError with the reason
    if it cannot be had, and with what can be used `instead`.
    """
    import httpx

    from refusalbench_tasks.safe_writing import write_whole

    local = cached_path(file, cache)
    if local.is_file() and file.blob in ("", git_blob(local.read_bytes())):
        return local
    address = f"{host}/{file.repo}/{file.commit}/{file.path}"
    try:
        reply = httpx.get(
            address,
            follow_redirects=True,
            timeout=60,
        )
        content = reply.raise_for_status().content
    except httpx.HTTPError as error:
        raise DataError(
            f"cannot fetch {address}: {reason_of(error)}. Check the network, or use"
            f" {instead}"
        ) from error
    if file.blob not in ("", git_blob(content)):
        raise DataError(
            f"{address}: the content is not the pinned file (git blob {file.blob}), so"
            " it is not used"
        )
    write_whole(local, content)
    return local
