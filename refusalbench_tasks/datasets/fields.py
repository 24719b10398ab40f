"""Rows as pydantic models: the names and kinds of their fields, and the one line that says what is wrong."""

import ast
import re
import warnings
from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from refusalbench_tasks.bounded_reading import json_value, lone_surrogate
from refusalbench_tasks.datasets.rows import Row
from refusalbench_tasks.errors import DataError, RowError

Model = TypeVar("Model", bound=BaseModel)
LONGEST_LIST = 1_000_000
_SHORT = 100
"""The letters of a text by which rows may be told apart: a document, a language, a version."""
_LITERAL = r"""(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|-?\d{1,18}(?:\.\d{1,18})?|None)"""
_PYTHON_LIST = re.compile(rf"\s*\[\s*(?:{_LITERAL}\s*(?:,\s*{_LITERAL}\s*)*(?:,\s*)?)?\]\s*")
_MEANT_AS_LIST = re.compile(r"""\s*\[\s*(?:['"\[{]|-?\d[\d\s.,-]*\]\s*$)""")


class RowModel(BaseModel):
    """A layout of rows: one field each, under any of the names that `named` gives it."""

    model_config = ConfigDict(frozen=True, loc_by_alias=False)


def named(*names: str, **settings: Any) -> Any:
    """Return a field that a row may hold under several names, of which the first that is there counts."""
    return Field(validation_alias=AliasChoices(*names), **settings)


def validated(model: type[Model], row: Row) -> Model:
    """Return what a row says in the layout of a model; a field that is None is missing.

    Raises RowError for the first field that is wrong.
    """
    try:
        return model.model_validate({name: value for name, value in row.values.items() if value is not None})
    except ValidationError as error:
        first = error.errors()[0]
    field, *within = [str(part) for part in first["loc"] if part != "[key]"] or ["row"]
    problem = str(first.get("ctx", {}).get("error") or f"{first['msg']}, found {str(first['input'])[:60]!r}")
    if first["type"] == "missing":
        names = within[-1:] or columns(model, field)
        problem = f"missing; add a column {' or '.join(map(repr, names))}"
    raise fault(model, row, field, problem, *within)


def fault(model: type[BaseModel], row: Row, field: str, problem: str, *within: str) -> RowError:
    """Return an error about a field of a row, by the name that the row has for it."""
    names = columns(model, field)
    held = next((name for name in names if row.values.get(name) is not None), field if field in names else names[0])
    return RowError(row.source, row.place, ".".join((held, *within)), problem)


def columns(model: type[BaseModel], field: str) -> list[str]:
    """Return the names that a row may have for a field of a model."""
    alias = model.model_fields[field].validation_alias if field in model.model_fields else None
    return [str(name) for name in alias.choices] if isinstance(alias, AliasChoices) else [field]


def other_columns(model: type[BaseModel], row: Row) -> dict[str, float | str]:
    """Return the numbers and the short texts of a row that are in no field of a model."""
    known = {name for field in model.model_fields for name in columns(model, field)}
    return {
        str(name): value
        for name, value in row.values.items()
        if name not in known and isinstance(value, str | int | float) and 0 < len(str(value).strip()) <= _SHORT
    }


def text_in(value: object) -> str:
    """Return a text that is not blank. Raises ValueError, as the others here do, for anything else."""
    if not isinstance(value, str) or not value.strip():
        raise ValueError("expected non-empty text")
    return value


def word_in(value: object) -> str:
    """Return a single value as text."""
    if isinstance(value, list | tuple | Mapping) or (isinstance(value, str) and list_in(value) is not None):
        raise ValueError("expected one text, found a list or an object")
    return str(value)


def entries_in(value: object) -> list[Any]:
    """Return a list: as such, as a list in a string (CSV), or one value."""
    listed = list_in(value) if isinstance(value, str) else value
    return list(listed) if isinstance(listed, list | tuple) else [value]


def strings_in(value: object) -> tuple[str, ...]:
    """Return the non-blank entries of a list of plain values."""
    entries = entries_in(value)
    if any(isinstance(entry, list | dict) or entry is None for entry in entries):
        raise ValueError("expected a list of strings")
    return tuple(str(entry) for entry in entries if str(entry).strip())


def json_in(value: object) -> object:
    """Return a value, read as JSON if it is text (the cell of a table); None for a blank text."""
    if not isinstance(value, str):
        return value
    return json_value(value, "the cell") if value.strip() else None


def knobs_in(value: object) -> dict[str, float | str]:
    """Return an object of numbers and words; empty for a blank text."""
    stated = json_in(value)
    if stated is None:
        return {}
    if not isinstance(stated, Mapping) or not all(isinstance(one, str | int | float) for one in stated.values()):
        raise ValueError("expected an object of numbers and words")
    return {str(name): one for name, one in stated.items()}


Text = Annotated[str, BeforeValidator(text_in)]
Word = Annotated[str, BeforeValidator(word_in)]
Entries = Annotated[list[Any], BeforeValidator(entries_in)]
Strings = Annotated[tuple[str, ...], BeforeValidator(strings_in)]
Knobs = Annotated[dict[str, Any], BeforeValidator(knobs_in)]


def list_in(cell: str) -> list[object] | None:
    """Return the list that a text stands for: a JSON array, or a Python list of texts and numbers as pandas writes it.

    None for any other text, "[1] It was so" and "[sic]" included. Raises ValueError for what is meant as a list and
    cannot be read as one (not closed, without commas, too deep, longer than a million characters): as one text it
    would be a wrong answer. Python's form is checked by a pattern and then read as literals; nothing is executed.
    """
    if not cell.lstrip().startswith("["):
        return None
    if len(cell) > LONGEST_LIST:
        raise ValueError(f"a list of more than {LONGEST_LIST:,} characters")
    try:
        made = json_value(cell, "cell")
    except DataError:
        made = _python_list(cell)
    if made is None and _MEANT_AS_LIST.match(cell):
        raise ValueError('begins as a list and cannot be read as one; write ["one", "two"]')
    if lone_surrogate(made):
        raise ValueError("half of a surrogate pair; repair the text")
    return made if isinstance(made, list) else None


def _python_list(cell: str) -> object:
    if not _PYTHON_LIST.fullmatch(cell):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about escapes in outside text
            return ast.literal_eval(cell.strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
