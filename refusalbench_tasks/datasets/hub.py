"""Rows of a data set on the Hugging Face hub."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from refusalbench_tasks.datasets.errors import DataError
from refusalbench_tasks.datasets.files import Row


@dataclass(frozen=True)
class HubRows:
    """The rows of one split and the commit they came from (None if the client does not say, as for a local folder)."""

    rows: list[Row]
    commit: str | None


def read_hub(repo: str, split: str, revision: str | None = None) -> HubRows:
    """Return all rows of a split, through the `datasets` client and its cache.

    `repo` is a hub id, or a local folder in a hub repository's layout. Raises DataError, with the client's own
    reason and what to do, if the client is missing or the data cannot be had.
    """
    load_dataset = _client()
    try:
        loaded = load_dataset(repo, split=split, revision=revision)
    except Exception as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise DataError(
            f"cannot load {repo} (split {split}, revision {revision or 'main'}) from the hub: {reason}. "
            "Check the network and the revision, or use data=sample or data=PATH"
        ) from error
    rows = [Row(repo, f"row {number}", values) for number, values in enumerate(loaded, 1)]
    return HubRows(rows, _commit(loaded.info.download_checksums))


def _client() -> Callable[..., Any]:
    """Return the client's loader. Where the client is missing, a folder `datasets` may import as an empty package."""
    try:
        loader: Callable[..., Any] | None = getattr(import_module("datasets"), "load_dataset", None)
    except ImportError:
        loader = None
    if loader is None:
        raise DataError("data=hub needs the Hugging Face client: pip install datasets")
    return loader


def _commit(files: object) -> str | None:
    """Return the commit in the addresses of the downloaded files (`hf://datasets/REPO@COMMIT/...`)."""
    for address in files if isinstance(files, dict) else ():
        found = re.search(r"@([0-9a-f]{40})(?:/|$)", str(address))
        if found:
            return found[1]
    return None
