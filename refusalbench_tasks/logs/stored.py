"""Sample summaries of a log, as plain dicts."""

import zipfile
from collections.abc import Mapping
from typing import Any

from inspect_ai.log import read_eval_log_sample_summaries
from pydantic_core import from_json

from refusalbench_tasks.files.log_members import local_path

_MEMBER = "summaries.json"


def read_summaries(name: str) -> list[Mapping[str, Any]]:
    """Return the sample summaries of a log file, each with the fields of Inspect's `EvalSampleSummary`.

    Inspect's reader validates and shortens every field again, which takes nine tenths of its time, so the summaries of
    a finished local `.eval` file are read as the JSON they are; whatever else is there goes through Inspect's reader.
    """
    summaries = _stored(name)
    return summaries if summaries is not None else [s.model_dump() for s in read_eval_log_sample_summaries(name)]


def _stored(name: str) -> list[Mapping[str, Any]] | None:
    path = local_path(name)
    if path.suffix != ".eval" or not path.is_file():
        return None
    try:
        with zipfile.ZipFile(path) as archive:
            summaries = from_json(archive.read(_MEMBER))
    except (KeyError, ValueError, NotImplementedError, OSError, zipfile.BadZipFile):
        # Inspect's reader has the last word: it reads what this can't, or raises
        return None
    known = isinstance(summaries, list) and all(
        isinstance(one, dict) and {"id", "epoch"} <= set(one) for one in summaries
    )
    return summaries if known else None
