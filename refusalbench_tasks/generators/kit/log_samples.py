"""The samples of a log file, one after another, as plain dicts."""

from array import array
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
from inspect_ai.log import read_eval_log
from pydantic_core import from_json

from refusalbench_tasks.files.archive import Member, members
from refusalbench_tasks.files.log_members import LARGEST, local_path
from refusalbench_tasks.files.narrow_json import Members, ParseOne, narrow_object_parser

SCORED: Members = {"id": None, "epoch": None, "metadata": None, "scores": None}
"""What a sample was made of and what its scores note. Messages, calls and events are nine tenths of it."""
_FOLDER = b"samples/"
_EVENTS, _NO_EVENTS = b'"events":', b'"events":[]}'


@dataclass(frozen=True)
class Unreadable:
    """A sample that cannot be read, and why."""

    member: str
    why: str


def read_samples(name: str, wanted: Members | None = None) -> Iterator[Mapping[str, Any] | Unreadable]:
    """Yield every sample of a log, in one pass and one at a time, each with the fields of Inspect's `EvalSample`.

    With `wanted` only these members of a sample are sure to be there. An `.eval` file is read by its own members. The
    ids in its header are those that the run began with: samples that a `SampleSource` added later are not among them,
    and a look-up by id parses the archive's directory once a sample. Raises what a damaged archive raises
    (`zipfile.BadZipFile`, `OSError`, `ValueError`).
    """
    path = archive_path(name)
    if path is None:
        for sample in read_eval_log(name).samples or ():
            yield sample.model_dump(mode="json", include={"id", "epoch", "metadata", "scores", "events"})
        return
    parse = from_json if wanted is None else _before_events(wanted)
    with path.open("rb") as file:
        for member in _members(path):
            yield _sample(file, member, parse)


def archive_path(name: str) -> Path | None:
    """Return the path of a local `.eval` file; None for anything else."""
    path = local_path(name)
    return path if path.suffix == ".eval" and path.is_file() else None


def _before_events(wanted: Members) -> ParseOne:
    """Return a parser of samples that looks at what stands before their events, if the wanted members all do."""
    narrow, names = narrow_object_parser(wanted), set(wanted)

    def parse(text: bytes) -> Any:
        at = text.find(_EVENTS)
        if at > 0:
            # of an inner object the end would be missing, so that only the sample's own events can be cut off
            with suppress(ValueError):
                found = narrow(text[:at] + _NO_EVENTS)
                if names <= found.keys():
                    return found
        return narrow(text)

    return parse


def _members(path: Path) -> Iterator[Member]:
    """Yield the samples of an archive; one that was written twice counts as it was written last."""
    known = array("q", (hash(member.name) for member in members(path) if member.name.startswith(_FOLDER)))
    found = (member for member in members(path) if member.name.startswith(_FOLDER))
    if len(np.unique(np.array(known, np.int64))) == len(known):
        yield from found
    else:
        yield from {member.name: member for member in found}.values()


def _sample(file: IO[bytes], member: Member, parse: ParseOne) -> Mapping[str, Any] | Unreadable:
    name = member.name.decode("utf-8", "replace")
    # no sample of ours comes near so many bytes
    if member.size > LARGEST:
        return Unreadable(name, f"{member.size} bytes")
    try:
        found = parse(member.read(file))
    except Exception as error:  # whatever is wrong with one member must not lose the others
        return Unreadable(name, " ".join(f"{type(error).__name__}: {error}".split())[:200])
    return found if isinstance(found, dict) else Unreadable(name, "not a JSON object")
