"""The text of a file that a user gave for a word list."""

from pathlib import Path

from refusalbench_tasks.errors import DataError

MOST_BYTES = 500_000
"""A list of words is smaller; a parser never sees more."""


def read_list_file(name: str, argument: str, known: str) -> str:
    """Return the text of a file of at most `MOST_BYTES`, with the byte order mark if it has one.

    Raises DataError, which names the argument and the file, for one that is missing (with what is `known` instead),
    too large, unreadable, or not UTF-8.
    """
    try:
        path = Path(name).expanduser()
        if not path.is_file():
            raise DataError(f"{argument}: no such file '{name}'; {known}")
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except (OSError, ValueError, RuntimeError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"{argument}: cannot read '{name}' ({error})") from None
    if len(content) > MOST_BYTES:
        raise DataError(f"{argument}: '{name}' is larger than {MOST_BYTES:,} bytes; give a list of words")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise DataError(f"{argument}: '{name}' is not UTF-8 text") from None
