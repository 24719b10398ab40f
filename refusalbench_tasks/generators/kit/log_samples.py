"""The samples of a log file, one after another, as plain dicts."""

import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

# Inspect's packing of members is known to Python's zipfile once this is imported
from inspect_ai.log import read_eval_log
from pydantic_core import from_json

from refusalbench_tasks.log_reading import LARGEST, local_path


@dataclass(frozen=True)
class Unreadable:
    """A sample that cannot be read, and why."""

    member: str
    why: str


def read_samples(name: str) -> Iterator[Mapping[str, Any] | Unreadable]:
    """Yield every sample of a log, one at a time, each with the fields of Inspect's `EvalSample`.

    A local `.eval` file is read member by member: the ids in its header are those that the run began with, and samples
    that a `SampleSource` added later are not among them; and one damaged sample must not lose the others. One that was
    written twice counts as it was written last. Raises what a damaged archive raises.
    """
    path = local_path(name)
    if path.suffix != ".eval" or not path.is_file():
        for sample in read_eval_log(name).samples or ():
            yield sample.model_dump(mode="json", include={"id", "epoch", "metadata", "scores", "events"})
        return
    with zipfile.ZipFile(path) as archive:
        members = {one.filename: one for one in archive.infolist() if one.filename.startswith("samples/")}
        for member in members.values():
            yield _sample(archive, member)


def _sample(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Mapping[str, Any] | Unreadable:
    # no sample of ours comes near so many bytes
    if member.file_size > LARGEST:
        return Unreadable(member.filename, f"{member.file_size} bytes")
    try:
        found = from_json(archive.read(member))
    except Exception as error:  # whatever is wrong with one member must not lose the others
        return Unreadable(member.filename, " ".join(f"{type(error).__name__}: {error}".split())[:200])
    return found if isinstance(found, dict) else Unreadable(member.filename, "not a JSON object")
