"""Which rows a run of the refusal kind uses, and in which order: filters, a balanced seeded draw, controls, a shard."""

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from logging import getLogger
from typing import Literal, Self

from pydantic import model_validator

from refusalbench_tasks.arguments import Arguments, Count, Names, Switch, Text, Whole
from refusalbench_tasks.datasets.draw import ShardArgument, grouped, part_of, rank, take_turns
from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.datasets.worlds import WorldsConfig
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.taxonomy import plain_name

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
_COMPARISONS: Mapping[str, Callable[[float, float], bool]] = {"<=": operator.le, ">=": operator.ge, "=": operator.eq}
_CONDITION = re.compile(r"\s*(\w+)\s*(<=|>=|=)\s*([\w.+-]+)\s*")


class Selection(Arguments):
    """The rows of a data set that a run uses: the arguments that all tasks of the refusal kind have."""

    data: Text = "hub"
    """`hub` (the released set), `sample` (rows shipped with the package), `worlds` (synthetic rows, generated
    when the run starts, docs/worlds.md), or the path of a JSONL, JSON, CSV or Parquet file."""
    revision: Text | None = None
    """Revision of the hub data set; without it the package's pin, if it has one. The log records the resolved one, and
    as `pinned` whether one was requested."""
    classes: Names = ()
    """Comma list of perturbation classes."""
    intensities: Names = ()
    """Comma list of LOW, MEDIUM, HIGH."""
    generators: Names = ()
    """Comma list of the models that generated the rows."""
    levers: Names = ()
    """Comma list of lever names."""
    domains: Names = ()
    """Comma list of domains; with `data=worlds`, those to generate rows from."""
    knobs: Names = ()
    """Comma list of conditions on how hard a row is: `hops=2,distance<=40,register=table` (docs/worlds.md)."""
    n: Count | None = None
    """Number of rows that `data=worlds` generates (1,800 of one passage, 600 of ten)."""
    per_stratum: Count | None = None
    """Draw at most this many rows from each class x intensity, spread over the generators."""
    seed: Whole = 0
    """Seed of the draw and of the order of the rows, and of the worlds."""
    controls: Controls = "none"
    """Unperturbed originals as answerable rows: `none`, `add`, `only`."""
    strict: Switch = False
    """Make duplicate inputs with conflicting labels an error instead of dropping them."""
    shard: ShardArgument = None
    """The part of the base questions that this process takes, as `2/8`: the second of eight (docs/scale.md)."""

    @model_validator(mode="after")
    def _fit_the_data(self) -> Self:
        WorldsConfig(self.n).check(self.data)
        if self.revision is not None and self.data != "hub":
            raise DataError(f"revision: only data=hub has revisions, not data={self.data}")
        return self


def chosen_items(items: Sequence[RefusalItem], selection: Selection) -> list[RefusalItem]:
    """Return the items that pass every filter. Raises DataError for a name or a knob that no item has."""
    kept = list(items)
    for argument in FILTERS:
        kept = keep(kept, argument, getattr(selection, argument))
    return with_knobs(kept, selection.knobs)


def keep(items: Sequence[RefusalItem], argument: str, names: Sequence[str]) -> list[RefusalItem]:
    """Return the items whose value is one of the names, compared without case and without the `P-` of class names.

    No names means no filter. Controls are always kept: they have no class, intensity or generator.
    Raises DataError that lists the known names if a name occurs in no item.
    """
    if not names:
        return list(items)
    values = {item.item_id: getattr(item, FILTERS[argument]) or "" for item in items if not item.is_clean}
    known = {plain_name(value): value for value in values.values() if value}
    for name in names:
        if plain_name(name) not in known:
            instead = f"known: {', '.join(sorted(known.values()))}" if known else f"the rows have no {argument}"
            raise DataError(f"{argument}: unknown name '{name}'; {instead}")
    wanted = set(map(plain_name, names))
    return [item for item in items if item.is_clean or plain_name(values[item.item_id]) in wanted]


def with_knobs(items: Sequence[RefusalItem], conditions: Sequence[str]) -> list[RefusalItem]:
    """Return the items that satisfy every condition (NAME=VALUE, NAME<=NUMBER, NAME>=NUMBER), in their order.

    An item without a knob that others have is left out. Raises DataError for what is no condition, and for a knob that
    no item has.
    """
    kept = list(items)
    for condition in conditions:
        match = _CONDITION.fullmatch(condition)
        if match is None:
            raise DataError(f"knobs: '{condition}' is no condition; write NAME=VALUE, NAME<=NUMBER or NAME>=NUMBER")
        knob, comparison, limit = match.groups()
        known = sorted({name for item in items for name in item.knobs})
        if knob not in known:
            raise DataError(f"knobs: no row has '{knob}'; known: {', '.join(known) or 'none, in this data'}")
        kept = [item for item in kept if knob in item.knobs and _holds(knob, item.knobs[knob], comparison, limit)]
    return kept


def _holds(knob: str, value: float | str, comparison: str, limit: str) -> bool:
    if isinstance(value, str):
        if comparison != "=":
            raise DataError(f"knobs: '{knob}' has words, which are compared by '=' alone")
        return value == limit
    try:
        return _COMPARISONS[comparison](value, float(limit))
    except ValueError:
        raise DataError(f"knobs: '{knob}' has numbers, not '{limit}'") from None


def draw(items: Sequence[RefusalItem], per_stratum: int | None, seed: int) -> list[RefusalItem]:
    """Return a seeded draw of at most `per_stratum` items per class x intensity, in an order of balanced prefixes.

    Within a stratum the generators take turns. The strata take turns as well, so that the first k samples (Inspect's
    `--limit k`) are as balanced as k allows. The order depends on the ids and the seed, not on the order of the rows.
    None draws everything. Controls are a stratum of their own.
    """
    strata = grouped(items, _stratum)
    drawn = [_spread(strata[name], seed)[:per_stratum] for name in sorted(strata, key=lambda n: rank(n, seed))]
    return take_turns(drawn)


def _spread(items: Sequence[RefusalItem], seed: int) -> list[RefusalItem]:
    """Return the items of a stratum shuffled by seed, with their generators taking turns."""
    groups = grouped(sorted(items, key=lambda item: rank(item.item_id, seed)), lambda item: item.generator)
    order = sorted(groups, key=lambda name: rank(f"{name}|{_stratum(items[0])}", seed))
    return take_turns([groups[name] for name in order])


def _stratum(item: RefusalItem) -> str:
    return f"{item.perturbation}|{item.intensity}"


def warn_small_strata(items: Sequence[RefusalItem], per_stratum: int | None, drawn: int) -> None:
    """Warn of strata that hold fewer items than are to be drawn from each."""
    sizes = [len(stratum) for stratum in grouped(items, _stratum).values()]
    small = [n for n in sizes if per_stratum is not None and n < per_stratum]
    if small:
        fewer = f"{len(small)} of {len(sizes)} strata hold fewer rows (the smallest {min(small)})"
        logger.warning("per_stratum=%s: %s; all of theirs are used, %d rows in all", per_stratum, fewer, drawn)


def part(items: Sequence[RefusalItem], selection: Selection) -> list[RefusalItem]:
    """Return the items of the run's shard, whole base questions; all without a shard. Errors as in `part_of`."""
    return part_of(items, selection.shard, selection.seed, lambda item: item.source_id, _stratum)
