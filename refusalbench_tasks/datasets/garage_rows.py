"""RefusalBench-GaRAGe rows of any layout to typed items."""

from collections.abc import Mapping, Sequence
from typing import Any

from refusalbench_tasks.datasets.files import Row
from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.datasets.loading import Benchmark
from refusalbench_tasks.datasets.reader import COMMON, Reader, checked, digest
from refusalbench_tasks.datasets.rows import items_by
from refusalbench_tasks.datasets.ten import PASSAGES, ten_of
from refusalbench_tasks.taxonomy import Label

FIELDS = COMMON | {
    "id": ("id", "unique_id"),
    "source_id": ("source_id", "source_qid", "sample_id"),
    "query": ("perturbed_query", "query", "question"),
    "passages": ("grounding",),
    "reference": ("reference_answer", "answer_generate"),
    "answers": ("original_answers", "answers"),
    "signal": ("signal_indices",),
    "evidence": ("evidence_correct",),
    "cited": ("evidence_cited",),
    "domain": ("domain", "question_category"),
    "question_type": ("question_type",),
    "question_complexity": ("question_complexity",),
    "original_passages": ("original_grounding",),
    "answer_type": ("answer_type",),
    "pair": ("pair_id",),
    "intrinsic": ("intrinsic",),
    "knobs": ("knobs",),
}
"""Names of each field: the released layout first, then the pipeline's and upstream GaRAGe's."""

NESTED = ("passage_mapping", "refusalbench_perturbation_metadata", "refusalbench_stratified_metadata")
ANSWERS_IT = "ANSWER-THE-QUESTION"


def items_of(rows: Sequence[Row]) -> list[RefusalItem]:
    """Return one item per row; errors as in `items_by`.

    A row with evidence labels and neither class nor intensity is upstream GaRAGe: an answerable control, normalised to
    ten passages.
    """
    return items_by(_item, rows)


def controls_of(rows: Sequence[Row]) -> list[RefusalItem]:
    """Return the distinct unperturbed originals that the rows hold, as answerable controls."""
    controls: dict[str, RefusalItem] = {}
    for row in rows:
        reader = Reader(_flat(row), FIELDS)
        if not (reader.has("original_query") and reader.has("original_passages")):
            continue
        query, passages = reader.text("original_query"), _passages(reader, "original_passages")
        item_id = f"{reader.word('source_id')}~clean-{digest(query, *passages)}"
        if item_id not in controls:
            controls[item_id] = checked(
                reader, "reference", item_id=item_id, query=query, passages=passages, expected=Label.ANSWER,
                signal=_signal(reader, len(passages)), **_shared(reader),
            )  # fmt: skip
    return list(controls.values())


def _item(row: Row) -> RefusalItem:
    reader = Reader(_flat(row), FIELDS)
    if reader.has("evidence") and not (reader.has("class") or reader.has("intensity")):
        return _upstream(reader)
    query, passages = reader.text("query"), _passages(reader, "passages")
    if len(passages) != PASSAGES:
        raise reader.error("passages", f"expected {PASSAGES} passages, found {len(passages)}")
    perturbation, intensity, due = reader.kind()
    return checked(
        reader,
        "reference",
        item_id=reader.word("id") or f"row-{digest(query, *passages, str(intensity), due)}",
        query=query,
        passages=passages,
        perturbation=perturbation,
        intensity=intensity,
        expected=due,
        lever=reader.word("lever"),
        accepted_alternatives=reader.codes("accepted_alternatives"),
        generator=reader.word("generator"),
        signal=_signal(reader, len(passages)),
        **_shared(reader),
    )


def _upstream(reader: Reader) -> RefusalItem:
    query, passages = reader.text("query"), _passages(reader, "passages")
    kept = ten_of(_evidence(reader, len(passages)), [str(c).upper() == "YES" for c in reader.entries("cited")])
    if kept is None:
        raise reader.error(
            "passages", f"{len(passages)} passages cannot be normalised to {PASSAGES} with a signal passage"
        )
    signal = set(_signal(reader, len(passages)))
    return checked(
        reader,
        "reference",
        item_id=reader.word("id") or f"{reader.word('source_id')}~clean-{digest(query)}",
        query=query,
        passages=tuple(passages[k] for k in kept),
        expected=Label.ANSWER,
        signal=tuple(position for position, k in enumerate(kept) if k in signal),
        **_shared(reader),
    )


def _shared(reader: Reader) -> dict[str, Any]:
    return {
        "source_id": reader.word("source_id") or f"source-{digest(reader.text('query'))}",
        "reference": reader.word("reference"),
        "answers": reader.strings("answers"),
        "domain": reader.word("domain"),
        "question_type": reader.word("question_type"),
        "question_complexity": reader.word("question_complexity"),
        "answer_type": reader.word("answer_type"),
        "pair": reader.word("pair"),
        "intrinsic": reader.switch("intrinsic"),
        "knobs": reader.record("knobs"),
    }


def _flat(row: Row) -> Row:
    """Return the row with the pipeline's nested metadata beside its other fields; outer fields win."""
    values: dict[str, Any] = dict(row.values)
    for outer in (row.values, *(values.get(name) for name in NESTED[1:])):
        for name in NESTED:
            inner = outer.get(name) if isinstance(outer, Mapping) else None
            if isinstance(inner, Mapping):
                values = dict(inner) | {k: v for k, v in values.items() if v is not None}
    return Row(row.source, row.place, values)


def _passages(reader: Reader, field: str) -> tuple[str, ...]:
    """Return the passages' texts: strings, or objects with `text` or a key that starts with `cite_`."""
    if not reader.has(field):
        raise reader.error(field, "missing; add a list of passages")
    texts = []
    for position, entry in enumerate(reader.entries(field)):
        text = entry
        if isinstance(entry, Mapping):
            text = next((v for k, v in entry.items() if k == "text" or str(k).startswith("cite_")), None)
        if not isinstance(text, str) or not text.strip():
            raise reader.error(field, f"passage {position} has no text")
        texts.append(text.strip())
    return tuple(texts)


def _evidence(reader: Reader, passages: int) -> list[str]:
    labels = [str(label) for label in reader.entries("evidence")]
    if len(labels) != passages:
        raise reader.error("evidence", f"{len(labels)} labels for {passages} passages")
    return labels


def _signal(reader: Reader, passages: int) -> tuple[int, ...]:
    """Return the positions of the signal passages: as stated, else those labelled as answering the question."""
    if not reader.has("signal"):
        if not reader.has("evidence"):
            raise reader.error("signal", "missing; add 'signal_indices' or 'evidence_correct'")
        return tuple(k for k, label in enumerate(_evidence(reader, passages)) if label == ANSWERS_IT)
    stated = reader.entries("signal")
    if any(isinstance(k, bool) or not isinstance(k, int) or not 0 <= k < passages for k in stated):
        raise reader.error("signal", f"expected positions from 0 to {passages - 1}, found {stated}")
    return tuple(dict.fromkeys(k for k in stated if isinstance(k, int)))


GARAGE = Benchmark(
    name="RefusalBench-GaRAGe",
    task="garage",
    repo="aashiqmuhamed/RefusalBench-GaRAGe",
    split="test",
    licence="CC-BY-NC-4.0",
    sample="garage_sample.jsonl",
    prompt="garage.txt",
    passages="grounding",
    items_of=items_of,
    controls_of=controls_of,
    grounded=True,
)
"""The data of RefusalBench-GaRAGe."""
