"""Where base questions come from: the hub's released sets and Natural Questions, any
set on the hub, or a file.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from refusalbench_tasks.datasets.benchmarks import BENCHMARKS
from refusalbench_tasks.datasets.remote import read_hub
from refusalbench_tasks.datasets.rows import (
    BUNDLED_LICENCE,
    Row,
    bundled_rows,
    read_rows,
)
from refusalbench_tasks.errors import DataError

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
}
"""By name: the originals of the released sets, Natural Questions as MRQA gives them."""


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
        rows = read_rows(source, "bases", f"{known}, 'hub:REPO' or")
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
