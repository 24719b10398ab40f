"""Where base questions come from, and which of them are taken: the hub, or a file of
released rows or one's own questions.
"""

import random
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from refusalbench_tasks.datasets.benchmarks import BENCHMARKS, GARAGE, NQ, layout_of
from refusalbench_tasks.datasets.draw import grouped
from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.datasets.remote import read_hub
from refusalbench_tasks.datasets.rows import (
    BUNDLED_LICENCE,
    Row,
    bundled_rows,
    read_rows,
)
from refusalbench_tasks.errors import DataError

from .garage_records import VALIDATED, base_of
from .kit.answers import alias_stands_in

Values = Mapping[str, Any]
HUB = "hub:"
SAMPLES = {f"{benchmark.task}_sample": benchmark for benchmark in BENCHMARKS}
_TAGS = re.compile(r"\s*</?[A-Z][A-Za-z]*>\s*")


def _natural_question(values: Values) -> Values | None:
    """Return a row of MRQA's Natural Questions without the tags of its passage; None
    for a row of another set.
    """
    if values.get("subset") != "NaturalQuestionsShort":
        return None
    return {
        "id": values.get("qid"),
        "question": values.get("question"),
        "answers": values.get("answers"),
        "context": _TAGS.sub(" ", str(values.get("context") or "")).strip(),
    }


class HubSource(NamedTuple):
    """A set on the hub: where it is, under which licence, and what becomes of a row
    (None leaves it out unsaid).
    """

    repo: str
    split: str
    licence: str
    row: Callable[[Values], Values | None] = lambda values: values


SOURCES = {
    benchmark.task: HubSource(benchmark.repo, benchmark.split, benchmark.licence)
    for benchmark in BENCHMARKS
} | {
    "nq-upstream": HubSource(
        "mrqa-workshop/mrqa",
        "validation",
        "as the source's",
        _natural_question,
    ),
    "garage-upstream": HubSource("amazon-science/GaRAGe", "train", GARAGE.licence),
}
"""By name: the originals of the released sets, Natural Questions as MRQA gives them,
GaRAGe's own records.
"""


def on_hub(source: str) -> bool:
    """Whether a source is a set on the hub, made by others, and no
    file of one's own.
    """
    return source in SOURCES or source.startswith(HUB)


def read_source(source: str) -> tuple[list[Row], str]:
    """Return the rows of a source and their licence: the one that they state, or `not
    stated`.

    A source is one of SAMPLES (the bundled rows) or SOURCES, `hub:REPO` or
    `hub:REPO#SPLIT` (without a split: `test`), or a file. Raises DataError if it cannot
    be read or has no row.
    """
    if source in SAMPLES:
        return bundled_rows(SAMPLES[source].sample), BUNDLED_LICENCE
    if not on_hub(source):
        known = ", ".join(map(repr, (*SAMPLES, *SOURCES)))
        rows = read_rows(
            source,
            "bases",
            f"{known}, 'hub:REPO' or",
        )
        stated = {str(row.values.get("licence") or "not stated") for row in rows}
        return rows, ", ".join(sorted(stated))
    repo, _, split = source.removeprefix(HUB).partition("#")
    hub = SOURCES.get(source) or HubSource(repo, split or "test", "not stated")
    rows = []
    for row in read_hub(hub.repo, hub.split)[0]:
        values = hub.row(row.values)
        if values is not None:
            rows.append(Row(row.source, row.place, values))
    if not rows:
        raise DataError(
            f"{source}: no row of {hub.repo} ({hub.split}) can be a base question"
        )
    return rows, hub.licence


Keep = Callable[[Sequence[RefusalItem]], Sequence[RefusalItem]]
SEED = 42
_PLANNED = frozenset({"perturbed_context", "intensity"})
"""Columns of rows that were planned; other rows of one passage are somebody's
questions.
"""


@dataclass(frozen=True)
class Curated:
    """Base questions, how many rows were read, and what was left out: places of rows,
    then ids, by reason.
    """

    items: list[RefusalItem]
    rows: int
    left_out: Mapping[str, list[str]]
    licence: str


def curate(
    source: str,
    count: int | None = None,
    seed: int = SEED,
    keep: Keep = tuple,
) -> Curated:
    """Return the base questions of a source (`read_source`).

    Its rows may be released ones, GaRAGe's own records, or one's own: `question`,
    `answer` or `answers`, `context` or `contexts`, of which the first counts in which
    an answer stands. `count` are drawn from what `keep` returns, such as the questions
    that models answer, as many of each domain. Raises DataError for bad rows of one's
    own and if nothing is left; an odd row of others is left out.
    """
    rows, licence = read_source(source)
    left_out = defaultdict(list)
    items: dict[str, RefusalItem] = {}
    for row in rows:
        try:
            fault, originals = _read(row)
        except DataError as error:
            if not on_hub(source):
                raise
            # file and place, by which each row would be a reason of its own, are named
            # beside it
            fault = str(error).removeprefix(f"{row.source}, {row.place}, ")
            originals = []
        for item in originals:
            first = items.setdefault(item.item_id, item)
            if _text_of(first) != _text_of(item):
                fault = fault or "its id occurs twice"
        if fault:
            left_out[fault].append(row.place)
    in_order = [items[name] for name in sorted(items)]
    # of those that say the same the first by its id is kept
    distinct = {_text_of(item): item for item in reversed(in_order)}
    pool = sorted(distinct.values(), key=_name)
    kept = sorted(keep(pool), key=_name)
    drawn = kept
    if count is not None:
        drawn = sorted(_drawn(kept, count, seed), key=_name)
    steps = {
        "repeated": pool,
        "not kept": kept,
        "not drawn": drawn,
    }
    before = set(items)
    for reason, left in steps.items():
        after = set(map(_name, left))
        if before - after:
            left_out[reason] = sorted(before - after)
        before = after
    if not drawn:
        raise DataError(
            f"{source}: no base question is left; left out:"
            f" {', '.join(left_out) or 'nothing'}"
        )
    return Curated(
        drawn,
        len(rows),
        dict(left_out),
        licence,
    )


def _drawn(items: Sequence[RefusalItem], count: int, seed: int) -> list[RefusalItem]:
    """Return at most `count` items, the same number of each domain; where a domain has
    fewer, no other takes its place (paper, C.1).
    """
    by_domain = grouped(items, lambda item: item.domain)
    drawn = []
    for k, domain in enumerate(sorted(by_domain)):
        of_domain = by_domain[domain]
        share = count // len(by_domain) + (k < count % len(by_domain))
        size = min(share, len(of_domain))
        drawn += random.Random(seed).sample(of_domain, size)
    return drawn


def _read(row: Row) -> tuple[str | None, list[RefusalItem]]:
    """Return why a row is left out, and its base questions: itself if it is
    unperturbed, and its original.
    """
    if VALIDATED in row.values:
        fault, row = base_of(row)
        if fault:
            return fault, []
    layout = layout_of(row).layout
    if layout is NQ.layout and _PLANNED.isdisjoint(row.values):
        values = {**row.values, "intensity": "CLEAN"}
        contexts = values.get("contexts")
        if isinstance(contexts, list) and contexts:
            # the first in which an answer stands, else the first
            answers = values.get("answers", values.get("answer"))
            listed = answers if isinstance(answers, list) else [answers]
            aliases = list(map(str, listed))
            holding = (text for text in contexts if alias_stands_in(aliases, str(text)))
            values["context"] = next(holding, contexts[0])
        item = layout.item_of(replace(row, values=values))
        if alias_stands_in(item.answers, " ".join(item.passages)):
            return None, [item]
        return "no answer stands in a context", []
    item = layout.item_of(row)
    original = layout.original_of(row)
    originals = [item] if item.is_clean else []
    if original:
        originals.append(original)
    return None if originals else "no unperturbed original in the row", originals


def _text_of(item: RefusalItem) -> tuple[str, tuple[str, ...]]:
    return item.query, item.passages


def _name(item: RefusalItem) -> str:
    return item.item_id
