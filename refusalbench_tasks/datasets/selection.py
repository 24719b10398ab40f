"""Which items a run uses, and in which order: filters, a balanced seeded draw, balanced prefixes."""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from refusalbench_tasks.arguments import whole_number
from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.datasets.turns import take_turns
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.taxonomy import plain_name


def names_of(argument: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return the names in a comma list (or a list, as Inspect's command line makes of one); () for no filter."""
    if argument is None:
        return ()
    parts = map(str, argument) if isinstance(argument, list | tuple) else str(argument).split(",")
    return tuple(part.strip() for part in parts if part.strip())


def keep(
    items: Sequence[RefusalItem],
    field: str,
    names: Iterable[str],
    value: Callable[[RefusalItem], str | None],
) -> list[RefusalItem]:
    """Return the items whose value is one of the names, compared without case and without the `P-` of class names.

    No names means no filter. Controls are always kept: they have no class, intensity or generator.
    Raises DataError that lists the known names if a name occurs in no item.
    """
    wanted = {plain_name(name): name for name in names}
    if not wanted:
        return list(items)
    known = {plain_name(v): v for item in items if not item.is_clean and (v := value(item))}
    for plain, name in wanted.items():
        if plain not in known:
            raise DataError(f"{field}: unknown name '{name}'; known: {', '.join(sorted(known.values()))}")
    return [item for item in items if item.is_clean or plain_name(value(item) or "") in wanted]


def draw(items: Sequence[RefusalItem], per_stratum: int | None, seed: int) -> list[RefusalItem]:
    """Return a seeded draw of at most `per_stratum` items per class x intensity, in an order of balanced prefixes.

    Within a stratum the generators take turns. The strata take turns as well, so that the first k samples (Inspect's
    `--limit k`) are as balanced as k allows. The order depends on the ids and the seed, not on the order of the rows.
    None draws everything. Controls are a stratum of their own. Raises DataError for a draw below 1.
    """
    if per_stratum is not None:
        whole_number("per_stratum", per_stratum, 1)
    whole_number("seed", seed)
    strata: dict[str, list[RefusalItem]] = defaultdict(list)
    for item in items:
        strata[f"{item.perturbation}|{item.intensity}"].append(item)
    drawn = [_turns(strata[name], seed)[:per_stratum] for name in sorted(strata, key=lambda n: rank(n, seed))]
    return take_turns(drawn)


def _turns(items: Sequence[RefusalItem], seed: int) -> list[RefusalItem]:
    """Return the items shuffled by seed, with their generators taking turns."""
    groups: dict[str, list[RefusalItem]] = defaultdict(list)
    for item in sorted(items, key=lambda i: rank(i.item_id, seed)):
        groups[item.generator].append(item)
    order = sorted(groups, key=lambda name: rank(f"{name}|{items[0].perturbation}|{items[0].intensity}", seed))
    return take_turns([groups[name] for name in order])


def rank(name: str, seed: int) -> bytes:
    """Return a sort key that depends on the name and the seed, the same on every machine."""
    return hashlib.sha256(f"{seed}|{name}".encode()).digest()
