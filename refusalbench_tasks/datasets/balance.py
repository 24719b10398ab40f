"""Draws that are balanced over classes and intensities: of some rows of each, and of a
small part that stands for all (`quick=true`).
"""

from collections.abc import Sequence

from .draw import (
    grouped,
    rank,
    take_turns,
    warn_of_small,
)
from .item import RefusalItem
from .quick import QUICK, tell_quick

Items = list[RefusalItem]


def balanced_draw(
    items: Sequence[RefusalItem],
    per_stratum: int | None,
    seed: int,
) -> Items:
    """Return a seeded draw of at most `per_stratum` items per class x intensity, in an
    order of balanced prefixes.

    Within a stratum the generators take turns. The strata take turns as well, so that
    the first k samples (Inspect's `--limit k`) are as balanced as k allows. The order
    depends on ids and seed alone. None draws everything. Warns of strata with fewer
    items than are to be drawn.
    """
    strata = grouped(items, stratum)
    order = sorted(strata, key=lambda name: rank(name, seed))
    spread = []
    for name in order:
        shuffled = sorted(strata[name], key=lambda item: rank(item.item_id, seed))
        groups = grouped(shuffled, lambda item: item.generator)
        generators = sorted(groups, key=lambda key: rank(f"{key}|{name}", seed))
        turns = take_turns([groups[key] for key in generators])
        spread.append(turns[:per_stratum])
    if per_stratum is not None:
        sizes = {name: len(strata[name]) for name in order}
        warn_of_small("per_stratum", per_stratum, sizes)
    return take_turns(spread)


def stratum(item: RefusalItem) -> str:
    """Return what a draw is balanced over: class and intensity."""
    return f"{item.perturbation}|{item.intensity}"


def quick_draw(items: Sequence[RefusalItem], seed: int) -> Items:
    """Return at most QUICK items, in which each class x intensity has its share of all;
    all of them if there are no more.

    Rows of one class and base question are drawn together, with an unperturbed row of
    that question, so that an unanswerable row has an answerable twin wherever there
    is one. Says what difference the draw can show.
    """
    if len(items) <= QUICK:
        return list(items)
    room = {}
    for name, rows in grouped(items, stratum).items():
        room[name] = round(QUICK * len(rows) / len(items))
    chosen = {}
    families = _families(items, seed)
    # whole families first: a row that is drawn alone takes the place of a twin
    for in_part in (False, True):
        for family in families:
            if not in_part and not all(room[stratum(item)] for item in family):
                continue
            for item in family:
                if room[stratum(item)] and item.item_id not in chosen:
                    chosen[item.item_id] = item
                    room[stratum(item)] -= 1
    drawn = balanced_draw([*chosen.values()], None, seed)[:QUICK]
    tell_quick(
        drawn,
        items,
        lambda item: "answerable" if item.answerable else "unanswerable",
    )
    return drawn


def _families(items: Sequence[RefusalItem], seed: int) -> list[Items]:
    """Return rows of each class and base question, one of each intensity and pair, in a
    seeded order: families with twins first, then the larger.
    """
    ordered = sorted(items, key=lambda item: rank(item.item_id, seed))
    clean = grouped(
        (item for item in ordered if item.is_clean),
        lambda item: item.source_id,
    )
    families = []
    by_class = grouped(ordered, lambda item: (item.perturbation, item.source_id))
    for (_, source), rows in by_class.items():
        rows = rows + clean.get(source, [])
        kinds = {(stratum(item), item.pair): item for item in rows}
        families.append([*kinds.values()])

    def order(family: Items) -> tuple[int, int, bytes]:
        behaviours = {item.answerable for item in family}
        return -len(behaviours), -len(family), rank(family[0].item_id, seed)

    return sorted(families, key=order)
