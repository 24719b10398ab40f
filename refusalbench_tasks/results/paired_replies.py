"""The replies of two runs to the same samples, and what two runs are compared by."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from refusalbench_tasks.outcome import Cluster
from refusalbench_tasks.results.table import Run
from refusalbench_tasks.stats.cluster import ClusterIndex, Floats, Mask, Statistic
from refusalbench_tasks.stats.proportion import ratios

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Quantity:
    """Statistics of sums over paired rows: cells of A and B, shape (n, k), and what
    maps sums to m values and n.
    """

    names: Sequence[str]
    a: Floats
    b: Floats
    places: ClusterIndex
    statistic: Statistic
    sizes: Statistic
    share: bool = True


@dataclass(frozen=True)
class Pairing:
    """The replies of two runs to the same samples, in one order, and what there is to
    say of them.

    `a` and `b` are decided in both, `every` are those that are in both, and `sides` all
    that each run has. `lost` says of which replies in `a` and `b` nobody knows in A or
    in B whether they are right: they count as ungraded in both.
    """

    first: Run
    sides: "tuple[pd.DataFrame, pd.DataFrame]"
    every: "tuple[pd.DataFrame, pd.DataFrame]"
    a: "pd.DataFrame"
    b: "pd.DataFrame"
    lost: Mask
    note: str
    cluster: Cluster


@dataclass(frozen=True)
class Family:
    """How runs of the tasks of one kind are compared.

    `replies` are those of two runs as they are compared, with a note; `main` those that
    the tests are about; `judged` says of each reply whether it refuses, and whether it
    is right (NaN if unknown).
    """

    replies: "Callable[[Run, Run], tuple[pd.DataFrame, pd.DataFrame, str]]"
    main: "Callable[[pd.DataFrame], pd.DataFrame]"
    judged: "Callable[[pd.DataFrame], tuple[Mask, Floats]]"
    quantities: Callable[[Pairing], Sequence[Quantity]]


def paired(a: "pd.DataFrame", b: "pd.DataFrame") -> "tuple[pd.DataFrame, pd.DataFrame]":
    """Return the rows of both that are of the same sample and epoch, in one order."""
    one, other = (
        side.set_index(["sample_id", "epoch"], drop=False).sort_index()
        for side in (a, b)
    )
    both = one.index.intersection(other.index)
    return one.loc[both].reset_index(drop=True), other.loc[both].reset_index(drop=True)


def decided(
    a: "pd.DataFrame", b: "pd.DataFrame"
) -> "tuple[pd.DataFrame, pd.DataFrame]":
    """Return those of paired rows that are decided in both."""
    both = (a["outcome"] != "unscored") & (b["outcome"] != "unscored")
    return a[both].reset_index(drop=True), b[both].reset_index(drop=True)


def ratio_quantity(
    names: Sequence[str], a: Floats, b: Floats, places: ClusterIndex, share: bool = True
) -> Quantity:
    """Return ratios of sums over paired rows: the cells are numerators, then
    denominators, which are the n.
    """
    m = len(names)
    return Quantity(
        names,
        a,
        b,
        places,
        lambda of: ratios(of[..., :m], of[..., m:]),
        lambda of: of[..., m:],
        share,
    )
