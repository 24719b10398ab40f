"""Rows of a data set on the Hugging Face hub."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from refusalbench_tasks.datasets.files import Row, row_of
from refusalbench_tasks.errors import DataError

PATIENCE = 10
"""Seconds that the hub has for its first answer."""


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
    alone = not Path(repo).is_dir() and not _reachable()
    try:
        with _cache_only() if alone else nullcontext():
            loaded = load_dataset(repo, split=split, revision=revision)
    except Exception as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        if alone:
            reason = "the hub cannot be reached, and the data is not in the client's cache"
        at = f" (revision {revision})" if revision else ""
        raise DataError(
            f"cannot load {repo}{at}: {reason}. "
            f"Check the network{' and the revision' if revision else ''}, or use data=sample or data=PATH"
        ) from error
    rows = [row_of(repo, f"row {number}", values) for number, values in enumerate(loaded, 1)]
    return HubRows(rows, _commit(loaded.info.download_checksums))


def _reachable() -> bool:
    """Whether the hub answers anything within some seconds; the client itself tries for half a minute."""
    import httpx
    from huggingface_hub import constants

    try:
        httpx.head(constants.ENDPOINT, timeout=PATIENCE)
    except (httpx.HTTPError, httpx.InvalidURL):
        return False
    return True


@contextmanager
def _cache_only() -> Iterator[None]:
    """Let the client use its cache and no network. It reads its settings when imported, so they are set where it keeps
    them.
    """
    places = [(import_module(name), "HF_HUB_OFFLINE") for name in ("datasets.config", "huggingface_hub.constants")]
    before = [getattr(module, name) for module, name in places]
    try:
        for module, name in places:
            setattr(module, name, True)
        yield
    finally:
        for (module, name), value in zip(places, before, strict=True):
            setattr(module, name, value)


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
