"""What reads replies without a grader, by name.

A further reader is a row of `READERS`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Protocol

from pydantic import AfterValidator, StringConstraints

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.outcome import JudgeMode
from refusalbench_tasks.replies.reading import ReplyReading, read_reply

DEFAULT_READER = "ngrams"


class ReplyReader(Protocol):
    """Tells answers from refusals as `read_reply` does, whose parameters it has."""

    def __call__(
        self,
        text: str,
        *,
        question: str | None = None,
        gold: Sequence[str] | str | None = None,
        refusals: Sequence[str] | None = None,
        context: Sequence[str] = (),
    ) -> ReplyReading:
        """Return what a reply does. Never raises."""
        ...


@dataclass(frozen=True)
class ReaderSource:
    """Where a reader comes from, and how often it was wrong."""

    load: Callable[[], ReplyReader]
    """Import what the reader needs and return it; raise ImportError if that is not
    installed.
    """
    errors: str
    """Its errors on replies that it had not seen: a file in `replies/data`."""
    extra: str = ""
    """The extra of this package that installs it."""


def _load_ngrams() -> ReplyReader:
    return read_reply


READERS: Mapping[str, ReaderSource] = {
    "ngrams": ReaderSource(_load_ngrams, "reading_errors.json"),
}


def reader_source(name: str) -> ReaderSource:
    """Return where a reader comes from. Raises DataError for an unknown name."""
    if name not in READERS:
        raise DataError(f"reader: unknown '{name}'; known: {', '.join(READERS)}")
    return READERS[name]


def find_reader(name: str) -> ReplyReader:
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
