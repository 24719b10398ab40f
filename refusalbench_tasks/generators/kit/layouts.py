"""Values of files in their layouts."""

from typing import TypeVar

from pydantic import BaseModel, ValidationError

from refusalbench_tasks.errors import DataError

Layout = TypeVar("Layout", bound=BaseModel)


def in_layout(
    layout: type[Layout],
    value: object,
    source: str,
) -> Layout:
    """Return a value of a file in its layout.

    Raises DataError that names the source and the first wrong field.
    """
    try:
        return layout.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"])) or "the whole"
        raise DataError(f"{source}, field '{field}': {first['msg']}") from None
