"""A run as everybody reads it: its numbers with their CIs, what it may stand beside,
and what has to be known of it.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pandas as pd

from refusalbench_tasks.metrics import hedging
from refusalbench_tasks.metrics.feature_rows import feature_metrics
from refusalbench_tasks.metrics.hedging_table import missing_confidences
from refusalbench_tasks.metrics.metric_table import is_share
from refusalbench_tasks.metrics.refusal import by_group, every_number
from refusalbench_tasks.metrics.refusal_metrics import headline, main_metrics
from refusalbench_tasks.metrics.reply_columns import cluster_index
from refusalbench_tasks.metrics.reply_table import main_rows
from refusalbench_tasks.metrics.source_factors import (
    Effect,
    conflict_effects,
    factor_effects,
)
from refusalbench_tasks.metrics.spending import spending
from refusalbench_tasks.replies.outside_text import one_line
from refusalbench_tasks.stats.cluster import ClusterIndex, Mask, cluster_sums
from refusalbench_tasks.stats.estimate import Estimate, ratio_estimates

from .interval_rules import safe_estimate
from .table import Run

COUNTS = ("replies", "no reply", "unscored", "errors", "not run")
BY_PART = (
    "answer_accuracy",
    "refusal_accuracy",
    "false_refusal_rate",
    "missed_refusal_rate",
    "category_accuracy",
)
"""The metrics that parts of the rows have."""
INCOMPLETE = 0.05
"""A run is warned of where a larger share of its rows is not known, or of its
confidences not read.
"""
Estimates = Mapping[str, Estimate]


class GroupKey(NamedTuple):
    """What runs must have in common to stand in one table."""

    task: str
    rows: str
    protocol: str
    prompt: str
    lexicon: str
    reader: str

    def compared(self, any_data: bool = False) -> "GroupKey":
        """Return what two runs must have in common to be compared reply by reply.

        The prompt and who reads the replies may be what is compared, and are warned of.
        """
        return self._replace(
            prompt="",
            reader="",
            rows="" if any_data else self.rows,
        )

    def told_apart(self, keys: Collection["GroupKey"]) -> str:
        """Return in what a group differs from the others of its task, to end a title;
        and its protocol, where that is not the paper's.
        """
        words = {
            "protocol": f"scored by {self.protocol}",
            "prompt": f"prompt {self.prompt[:8] or 'unknown'}",
            "lexicon": f"hedges counted by {self.lexicon or 'an unknown list'}",
            "reader": f"replies read by {self.reader}",
        }
        of_task = [key._asdict() for key in keys if key.task == self.task]
        differing = ""
        for name, text in words.items():
            differs = len({key[name] for key in of_task}) > 1
            if differs or (name == "protocol" and self.protocol != "paper"):
                differing += f", {text}"
        return differing


@dataclass(frozen=True)
class RunView:
    """A run, what it is called beside others, and everything that is known of it."""

    run: Run
    label: str = ""
    _groups: dict[str, dict[str, Estimates]] = field(default_factory=dict, repr=False)

    @cached_property
    def group_key(self) -> GroupKey:
        """Return what the runs of its table have in common."""
        run = self.run
        # equal rows may lie at several paths; where the rows are not known, the path
        # must do
        rows = run.fingerprint or f"unknown, {run.data}"
        return GroupKey(
            run.task,
            rows,
            run.protocol,
            run.prompt,
            run.lexicon,
            run.reader,
        )

    @cached_property
    def numbers(self) -> Estimates:
        """Return every metric of the run by name, as people are shown them."""
        replies = self.run.replies
        numbers = (
            every_number(replies)
            if self.run.refusal
            else hedging.hedging_values(replies)
        )
        return {
            name: safe_estimate(estimate, is_share(name))
            for name, estimate in numbers.items()
        }

    @cached_property
    def by_arm(self) -> Mapping[str, Estimates]:
        """Return what is measured of each arm of `bluff`, by metric and arm; nothing of
        others.

        `difference` is ambiguous - clear.
        """
        if self.run.refusal:
            return {}
        arms = {}
        for name, by_arm in hedging.arm_estimates(self.run.replies).items():
            arms[name] = {
                arm: safe_estimate(estimate, is_share(f"{name}_{arm}"))
                for arm, estimate in by_arm.items()
            }
        return arms

    @cached_property
    def every(self) -> Estimates:
        """Return every metric, those of arms as `NAME_ARM`."""
        arms = {
            f"{name}_{arm}": estimate
            for name, estimates in self.by_arm.items()
            for arm, estimate in estimates.items()
        }
        return {**arms, **self.numbers}

    @cached_property
    def spending(self) -> Estimates:
        """Return latency, tokens and cost, as far as the log has them."""
        return spending(self.run.replies)

    @cached_property
    def effects(self) -> list[Effect]:
        """Return what each factor of the sources moves; nothing if no row tells
        them.
        """
        return factor_effects(self.run.replies)

    @cached_property
    def conflict_effects(self) -> list[Effect]:
        """Return what conflicts move, by what they are about."""
        return conflict_effects(self.run.replies)

    def number(self, name: str) -> Estimate:
        """Return a metric; one that a run of this kind lacks is unknown."""
        return self.numbers.get(name, Estimate())

    @cached_property
    def codes(self) -> bool:
        """Return whether refusal codes were asked for."""
        return bool(self.run.replies["codes"].all())

    @cached_property
    def main_names(self) -> tuple[str, ...]:
        """Return the names of the main metrics, the headline first."""
        if not self.run.refusal:
            return hedging.MAIN
        names = [headline(self.run.replies), *main_metrics(self.run.replies)]
        for name, metric in feature_metrics().items():
            if metric.main and name in self.numbers:
                names.append(name)
        return tuple(dict.fromkeys(names))

    @cached_property
    def rows(self) -> "pd.DataFrame":
        """Return the scored replies that the main metrics are about."""
        rows = main_rows(self.run.replies) if self.run.refusal else self.run.main
        return rows.reset_index(drop=True)

    @cached_property
    def clusters(self) -> ClusterIndex:
        """Return the place of what each of `rows` is resampled with."""
        return cluster_index(self.rows)

    def by_group(
        self,
        column: str,
        groups: Sequence[str],
        metric: str,
    ) -> list[Estimate]:
        """Return a metric of the rows of each group, from the same resamples of all
        rows; unknown where it has none.
        """
        if column not in self._groups:
            self._groups[column] = {**by_group(self.run.replies, column, BY_PART)}
        estimates = []
        for group in groups:
            numbers = self._groups[column].get(group, {})
            estimates.append(safe_estimate(numbers.get(metric, Estimate()), True))
        return estimates

    def share(self, hit: Mask, among: Mask) -> Estimate:
        """Return the share of `rows` that are a hit, of those of the mask `among`, with
        its CI and n.
        """
        if not among.any():
            return Estimate()
        cells = np.column_stack([hit & among, among]).astype(float)[among]
        sums = cluster_sums(cells, self.clusters[among])
        return safe_estimate(ratio_estimates(["share"], sums)["share"], True)

    @cached_property
    def counts(self) -> dict[str, int]:
        """Return how many samples there are of each kind: scored, without a reply of
        the model, unscored, failed, not run.
        """
        outcome = self.run.replies["outcome"]
        return {
            "replies": len(outcome),
            "no reply": int((outcome == "no_reply").sum()),
            "unscored": int((outcome == "unscored").sum()),
            "errors": len(self.run.lost),
            "not run": self.run.never_run,
        }

    @property
    def samples(self) -> int:
        """Return how many samples there should be: scored, failed, and not run."""
        return sum(self.counts[name] for name in ("replies", "errors", "not run"))

    @cached_property
    def unscored(self) -> dict[str, int]:
        """Return how many samples nobody knows everything of, by why, controls
        included.

        `ungraded` are decided, but nobody knows whether they are right. A reply that
        the model failed to give is not among them: it is known to be none.
        """
        table = self.run.replies
        graded = "right" if self.run.refusal else "correctness"
        ungraded = (table["outcome"] == "decided") & table[graded].isna()
        if not self.run.refusal:
            ungraded &= table["refused"] != 1
        return {
            "undecided": self.counts["unscored"],
            "ungraded": int(ungraded.sum()),
            "ended in error": self.counts["errors"],
            "not run": self.counts["not run"],
        }

    @property
    def not_known(self) -> str:
        """Return of how many samples not everything is known, and why, in words."""
        counts = Counter(self.unscored)
        text = f"{counts.total()} of {self.samples}"
        if counts.total():
            listed = [f"{count} {why}" for why, count in (+counts).items()]
            text += f": {', '.join(listed)}"
        return text

    @cached_property
    def reasons(self) -> Counter[str]:
        """Return why replies are unscored, by how often."""
        table = self.run.replies
        reasons = table.loc[table["outcome"] == "unscored", "reason"]
        return Counter(str(reason) for reason in reasons)

    @cached_property
    def without_level(self) -> tuple[int, int]:
        """Return how many decided replies state no readable confidence, of those of
        known correctness that should.
        """
        rows = self.run.main
        decided = rows["confidence_asked"] & (rows["outcome"] == "decided")
        asked = rows[decided & rows["right"].notna()]
        return int((asked["level"] == "").sum()), len(asked)

    @property
    def warnings(self) -> list[str]:
        """Return what a reader must be told before the numbers, in sentences."""
        run = self.run
        warnings = []
        if run.status != "success":
            warnings.append(f"the run did not finish (status: {run.status}).")
        if not run.part:
            warnings += self._incomplete()
        replies = run.replies
        cut = int((replies["reason"] == "truncated").sum())
        if cut:
            warnings.append(
                f"{cut} of {len(replies)} replies were cut off by a limit of tokens"
                " and count as none: raise --max-tokens, or the context that is served."
            )
        lost = None if run.refusal else missing_confidences(replies)
        if lost:
            warnings.append(lost)
        itself = int(replies["self_graded"].sum())
        if itself:
            warnings.append(f"the model graded itself ({itself} replies).")
        checks = replies["grader_check"].unique()
        warnings += [f"{one_line(text)}." for text in checks if text]
        if run.cluster == "row":
            warnings.append(
                "its CIs take rows for independent, wherever they are said to be by"
                " question (cluster=row)."
            )
        return warnings

    def _incomplete(self) -> list[str]:
        """Return which shares of the samples are not known and too large; of a few rows
        any share would be.
        """
        warnings = []
        unknown = sum(self.unscored.values())
        if unknown > INCOMPLETE * self.samples:
            text = f"not everything is known of {self.not_known}; read the bounds"
            if self.counts["errors"] or self.counts["not run"]:
                text += ", in which errors and rows not run have no part"
            warnings.append(f"{text}.")
        unread, asked = self.without_level if self.run.refusal else (0, 0)
        if unread > INCOMPLETE * asked:
            warnings.append(
                f"{unread} of {asked} replies state no readable confidence."
            )
        return warnings
