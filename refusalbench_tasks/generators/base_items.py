"""Rows of other data as base questions: released rows, upstream GaRAGe, KILT-style rows, one's own documents."""

from collections.abc import Callable, Mapping, Sequence

from refusalbench_tasks.datasets.benchmarks import GARAGE, NO_ORIGINAL, NQ, layout_of
from refusalbench_tasks.datasets.fields import entries_in, validated
from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.datasets.refusal_rows import ANSWERS_IT, PASSAGES, UpstreamRow, digest
from refusalbench_tasks.datasets.rows import Row, entries_by
from refusalbench_tasks.errors import DataError, RowError
from refusalbench_tasks.replies.alias import answer_tokens
from refusalbench_tasks.taxonomy import Label

COMPLEXITIES = ("simple", "simple w. condition", "comparison", "set")
KILT = ("gold_docs", "retrieved_docs")
"""Fields of KILT's layout with the passages of a row."""
LeftOut = dict[str, list[str]]
"""Places of rows by the reason for which they are left out."""
_NOWHERE = "no answer stands in a context"


def base_items(rows: Sequence[Row], left_out: LeftOut, of_hub: bool) -> list[RefusalItem]:
    """Return the base questions of rows in any layout; places of rows that are none are added to `left_out`.

    Upstream GaRAGe, KILT's layout and whatever is of the hub was made by others: an odd row is left out. One's own rows
    and released ones have to be right: raises DataError that names the first that is not.
    """
    names = set(rows[0].values)
    if "answer_validate" in names:
        return _upstream(rows, left_out)
    layout = layout_of(rows[:1])
    if layout is not NQ or "perturbed_context" in names or "intensity" in names:
        items = layout.items_of(rows)
        originals, without = layout.originals_of(rows, items)
        for row in without:
            _count(left_out, row, NO_ORIGINAL)
        return [item for item in items if item.is_clean] + originals
    if of_hub or names.intersection(KILT):
        return _each(rows, left_out, _own_fault_and_item)
    found = zip(rows, entries_by(_own_item, rows), strict=True)
    return [item for row, item in found if _count(left_out, row, None if item else _NOWHERE) and item]


def _upstream(rows: Sequence[Row], left_out: LeftOut) -> list[RefusalItem]:
    """Return the items of upstream GaRAGe that the paper's rules admit; a row that cannot be read is left out too."""

    def read(row: Row) -> tuple[str | None, RefusalItem | None]:
        fault = _garage_fault(row)
        return fault, None if fault else GARAGE.items_of([row])[0]

    return _each(rows, left_out, read)


def _each(
    rows: Sequence[Row], left_out: LeftOut, read: Callable[[Row], tuple[str | None, RefusalItem | None]]
) -> list[RefusalItem]:
    """Return the items of rows that others made; an odd one is left out, and so is one whose id is taken."""
    items: dict[str, RefusalItem] = {}
    for row in rows:
        try:
            fault, item = read(row)
        except DataError as error:
            # file and place, by which each row would be a reason of its own, are named beside it
            fault, item = str(error).removeprefix(f"{row.source}, {row.place}, "), None
        if item and item.item_id in items:
            fault = "its id occurs twice"
        if _count(left_out, row, fault) and item:
            items[item.item_id] = item
    return list(items.values())


def _count(left_out: LeftOut, row: Row, fault: str | None) -> bool:
    if fault:
        left_out.setdefault(fault, []).append(row.place)
    return fault is None


def _garage_fault(row: Row) -> str | None:
    """Return which of the paper's rules a row of upstream GaRAGe breaks (App. C.1 and the released filter)."""
    values, read = row.values, validated(UpstreamRow, row)
    if str(values.get("answer_validate", "")).upper() != "YES":
        return "answer not validated"
    if ANSWERS_IT not in map(str, read.evidence):
        return "no passage answers the question"
    if str(values.get("question_complexity", "")).strip().lower() not in COMPLEXITIES:
        return "question complexity"
    if str(values.get("question_type") or "").strip().upper() not in ("SLOW-CHANGING", ""):
        return "question type"
    return "fewer than ten passages" if len(read.passages) < PASSAGES else None


def _own_fault_and_item(row: Row) -> tuple[str | None, RefusalItem | None]:
    item = _own_item(row)
    return None if item else _NOWHERE, item


def _own_item(row: Row) -> RefusalItem | None:
    """Return the question with the first context in which an answer stands; None if there is none."""
    values = row.values
    query = values.get("question", values.get("query"))
    answers = _texts(row, "answers") or _texts(row, "answer")
    contexts = _contexts(row)
    for field, value in (("question", query), ("answers", answers), ("context", contexts)):
        if not value or (field == "question" and not (isinstance(value, str) and value.strip())):
            raise RowError(
                row.source, row.place, field, "missing or empty; a base needs a question, answers, a context"
            )
    wanted = [f" {' '.join(answer_tokens(answer))} " for answer in answers if answer_tokens(answer)]
    for context in contexts:
        text = f" {' '.join(answer_tokens(context))} "
        if any(answer in text for answer in wanted):
            name = str(values.get("id") or values.get("qid") or f"base-{digest(str(query), context)}")
            return RefusalItem(
                item_id=name,
                source_id=name,
                query=str(query),
                passages=(context,),
                answers=tuple(answers),
                expected=Label.ANSWER,
            )
    return None


def _contexts(row: Row) -> list[str]:
    for name in ("contexts", "context", *KILT):
        texts = _texts(row, name)
        if texts:
            return texts[:1] if name in KILT else texts
    return []


def _texts(row: Row, field: str) -> list[str]:
    """Return texts: one as such, or those of a list, where an object's text is under `text` or `contents`."""
    value = row.values.get(field)
    try:
        entries = [] if value is None else entries_in(value)
    except ValueError as error:
        raise RowError(row.source, row.place, field, str(error)) from None
    found = [(e.get("text") or e.get("contents")) if isinstance(e, Mapping) else e for e in entries]
    return [str(text).strip() for text in found if text is not None and str(text).strip()]
