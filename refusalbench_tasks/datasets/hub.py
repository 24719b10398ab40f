"""Rows of a data set on the Hugging Face hub."""

import re
from importlib import import_module

from refusalbench_tasks.datasets.rows import Row, row_of
from refusalbench_tasks.errors import DataError


def read_hub(repo: str, split: str, revision: str | None = None) -> tuple[list[Row], str | None]:
    """Return all rows of a split, through the `datasets` client and its cache, and the commit they came from.

    `repo` is a hub id, or a local folder in a hub repository's layout: then the client says no commit. Raises
    DataError, with the client's own reason and what to do, if the client is missing or the data cannot be had.
    """
    # where the client is missing, a folder `datasets` may import as an empty package
    try:
        load_dataset = import_module("datasets").load_dataset
    except (ImportError, AttributeError):
        raise DataError("data=hub needs the Hugging Face client: pip install datasets") from None
    try:
        loaded = load_dataset(repo, split=split, revision=revision)
    except Exception as error:  # whatever the client raises, the run ends in one line
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        at = f" (revision {revision})" if revision else ""
        raise DataError(
            f"cannot load {repo}{at}: {reason}. Check the network{' and the revision' if revision else ''}, set "
            "HF_HUB_OFFLINE=1 if it was loaded before, or use data=sample or data=PATH"
        ) from error
    rows = [row_of(repo, f"row {number}", values) for number, values in enumerate(loaded, 1)]
    return rows, commit_in(loaded.info.download_checksums)


def commit_in(files: object) -> str | None:
    """Return the commit in the addresses of the downloaded files (`hf://datasets/REPO@COMMIT/...`)."""
    for address in files if isinstance(files, dict) else ():
        found = re.search(r"@([0-9a-f]{40})(?:/|$)", str(address))
        if found:
            return found[1]
    return None
