"""RefusalBench-NQ rows of any layout to typed items."""

from collections.abc import Sequence

from refusalbench_tasks.datasets.files import Row
from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.datasets.loading import Benchmark
from refusalbench_tasks.datasets.reader import COMMON, Reader, checked, digest
from refusalbench_tasks.datasets.rows import items_by
from refusalbench_tasks.taxonomy import Label

FIELDS = COMMON | {
    "id": ("id", "unique_id"),
    "source_id": ("source_id", "source_qid"),
    "query": ("perturbed_query", "query", "question"),
    "context": ("perturbed_context", "context"),
    "answers": ("original_answers", "answers", "answer"),
    "original_context": ("original_context",),
    "domain": ("domain",),
    "question_type": ("question_type",),
    "answer_type": ("answer_type",),
    "pair": ("pair_id",),
    "intrinsic": ("intrinsic",),
    "knobs": ("knobs",),
}


def items_of(rows: Sequence[Row]) -> list[RefusalItem]:
    """Return one item per row of the released, the pipeline or our own layout; errors as in `items_by`."""
    return items_by(_item, rows)


def controls_of(rows: Sequence[Row]) -> list[RefusalItem]:
    """Return the distinct unperturbed originals of the rows as answerable controls, one per source and original text.

    Rows without `original_query` and `original_context` have none; rows that are themselves clean are skipped.
    """
    controls: dict[tuple[str, str, str], RefusalItem] = {}
    for row in rows:
        reader = Reader(row, FIELDS)
        if not (reader.has("original_query") and reader.has("original_context")):
            continue
        query, context, source = reader.text("original_query"), reader.text("original_context"), _source(reader)
        if (source, query, context) not in controls:
            controls[(source, query, context)] = checked(
                reader,
                "answers",
                item_id=f"{source}~clean-{digest(query, context)}",
                source_id=source,
                query=query,
                passages=(context,),
                answers=reader.strings("answers"),
                expected=Label.ANSWER,
            )
    return list(controls.values())


def _item(row: Row) -> RefusalItem:
    reader = Reader(row, FIELDS)
    query, context = reader.text("query"), reader.text("context")
    perturbation, intensity, due = reader.kind()
    return checked(
        reader,
        "answers",
        item_id=reader.word("id") or f"row-{digest(query, context, str(intensity), due)}",
        source_id=_source(reader),
        query=query,
        passages=(context,),
        answers=reader.strings("answers"),
        perturbation=perturbation,
        intensity=intensity,
        expected=due,
        lever=reader.word("lever"),
        accepted_alternatives=reader.codes("accepted_alternatives"),
        generator=reader.word("generator"),
        domain=reader.word("domain"),
        question_type=reader.word("question_type"),
        answer_type=reader.word("answer_type"),
        pair=reader.word("pair"),
        intrinsic=reader.switch("intrinsic"),
        knobs=reader.record("knobs"),
    )


def _source(reader: Reader) -> str:
    """Return the base question's id; without one, rows with the same original query share a cluster."""
    if reader.has("source_id"):
        return reader.word("source_id")
    return f"source-{digest(reader.text('original_query' if reader.has('original_query') else 'query'))}"


NQ = Benchmark(
    name="RefusalBench-NQ",
    task="nq",
    repo="aashiqmuhamed/RefusalBench-NQ",
    split="test",
    licence="Apache-2.0",
    sample="nq_sample.jsonl",
    prompt="nq.txt",
    passages="context",
    items_of=items_of,
    controls_of=controls_of,
)
"""The data of RefusalBench-NQ."""
