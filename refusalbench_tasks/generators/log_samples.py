"""The samples of a log file, one after another, as plain dicts."""

import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspect_ai.log import read_eval_log
from pydantic_core import from_json

from refusalbench_tasks.files.log_members import LARGEST, local_path


@dataclass(frozen=True)
class Unreadable:
    """A sample that cannot be read, and why."""

    member: str
    why: str


def read_samples(name: str) -> Iterator[Mapping[str, Any] | Unreadable]:
    """Yield every sample of a log, in one pass and one at a time, each with the fields of Inspect's `EvalSample`.

    An `.eval` file is read by its own members. The ids in its header are those that the run began with: samples that a
    `SampleSource` added later are not among them, and a look-up by id parses the archive's directory once a sample.
    Raises what a damaged archive raises (`zipfile.BadZipFile`, `OSError`, `ValueError`).
    """
    path = archive_path(name)
    if path is None:
        for sample in read_eval_log(name).samples or ():
            yield sample.model_dump(mode="json", include={"id", "epoch", "metadata", "scores", "events"})
        return
    with zipfile.ZipFile(path) as archive:
        # a member that was written twice counts as it was written last
        members = {info.filename: info for info in archive.infolist() if info.filename.startswith("samples/")}
        for info in members.values():
            yield _sample(archive, info)


def archive_path(name: str) -> Path | None:
    """Return the path of a local `.eval` file; None for anything else."""
    path = local_path(name)
    return path if path.suffix == ".eval" and path.is_file() else None


def _sample(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Mapping[str, Any] | Unreadable:
    # no sample of ours comes near so many bytes
    if info.file_size > LARGEST:
        return Unreadable(info.filename, f"{info.file_size} bytes")
    try:
        found = from_json(archive.read(info))
    except Exception as error:  # whatever is wrong with one member must not lose the others
        return Unreadable(info.filename, " ".join(f"{type(error).__name__}: {error}".split())[:200])
    return found if isinstance(found, dict) else Unreadable(info.filename, "not a JSON object")
