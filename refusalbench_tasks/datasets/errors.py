"""Errors in data that a user supplied."""

from collections.abc import Sequence
from typing import Any, get_args

from click import ClickException

from refusalbench_tasks.report.terminal import printable


class DataError(ClickException, ValueError):
    """Bad data or a bad argument. The message is one line that says where it is and what to do.

    A click exception, so that `inspect eval` prints that line and exits with 1, instead of a traceback.
    """

    def format_message(self) -> str:
        """Return the message without control characters, which outside text may bring into it."""
        return printable(self.message)


class RowError(DataError):
    """One field of one row is wrong."""

    def __init__(self, source: str, row: str, field: str, problem: str) -> None:
        super().__init__(f"{source}, {row}, field '{field}': {problem}")


def first_of(errors: Sequence[DataError]) -> DataError:
    """Return one error that stands for all: the first, with the number of the others."""
    if len(errors) == 1:
        return errors[0]
    return DataError(f"{errors[0]} (and {len(errors) - 1} more rows with errors)")


def one_of(argument: str, value: str, choices: Any) -> None:
    """Raise DataError unless the value of an argument is one of the choices of a Literal type."""
    if value not in get_args(choices):
        raise DataError(f"{argument}: unknown value '{value}'; known: {', '.join(get_args(choices))}")
