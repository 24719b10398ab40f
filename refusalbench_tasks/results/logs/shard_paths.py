"""Where the shards of a merged log lie: `NAME.shards/K/*.eval` beside `NAME.eval`, as Inspect's viewer expects."""

from collections.abc import Iterable

_FOLDER = ".shards"


def merged_name(name: str) -> str | None:
    """Return the name of the merged log that a shard's log belongs to by its place; None for a log elsewhere."""
    folder = name.rpartition("/")[0].rpartition("/")[0]
    return f"{folder.removesuffix(_FOLDER)}.eval" if folder.endswith(_FOLDER) else None


def shards_folder(merged: str) -> str:
    """Return the folder for the shards of a merged log."""
    return f"{merged.removesuffix('.eval')}{_FOLDER}"


def without_merged(names: Iterable[str]) -> list[str]:
    """Return the names without those of shards whose merged log is among them, which stands for them."""
    every = list(names)
    known = set(every)
    return [name for name in every if merged_name(name) not in known]
