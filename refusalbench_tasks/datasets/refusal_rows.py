"""Rows of RefusalBench-NQ and RefusalBench-GaRAGe in any of their layouts to typed items."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.datasets.reader import COMMON, Fields, Reader, checked, digest
from refusalbench_tasks.datasets.rows import Row, entries_by
from refusalbench_tasks.taxonomy import Label

_SHARED = COMMON | {
    "query": ("perturbed_query", "query", "question"),
    "question_type": ("question_type",),
    "answer_type": ("answer_type",),
    "pair": ("pair_id",),
    "intrinsic": ("intrinsic",),
    "knobs": ("knobs",),
    "id": ("id", "unique_id"),
}
NESTED = ("passage_mapping", "refusalbench_perturbation_metadata", "refusalbench_stratified_metadata")
ANSWERS_IT = "ANSWER-THE-QUESTION"
PASSAGES = 10
"""Passages of a row of GaRAGe."""
MOST_SIGNAL = 5
"""Passages with the answer among the ten, a question's own included."""


@dataclass(frozen=True)
class Layout:
    """The names that fields have in a data set's layouts (released first), and whether a row has ten passages."""

    fields: Fields
    answer: str
    """The field with the gold answer."""
    ten: bool = False

    def items_of(self, rows: Sequence[Row]) -> list[RefusalItem]:
        """Return one item per row of the released, the pipeline's or our own layout; errors as in `entries_by`.

        A row of ten passages with evidence labels and neither class nor intensity is upstream GaRAGe: an answerable
        control, normalised to ten passages.
        """
        return entries_by(lambda row: _item(_Fields(row, self)), rows, lambda item: item.item_id)

    def controls_of(self, rows: Sequence[Row]) -> list[RefusalItem]:
        """Return the distinct unperturbed originals of the rows as answerable controls, one per source and original.

        A row without both parts of its original has none.
        """
        controls: dict[str, RefusalItem] = {}
        for row in rows:
            reader = _Fields(row, self)
            if reader.has("original_query") and reader.has("original_passages"):
                query, passages = reader.text("original_query"), reader.passages("original_passages")
                item_id = f"{reader.source()}~clean-{digest(query, *passages)}"
                if item_id not in controls:
                    controls[item_id] = _clean(reader, item_id, query, passages, reader.signal(len(passages)))
        return list(controls.values())


NQ_ROWS = Layout(
    _SHARED
    | {
        "source_id": ("source_id", "source_qid"),
        "passages": ("perturbed_context", "context"),
        "answers": ("original_answers", "answers", "answer"),
        "original_passages": ("original_context",),
        "domain": ("domain",),
    },
    "answers",
)
GARAGE_ROWS = Layout(
    _SHARED
    | {
        "source_id": ("source_id", "source_qid", "sample_id"),
        "passages": ("grounding",),
        "reference": ("reference_answer", "answer_generate"),
        "answers": ("original_answers", "answers"),
        "signal": ("signal_indices",),
        "evidence": ("evidence_correct",),
        "cited": ("evidence_cited",),
        "domain": ("domain", "question_category"),
        "question_complexity": ("question_complexity",),
        "original_passages": ("original_grounding",),
    },
    "reference",
    ten=True,
)


class _Fields(Reader):
    """The fields of one row in a layout."""

    def __init__(self, row: Row, layout: Layout) -> None:
        super().__init__(_flat(row) if layout.ten else row, layout.fields)
        self.layout = layout

    def source(self) -> str:
        """Return the base question's id; without one, rows with the same original query share a cluster."""
        if self.has("source_id"):
            return self.word("source_id")
        return f"source-{digest(self.text('original_query' if self.has('original_query') else 'query'))}"

    def passages(self, field: str) -> tuple[str, ...]:
        """Return a text as the one passage, or a list's: strings, or objects with `text` or a `cite_...`.

        None for an empty text: the row's question is put to an index, in which nothing answers it.
        """
        if not self.layout.ten:
            return () if self.value(field) == "" else (self.text(field),)
        if not self.has(field):
            raise self.error(field, "missing; add a list of passages")
        texts = []
        for position, entry in enumerate(self.entries(field)):
            text = entry
            if isinstance(entry, Mapping):
                text = next((v for k, v in entry.items() if k == "text" or str(k).startswith("cite_")), None)
            if not isinstance(text, str) or not text.strip():
                raise self.error(field, f"passage {position} has no text")
            texts.append(text.strip())
        return tuple(texts)

    def signal(self, passages: int) -> tuple[int, ...]:
        """Return the positions of the signal passages: as stated, else those labelled as answering the question."""
        if not self.layout.ten:
            return ()
        stated, labels = self.entries("signal"), self.entries("evidence")
        if not self.has("signal"):
            if not self.has("evidence"):
                raise self.error("signal", "missing; add 'signal_indices' or 'evidence_correct'")
            if len(labels) != passages:
                raise self.error("evidence", f"{len(labels)} labels for {passages} passages")
            return tuple(k for k, label in enumerate(labels) if str(label) == ANSWERS_IT)
        if any(isinstance(k, bool) or not isinstance(k, int) or not 0 <= k < passages for k in stated):
            raise self.error("signal", f"expected positions from 0 to {passages - 1}, found {stated}")
        return tuple(dict.fromkeys(k for k in stated if isinstance(k, int)))

    def shared(self) -> dict[str, Any]:
        """Return what rows and originals have in common."""
        words = ("reference", "domain", "question_type", "question_complexity", "answer_type", "pair")
        return {
            "source_id": self.source(),
            "answers": self.strings("answers"),
            "intrinsic": self.switch("intrinsic"),
            "knobs": self.record("knobs"),
            **{name: self.word(name) for name in words},
        }


def _item(reader: _Fields) -> RefusalItem:
    if reader.has("evidence") and not (reader.has("class") or reader.has("intensity")):
        return _upstream(reader)
    query, passages = reader.text("query"), reader.passages("passages")
    if reader.layout.ten and len(passages) != PASSAGES:
        raise reader.error("passages", f"expected {PASSAGES} passages, found {len(passages)}")
    perturbation, intensity, due = reader.kind()
    return checked(
        reader,
        reader.layout.answer,
        item_id=reader.word("id") or f"row-{digest(query, *passages, str(intensity), due)}",
        query=query,
        passages=passages,
        perturbation=perturbation,
        intensity=intensity,
        expected=due,
        lever=reader.word("lever"),
        accepted_alternatives=reader.codes("accepted_alternatives"),
        generator=reader.word("generator"),
        signal=reader.signal(len(passages)),
        **reader.shared(),
    )


def _clean(reader: _Fields, item_id: str, query: str, passages: Sequence[str], signal: Sequence[int]) -> RefusalItem:
    about = reader.shared()
    if not reader.layout.ten:
        # an original of one passage has no more than its texts: fingerprints of runs with controls stay what they were
        about = {name: about[name] for name in ("source_id", "answers")}
    about |= {"item_id": item_id, "query": query, "passages": passages, "expected": Label.ANSWER, "signal": signal}
    return checked(reader, reader.layout.answer, **about)


def _upstream(reader: _Fields) -> RefusalItem:
    query, passages = reader.text("query"), reader.passages("passages")
    signal = reader.signal(len(passages))
    evidence, cited = map(str, reader.entries("evidence")), reader.entries("cited")
    kept = ten_of(list(evidence), [str(one).upper() == "YES" for one in cited])
    if kept is None:
        problem = f"{len(passages)} passages cannot be normalised to {PASSAGES} with a signal passage"
        raise reader.error("passages", problem)
    item_id = reader.word("id") or f"{reader.source()}~clean-{digest(query)}"
    places = [position for position, k in enumerate(kept) if k in signal]
    return _clean(reader, item_id, query, [passages[k] for k in kept], places)


def _flat(row: Row) -> Row:
    """Return the row with the pipeline's nested metadata beside its other fields; outer fields win."""
    values: dict[str, Any] = dict(row.values)
    for outer in (row.values, *(values.get(name) for name in NESTED[1:])):
        for name in NESTED:
            inner = outer.get(name) if isinstance(outer, Mapping) else None
            if isinstance(inner, Mapping):
                values = dict(inner) | {k: v for k, v in values.items() if v is not None}
    return Row(row.source, row.place, values)


def ten_of(evidence: Sequence[str], cited: Sequence[bool] = ()) -> list[int] | None:
    """Return the positions of the ten passages to keep, in their old order; None if that cannot be done.

    Up to five signal passages, those that the human answer cites first; then noise: cited, then related information,
    then the rest, always in the old order. Surplus signal passages are not used as filler (the released pipeline's
    rule; of GaRAGe's labels `ANSWER-THE-QUESTION` is signal).
    """

    def priority(k: int) -> int:
        if k < len(cited) and cited[k]:
            return 0
        return 1 if evidence[k] == "RELATED-INFORMATION" else 2

    signal = sorted((k for k, label in enumerate(evidence) if label == ANSWERS_IT), key=priority)
    noise = sorted((k for k, label in enumerate(evidence) if label != ANSWERS_IT), key=priority)
    kept = signal[:MOST_SIGNAL]
    kept += noise[: PASSAGES - len(kept)]
    return sorted(kept) if signal and len(kept) == PASSAGES else None
