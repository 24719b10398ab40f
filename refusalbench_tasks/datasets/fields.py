"""Rows as pydantic models: the names and kinds of their fields, and the one line that
says what is wrong.
"""

import re
from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

from pydantic import (
    AliasChoices,
    BaseModel,
    BeforeValidator,
    Field,
    ValidationError,
)

from refusalbench_tasks.bounded_reading import json_value, lone_surrogate
from refusalbench_tasks.errors import DataError, RowError

from .rows import Row

Model = TypeVar("Model", bound=BaseModel)
_MEANT_AS_LIST = re.compile(r"""\s*\[\s*(?:['"\[{]|-?\d[\d\s.,-]*\]\s*$)""")


class RowModel(BaseModel, frozen=True, loc_by_alias=False):
    """A layout of rows: one field each, under any of the names that
    `named` gives it.
    """


def named(*names: str, **settings: Any) -> Any:
    """Return a field that a row may hold under several names, of which the first that
    is there counts.
    """
    return Field(validation_alias=AliasChoices(*names), **settings)


def validated(model: type[Model], row: Row) -> Model:
    """Return what a row says in a layout; None is missing.

    Raises RowError for the first field that is wrong.
    """
    stated = {name: value for name, value in row.values.items() if value is not None}
    try:
        return model.model_validate(stated)
    except ValidationError as error:
        first = error.errors()[0]
    field, *within = [str(part) for part in first["loc"] if part != "[key]"] or ["row"]
    if first["type"] == "missing":
        names = within[-1:] or column_names(model, field)
        problem = f"missing; add a column {' or '.join(map(repr, names))}"
    elif "error" in first.get("ctx", {}):
        problem = str(first["ctx"]["error"])
    else:
        problem = f"{first['msg']}, found {str(first['input'])[:60]!r}"
    raise fault(
        model,
        row,
        field,
        problem,
        *within,
    )


def fault(
    model: type[BaseModel],
    row: Row,
    field: str,
    problem: str,
    *within: str,
) -> RowError:
    """Return an error about a field of a row, by the name that the row has for it."""
    names = column_names(model, field)
    shown = field if field in names else names[0]
    for name in names:
        if row.values.get(name) is not None:
            shown = name
            break
    return row.error(".".join((shown, *within)), problem)


def column_names(
    model: type[BaseModel],
    field: str,
) -> list[str]:
    """Return the names that a row may have for a field of a model."""
    info = model.model_fields.get(field)
    if info and isinstance(info.validation_alias, AliasChoices):
        return [str(name) for name in info.validation_alias.choices]
    return [field]


def text_in(value: object) -> str:
    """Return a text that is not blank.

    Raises ValueError, as the others here do, for anything else.
    """
    if not isinstance(value, str) or not value.strip():
        raise ValueError("expected non-empty text")
    return value


def word_in(value: object) -> str:
    """Return a single value as text."""
    listed = list_in(value) if isinstance(value, str) else None
    if listed is not None or isinstance(value, list | tuple | Mapping):
        raise ValueError("expected one text, found a list or an object")
    return str(value)


def entries_in(value: object) -> list[Any]:
    """Return a list: as such, as JSON in a text (the cell of a table), or one value."""
    listed = list_in(value) if isinstance(value, str) else value
    return list(listed) if isinstance(listed, list | tuple) else [value]


def strings_in(value: object) -> tuple[str, ...]:
    """Return the non-blank entries of a list of plain values."""
    entries = entries_in(value)
    if any(isinstance(entry, list | dict) or entry is None for entry in entries):
        raise ValueError("expected a list of strings")
    return tuple(str(entry) for entry in entries if str(entry).strip())


def json_in(value: object) -> object:
    """Return a value, read as JSON if it is text (the cell of a table); None for a
    blank text.
    """
    if not isinstance(value, str):
        return value
    return json_value(value, "the cell") if value.strip() else None


def list_in(cell: str) -> object:
    """Return the list that a text is in JSON; None for any other text, "[1] It was so"
    and "[sic]" included.

    Raises ValueError for what is meant as a list and is not JSON: as one text it would
    be a wrong answer.
    """
    if not cell.lstrip().startswith("["):
        return None
    try:
        entries = json_value(cell, "cell")
    except DataError:
        if not _MEANT_AS_LIST.match(cell):
            return None
        raise ValueError(
            'begins as a list and cannot be read as one; write ["one", "two"]'
        ) from None
    if lone_surrogate(entries):
        raise ValueError("half of a surrogate pair; repair the text")
    return entries


Text = Annotated[str, BeforeValidator(text_in)]
Word = Annotated[str, BeforeValidator(word_in)]
Strings = Annotated[tuple[str, ...], BeforeValidator(strings_in)]
