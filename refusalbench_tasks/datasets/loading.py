"""A benchmark's data: where its rows come from, and the items of a run."""

from collections.abc import Sequence
from dataclasses import dataclass
from logging import getLogger
from typing import Any

from refusalbench_tasks.datasets.benchmarks import Benchmark
from refusalbench_tasks.datasets.draw import fingerprint, grouped
from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.datasets.remote import pin_of, read_hub
from refusalbench_tasks.datasets.rows import BUNDLED_LICENCE, Row, bundled_rows, read_rows
from refusalbench_tasks.datasets.selection import Selection, chosen_items, draw, warn_small_strata
from refusalbench_tasks.datasets.worlds import WORLDS, WorldsConfig, made_rows
from refusalbench_tasks.errors import DataError

logger = getLogger(__name__)


@dataclass(frozen=True)
class Loaded:
    """Items of a data set before selection, and where they came from."""

    perturbed: list[RefusalItem]
    own: list[RefusalItem]
    """Unperturbed rows that the data itself holds."""
    originals: list[RefusalItem]
    """Unperturbed originals of the perturbed rows."""
    provenance: dict[str, Any]
    without_original: int = 0
    """Perturbed rows that hold no original: they get no control."""

    @property
    def controls(self) -> list[RefusalItem]:
        """Return every unperturbed row."""
        return self.own + self.originals


def load(benchmark: Benchmark, selection: Selection, keep_conflicts: bool = False) -> Loaded:
    """Return the items of a selection's data.

    Duplicate inputs are reported. Duplicates whose labels conflict are dropped with a warning that names them, kept
    if `keep_conflicts`, and an error if the selection is strict. Raises DataError for bad data.
    """
    rows, provenance = _rows(benchmark, selection)
    items = benchmark.items_of(rows)
    alike = grouped(items, lambda item: (item.query, item.passages))
    twice = [[item.item_id for item in group] for group in alike.values() if len(group) > 1]
    labels = {item.item_id: item.expected for item in items}
    conflicting = [names for names in twice if len({labels[name] for name in names}) > 1]
    agreeing = [names for names in twice if names not in conflicting]
    _tell_duplicates(selection, agreeing, conflicting, keep_conflicts)
    dropped = set() if keep_conflicts else {name for names in conflicting for name in names}
    kept = [item for item in items if item.item_id not in dropped]
    originals, without = benchmark.originals_of(rows, items)
    provenance |= {
        "rows": len(rows),
        "fingerprint": fingerprint(items),
        "duplicate_groups": len(agreeing),
        "conflicting_ids": conflicting,
        "dropped_rows": len(dropped),
    }
    perturbed, own = ([item for item in kept if item.is_clean is clean] for clean in (False, True))
    return Loaded(perturbed, own, originals, provenance, len(without))


def _tell_duplicates(
    selection: Selection, agreeing: Sequence[Sequence[str]], conflicting: Sequence[Sequence[str]], kept: bool
) -> None:
    data, same = selection.data, "have the same input and the same label"
    if agreeing:
        logger.warning("%s: %d groups of rows %s, e.g. %s", data, len(agreeing), same, " = ".join(agreeing[0]))
    if conflicting and selection.strict:
        pair = " and ".join(conflicting[0])
        raise DataError(f"{data}: the same input has conflicting labels in {pair}; drop one, or set strict=false")
    for group in conflicting:
        verb = "kept" if kept else "dropped"
        logger.warning("%s: the same input has conflicting labels, %s: %s", data, verb, " and ".join(group))


def select(loaded: Loaded, selection: Selection) -> list[RefusalItem]:
    """Return the items of a run. Raises DataError for an unknown name, and if nothing is left.

    Unperturbed rows that the data itself holds are answerable rows like others, unless controls are asked for: then
    every unperturbed row is a control, and in no main metric.
    """
    if selection.controls != "none" and not loaded.controls:
        raise DataError("controls: the rows do not hold their unperturbed originals, so there are no controls")
    if selection.controls != "none" and loaded.without_original:
        told = f"{loaded.without_original} of {loaded.provenance['rows']}"
        logger.warning("controls: %s rows hold no unperturbed original and get no control", told)
    own = loaded.own if selection.controls == "none" else []
    items = chosen_items(loaded.perturbed + own, selection)
    chosen = draw(items, selection.per_stratum, selection.seed)
    warn_small_strata(items, selection.per_stratum, len(chosen))
    if selection.controls == "add":
        chosen = draw(chosen + _controls(loaded, chosen), None, selection.seed)
    elif selection.controls == "only":
        chosen = draw(_controls(loaded, items), selection.per_stratum, selection.seed)
    if not chosen and loaded.provenance.get("dropped_rows") and not loaded.perturbed:
        raise DataError("every row shares its input with one of another label, so all were dropped; repair the labels")
    if not chosen:
        raise DataError("no rows are left after the filters; loosen the filters")
    return chosen


def _controls(loaded: Loaded, items: Sequence[RefusalItem]) -> list[RefusalItem]:
    """Return the distinct controls of the items' base questions; all of them if the data has controls only."""
    sources = {item.source_id for item in items}
    distinct = {
        (c.query, c.passages): c for c in reversed(loaded.controls) if c.source_id in sources or not loaded.perturbed
    }
    return [item.model_copy(update={"control": True}) for item in distinct.values()]


def _rows(benchmark: Benchmark, selection: Selection) -> tuple[list[Row], dict[str, Any]]:
    data = selection.data
    if data == "hub":
        if "NC" in benchmark.licence:
            logger.warning("%s is licensed %s: not for commercial use", benchmark.repo, benchmark.licence)
        wanted = selection.revision or pin_of(benchmark.repo)
        rows, commit = read_hub(benchmark.repo, benchmark.split, wanted)
        about = {"repo": benchmark.repo, "split": benchmark.split, "revision": commit or wanted, "pinned": bool(wanted)}
        return rows, {"data": data} | about | {"licence": benchmark.licence}
    if data == WORLDS:
        return made_rows(WorldsConfig(selection.n, selection.seed, selection.domains), benchmark.passages)
    if data == "sample":
        return bundled_rows(benchmark.sample), {"data": data, "licence": BUNDLED_LICENCE}
    return read_rows(data), {"data": data}
