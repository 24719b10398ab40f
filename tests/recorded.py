"""The recorded replies of real models, and logs of them, each
replayed once a process.
"""

import tempfile
from functools import cache
from pathlib import Path

from benchmarks.models_table import REPLIES, Recording, recordings, replayed


@cache
def recording(name: str) -> Recording:
    """Return the recording in a file of `examples/replies`, by its name without the
    ending.
    """
    return {file.path.stem: file for file in recordings(REPLIES)}[name]


@cache
def replayed_log(name: str) -> str:
    """Return the path of the log of a recording that is scored anew."""
    log = replayed(recording(name), Path(tempfile.mkdtemp(prefix="recorded-")))
    assert log.status == "success", log.error
    return log.location
