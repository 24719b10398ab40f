"""A row seen through the names that its fields may have."""

import hashlib
from collections.abc import Mapping
from enum import StrEnum
from typing import TypeVar

from pydantic import ValidationError

from refusalbench_tasks.datasets.files import Row
from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.datasets.list_cell import list_in
from refusalbench_tasks.errors import RowError
from refusalbench_tasks.files.documents import json_value
from refusalbench_tasks.taxonomy import (
    REFUSALS,
    Intensity,
    Label,
    PerturbationClass,
    canonical_code,
    class_named,
    expected_label,
)

Choice = TypeVar("Choice", bound=StrEnum)
Fields = Mapping[str, tuple[str, ...]]
CHANGED = ("perturbed_", "original_", "perturbation_")
"""How names begin that the released and the pipeline's layouts have and our own has not."""

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

    def has(self, field: str) -> bool:
        """Whether the row has the field under any of its names."""
        return self._held(field) is not None

    def name(self, field: str) -> str:
        """Return the name under which the row has the field; if it has none, the name to add in the row's layout."""
        held = self._held(field)
        if held is not None:
            return held
        names = self.fields[field]
        released = any(str(name).startswith(CHANGED) for name in self.row.values)
        return names[0] if released else next((n for n in names if not n.startswith(CHANGED)), names[0])

    def _raw(self, field: str) -> object:
        """Return the value of a field, None if the row has none."""
        name = self._held(field)
        return None if name is None else self.row.values[name]

    def _held(self, field: str) -> str | None:
        values = self.row.values
        for name in self.fields[field]:
            if values.get(name) is not None:
                return name
        return None

    def value(self, field: str) -> object:
        """Return the raw value of a field that the row has."""
        return self.row.values[self.name(field)]

    def error(self, field: str, problem: str) -> RowError:
        """Return an error about a field of this row."""
        return RowError(self.row.source, self.row.place, self.name(field), problem)

    def text(self, field: str) -> str:
        """Return a text that must be there and not be blank."""
        value = self._raw(field)
        if value is None:
            name = self.name(field)
            others = "' or '".join(other for other in self.fields[field] if other != name)
            raise self.error(field, f"missing; add a column '{name}'" + (f" (or '{others}')" if others else ""))
        if not isinstance(value, str) or not value.strip():
            raise self.error(field, "expected non-empty text")
        return value

    def word(self, field: str) -> str:
        """Return an optional single value as text; empty if absent."""
        value = self._raw(field)
        if isinstance(value, list | tuple | Mapping) or (isinstance(value, str) and self._list_in(field, value)):
            raise self.error(field, "expected one text, found a list or an object")
        return "" if value is None else str(value)

    def entries(self, field: str) -> list[object]:
        """Return a list: as such, as a list in a string (CSV), or one value; empty if absent."""
        value = self._raw(field)
        if isinstance(value, str):
            listed = self._list_in(field, value)
            return [value] if listed is None else listed
        if value is None:
            return []
        return list(value) if isinstance(value, list | tuple) else [value]

    def _list_in(self, field: str, value: str) -> list[object] | None:
        try:
            return list_in(value)
        except ValueError as error:
            raise self.error(field, str(error)) from None

    def switch(self, field: str) -> bool:
        """Return an optional true or false, false if absent; text in any letters (CSV)."""
        stated = self.value(field) if self.has(field) else False
        known = {"true": True, "false": False, "": False}
        if str(stated).strip().lower() not in known:
            raise self.error(field, f"expected true or false, found '{stated}'")
        return known[str(stated).strip().lower()]

    def record(self, field: str) -> dict[str, float | str]:
        """Return an optional object of numbers and words: as such, or as JSON in a string (CSV); empty if absent."""
        stated = self.value(field) if self.has(field) else {}
        if isinstance(stated, str):
            stated = json_value(stated, self.row.source, f"{self.row.place}, field {field}") if stated.strip() else {}
        if not isinstance(stated, Mapping):
            raise self.error(field, "expected an object")
        if not all(isinstance(value, str | int | float) for value in stated.values()):
            raise self.error(field, "expected an object of numbers and words")
        return {str(name): value for name, value in stated.items()}

    def strings(self, field: str) -> tuple[str, ...]:
        """Return the non-blank entries of a list of plain values."""
        entries = self.entries(field)
        if any(isinstance(entry, list | dict) or entry is None for entry in entries):
            raise self.error(field, "expected a list of strings")
        return tuple(str(entry) for entry in entries if str(entry).strip())

    def codes(self, field: str) -> tuple[Label, ...]:
        """Return a list of refusal codes, by any name that a code has; empty if absent."""
        found = []
        for stated in self.strings(field):
            code = canonical_code(stated)
            if code is None or (code is Label.OTHER and stated.strip().upper() != Label.OTHER.value):
                raise self.error(field, f"unknown code '{stated}'; known: {', '.join(REFUSALS)}")
            found.append(code)
        return tuple(found)

    def choice(self, field: str, kind: type[Choice]) -> Choice:
        """Return a value of an enumeration; case does not matter."""
        stated = self.text(field)
        try:
            return kind(stated.strip().upper())
        except ValueError:
            raise self.error(field, f"unknown value '{stated}'; known: {', '.join(kind)}") from None

    def perturbation(self) -> PerturbationClass:
        """Return the row's class; the `P-` may be left out."""
        if not self.has("class"):
            raise self.error(
                "class", f"missing; add a column '{self.name('class')}', or intensity CLEAN if unperturbed"
            )
        stated = self.word("class").strip()
        perturbation = class_named(stated)
        if perturbation is None:
            raise self.error("class", f"unknown class '{stated}'; known: {', '.join(PerturbationClass)}")
        return perturbation

    def kind(self) -> tuple[PerturbationClass | None, Intensity, Label]:
        """Return class, intensity and the behaviour they imply; raise if the row states another one."""
        intensity = self.choice("intensity", Intensity)
        perturbation = None if intensity is Intensity.CLEAN else self.perturbation()
        due = expected_label(perturbation, intensity) if perturbation else Label.ANSWER
        self._check_label(due)
        return perturbation, intensity, due

    def _check_label(self, due: Label) -> None:
        if not self.has("label"):
            return
        stated = self.word("label")
        label = Label.ANSWER if stated.strip().upper() == Label.ANSWER.value else canonical_code(stated)
        known = label is not Label.OTHER or stated.strip().upper() == Label.OTHER.value
        if label is None or not known:
            raise self.error("label", f"unknown label '{stated}'; known: {', '.join(Label)}")
        if label is not due:
            raise self.error("label", f"'{stated}' contradicts the row's class and intensity, which imply {due}")


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
