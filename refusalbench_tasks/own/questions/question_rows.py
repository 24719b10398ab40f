"""Accepted questions as base rows: the layout that `perturb`, `nq` and `garage` read."""

from typing import Any

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.generators.kit.answer_kind import answer_kind
from refusalbench_tasks.generators.kit.bases import base_row
from refusalbench_tasks.own.documents.chunk import Chunk
from refusalbench_tasks.own.questions.passage import passage_of
from refusalbench_tasks.own.questions.question_logs import Accepted
from refusalbench_tasks.taxonomy import Label

NOT_STATED = "not stated"


def question_row(item: Accepted, split: str, licence: str | None = None) -> dict[str, Any]:
    """Return an accepted question as a row: NQ's layout for one passage, GaRAGe's for ten.

    `licence` stands for documents that state none. `provenance` says where the answer and each passage stand: document,
    page, and offsets in the text that was taken from it.
    """
    question, shown = item.question, item.shown
    chunks = shown.chunks if shown else (item.chunk,)
    base = RefusalItem(
        item_id=question.id,
        source_id=question.id,
        query=question.question,
        passages=tuple(map(passage_of, chunks)),
        answers=question.answers,
        expected=Label.ANSWER,
        reference=question.support if shown else "",
        signal=shown.signal if shown else (0,),
        question_type=question.kind.value,
    )
    stated = sorted({chunk.licence or licence or NOT_STATED for chunk in chunks})
    row = base_row(base) | {
        "question_type": question.kind.value,
        "answer_type": answer_kind(question.question, question.answers).value,
        "support": question.support,
        "licence": ", ".join(stated),
        "split": split,
        "document": item.chunk.doc_id,
        "writer": item.writer,
        "readers": list(item.readers),
    }
    if item.known is not None:
        row["known"] = item.known
    place = _place(item.chunk) | {"answer_start": question.start, "answer_end": question.end}
    return row | {"provenance": place | {"passages": [_place(chunk) for chunk in chunks]}}


def _place(chunk: Chunk) -> dict[str, Any]:
    return {
        "document": chunk.doc_id,
        "chunk": chunk.id,
        "source": chunk.source,
        "page": chunk.page,
        "start": chunk.start,
        "end": chunk.end,
        "sha256": chunk.sha256,
    }
