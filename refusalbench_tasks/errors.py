"""Errors in data that a user supplied."""

from collections.abc import Sequence
from typing import NoReturn

from click import ClickException

LONGEST = 4_000
"""How long a message may be; the list of the bundled levers' names fits."""


class DataError(ClickException, ValueError):
    """Bad data or a bad argument.

    The message is one line that says where it is and what to do.

    A click exception, so that `inspect eval` prints that line and exits with 1, instead
    of a traceback. Outside text in the message is escaped and cut, so that it stays one
    readable line.
    """

    def __init__(self, message: str) -> None:
        half = LONGEST // 2
        if len(message) > LONGEST:
            message = f"{message[:half]} … {message[-half:]}"
        characters = (
            c if c.isprintable() else c.encode("unicode_escape").decode("ascii")
            for c in message
        )
        super().__init__("".join(characters))


def end_run(message: str) -> NoReturn:
    """Raise a DataError from a solver or scorer, so that Inspect prints its line and no
    traceback.
    """
    # rich, by which Inspect prints what ended a run, leaves out every frame up to this
    # one
    _rich_traceback_guard = True
    raise DataError(message)


class RowError(DataError):
    """One field of one row is wrong."""

    def __init__(
        self,
        source: str,
        row: str,
        field: str,
        problem: str,
    ) -> None:
        super().__init__(f"{source}, {row}, field '{field}': {problem}")


def first_of(errors: Sequence[DataError]) -> DataError:
    """Return one error that stands for all: the first, with the
    number of the others.
    """
    if len(errors) == 1:
        return errors[0]
    return DataError(f"{errors[0]} (and {len(errors) - 1} more rows with errors)")


class WriteError(DataError):
    """A file can't be written: the place, the disk or the permissions are at fault, and
    the exit status is 2.
    """

    exit_code = 2
