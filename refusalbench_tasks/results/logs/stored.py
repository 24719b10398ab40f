"""Sample summaries of a log, as plain dicts."""

import gc
import zipfile
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from pydantic_core import from_json

from refusalbench_tasks.files.json_stream import array_parts
from refusalbench_tasks.files.log_members import UnreadableLog, local_path, top_members
from refusalbench_tasks.files.narrow_json import Members, Parse, narrow_parser

_MEMBER = b"summaries.json"
_PIECE = 2 << 20


def read_summaries(name: str, wanted: Members | None = None) -> Iterator[Mapping[str, Any]]:
    """Yield the sample summaries of a log file, each with the fields of Inspect's `EvalSampleSummary`.

    Inspect's reader validates and shortens every field again, which takes nine tenths of its time, and holds all of
    them, so the summaries of a finished local `.eval` file are read as the JSON they are, a few at a time; whatever
    else is there goes through Inspect's reader. Of `wanted` members no others need be there, which takes half the time;
    NaN in them may be None.
    """
    given = 0
    try:
        for summary in _stored(name, narrow_parser(wanted) if wanted else from_json):
            yield summary
            given += 1
        return
    except UnreadableLog:
        raise
    except (KeyError, ValueError, NotImplementedError, OSError, EOFError, zipfile.BadZipFile):
        # Inspect's reader has the last word: it reads what this can't, or raises
        pass
    from inspect_ai.log import read_eval_log_sample_summaries

    for k, one in enumerate(read_eval_log_sample_summaries(name)):
        if k >= given:
            yield one.model_dump()


def _stored(name: str, parse: Parse) -> Iterator[Mapping[str, Any]]:
    path = local_path(name)
    if path.suffix != ".eval" or not path.is_file():
        raise KeyError(name)
    with path.open("rb") as file:
        for part in array_parts(pieces_of(top_members(name)[_MEMBER].open(file)), parse=parse):
            if not all(isinstance(one, dict) and "id" in one and "epoch" in one for one in part):
                raise ValueError("not summaries")
            yield from part


def pieces_of(file: zipfile.ZipExtFile) -> Iterator[bytes]:
    """Yield an open member two megabytes at a time; one is unpacked while the last one is worked on."""
    with ThreadPoolExecutor(1) as ahead:
        following = ahead.submit(file.read, _PIECE)
        while piece := following.result():
            following = ahead.submit(file.read, _PIECE)
            yield piece


@contextmanager
def many_objects() -> Iterator[None]:
    """Put the search for cycles off: it looks at all rows again and again while they are made; none is in one."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
