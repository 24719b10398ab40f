"""The authors' released files: fetched at a pinned commit, or a copy told by its hash.

RefusalBench and BLUFF-1000 have no licence for their code, so nothing of theirs is
stored here. A file is fetched when a run asks for `official`, or read from a copy.
"""

import os
from dataclasses import dataclass
from pathlib import Path

from refusalbench_tasks.bounded_reading import data_yaml, file_at, read_list_file
from refusalbench_tasks.datasets.remote import (
    PinnedFile,
    cached_path,
    fetch,
    git_blob,
)
from refusalbench_tasks.errors import DataError

OFFICIAL = "official"
FILES = {
    use: PinnedFile(**stated)
    for use, stated in data_yaml("prompting", "released_files.yaml").items()
}
"""The files that hold prompts, by what they are for."""


@dataclass(frozen=True)
class ReleasedFile:
    """What was read for a released file: the file itself, or what a user gave for it.

    `name` is what errors call it, `blob` the git object id of its bytes.
    """

    name: str
    text: str
    blob: str
    recognised: bool
    """Whether it is the released file, to the byte."""


def is_released(name: str | None) -> bool:
    """Whether a `prompt` or `judge_prompt` names released files.

    These are `official`, a copy that ends in `.py`, and a folder with copies.
    """
    if name is None:
        return False
    return name == OFFICIAL or name.endswith(".py") or _is_folder(name)


def read_released(use: str, name: str) -> ReleasedFile:
    """Return the released file of a key of `FILES`, or what was given for it.

    `name` is `official`, the path of a copy, or of a folder with copies that have the
    names of the released files. Raises DataError for a file that cannot be had.
    """
    path = _copy_path(use, name)
    if name == OFFICIAL:
        path = str(fetch(FILES[use], instead="prompt=FILE"))
    instead = f"give '{OFFICIAL}' or the path of the released file"
    text = read_list_file(path, "prompt", instead)
    blob = git_blob(file_at(path, "prompt").read_bytes())
    return ReleasedFile(
        name=FILES[use].path if name == OFFICIAL else path,
        text=text,
        blob=blob,
        recognised=name == OFFICIAL or blob == released_blob(use),
    )


def released_blob(use: str) -> str:
    """Return the git object id of a released file; empty where it is not known.

    It is pinned, or that of the file which was fetched before at the pinned commit.
    """
    pinned = FILES[use]
    local = cached_path(pinned)
    if pinned.blob or not local.is_file():
        return pinned.blob
    return git_blob(local.read_bytes())


def released_facts(
    argument: str,
    file: ReleasedFile,
) -> dict[str, str]:
    """Return what a log says of the file that an argument named: which, and its hash.

    A file that is not recognised is named by its path.
    """
    return {
        argument: OFFICIAL if file.recognised else file.name,
        f"{argument}_file_blob": file.blob,
    }


def file_fault(file: ReleasedFile, problem: str) -> DataError:
    """Return the error for a file that does not hold what it should."""
    return DataError(f"prompt: '{file.name}': {problem}")


def _copy_path(use: str, name: str) -> str:
    expected = Path(FILES[use].path).name
    if _is_folder(name):
        return os.path.join(name, expected)
    if use == "bluff p(true)":
        # the argument names the answer's prompt, and this one lies beside it
        return str(Path(name).with_name(expected))
    return name


def _is_folder(name: str) -> bool:
    try:
        return os.path.isdir(os.path.expanduser(name))
    except ValueError:
        return False
