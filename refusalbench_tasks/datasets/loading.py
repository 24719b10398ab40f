"""A benchmark's data: where its rows come from, and which of them a run uses."""

import logging
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from refusalbench_tasks.datasets.duplicates import find_duplicates, without
from refusalbench_tasks.datasets.files import BUNDLED_LICENCE, Row, bundled_rows, read_rows
from refusalbench_tasks.datasets.fingerprint import fingerprint
from refusalbench_tasks.datasets.hub import read_hub
from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.datasets.knob_filter import with_knobs
from refusalbench_tasks.datasets.originals import originals_of
from refusalbench_tasks.datasets.selection import draw, keep, names_of
from refusalbench_tasks.datasets.shard import part_of, shard_of
from refusalbench_tasks.datasets.worlds import WORLDS, Made, made_rows
from refusalbench_tasks.errors import DataError

if TYPE_CHECKING:
    from inspect_ai.dataset import MemoryDataset

logger = logging.getLogger(__name__)

Controls = Literal["none", "add", "only"]


@dataclass(frozen=True)
class Benchmark:
    """All that is particular to one data set of the refusal kind; the task, its solver and scorers follow from it."""

    name: str
    task: str
    """The name of its task."""
    repo: str
    """Its repository on the Hugging Face hub."""
    split: str
    licence: str
    sample: str
    """Its bundled rows: a file in `datasets/data`, or an absolute path for a data set outside of this package."""
    prompt: str
    """Its prompt: a file in `solvers/prompts`, or an absolute path, with the slots `{{query}}` and `{{context}}`."""
    passages: Literal["context", "grounding"]
    """The column that holds the passages; a file with this column has its layout."""
    items_of: Callable[[Sequence[Row]], list[RefusalItem]]
    controls_of: Callable[[Sequence[Row]], list[RefusalItem]]
    grounded: bool = False
    """Whether there are several passages, shown as numbered search results: answers are graded for grounding."""

    def sample_rows(self) -> list[Row]:
        """Return the bundled rows."""
        return bundled_rows(self.sample)


@dataclass(frozen=True)
class Selection:
    """Which items of a data set a run uses; comma lists are filters, empty means all."""

    classes: str | Sequence[str] | None = None
    intensities: str | Sequence[str] | None = None
    generators: str | Sequence[str] | None = None
    levers: str | Sequence[str] | None = None
    domains: str | Sequence[str] | None = None
    per_stratum: int | None = None
    seed: int = 0
    controls: Controls = "none"
    knobs: str | None = None
    shard: str | None = None
    stream: bool = False


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


def load(
    benchmark: Benchmark,
    data: str,
    revision: str | None,
    keep_conflicts: bool,
    strict: bool,
    made: Made | None = None,
    given: Sequence[Row] | None = None,
) -> Loaded:
    """Return the items of `hub`, `sample`, `worlds` (as many as `made` says) or a file, or those of `given` rows.

    Duplicate inputs are reported. Duplicates whose labels conflict are dropped with a warning that names them, kept
    if `keep_conflicts`, and an error if `strict`. Raises DataError for bad data.
    """
    rows, provenance = (given, {"data": data}) if given else _rows(benchmark, data, revision, made or Made())
    items = benchmark.items_of(rows)
    duplicates = find_duplicates(items)
    if duplicates.agreeing:
        logger.warning(
            "%s: %d groups of rows have the same input and the same label, e.g. %s",
            data, len(duplicates.agreeing), " = ".join(duplicates.agreeing[0]),
        )  # fmt: skip
    if duplicates.conflicting and strict:
        pair = " and ".join(duplicates.conflicting[0])
        raise DataError(f"{data}: the same input has conflicting labels in {pair}; drop one, or set strict=false")
    kept = items if keep_conflicts else without(items, duplicates.conflicting)
    for group in duplicates.conflicting:
        verb = "kept" if keep_conflicts else "dropped"
        logger.warning("%s: the same input has conflicting labels, %s: %s", data, verb, " and ".join(group))
    provenance |= {
        "rows": len(rows),
        "fingerprint": fingerprint(items),
        "duplicate_groups": len(duplicates.agreeing),
        "conflicting_ids": [list(group) for group in duplicates.conflicting],
        "dropped_rows": len(items) - len(kept),
    }
    clean = [item for item in kept if item.is_clean]
    originals = originals_of(benchmark.controls_of, rows, items)
    perturbed = [item for item in kept if not item.is_clean]
    return Loaded(perturbed, clean, originals.items, provenance, len(originals.without))


def selected_fingerprint(loaded: Loaded, items: Sequence[RefusalItem]) -> str:
    """Return the fingerprint of the selected items, which is known where these are all that were loaded."""
    every = (*loaded.perturbed, *loaded.own)
    whole = len(items) == len(every) and set(map(id, items)) == set(map(id, every))
    known = str(loaded.provenance["fingerprint"])
    return known if whole and not loaded.provenance["dropped_rows"] else fingerprint(items)


def select(loaded: Loaded, selection: Selection) -> list[RefusalItem]:
    """Return the items of a run. Raises DataError for an unknown name, and if nothing is left.

    Unperturbed rows that the data itself holds are answerable rows like others, unless controls are asked for: then
    every unperturbed row is a control, and in no main metric.
    """
    if selection.controls not in get_args(Controls):
        raise DataError(f"controls: unknown value '{selection.controls}'; known: {', '.join(get_args(Controls))}")
    if selection.controls != "none" and not loaded.controls:
        raise DataError("controls: the rows do not hold their unperturbed originals, so there are no controls")
    if selection.controls != "none" and loaded.without_original:
        logger.warning(
            "controls: %d of %d rows hold no unperturbed original and get no control",
            loaded.without_original, loaded.provenance["rows"],
        )  # fmt: skip
    own = loaded.own if selection.controls == "none" else []
    items = _filtered(loaded.perturbed + own, selection)
    chosen = draw(items, selection.per_stratum, selection.seed)
    _report_small_strata(items, selection.per_stratum, len(chosen))
    if selection.controls == "add":
        chosen = draw(chosen + _controls(loaded, chosen), None, selection.seed)
    elif selection.controls == "only":
        chosen = draw(_controls(loaded, items), selection.per_stratum, selection.seed)
    if not chosen and loaded.provenance.get("dropped_rows") and not loaded.perturbed:
        raise DataError("every row shares its input with one of another label, so all were dropped; repair the labels")
    if not chosen:
        raise DataError("no rows are left after the filters; loosen the filters")
    return chosen


def part(items: Sequence[RefusalItem], selection: Selection) -> list[RefusalItem]:
    """Return the items of the run's shard, whole base questions; all without a shard. Errors as in `part_of`."""
    shard = shard_of(selection.shard)
    if shard is None:
        return list(items)
    return part_of(
        items, shard, selection.seed, lambda item: item.source_id, lambda item: f"{item.perturbation}|{item.intensity}"
    )


def as_dataset(items: Sequence[RefusalItem], name: str, settings: Mapping[str, object]) -> "MemoryDataset":
    """Return the items as an Inspect data set; each sample remembers the settings that it is to be scored by."""
    from inspect_ai.dataset import MemoryDataset

    return MemoryDataset([item.to_sample(settings) for item in items], name=name)


def _rows(benchmark: Benchmark, data: str, revision: str | None, made: Made) -> tuple[list[Row], dict[str, Any]]:
    if data == "hub":
        if "NC" in benchmark.licence:
            logger.warning("%s is licensed %s: not for commercial use", benchmark.repo, benchmark.licence)
        hub = read_hub(benchmark.repo, benchmark.split, revision)
        about = {"data": "hub", "repo": benchmark.repo, "split": benchmark.split, "revision": hub.commit or revision}
        return hub.rows, about | {"licence": benchmark.licence}
    if revision is not None:
        raise DataError(f"revision: only data=hub has revisions, not data={data}")
    if data == WORLDS:
        return made_rows(made, benchmark.passages)
    if data == "sample":
        return benchmark.sample_rows(), {"data": "sample", "licence": BUNDLED_LICENCE}
    return read_rows(data), {"data": data}


def _report_small_strata(items: Sequence[RefusalItem], per_stratum: int | None, drawn: int) -> None:
    sizes = Counter((item.perturbation, item.intensity) for item in items)
    small = [n for n in sizes.values() if per_stratum is not None and n < per_stratum]
    if small:
        logger.warning(
            "per_stratum=%s: %d of %d strata hold fewer rows (the smallest %d); all of theirs are used, %d rows in all",
            per_stratum, len(small), len(sizes), min(small), drawn,
        )  # fmt: skip


def _filtered(items: Sequence[RefusalItem], selection: Selection) -> list[RefusalItem]:
    kept = keep(items, "classes", names_of(selection.classes), lambda item: item.perturbation)
    kept = keep(kept, "intensities", names_of(selection.intensities), lambda item: item.intensity)
    kept = keep(kept, "generators", names_of(selection.generators), lambda item: item.generator)
    kept = keep(kept, "levers", names_of(selection.levers), lambda item: item.lever)
    kept = keep(kept, "domains", names_of(selection.domains), lambda item: item.domain)
    return with_knobs(kept, selection.knobs)


def _controls(loaded: Loaded, items: Sequence[RefusalItem]) -> list[RefusalItem]:
    """Return the distinct controls of the items' base questions; all of them if the data has controls only."""
    sources = {item.source_id for item in items}
    distinct = {
        (c.query, c.passages): c for c in reversed(loaded.controls) if c.source_id in sources or not loaded.perturbed
    }
    return [item.model_copy(update={"control": True}) for item in distinct.values()]
