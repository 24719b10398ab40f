"""What reads replies without a grader, by name.

A further reader is a row of `READERS`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

from pydantic import AfterValidator, StringConstraints

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.outcome import JudgeMode

from .reading import ReadReply, read_reply

DEFAULT_READER = "ngrams"


@dataclass(frozen=True)
class ReaderSource:
    """Where a reader comes from, and how often it was wrong."""

    load: Callable[[], ReadReply]
    """Import what the reader needs and return it; raise ImportError if that is not
    installed.
    """
    errors: str
    """Its errors on replies that it had not seen: a file in `replies/data`."""
    extra: str = ""
    """The extra of this package that installs it."""


def _load_e5() -> ReadReply:
    from .e5_reader import e5_reader

    return e5_reader()


READERS = {
    "ngrams": ReaderSource(lambda: read_reply, "reading_errors.json"),
    "e5": ReaderSource(_load_e5, "reading_errors_e5.json", "reader"),
}


def reader_source(name: str) -> ReaderSource:
    """Return where a reader comes from. Raises DataError for an unknown name."""
    if name not in READERS:
        raise DataError(f"reader: unknown '{name}'; known: {', '.join(READERS)}")
    return READERS[name]


def find_reader(name: str) -> ReadReply:
    """Return the reader of a name.

    Raises DataError for an unknown one, and for one that is not installed.
    """
    source = reader_source(name)
    try:
        return source.load()
    except ImportError as error:
        raise DataError(
            f"reader: '{name}' is not installed ({error}); pip install"
            f" 'refusalbench-tasks[{source.extra}]'"
        ) from None


def check_reader(name: str, judge: JudgeMode) -> None:
    """Raise DataError for a reader that is named where a grader reads all words."""
    if name != DEFAULT_READER and judge != "offline":
        raise DataError("reader: only with judge=offline; a grader reads all words")


def _checked_name(name: str) -> str:
    find_reader(name)
    return name


ReaderName = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1),
    AfterValidator(_checked_name),
]
"""The name of a reader that is installed, as an argument."""
