"""The verifiers' votes on first attempts, from logs of `perturb`: what the paper's
figures 3, 4 and 14 to 17 show.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from inspect_ai.log import EvalLog, EvalSample, read_eval_log_samples

from refusalbench_tasks.log_reading import (
    LeftOut,
    each_once,
    reason_for,
    scores_of,
)
from refusalbench_tasks.replies.outside_text import one_line
from refusalbench_tasks.stats.agreement import cohen_kappa
from refusalbench_tasks.stats.cluster import cluster_sums, places_of
from refusalbench_tasks.stats.estimate import (
    NAN,
    Estimate,
    mean_estimates,
    ratio_estimates,
)

EARLY_STOP = (
    "not measurable: early stop. A verifier that is asked only where the earlier ones"
    " passed shows no rate of its own; run perturb with -T verify=all"
)
_COLUMNS = ("slot", "source", "writer", "class", "intensity", "lever", "votes")


@dataclass(frozen=True)
class Panel:
    """First attempts with every vote of a panel that voted whatever the outcome, a row
    each.

    `judged` are all of them, `matched` those of slots that are so judged for every
    writer (paper 4.2). `passed` is the share of the n votes that passed.
    """

    judged: "pd.DataFrame"
    matched: "pd.DataFrame"

    @property
    def verifiers(self) -> list[str]:
        """Return the names of all that voted."""
        return sorted({name for votes in self.judged["votes"] for name in votes})

    def kappa(self, first: str, second: str) -> Estimate:
        """Return Cohen's kappa of two verifiers over what both judged."""
        both = [
            (votes[first], votes[second])
            for votes in self.judged["votes"]
            if first in votes and second in votes
        ]
        of_first = [passed for passed, _ in both]
        of_second = [passed for _, passed in both]
        return Estimate(cohen_kappa(of_first, of_second), len(both))

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Yield each two verifiers."""
        return combinations(self.verifiers, 2)

    def by_writer(self, column: str) -> dict[tuple[str, str], Estimate]:
        """Return the pass rate of each writer's matched candidates by a column: (group,
        writer).
        """
        rates = {}
        for (group, writer), rows in self.matched.groupby([column, "writer"]):
            rates[str(group), str(writer)] = rate(rows)
        return rates

    def of_verifier(self, writer: str, verifier: str) -> Estimate:
        """Return the pass rate of a writer's matched candidates by one verifier."""
        rows = self.matched[self.matched["writer"] == writer]
        passed = rows["votes"].map(lambda votes: votes.get(verifier))
        judged = rows.assign(passed=passed.astype(float), n=1.0)
        return rate(judged[passed.notna()])

    def own(self) -> "pd.DataFrame":
        """Return the matched candidates that their writer judged beside others, with
        both shares of passes.
        """
        shares = []
        pairs = zip(
            self.matched["writer"],
            self.matched["votes"],
            strict=True,
        )
        for writer, votes in pairs:
            others = [passed for name, passed in votes.items() if name != writer]
            judged = writer in votes and others
            shares += [votes[writer], np.mean(others)] if judged else [NAN, NAN]
        self_pass, cross_pass = np.array(shares, dtype=float).reshape(-1, 2).T
        rows = self.matched.assign(self_pass=self_pass, cross_pass=cross_pass)
        return rows[rows["self_pass"].notna()]


def rate(rows: "pd.DataFrame") -> Estimate:
    """Return the share of passed votes with its CI by base question; n counts
    candidates.
    """
    if not len(rows):
        return Estimate()
    n = rows["n"]
    cells = np.column_stack([rows["passed"] * n, n]).astype(float)
    sums = cluster_sums(cells, places_of(rows["source"]))
    return replace(ratio_estimates(["rate"], sums)["rate"], n=len(rows))


def gap(rows: "pd.DataFrame") -> tuple[Estimate, Estimate, Estimate]:
    """Return the pass rate of candidates by their own writer, by the others, and the
    difference, with CIs.
    """
    shares = rows[["self_pass", "cross_pass"]].to_numpy(float)
    places = places_of(rows["source"])
    sums = cluster_sums(np.hstack([shares, np.ones(shares.shape)]), places)
    rates = ratio_estimates(["self", "cross"], sums)
    gaps = mean_estimates({"gap": shares[:, 0] - shares[:, 1]}, places)
    return rates["self"], rates["cross"], gaps["gap"]


@dataclass(frozen=True)
class VotedLog:
    """A log of `perturb` and the votes on first attempts that a whole panel judged;
    `multi` with ten passages.
    """

    header: EvalLog
    votes: Sequence[Mapping[str, Any]]
    multi: bool = False


def read_votes(logs: Sequence[EvalLog]) -> tuple[list[VotedLog], list[LeftOut]]:
    """Return the votes of each finished log of `perturb`, and which logs are left out,
    with the reason.
    """
    voted = []
    left_out = []
    for log in logs:
        name = log.location
        if log.status != "success":
            left_out.append((name, f"an unfinished run (status: {log.status})"))
            continue
        try:
            samples = read_eval_log_samples(
                name,
                all_samples_required=False,
                exclude_fields={"events", "messages"},
            )
            votes = []
            multi = False
            for sample in each_once(samples):
                row = _vote_row(log, sample)
                if row:
                    votes.append(row)
                multi = multi or len(sample.metadata["base"]["passages"]) > 1
            voted.append(
                VotedLog(
                    log,
                    votes,
                    multi,
                )
            )
        except Exception as error:  # anything can be wrong with a file
            left_out.append((name, reason_for(name, error)))
    return voted, left_out


def panel_of(logs: Sequence[VotedLog]) -> Panel:
    """Return the votes in logs of `perturb` as one panel."""
    judged = pd.DataFrame([row for log in logs for row in log.votes], columns=_COLUMNS)
    n = judged["votes"].map(len).astype(float)
    passed = judged["votes"].map(lambda votes: sum(votes.values())).astype(float)
    judged = judged.assign(n=n, passed=passed / n)
    latest = judged.drop_duplicates(["slot", "writer"], keep="last")
    writers = latest.groupby("slot")["writer"].transform("nunique")
    return Panel(judged, latest[writers == latest["writer"].nunique()])


def _vote_row(log: EvalLog, sample: EvalSample) -> Mapping[str, Any] | None:
    """Return the row of the panel that a sample is; None for a later attempt, and where
    the panel did not vote.
    """
    scores = sample.scores or {}
    names = scores_of(scores, ("consensus_scores",))
    notes = (names and scores[names[-1]].metadata) or {}
    facts = sample.metadata
    votes = {
        one_line(vote["verifier"]): vote.get("passed")
        for vote in notes.get("votes") or ()
    }
    whole = notes.get("panel_share") and votes and None not in votes.values()
    if facts.get("attempt", 1) != 1 or not whole:
        return None
    base = facts["base"]
    kind = facts["perturbation"], facts["intensity"]
    lever = facts.get("lever")
    candidate = notes.get("candidate") or {}
    return {
        "slot": (base["item_id"], *kind, facts.get("planned_lever") or lever),
        "source": str(base["source_id"]),
        "writer": one_line(log.eval.model),
        "class": kind[0],
        "intensity": kind[1],
        "lever": one_line(lever or candidate.get("lever") or "(none)"),
        "votes": votes,
    }
