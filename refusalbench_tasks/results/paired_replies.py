"""The replies of two runs to the same samples, and what two runs are compared by."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pandas as pd

from refusalbench_tasks.metrics.metric import Metric
from refusalbench_tasks.metrics.named_sums import NamedSums
from refusalbench_tasks.outcome import Cluster
from refusalbench_tasks.stats.cluster import Floats, Mask

from .table import Run


@dataclass(frozen=True)
class PairedSums:
    """Metrics that two runs are compared by, and the sums over the replies of A and of
    B in the same clusters.
    """

    metrics: Sequence[Metric]
    a: NamedSums
    b: NamedSums


@dataclass(frozen=True)
class Pairing:
    """The replies of two runs to the same samples, in one order, and what there is to
    say of them.

    `a` and `b` are decided in both, `every` are those that are in both, and `sides` all
    that each run has. `lost` says of which replies in `a` and `b` nobody knows in A or
    in B whether they are right: they count as ungraded in both.
    """

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
    sums: Callable[[Pairing], list[PairedSums]]


def paired(a: "pd.DataFrame", b: "pd.DataFrame") -> "tuple[pd.DataFrame, pd.DataFrame]":
    """Return the rows of both that are of the same sample and epoch, in one order."""
    keys = ["sample_id", "epoch"]
    by_sample = [side.set_index(keys, drop=False).sort_index() for side in (a, b)]
    both = by_sample[0].index.intersection(by_sample[1].index)
    first, second = (side.loc[both].reset_index(drop=True) for side in by_sample)
    return first, second


def decided(
    a: "pd.DataFrame",
    b: "pd.DataFrame",
) -> "tuple[pd.DataFrame, pd.DataFrame]":
    """Return those of paired rows that are decided in both."""
    both = (a["outcome"] != "unscored") & (b["outcome"] != "unscored")
    return a[both].reset_index(drop=True), b[both].reset_index(drop=True)
