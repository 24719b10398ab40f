"""Which logs there are in a folder, without opening them."""

import re
from pathlib import Path

from refusalbench_tasks.files.log_members import local_path
from refusalbench_tasks.safe_writing import not_an_input

_LOG = re.compile(r".*\.eval|\d{4}-\d{2}-\d{2}T\d{2}[:-]\d{2}[:-]\d{2}.*\.json", re.DOTALL)
"""Names of logs, as Inspect's list takes them."""


def log_names(place: str, descending: bool = True) -> list[str]:
    """Return the logs that `inspect_ai.log.list_eval_logs` finds at a path, those written last first (or last).

    Inspect's list opens every log whose name does not tell its task. To find the header of one of a million samples it
    holds the entries of all of them.
    """
    if "://" in place and not place.startswith("file:"):
        from inspect_ai.log import list_eval_logs

        return [info.name for info in list_eval_logs(place, descending=descending)]
    from fsspec.implementations.local import LocalFileSystem

    system = LocalFileSystem()
    try:
        found = [one for _, _, files in system.walk(place, detail=True, on_error="raise") for one in files.values()]
    except FileNotFoundError:
        return []
    found.sort(key=lambda one: one["mtime"], reverse=descending)
    names = (str(one["name"]) for one in found if one["type"] == "file")
    return [str(system.unstrip_protocol(name)) for name in names if _LOG.fullmatch(name.rpartition("/")[2])]


def not_a_log(output: Path, *places: str | None) -> None:
    """Raise DataError if a file that is to be written is one of the files at these places, or a log in their folders.

    So nobody's log is lost to a table that was to stand beside it.
    """
    paths = [local_path(place) for place in places if place is not None]
    not_an_input(output, *paths)
    real = output.parent.resolve() / output.name
    if _LOG.fullmatch(real.name) and any(real.is_relative_to(path.resolve()) for path in paths):
        not_an_input(output, real)
