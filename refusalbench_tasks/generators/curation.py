"""Base questions from other data: released sets, GaRAGe, KILT-style rows, one's own documents."""

import random
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from refusalbench_tasks.datasets import garage_rows
from refusalbench_tasks.datasets.benchmarks import layout_of
from refusalbench_tasks.datasets.files import Row
from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.datasets.nq_rows import NQ
from refusalbench_tasks.datasets.originals import NO_ORIGINAL, originals_of
from refusalbench_tasks.datasets.reader import Reader, digest
from refusalbench_tasks.datasets.rows import entries_by
from refusalbench_tasks.datasets.ten import PASSAGES
from refusalbench_tasks.errors import DataError, RowError
from refusalbench_tasks.generators.base_sources import read_source
from refusalbench_tasks.replies.alias import answer_tokens
from refusalbench_tasks.taxonomy import Label

COMPLEXITIES = ("simple", "simple w. condition", "comparison", "set")
PER_DOMAIN = 20
PAPER_DOMAINS = ("Science", "Health", "Business & Industrial", "Law & Government", "Finance")
"""Those that the paper takes GaRAGe's questions from (App. C.1)."""
Keep = Callable[[Sequence[RefusalItem]], Sequence[RefusalItem]]
SEED = 42
_SHOWN = 3
_NOWHERE = "no answer stands in a context"


@dataclass(frozen=True)
class Draw:
    """How many questions are drawn from those that are left: all in all, per domain, from which domains, by seed.

    `per_domain` 0 draws none apart; None is 20 for upstream GaRAGe and 0 for anything else.
    """

    count: int | None = None
    per_domain: int | None = None
    seed: int = SEED
    domains: tuple[str, ...] = ()


@dataclass(frozen=True)
class Curated:
    """Base questions, how many rows were read, and how many were left out, by reason."""

    items: list[RefusalItem]
    rows: int
    left_out: Mapping[str, int]
    licence: str
    examples: Mapping[str, tuple[str, ...]]
    """Where the first few rows stand that were left out, by reason."""


def curate(source: str, draw: Draw = Draw(), keep: Keep = tuple) -> Curated:
    """Return the base questions of a source (`read_source`).

    Its rows may be released rows, upstream GaRAGe rows (curated by the paper's rules, 20 per domain unless said
    otherwise), KILT-style rows, or one's own: `question`, `answer` or `answers`, `context` or `contexts`. What is drawn
    is drawn from what `keep` returns, such as the questions that models answer. Raises DataError for bad rows of one's
    own and if nothing is left; a row of upstream GaRAGe that cannot be used is left out and named.
    """
    rows, licence = read_source(source)
    places: dict[str, list[str]] = {}
    items = _in_domains(_items(rows, places), draw.domains, source)
    left_out = {reason: len(found) for reason, found in places.items()}
    distinct = sorted({(i.query, i.passages): i for i in reversed(items)}.values(), key=lambda item: item.item_id)
    if len({item.item_id for item in distinct}) < len(distinct):
        raise DataError(f"{source}: two questions have the same id; give each its own 'id', or none")
    if len(distinct) < len(items):
        left_out["repeated"] = len(items) - len(distinct)
    kept = keep(distinct)
    if len(kept) < len(distinct):
        left_out["not kept"] = len(distinct) - len(kept)
    drawn = _draw(kept, draw, any("answer_validate" in row.values for row in rows))
    if len(drawn) < len(kept):
        left_out["not drawn"] = len(kept) - len(drawn)
    if not drawn:
        raise DataError(f"{source}: no base question is left; left out: {dict(left_out) or 'nothing'}")
    examples = {reason: tuple(found[:_SHOWN]) for reason, found in places.items()}
    return Curated(drawn, len(rows), left_out, licence, examples)


def _in_domains(items: Sequence[RefusalItem], domains: Sequence[str], source: str) -> list[RefusalItem]:
    """Return the items of the domains, all without any. Raises DataError for a domain without an item."""
    if not domains:
        return list(items)
    there = {_plain(item.domain): item.domain for item in items}
    for name in domains:
        if _plain(name) not in there:
            known = ", ".join(sorted(map(repr, there.values())))
            raise DataError(f"{source}: no usable question of the domain '{name}'; there are {known or 'none'}")
    wanted = set(map(_plain, domains))
    return [item for item in items if _plain(item.domain) in wanted]


def _plain(domain: str) -> str:
    """Return a domain's name without case, and with `and` for `&`."""
    return " ".join(domain.casefold().replace("&", " and ").split())


def _items(rows: Sequence[Row], left_out: dict[str, list[str]]) -> list[RefusalItem]:
    names = set(rows[0].values)
    if "answer_validate" in names:
        return _upstream(rows, left_out)
    layout = layout_of(rows[:1])
    if layout is not NQ or "perturbed_context" in names or "intensity" in names:
        items = layout.items_of(rows)
        originals = originals_of(layout.controls_of, rows, items)
        for row in originals.without:
            _count(left_out, row, NO_ORIGINAL)
        return [item for item in items if item.is_clean] + originals.items
    return _own(rows, left_out)


def _upstream(rows: Sequence[Row], left_out: dict[str, list[str]]) -> list[RefusalItem]:
    """Return the items of upstream GaRAGe that the paper's rules admit; a row that cannot be read is left out too."""
    items: dict[str, RefusalItem] = {}
    for row in rows:
        try:
            fault = _garage_fault(row)
            found = [] if fault else garage_rows.items_of([row])
        except DataError as error:
            # file and place, by which each row would be a reason of its own, are named beside it
            fault, found = str(error).removeprefix(f"{row.source}, {row.place}, "), []
        if found and found[0].item_id in items:
            fault, found = "its id occurs twice", []
        if _count(left_out, row, fault):
            items |= {item.item_id: item for item in found}
    return list(items.values())


def _count(left_out: dict[str, list[str]], row: Row, fault: str | None) -> bool:
    if fault:
        left_out.setdefault(fault, []).append(row.place)
    return fault is None


def _garage_fault(row: Row) -> str | None:
    """Return which of the paper's rules a row of upstream GaRAGe breaks (App. C.1 and the released filter)."""
    values, reader = row.values, Reader(row, garage_rows.FIELDS)
    evidence = [str(label) for label in reader.entries("evidence")]
    if str(values.get("answer_validate", "")).upper() != "YES":
        return "answer not validated"
    if garage_rows.ANSWERS_IT not in evidence:
        return "no passage answers the question"
    if str(values.get("question_complexity", "")).strip().lower() not in COMPLEXITIES:
        return "question complexity"
    if str(values.get("question_type") or "").strip().upper() not in ("SLOW-CHANGING", ""):
        return "question type"
    return "fewer than ten passages" if len(reader.entries("passages")) < PASSAGES else None


def _own(rows: Sequence[Row], left_out: dict[str, list[str]]) -> list[RefusalItem]:
    found = zip(rows, entries_by(_own_item, rows), strict=True)
    return [item for row, item in found if _count(left_out, row, None if item else _NOWHERE) and item]


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
    for name in ("contexts", "context", "gold_docs", "retrieved_docs"):
        texts = _texts(row, name)
        if texts:
            return texts[:1] if name.endswith("_docs") else texts
    return []


def _texts(row: Row, field: str) -> list[str]:
    """Return texts: one as such, or those of a list, where an object's text is under `text` or `contents`."""
    entries = Reader(row, {field: (field,)}).entries(field)
    found = [(e.get("text") or e.get("contents")) if isinstance(e, Mapping) else e for e in entries]
    return [str(text).strip() for text in found if text is not None and str(text).strip()]


def _draw(items: Sequence[RefusalItem], draw: Draw, upstream: bool) -> list[RefusalItem]:
    drawn, rng = sorted(items, key=lambda item: item.item_id), random.Random(draw.seed)
    per_domain = draw.per_domain if draw.per_domain is not None else PER_DOMAIN * upstream
    if per_domain:
        groups: dict[str, list[RefusalItem]] = defaultdict(list)
        for item in drawn:
            groups[item.domain].append(item)
        drawn = [i for name in sorted(groups) for i in rng.sample(groups[name], min(per_domain, len(groups[name])))]
    if draw.count is not None and draw.count < len(drawn):
        drawn = rng.sample(drawn, draw.count)
    return sorted(drawn, key=lambda item: item.item_id)
