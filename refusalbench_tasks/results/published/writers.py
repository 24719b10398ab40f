"""What generation runs have in the place of published numbers of writers and verifiers
(RefusalBench, RQ1, App. E).
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from inspect_ai.log import EvalLog

from refusalbench_tasks.results.verifier_panel import VotedLog, gap, panel_of, rate
from refusalbench_tasks.stats.estimate import Estimate

from .numbers import over_models
from .papers import PublishedRow

if TYPE_CHECKING:
    import pandas as pd

ALL = "all writers"
_OF_WRITER = ("self_pass_rate", "cross_pass_rate", "self_bias")
PUBLISHED_OF = Callable[[str], str | None]


class Writers:
    """The votes of the runs by published writers over one kind of bases."""

    def __init__(
        self,
        logs: Sequence[VotedLog],
        published_of: PUBLISHED_OF,
        expected: int,
    ) -> None:
        self.logs = [log for log in logs if published_of(log.header.eval.model)]
        self._published_of = published_of
        self._expected = expected
        self._panel = panel_of(self.logs)

    @property
    def log(self) -> EvalLog:
        """Return the newest of the logs, of which there must be one."""
        headers = [log.header for log in self.logs]
        return max(headers, key=lambda header: header.eval.created)

    @property
    def differences(self) -> tuple[str, ...]:
        """Return what keeps the runs from reproducing the published numbers, a few
        words each.
        """
        specs = [log.header.eval for log in self.logs]
        writers = {self._name(spec.model) for spec in specs}
        reasons = []
        if len(writers) < self._expected:
            reasons.append(f"{len(writers)} of {self._expected} writers")
        for name in ("coverage", "verify"):
            values = {str((spec.task_args or {}).get(name)) for spec in specs}
            reasons += [f"{name}={value}" for value in sorted(values - {"all"})]
        return (*reasons, "the published base questions are not known")

    def measure(self, row: PublishedRow) -> Estimate:
        """Return what the runs have in the place of a published number."""
        matched = self._of(self._panel.matched, row.model)
        metric = row.metric
        if metric in _OF_WRITER:
            voted = self._of(self._panel.own(), row.model)
            place = _OF_WRITER.index(metric)
            each = [
                replace(gap(rows)[place], n=len(rows))
                for _, rows in voted.groupby("writer")
            ]
            if row.model == ALL:
                return over_models("mean", each, [])
            return each[0] if each else Estimate()
        if metric == "kappa":
            pairs = {
                frozenset(map(self._name, pair)): self._panel.kappa(*pair)
                for pair in self._panel.pairs()
            }
            if row.across:
                return over_models(
                    row.across,
                    list(pairs.values()),
                    [],
                )
            return pairs.get(frozenset(row.subset.split(", ")), Estimate())
        if metric == "class_range":
            by_class = [rate(rows) for _, rows in matched.groupby("class")]
            return over_models("spread", by_class, [])
        column = "class" if row.subset.startswith("P-") else "intensity"
        return rate(matched[matched[column] == row.subset])

    def _name(self, model: str) -> str:
        return self._published_of(model) or model

    def _of(self, rows: "pd.DataFrame", model: str) -> "pd.DataFrame":
        """Return the rows of a published writer, or all."""
        return rows if model == ALL else rows[rows["writer"].map(self._name) == model]
