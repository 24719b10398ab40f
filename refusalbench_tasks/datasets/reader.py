"""A row seen through the names that its fields may have."""

import ast
import hashlib
import re
import warnings
from collections.abc import Mapping

from pydantic import ValidationError

from refusalbench_tasks.bounded_reading import json_value, lone_surrogate
from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.datasets.rows import Row
from refusalbench_tasks.errors import DataError, RowError
from refusalbench_tasks.taxonomy import (
    REFUSALS,
    Intensity,
    Label,
    PerturbationClass,
    canonical_code,
    class_named,
    expected_label,
)

Fields = Mapping[str, tuple[str, ...]]
CHANGED = ("perturbed_", "original_", "perturbation_")
"""How names begin that the released and the pipeline's layouts have and our own has not."""
LONGEST_LIST = 1_000_000
_LITERAL = r"""(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|-?\d{1,18}(?:\.\d{1,18})?|None)"""
_PYTHON_LIST = re.compile(rf"\s*\[\s*(?:{_LITERAL}\s*(?:,\s*{_LITERAL}\s*)*(?:,\s*)?)?\]\s*")
_MEANT_AS_LIST = re.compile(r"""\s*\[\s*(?:['"\[{]|-?\d[\d\s.,-]*\]\s*$)""")

COMMON: dict[str, tuple[str, ...]] = {
    "class": ("perturbation_class", "class"),
    "intensity": ("intensity",),
    "label": ("expected_rag_behavior", "ground_truth_label"),
    "lever": ("lever_selected", "lever"),
    "generator": ("generator_model", "generator"),
    "accepted_alternatives": ("accepted_alternatives",),
    "original_query": ("original_query",),
}
"""Names of the fields that every layout has: the released names first, then the pipeline's, then our own."""


class Reader:
    """The fields of one row. What is missing or wrong raises a RowError that names file, row and field."""

    def __init__(self, row: Row, fields: Fields) -> None:
        self.row, self.fields = row, fields

    def _held(self, field: str) -> str | None:
        return next((name for name in self.fields.get(field, ()) if self.row.values.get(name) is not None), None)

    def has(self, field: str) -> bool:
        """Whether the row has the field under any of its names."""
        return self._held(field) is not None

    def value(self, field: str) -> object:
        """Return the raw value of a field, None if the row has none."""
        name = self._held(field)
        return None if name is None else self.row.values[name]

    def name(self, field: str) -> str:
        """Return the name under which the row has the field; if it has none, the name to add in the row's layout."""
        names = self.fields[field]
        released = any(str(name).startswith(CHANGED) for name in self.row.values)
        added = names[0] if released else next((n for n in names if not n.startswith(CHANGED)), names[0])
        return self._held(field) or added

    def error(self, field: str, problem: str) -> RowError:
        """Return an error about a field of this row."""
        return RowError(self.row.source, self.row.place, self.name(field), problem)

    def text(self, field: str) -> str:
        """Return a text that must be there and not be blank."""
        value = self.value(field)
        if value is None:
            name = self.name(field)
            others = "' or '".join(other for other in self.fields[field] if other != name)
            raise self.error(field, f"missing; add a column '{name}'" + (f" (or '{others}')" if others else ""))
        if not isinstance(value, str) or not value.strip():
            raise self.error(field, "expected non-empty text")
        return value

    def word(self, field: str) -> str:
        """Return an optional single value as text; empty if absent."""
        value = self.value(field)
        if isinstance(value, list | tuple | Mapping) or (isinstance(value, str) and self._listed(field, value)):
            raise self.error(field, "expected one text, found a list or an object")
        return "" if value is None else str(value)

    def entries(self, field: str) -> list[object]:
        """Return a list: as such, as a list in a string (CSV), or one value; empty if absent."""
        value = self.value(field)
        if isinstance(value, str):
            listed = self._listed(field, value)
            return [value] if listed is None else listed
        if value is None:
            return []
        return list(value) if isinstance(value, list | tuple) else [value]

    def _listed(self, field: str, value: str) -> list[object] | None:
        try:
            return list_in(value)
        except ValueError as error:
            raise self.error(field, str(error)) from None

    def strings(self, field: str) -> tuple[str, ...]:
        """Return the non-blank entries of a list of plain values."""
        entries = self.entries(field)
        if any(isinstance(entry, list | dict) or entry is None for entry in entries):
            raise self.error(field, "expected a list of strings")
        return tuple(str(entry) for entry in entries if str(entry).strip())

    def switch(self, field: str) -> bool:
        """Return an optional true or false, false if absent; text in any letters (CSV)."""
        stated = self.value(field)
        word = "" if stated is None else str(stated).strip().lower()
        if word not in ("true", "false", ""):
            raise self.error(field, f"expected true or false, found '{stated}'")
        return word == "true"

    def parsed(self, field: str) -> object:
        """Return a raw value, read as JSON if it is text (the cell of a table); None if absent or blank."""
        value = self.value(field)
        if not isinstance(value, str):
            return value
        return json_value(value, self.row.source, f"{self.row.place}, field {field}") if value.strip() else None

    def record(self, field: str) -> dict[str, float | str]:
        """Return an optional object of numbers and words; empty if absent."""
        stated = self.parsed(field)
        if stated is None:
            return {}
        values = stated.values() if isinstance(stated, Mapping) else [None]
        if not isinstance(stated, Mapping) or not all(isinstance(value, str | int | float) for value in values):
            raise self.error(field, "expected an object of numbers and words")
        return {str(name): value for name, value in stated.items()}

    def codes(self, field: str) -> tuple[Label, ...]:
        """Return a list of refusal codes, by any name that a code has; empty if absent."""
        codes = {stated: _known_code(stated) for stated in self.strings(field)}
        for stated, code in codes.items():
            if code is None:
                raise self.error(field, f"unknown code '{stated}'; known: {', '.join(REFUSALS)}")
        return tuple(code for code in codes.values() if code)

    def kind(self) -> tuple[PerturbationClass | None, Intensity, Label]:
        """Return class, intensity and the behaviour they imply; raise if the row states another one."""
        stated = self.text("intensity")
        intensity = next((one for one in Intensity if one.value == stated.strip().upper()), None)
        if intensity is None:
            raise self.error("intensity", f"unknown value '{stated}'; known: {', '.join(Intensity)}")
        perturbation = None if intensity is Intensity.CLEAN else self._perturbation()
        due = expected_label(perturbation, intensity) if perturbation else Label.ANSWER
        if self.has("label"):
            said = self.word("label")
            label = Label.ANSWER if said.strip().upper() == Label.ANSWER.value else _known_code(said)
            if label is None:
                raise self.error("label", f"unknown label '{said}'; known: {', '.join(Label)}")
            if label is not due:
                raise self.error("label", f"'{said}' contradicts the row's class and intensity, which imply {due}")
        return perturbation, intensity, due

    def _perturbation(self) -> PerturbationClass:
        if not self.has("class"):
            add = f"add a column '{self.name('class')}', or intensity CLEAN if unperturbed"
            raise self.error("class", f"missing; {add}")
        stated = self.word("class").strip()
        perturbation = class_named(stated)
        if perturbation is None:
            raise self.error("class", f"unknown class '{stated}'; known: {', '.join(PerturbationClass)}")
        return perturbation


def _known_code(stated: str) -> Label | None:
    """Return the refusal code of a name; None for an unknown one, invented codes included."""
    code = canonical_code(stated)
    return None if code is Label.OTHER and stated.strip().upper() != Label.OTHER.value else code


def checked(reader: Reader, answer_field: str, /, **fields: object) -> RefusalItem:
    """Return the item; raise if an answerable one has no reference, naming the field to add."""
    if fields["expected"] is Label.ANSWER and not (fields.get("answers") or str(fields.get("reference", "")).strip()):
        raise reader.error(answer_field, "an answerable row needs at least one answer")
    try:
        return RefusalItem.model_validate(fields)
    except ValidationError as error:
        first = error.errors()[0]
        raise RowError(reader.row.source, reader.row.place, ".".join(map(str, first["loc"])), first["msg"]) from None


def digest(*parts: str) -> str:
    """Return 12 hex digits that depend on the parts."""
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:12]


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
