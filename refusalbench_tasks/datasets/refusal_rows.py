"""Rows of RefusalBench-NQ and RefusalBench-GaRAGe in any of their layouts to typed
items.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Self

from pydantic import BeforeValidator, ValidationInfo, field_validator

from refusalbench_tasks.taxonomy import (
    Intensity,
    Label,
    PerturbationClass,
    canonical_code,
    class_named,
    expected_label,
)

from . import fields
from .fields import RowModel, Text, Word, named, validated
from .item import RefusalItem
from .rows import Row

NESTED = (
    "refusalbench_perturbation_metadata",
    "refusalbench_stratified_metadata",
    "passage_mapping",
)
ANSWERS_IT = "ANSWER-THE-QUESTION"
PASSAGES = 10
"""Passages of a row of GaRAGe."""
_SHORT = 100


def digest(*parts: str) -> str:
    """Return 12 hex digits that depend on the parts."""
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:12]


def _label(value: object) -> Label:
    """Return the label of a name; an invented code is none."""
    stated = fields.word_in(value)
    name = stated.strip().upper()
    label = Label.ANSWER if name == Label.ANSWER else canonical_code(stated)
    is_invented = label is Label.OTHER and name != label.value
    if label is None or is_invented:
        raise ValueError(f"unknown label '{stated}'; known: {', '.join(Label)}")
    return label


def _passages(value: object) -> tuple[str, ...]:
    """Return the texts of a list: of strings, or of objects with `text` or a
    `cite_...`.
    """
    texts = []
    for position, entry in enumerate(fields.entries_in(value)):
        text = entry
        if isinstance(entry, Mapping):
            text = _first_text(entry)
        if not isinstance(text, str) or not text.strip():
            raise ValueError(f"passage {position} has no text")
        texts.append(text.strip())
    return tuple(texts)


def _first_text(passage: Mapping[str, object]) -> object:
    for name, value in passage.items():
        if name == "text" or str(name).startswith("cite_"):
            return value
    return None


_ITEM = set(RefusalItem.model_fields)
LabelName = Annotated[Label, BeforeValidator(_label)]
IntensityName = Annotated[
    Intensity, BeforeValidator(lambda value: fields.text_in(value).strip().upper())
]
Passage = Annotated[
    tuple[str, ...],
    BeforeValidator(lambda value: () if value == "" else (fields.text_in(value),)),
]
Passages = Annotated[tuple[str, ...], BeforeValidator(_passages)]
Knobs = Annotated[
    dict[str, float | str], BeforeValidator(lambda value: fields.json_in(value) or {})
]


class RefusalRow(RowModel):
    """A row with one passage.

    Names of a field: the released one first, then the pipeline's, then our own.

    Another data set of the refusal kind is a subclass, which names its fields
    otherwise.
    """

    kept: ClassVar[frozenset[str]] = frozenset({"answers"})
    """What an original has of its row."""

    id: Word = named("id", "unique_id", default="")
    source_id: Word = named("source_id", "source_qid", default="")
    query: Text = named("perturbed_query", "query", "question")
    passages: Passage = named("perturbed_context", "context")
    original_query: Text = ""
    original_passages: Passage | None = named("original_context", default=None)
    intensity: IntensityName
    perturbation: PerturbationClass | None = named(
        "perturbation_class",
        "class",
        default=None,
        validate_default=True,
    )
    expected: Label = named(
        "expected_rag_behavior",
        "ground_truth_label",
        default=None,
        validate_default=True,
    )
    lever: Word = named("lever_selected", "lever", default="")
    ambiguity_explanation: str = named(
        "ambiguity_explanation", "implementation_reasoning", default=""
    )
    generator: Word = named("generator_model", "generator", default="")
    accepted_alternatives: Annotated[
        tuple[LabelName, ...], BeforeValidator(fields.strings_in)
    ] = ()
    answers: fields.Strings = named(
        "original_answers",
        "answers",
        "answer",
        default=(),
    )
    domain: Word = ""
    question_type: Word = ""
    answer_type: Word = ""
    pair: Word = named("pair_id", default="")
    intrinsic: bool = False
    knobs: Knobs = named("knobs", default={})

    @field_validator("perturbation", mode="before")
    @classmethod
    def _class_unless_clean(
        cls,
        value: object,
        about: ValidationInfo,
    ) -> object:
        if about.data.get("intensity") is Intensity.CLEAN:
            return None
        if value is None:
            raise ValueError(
                "missing; add a column 'class', or intensity CLEAN if unperturbed"
            )
        stated = fields.word_in(value)
        return class_named(stated) or stated

    @field_validator("expected", mode="before")
    @classmethod
    def _implied(
        cls,
        value: object,
        about: ValidationInfo,
    ) -> Label:
        """Return the behaviour that class and intensity imply; raise if the row states
        another one.
        """
        perturbation = about.data.get("perturbation")
        intensity = about.data.get("intensity")
        due = Label.ANSWER
        if perturbation and intensity:
            due = expected_label(perturbation, intensity)
        if value is not None and _label(value) is not due:
            raise ValueError(
                f"'{value}' contradicts the row's class and intensity, which imply"
                f" {due}"
            )
        return due

    @field_validator("ambiguity_explanation", mode="before")
    @classmethod
    def _of_an_ambiguous_row(cls, value: object, about: ValidationInfo) -> str:
        is_ambiguous = about.data.get("expected") is Label.AMBIGUOUS
        return value.strip() if is_ambiguous and isinstance(value, str) else ""

    @classmethod
    def of(cls, row: Row) -> Self:
        """Return what a row says.

        Its answers stand for a class and an intensity that it lacks (docs/nq.md).
        """
        stated = {name for name, value in row.values.items() if value is not None}
        is_classed = stated & {"intensity", "perturbation_class", "class"}
        if is_classed or not stated & {"answers", "answer"}:
            return validated(cls, row)
        answers = row.values["answers" if "answers" in stated else "answer"]
        implied = {"intensity": Intensity.CLEAN.value}
        if answers in ([], "[]", ()):
            implied = {
                "class": PerturbationClass.MISSING_INFO.value,
                "intensity": Intensity.HIGH.value,
            }
        return validated(cls, replace(row, values={**row.values, **implied}))

    @classmethod
    def item_of(cls, row: Row) -> RefusalItem:
        """Return the item of a row. Raises RowError that names file, row and field."""
        read = cls.of(row)
        content = (read.query, *read.passages, str(read.intensity), read.expected)
        name = read.id or f"row-{digest(*content)}"
        return read._item(
            row,
            item_id=name,
            **read.model_dump(include=_ITEM - {"source_id", "columns"}),
        )

    @classmethod
    def original_of(cls, row: Row) -> RefusalItem | None:
        """Return the unperturbed original of a row, an answerable control; None if the
        row lacks a part of it.
        """
        read = cls.of(row)
        query = read.original_query
        passages = read.original_passages
        if not query or passages is None:
            return None
        item_id = f"{read.source}~clean-{digest(query, *passages)}"
        shared = read.model_dump(include=set(cls.kept))
        return read._item(
            row,
            item_id=item_id,
            query=query,
            passages=passages,
            expected=Label.ANSWER,
            **shared,
        )

    def _item(self, row: Row, **values: Any) -> RefusalItem:
        layout = type(self)
        reference = getattr(self, "reference", None)
        has_gold = self.answers or (reference or "").strip()
        if values["expected"] is Label.ANSWER and not has_gold:
            gold = "answers" if reference is None else "reference"
            raise fields.fault(
                layout,
                row,
                gold,
                "an answerable row needs at least one answer",
            )
        read_columns = set()
        for field in layout.model_fields:
            read_columns.update(fields.column_names(layout, field))
        # rows may be told apart by numbers and short texts: a document, a language, a
        # version
        columns = {}
        for name, value in row.values.items():
            is_plain = isinstance(value, str | int | float)
            is_short = 0 < len(str(value).strip()) <= _SHORT
            if is_plain and is_short and name not in read_columns:
                columns[str(name)] = value
        content = {"source_id": self.source, "columns": columns, **values}
        return validated(RefusalItem, replace(row, values=content))

    @property
    def source(self) -> str:
        """The base question's id; without one, rows with the same original query share
        a cluster.
        """
        return self.source_id or f"source-{digest(self.original_query or self.query)}"


class GarageRow(RefusalRow):
    """A row with ten passages."""

    kept = frozenset(
        {
            "answers",
            "reference",
            "signal",
            "domain",
            "question_type",
            "question_complexity",
            "answer_type",
            "pair",
            "intrinsic",
            "knobs",
        }
    )

    source_id: Word = named(
        "source_id",
        "source_qid",
        "sample_id",
        default="",
    )
    passages: Passages = named("grounding")
    original_passages: Passages | None = named("original_grounding", default=None)
    answers: fields.Strings = named("original_answers", "answers", default=())
    reference: Word = named("reference_answer", "answer_generate", default="")
    evidence: Annotated[list[Any], BeforeValidator(fields.entries_in)] = named(
        "evidence_correct", default=[]
    )
    signal: tuple[int, ...] = named(
        "signal_indices", default=None, validate_default=True
    )
    domain: Word = named("domain", "question_category", default="")
    question_complexity: Word = ""

    @field_validator("signal", mode="before")
    @classmethod
    def _positions(
        cls,
        value: object,
        about: ValidationInfo,
    ) -> list[int]:
        """Return the positions of the signal passages: as stated, else those labelled
        as answering the question.
        """
        labels = about.data.get("evidence", [])
        if value is None and len(labels) != PASSAGES:
            raise ValueError(
                f"missing; add it, or 'evidence_correct' with {PASSAGES} labels (there"
                f" are {len(labels)})"
            )
        if value is None:
            return [k for k, label in enumerate(labels) if str(label) == ANSWERS_IT]
        stated = fields.entries_in(value)
        if not all(type(k) is int and 0 <= k < PASSAGES for k in stated):
            raise ValueError(
                f"expected positions from 0 to {PASSAGES - 1}, found {stated}"
            )
        return list(dict.fromkeys(stated))

    @classmethod
    def of(cls, row: Row) -> Self:
        """Return what a row says, the pipeline's nested metadata included; outer fields
        win.
        """
        values = dict(row.values)
        for name in NESTED:
            inner = values.get(name)
            if isinstance(inner, Mapping):
                stated = {
                    key: value for key, value in values.items() if value is not None
                }
                values = {**inner, **stated}
        read = validated(cls, replace(row, values=values))
        if len(read.passages) != PASSAGES:
            raise fields.fault(
                cls,
                row,
                "passages",
                f"expected {PASSAGES} passages, found {len(read.passages)}",
            )
        return read
