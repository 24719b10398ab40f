"""The verifiers' votes on first attempts, from logs of `perturb`: what the paper's
figures 3, 4 and 14 to 17 show.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from inspect_ai.log import EvalLog, EvalSample, read_eval_log_samples

from refusalbench_tasks.log_reading import LeftOut, each_once, scores_of, unreadable
from refusalbench_tasks.replies.outside_text import one_line
from refusalbench_tasks.stats.agreement import cohen_kappa
from refusalbench_tasks.stats.cluster import cluster_sums, places_of
from refusalbench_tasks.stats.estimate import Estimate, mean_estimates, ratio_estimates

if TYPE_CHECKING:
    import pandas as pd

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

    def kappa(self, one: str, other: str) -> Estimate:
        """Return Cohen's kappa of two verifiers over what both judged."""
        rows = self.judged[
            np.array(
                [one in votes and other in votes for votes in self.judged["votes"]],
                bool,
            )
        ]
        first, second = (
            [votes[name] for votes in rows["votes"]] for name in (one, other)
        )
        return Estimate(cohen_kappa(first, second), len(rows))

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Yield each two verifiers."""
        return combinations(self.verifiers, 2)

    def by_writer(self, column: str) -> dict[tuple[str, str], Estimate]:
        """Return the pass rate of each writer's matched candidates by a column: (group,
        writer).
        """
        groups = self.matched.groupby([column, "writer"])
        return {
            (str(group), str(writer)): rate(rows) for (group, writer), rows in groups
        }

    def of_verifier(self, writer: str, verifier: str) -> Estimate:
        """Return the pass rate of a writer's matched candidates by one verifier."""
        rows = self.matched[self.matched["writer"] == writer]
        rows = rows[[verifier in votes for votes in rows["votes"]]]
        return rate(
            rows.assign(
                passed=[float(votes[verifier]) for votes in rows["votes"]], n=1.0
            )
        )

    def own(self) -> "pd.DataFrame":
        """Return the matched candidates that their writer judged beside others, with
        both shares of passes.
        """
        pairs = zip(self.matched["writer"], self.matched["votes"], strict=True)
        rows = self.matched[
            np.array([name in votes and len(votes) > 1 for name, votes in pairs], bool)
        ]
        both = list(zip(rows["writer"], rows["votes"], strict=True))
        cross = [
            np.mean([passed for other, passed in votes.items() if other != name])
            for name, votes in both
        ]
        return rows.assign(
            self_pass=[float(votes[name]) for name, votes in both], cross_pass=cross
        )


def rate(rows: "pd.DataFrame") -> Estimate:
    """Return the share of passed votes with its CI by base question; n counts
    candidates.
    """
    if not len(rows):
        return Estimate()
    cells = np.column_stack([rows["passed"] * rows["n"], rows["n"]]).astype(float)
    found = ratio_estimates(["rate"], cluster_sums(cells, places_of(rows["source"])))[
        "rate"
    ]
    return replace(found, n=len(rows))


def gap(rows: "pd.DataFrame") -> tuple[Estimate, Estimate, Estimate]:
    """Return the pass rate of candidates by their own writer, by the others, and the
    difference, with CIs.
    """
    own = rows["self_pass"].to_numpy(float)
    cross = rows["cross_pass"].to_numpy(float)
    places = places_of(rows["source"])
    every = np.ones((len(rows), 2))
    sums = cluster_sums(np.hstack([np.column_stack([own, cross]), every]), places)
    rates = ratio_estimates(["self", "cross"], sums)
    return (
        rates["self"],
        rates["cross"],
        mean_estimates({"gap": own - cross}, places)["gap"],
    )


@dataclass(frozen=True)
class VotedLog:
    """A log of `perturb` and the votes on first attempts that a whole panel judged;
    `multi` with ten passages.
    """

    header: EvalLog
    votes: tuple[Mapping[str, Any], ...]
    multi: bool = False


def read_votes(logs: Sequence[EvalLog]) -> tuple[list[VotedLog], list[LeftOut]]:
    """Return the votes of each finished log of `perturb`, and which logs are left out,
    with the reason.
    """
    found: list[VotedLog] = []
    left_out: list[LeftOut] = []
    for log in logs:
        if log.status != "success":
            left_out.append((log.location, f"an unfinished run (status: {log.status})"))
            continue
        try:
            samples = list(_samples(log))
        except Exception as error:  # anything can be wrong with a file
            left_out.append(
                (
                    log.location,
                    str(unreadable(log.location, error)).removeprefix(
                        f"{log.location}: "
                    ),
                )
            )
            continue
        rows = tuple(row for _, row in samples if row)
        found.append(
            VotedLog(
                log,
                rows,
                any(len(facts["base"]["passages"]) > 1 for facts, _ in samples),
            )
        )
    return found, left_out


def panel_of(logs: Sequence[VotedLog]) -> Panel:
    """Return the votes in logs of `perturb` as one panel."""
    import pandas as pd

    judged = pd.DataFrame([row for log in logs for row in log.votes], columns=_COLUMNS)
    votes = judged["votes"]
    passed = votes.map(lambda of: sum(of.values()) / len(of)).astype(float)
    judged = judged.assign(n=votes.map(len).astype(float), passed=passed)
    latest = judged.drop_duplicates(["slot", "writer"], keep="last")
    writers = latest.groupby("slot")["writer"].transform("nunique")
    return Panel(judged, latest[writers == latest["writer"].nunique()])


def _samples(
    log: EvalLog,
) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any] | None]]:
    """Yield what each sample's slot is, and the row of the panel that it is, None for
    others.
    """
    samples = read_eval_log_samples(
        log.location, all_samples_required=False, exclude_fields={"events", "messages"}
    )
    for sample in each_once(samples):
        about = _noted(sample)
        facts = sample.metadata
        votes = {
            one_line(vote["verifier"]): vote.get("passed")
            for vote in about.get("votes") or ()
        }
        if (
            facts.get("attempt", 1) != 1
            or not about.get("panel_share")
            or not votes
            or None in votes.values()
        ):
            yield facts, None
            continue
        base = facts["base"]
        candidate = about.get("candidate") or {}
        lever = facts.get("lever")
        planned = facts.get("planned_lever")
        values = (
            (
                base["item_id"],
                facts["perturbation"],
                facts["intensity"],
                planned or lever,
            ),
            str(base["source_id"]),
            one_line(log.eval.model),
            facts["perturbation"],
            facts["intensity"],
            one_line(lever or candidate.get("lever") or "(none)"),
            votes,
        )
        yield facts, dict(zip(_COLUMNS, values, strict=True))


def _noted(sample: EvalSample) -> Mapping[str, Any]:
    names = scores_of(sample.scores or {}, ("consensus_scores",))
    return (sample.scores or {})[names[-1]].metadata or {} if names else {}
