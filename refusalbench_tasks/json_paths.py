"""Places in JSON documents, as JSONPath (RFC 9535) names them."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.libraries import library


def checked_path(name: str, path: object) -> Any:
    """Return a compiled path; `name` is the argument that gave it.

    Raises DataError for what is no path, and MissingLibrary.
    """
    if not isinstance(path, str) or not path.strip():
        raise DataError(f"{name}: expected a JSONPath, such as $.answer; got {path!r}")
    try:
        return _compiled(path)
    except library("jsonpath", extra="endpoint").JSONPathError as error:
        raise DataError(f"{name}: '{path}' is no JSONPath ({error})") from None


def values_at(name: str, path: str, *documents: object) -> list[Any]:
    """Return the values that a path finds in documents, in their order."""
    compiled = checked_path(name, path)
    values = []
    for document in documents:
        if isinstance(document, Mapping | list):
            values += compiled.findall(document)
    return values


@cache
def _compiled(path: str) -> Any:
    return library("jsonpath", extra="endpoint").compile(path)
