"""Values of files against their layout, with errors of one line."""

from typing import TypeVar

from pydantic import BaseModel, ValidationError

from refusalbench_tasks.errors import DataError

Layout = TypeVar("Layout", bound=BaseModel)


def valid(layout: type[Layout], value: object, source: str) -> Layout:
    """Return a value of a file in its layout. Raises DataError that names the source and the first wrong field."""
    try:
        return layout.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the whole"
        raise DataError(f"{source}, field '{place}': {first['msg']}") from None
