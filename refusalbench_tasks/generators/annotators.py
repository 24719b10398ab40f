"""How far two people agree who filled in the same sheet."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.validation_sheet import Filled, filled_rows
from refusalbench_tasks.generators.verification import CRITERIA
from refusalbench_tasks.stats.agreement import cohen_kappa


@dataclass(frozen=True)
class Agreement:
    """How two annotators agree on n items: the share of equal verdicts, and Cohen's kappa (NaN where undefined)."""

    about: str
    n: int
    agreement: float
    kappa: float


def annotator_agreement(first: Path, second: Path) -> list[Agreement]:
    """Return the agreement of two filled sheets on whole items and on each criterion, over the items in both.

    Raises DataError if they have no item in common, and for a sheet in which an item stands twice.
    """
    one, other = _by_item(first), _by_item(second)
    both = [(one[item], other[item]) for item in one if item in other]
    if not both:
        raise DataError(f"{first.name} and {second.name}: no item is filled in in both; use copies of one sheet")
    pairs = {"all criteria": [(a.passed, b.passed) for a, b in both]}
    pairs |= {f"criterion {name}": [(a.verdicts[name], b.verdicts[name]) for a, b in both] for name in CRITERIA}
    return [_agreement(about, found) for about, found in pairs.items()]


def _by_item(path: Path) -> dict[str, Filled]:
    found: dict[str, Filled] = {}
    for row in filled_rows(path):
        if row.item in found:
            raise DataError(f"{path.name}: the item '{row.item}' is there twice")
        found[row.item] = row
    return found


def _agreement(about: str, pairs: Sequence[tuple[bool, bool]]) -> Agreement:
    share = sum(a == b for a, b in pairs) / len(pairs)
    return Agreement(about, len(pairs), share, cohen_kappa([a for a, _ in pairs], [b for _, b in pairs]))
