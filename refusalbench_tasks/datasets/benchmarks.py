"""The data sets of the refusal kind, and which of their rows a run uses: filters, a
balanced draw, controls.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from logging import getLogger
from typing import Any, Literal, Self

from pydantic import model_validator

from refusalbench_tasks.arguments import Count, Names, Text
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.taxonomy import plain_name

from .balance import Items, balanced_draw, quick_draw
from .draw import fingerprint, grouped
from .item import RefusalItem
from .languages import asked_by, bundled_twins, in_languages
from .refusal_rows import GarageRow, RefusalRow
from .remote import pin_of, read_hub
from .rows import (
    BUNDLED_LICENCE,
    Row,
    bundled_rows,
    entries_by,
    read_rows,
)
from .worlds import WORLDS, RowArguments, worlds_rows

logger = getLogger(__name__)

Controls = Literal["none", "add", "only"]
FILTERS = {
    "classes": "perturbation",
    "intensities": "intensity",
    "generators": "generator",
    "levers": "lever",
    "domains": "domain",
}
"""The filters, each with the field of an item that it goes by."""


@dataclass(frozen=True)
class Benchmark:
    """All that is particular to one data set of the refusal kind; the task, its solver
    and scorers follow from it.
    """

    name: str
    task: str
    repo: str
    licence: str
    sample: str
    """Its bundled rows: a file in `datasets/data`, or an absolute path for a data set
    outside of this package.
    """
    prompt: str
    """Its prompt: a file in `solvers/prompts`, or an absolute path, with the slots
    `{{query}}` and `{{context}}`.
    """
    passages: Literal["context", "grounding"]
    """The column that holds the passages; a file with this column has its layout."""
    layout: type[RefusalRow]
    grounded: bool = False
    """Whether there are several passages, shown as numbered search results: answers are
    graded for grounding.
    """
    split: str = "test"

    def items_of(
        self,
        rows: Sequence[Row],
    ) -> Items:
        """Return one item per row of the released, the pipeline's or our own layout;
        errors as in `entries_by`.
        """
        return entries_by(
            self.layout.item_of,
            rows,
            lambda item: item.item_id,
        )

    def originals_of(
        self,
        rows: Sequence[Row],
    ) -> Items:
        """Return the distinct originals that rows hold, in their order."""
        distinct: dict[str, RefusalItem] = {}
        for original in filter(None, map(self.layout.original_of, rows)):
            distinct.setdefault(original.item_id, original)
        return list(distinct.values())


NQ = Benchmark(
    name="RefusalBench-NQ",
    task="nq",
    repo="aashiqmuhamed/RefusalBench-NQ",
    licence="Apache-2.0",
    sample="nq_sample.jsonl",
    prompt="nq.txt",
    passages="context",
    layout=RefusalRow,
)
GARAGE = Benchmark(
    name="RefusalBench-GaRAGe",
    task="garage",
    repo="aashiqmuhamed/RefusalBench-GaRAGe",
    licence="CC-BY-NC-4.0",
    sample="garage_sample.jsonl",
    prompt="garage.txt",
    passages="grounding",
    layout=GarageRow,
    grounded=True,
)
BENCHMARKS = (NQ, GARAGE)
"""Those of this package.

`plan --bases` and `perturb` know them by the names of their tasks.
"""


def tasks_text(*others: str) -> str:
    """Return the names of the tasks of these data sets and of others, for a message:
    `nq, garage or bluff`.
    """
    *names, last = *(benchmark.task for benchmark in BENCHMARKS), *others
    return f"{', '.join(names)} or {last}"


def layout_of(row: Row) -> Benchmark:
    """Return the data set whose column of passages a row has, the newest of several;
    else NQ.
    """
    for benchmark in reversed(BENCHMARKS):
        if benchmark.passages in row.values:
            return benchmark
    return NQ


class Selection(RowArguments):
    """The rows of a data set that a run of the refusal kind uses."""

    revision: Text | None = None
    classes: Names = ()
    intensities: Names = ()
    generators: Names = ()
    levers: Names = ()
    per_stratum: Count | None = None
    controls: Controls = "none"
    language: Names = ()
    """The languages of the rows, by their column `language`: `de`, `en,de`, `all`."""
    question_language: Text | None = None
    """The language of the questions, where it is another one than the passages'."""

    @model_validator(mode="after")
    def _hub_alone_has_revisions(self) -> Self:
        if self.revision is not None and self.data != "hub":
            raise DataError(
                f"revision: only data=hub has revisions, not data={self.data}"
            )
        return self


@dataclass(frozen=True)
class Loaded:
    """Items of a data set before selection, and where they came from."""

    perturbed: Items
    unperturbed: Items
    """Unperturbed rows that the data itself holds."""
    originals: Items
    """Unperturbed originals of the perturbed rows."""
    provenance: dict[str, Any]

    @property
    def controls(self) -> Items:
        """Return every unperturbed row."""
        return self.unperturbed + self.originals


def load(
    benchmark: Benchmark,
    selection: Selection,
    keep_conflicts: bool = False,
) -> Loaded:
    """Return the items of a selection's data. Raises DataError for bad data.

    Duplicates whose labels conflict are dropped with a warning that names them, or kept
    if `keep_conflicts`.
    """
    there, provenance = _rows(benchmark, selection)
    rows = in_languages(there, selection.language)
    items = benchmark.items_of(rows)
    asked = selection.question_language
    if asked:
        items = asked_by(items, benchmark.items_of(in_languages(there, [asked])))
    conflicting = _conflicting(items)
    verb = "kept" if keep_conflicts else "dropped"
    for names in conflicting:
        logger.warning(
            "%s: the same input has conflicting labels, %s: %s",
            selection.data,
            verb,
            " and ".join(names),
        )
    dropped: set[str] = set()
    if not keep_conflicts:
        dropped.update(*conflicting)
    kept = [item for item in items if item.item_id not in dropped]
    provenance |= {
        "rows": len(rows),
        "fingerprint": fingerprint(items),
        "conflicting_ids": conflicting,
    }
    perturbed = [item for item in kept if not item.is_clean]
    unperturbed = [item for item in kept if item.is_clean]
    return Loaded(
        perturbed,
        unperturbed,
        benchmark.originals_of(rows),
        provenance,
    )


def _conflicting(items: Sequence[RefusalItem]) -> list[list[str]]:
    """Return the ids of items with one input and several labels, by input."""
    by_input = grouped(items, lambda item: (item.query, item.passages))
    conflicting = []
    for alike in by_input.values():
        if len({item.expected for item in alike}) > 1:
            conflicting.append([item.item_id for item in alike])
    return conflicting


def select(
    loaded: Loaded,
    selection: Selection,
) -> Items:
    """Return the items of a run.

    Raises DataError for an unknown name, and if nothing is left.

    Unperturbed rows that the data itself holds are answerable rows like others, unless
    controls are asked for: then every unperturbed row is a control, and in no main
    metric.
    """
    controls = selection.controls
    seed = selection.seed
    if controls != "none" and not loaded.controls:
        raise DataError(
            "controls: the rows do not hold their unperturbed originals, so there are"
            " no controls"
        )
    items = list(loaded.perturbed)
    if controls == "none":
        items += loaded.unperturbed
    for argument in FILTERS:
        items = keep(
            items,
            argument,
            getattr(selection, argument),
        )
    if controls == "only":
        items = _controls(loaded, items)
    if selection.quick:
        items = quick_draw(items, seed)
    chosen = balanced_draw(items, selection.per_stratum, seed)
    if controls == "add":
        chosen = balanced_draw(
            chosen + _controls(loaded, chosen),
            None,
            seed,
        )
    if not chosen:
        raise DataError(
            "no rows are left; loosen the filters, or repair labels that conflict"
        )
    return chosen


def _controls(
    loaded: Loaded,
    items: Sequence[RefusalItem],
) -> Items:
    """Return the distinct controls of the items' base questions; all of them if the
    data has controls only.
    """
    sources = {item.source_id for item in items}
    distinct = {}
    for control in reversed(loaded.controls):
        if control.source_id in sources or not loaded.perturbed:
            key = (control.query, control.passages)
            distinct[key] = control.model_copy(update={"control": True})
    return list(distinct.values())


def _rows(
    benchmark: Benchmark,
    selection: Selection,
) -> tuple[list[Row], dict[str, Any]]:
    data = selection.data
    if data == "hub":
        repo = benchmark.repo
        if "NC" in benchmark.licence:
            logger.warning(
                "%s is licensed %s: not for commercial use",
                repo,
                benchmark.licence,
            )
        wanted = selection.revision or pin_of(repo)
        rows, commit = read_hub(
            repo,
            benchmark.split,
            wanted,
        )
        return rows, {
            "data": data,
            "repo": repo,
            "split": benchmark.split,
            "revision": commit or wanted,
            "pinned": bool(wanted),
            "licence": benchmark.licence,
        }
    if data == WORLDS:
        return worlds_rows(selection, benchmark.passages)
    if data == "sample":
        provenance = {"data": data, "licence": BUNDLED_LICENCE}
        if selection.language or selection.question_language:
            return bundled_twins(benchmark.sample), provenance
        return bundled_rows(benchmark.sample), provenance
    return read_rows(data), {"data": data}


def keep(
    items: Sequence[RefusalItem],
    argument: str,
    names: Sequence[str],
) -> Items:
    """Return the items whose value is one of the names, compared without case and
    without the `P-` of class names.

    No names means no filter. Unperturbed rows are always kept. Raises DataError, with
    the known names, for another.
    """
    field = FILTERS[argument]
    values = {}
    for item in items:
        if not item.is_clean:
            value = getattr(item, field) or ""
            values[plain_name(value)] = value
    values.pop("", None)
    wanted = set()
    for name in names:
        if plain_name(name) not in values:
            instead = f"the rows have no {argument}"
            if values:
                instead = f"known: {', '.join(sorted(values.values()))}"
            raise DataError(f"{argument}: unknown name '{name}'; {instead}")
        wanted.add(plain_name(name))
    if not wanted:
        return list(items)
    return [
        item
        for item in items
        if item.is_clean or plain_name(getattr(item, field) or "") in wanted
    ]
