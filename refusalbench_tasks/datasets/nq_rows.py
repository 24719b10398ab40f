"""RefusalBench-NQ rows of any layout to typed items."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import TypeVar

from refusalbench_tasks.datasets.errors import DataError, RowError, first_of
from refusalbench_tasks.datasets.files import Row
from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.taxonomy import Intensity, Label, PerturbationClass, canonical_code, expected_label

FIELDS: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "unique_id"),
    "source_id": ("source_id", "source_qid"),
    "query": ("perturbed_query", "query"),
    "context": ("perturbed_context", "context"),
    "answers": ("original_answers", "answers", "answer"),
    "class": ("perturbation_class", "class"),
    "intensity": ("intensity",),
    "label": ("expected_rag_behavior", "ground_truth_label"),
    "lever": ("lever_selected", "lever"),
    "generator": ("generator_model", "generator"),
    "original_query": ("original_query",),
    "original_context": ("original_context",),
}
"""Names of each field: the released layout first, then the pipeline's, then our minimal own layout."""

Choice = TypeVar("Choice", bound=StrEnum)


def items_of(rows: Sequence[Row]) -> list[RefusalItem]:
    """Return one item per row.

    Raises DataError that names file, row and field if a field is missing or has an unknown value, if the row's own
    label contradicts its class and intensity, or if two rows have one id.
    """
    items: list[RefusalItem] = []
    errors: list[DataError] = []
    places: dict[str, Row] = {}
    for row in rows:
        try:
            item = _item(row)
            if item.item_id in places:
                raise RowError(row.source, row.place, "id", f"'{item.item_id}' is also at {places[item.item_id].place}")
            places[item.item_id] = row
            items.append(item)
        except DataError as error:
            errors.append(error)
    if errors:
        raise first_of(errors)
    return items


def controls_of(rows: Sequence[Row]) -> list[RefusalItem]:
    """Return the distinct unperturbed originals of the rows as answerable controls, one per source and original text.

    Rows without `original_query` and `original_context` have none; rows that are themselves clean are skipped.
    """
    controls: dict[tuple[str, str, str], RefusalItem] = {}
    for row in rows:
        if not (_has(row, "original_query") and _has(row, "original_context")):
            continue
        query, context = _text(row, "original_query"), _text(row, "original_context")
        source = _source_id(row)
        key = (source, query, context)
        if key not in controls:
            controls[key] = _checked(
                row,
                item_id=f"{source}~clean-{_digest(query, context)}",
                source_id=source,
                query=query,
                passages=(context,),
                answers=_answers(row),
                expected=Label.ANSWER,
            )
    return list(controls.values())


def _item(row: Row) -> RefusalItem:
    query, context = _text(row, "query"), _text(row, "context")
    intensity = _choice(row, "intensity", Intensity)
    clean = intensity is Intensity.CLEAN
    perturbation = None if clean else _class(row)
    due = expected_label(perturbation, intensity) if perturbation else Label.ANSWER
    _check_label(row, due)
    return _checked(
        row,
        item_id=str(_value(row, "id")) if _has(row, "id") else f"row-{_digest(query, context, str(intensity), due)}",
        source_id=_source_id(row),
        query=query,
        passages=(context,),
        answers=_answers(row),
        perturbation=perturbation,
        intensity=intensity,
        expected=due,
        lever=str(_value(row, "lever")) if _has(row, "lever") else "",
        generator=str(_value(row, "generator")) if _has(row, "generator") else "",
    )


def _checked(row: Row, **fields: object) -> RefusalItem:
    if fields["expected"] is Label.ANSWER and not fields["answers"]:
        raise RowError(row.source, row.place, "answers", "an answerable row needs at least one answer")
    return RefusalItem.model_validate(fields)


def _check_label(row: Row, due: Label) -> None:
    """Raise if the row states a label that is unknown or is not what its class and intensity imply."""
    if not _has(row, "label"):
        return
    name = _name(row, "label")
    stated = str(_value(row, "label"))
    label = Label.ANSWER if stated.strip().upper() == Label.ANSWER.value else canonical_code(stated)
    known = label is not Label.OTHER or stated.strip().upper() == Label.OTHER.value
    if label is None or not known:
        raise RowError(row.source, row.place, name, f"unknown label '{stated}'; known: {', '.join(Label)}")
    if label is not due:
        raise RowError(
            row.source, row.place, name, f"'{stated}' contradicts the row's class and intensity, which imply {due}"
        )


def _class(row: Row) -> PerturbationClass:
    if not _has(row, "class"):
        raise RowError(row.source, row.place, _name(row, "class"), "missing")
    stated = str(_value(row, "class")).strip()
    for perturbation in PerturbationClass:
        if stated.lower() in (perturbation.value.lower(), perturbation.value[2:].lower()):
            return perturbation
    known = ", ".join(PerturbationClass)
    raise RowError(row.source, row.place, _name(row, "class"), f"unknown class '{stated}'; known: {known}")


def _choice(row: Row, field: str, kind: type[Choice]) -> Choice:
    stated = _text(row, field)
    try:
        return kind(stated.strip().upper())
    except ValueError:
        raise RowError(
            row.source, row.place, _name(row, field), f"unknown value '{stated}'; known: {', '.join(kind)}"
        ) from None


def _answers(row: Row) -> tuple[str, ...]:
    """Return the aliases: a list, a JSON array in a string (as in CSV), or one plain string; empty if absent."""
    if not _has(row, "answers"):
        return ()
    value = _value(row, "answers")
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            value = json.loads(value)
        except json.JSONDecodeError:
            value = [value]
    aliases = value if isinstance(value, list | tuple) else [value]
    if any(isinstance(alias, list | dict) or alias is None for alias in aliases):
        raise RowError(row.source, row.place, _name(row, "answers"), "expected a list of strings")
    return tuple(str(alias) for alias in aliases if str(alias).strip())


def _source_id(row: Row) -> str:
    """Return the base question's id; without one, rows with the same original query share a cluster."""
    if _has(row, "source_id"):
        return str(_value(row, "source_id"))
    original = "original_query" if _has(row, "original_query") else "query"
    return f"source-{_digest(_text(row, original))}"


def _name(row: Row, field: str) -> str:
    """Return the name under which the row has the field; if it has none, the name to add."""
    return next((name for name in FIELDS[field] if row.values.get(name) is not None), FIELDS[field][0])


def _has(row: Row, field: str) -> bool:
    return any(row.values.get(name) is not None for name in FIELDS[field])


def _value(row: Row, field: str) -> object:
    return row.values[_name(row, field)]


def _text(row: Row, field: str) -> str:
    if not _has(row, field):
        names = "' or '".join(FIELDS[field])
        raise RowError(row.source, row.place, FIELDS[field][0], f"missing; add a column '{names}'")
    value = _value(row, field)
    if not isinstance(value, str) or not value.strip():
        raise RowError(row.source, row.place, _name(row, field), "expected non-empty text")
    return value


def _digest(*parts: str) -> str:
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:12]
