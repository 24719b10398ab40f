"""One log as reports and comparisons read it: its header and one row per sample, without whole samples."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress
from typing import Generic, Self, TypeVar

from refusalbench_tasks.files.log_header import AnyHeader, short_header
from refusalbench_tasks.files.narrow_json import Members
from refusalbench_tasks.metrics import hedging_row as of_hedging
from refusalbench_tasks.metrics import refusal_rows as of_refusal
from refusalbench_tasks.metrics.arm_names import PAIRED
from refusalbench_tasks.metrics.hedging_row import HedgingRow, hedging_row
from refusalbench_tasks.metrics.hedging_rows import HedgingRows
from refusalbench_tasks.metrics.refusal import main_metrics
from refusalbench_tasks.metrics.refusal_rows import RefusalRow, RefusalRows
from refusalbench_tasks.metrics.sample_facts import SampleFacts
from refusalbench_tasks.metrics.scored_row import cluster_of, protocol_of
from refusalbench_tasks.outcome import Cluster, Protocol
from refusalbench_tasks.results.logs.growing_rows import GrowingKinds, GrowingRows, wanted
from refusalbench_tasks.results.logs.keyed_rows import Key as Key
from refusalbench_tasks.results.logs.keyed_rows import KeyedRows, keyed, kinds_of, rows_where
from refusalbench_tasks.results.logs.score_names import scores_of
from refusalbench_tasks.results.logs.show import HEDGING, REFUSAL
from refusalbench_tasks.results.logs.stored import many_objects, read_summaries
from refusalbench_tasks.results.logs.system_name import system_of
from refusalbench_tasks.results.logs.task_facts import task_facts

Row = TypeVar("Row", RefusalRow, HedgingRow)


@dataclass(frozen=True)
class Run(Generic[Row]):
    """One log: who was evaluated on which rows, how completely, by which graders, and the scored rows.

    `lost` holds what is known of samples without our score (errors). Names are one line each.
    """

    name: str
    model: str
    task: str
    created: str
    status: str
    data: str
    fingerprint: str
    protocol: Protocol
    rows: Mapping[Key, Row]
    lost: Mapping[Key, SampleFacts] = field(default_factory=dict)
    planned: int = 0
    """Samples that the run was to have, each epoch counted."""
    reasoning_tokens: int | None = None
    baseline: bool = False
    """Whether a solver of ours replied in place of a model."""
    prompt: str = ""
    settings: str = ""
    """The arguments of the task that were set."""

    @classmethod
    def of(cls, name: str, header: AnyHeader, rows: Mapping[Key, Row], lost: Mapping[Key, SampleFacts]) -> Self:
        """Return the run of a log's header and samples."""
        spec = header.eval
        system = system_of(spec)
        facts = task_facts(header)
        settings = sorted((spec.task_args_passed or {}).items())
        return cls(
            name=name,
            model=_line(system.name),
            task=_line(spec.task.rpartition("/")[2]),
            created=str(spec.created),
            status=str(header.status),
            data=_line(facts.data),
            fingerprint=_line(facts.selected_fingerprint),
            protocol=protocol_of(kinds_of(rows)),
            rows=rows,
            lost=lost,
            planned=len(spec.dataset.sample_ids or ()) * (spec.config.epochs or 1),
            reasoning_tokens=spec.model_generate_config.reasoning_tokens,
            baseline=system.baseline,
            prompt=_line(facts.prompt),
            settings=_line(", ".join(f"{key}={value}" for key, value in settings)),
        )

    @cached_property
    def graders(self) -> frozenset[str]:
        """Return the models that graded replies."""
        return frozenset(_line(name) for row in kinds_of(self.rows) for name in row.graders)

    @cached_property
    def cluster(self) -> Cluster:
        """Return what the run was told to resample."""
        return cluster_of(kinds_of(self.rows))

    @property
    def lexicon(self) -> str:
        """Return the list that hedges were counted by, where they were."""
        return ""

    @property
    def never_run(self) -> int:
        """Return how many samples the run did not come to."""
        return max(0, self.planned - len(self.rows) - len(self.lost))


class RefusalRun(Run[RefusalRow]):
    """A run of `nq` or `garage`: perturbed rows, and beside them unperturbed controls."""

    @cached_property
    def perturbed(self) -> Mapping[Key, RefusalRow]:
        """Return the scored rows that the main metrics are about."""
        return rows_where(self.rows, lambda row: not row.is_control)

    @cached_property
    def controls(self) -> Mapping[Key, RefusalRow]:
        """Return the scored rows that are unperturbed controls."""
        return rows_where(self.rows, lambda row: row.is_control)

    @cached_property
    def every_row(self) -> RefusalRows:
        """Return the scored rows as metrics take them."""
        return refusal_rows(self.rows)

    @cached_property
    def main_rows(self) -> RefusalRows:
        """Return the perturbed rows as metrics take them."""
        return refusal_rows(self.perturbed)

    @cached_property
    def in_order(self) -> tuple[list[Key], RefusalRows]:
        """Return the keys of the perturbed rows, sorted, and the rows in that order."""
        rows = keyed(self.perturbed)
        keys = [rows.key(place) for place in rows.order.tolist()]
        return keys, self.main_rows.at(rows.order)

    @cached_property
    def main_metrics(self) -> tuple[str, ...]:
        """Return the names of the main metrics of runs of this kind."""
        return main_metrics(self.every_row.grounded, self.every_row.codes)

    @property
    def codes(self) -> bool:
        """Return whether refusal codes were asked for."""
        return self.every_row.codes

    @cached_property
    def judged(self) -> frozenset[Key]:
        """Return the perturbed rows whose reply a grader decided."""
        judged = self.main_rows.mask(lambda row: row.decided_by == "judge")
        return frozenset(compress(self.perturbed, judged))

    @cached_property
    def grades(self) -> Mapping[Key, float]:
        """Return the quality grades of the perturbed rows to which a grader gave one."""
        grades = zip(self.perturbed, self.main_rows.column("grade").tolist(), strict=True)
        return {key: grade for key, grade in grades if not math.isnan(grade)}


class HedgingRun(Run[HedgingRow]):
    """A run of `bluff`."""

    @cached_property
    def scored(self) -> HedgingRows:
        """Return the scored rows of the paper's two arms as the metrics take them."""
        return self.every_arm.published

    @cached_property
    def every_arm(self) -> HedgingRows:
        """Return the scored rows of all arms."""
        return HedgingRows(self.rows.values())

    @cached_property
    def in_order(self) -> tuple[list[Key], HedgingRows]:
        """Return the keys of the rows of the paper's two arms, sorted, and the rows in that order."""
        keys = sorted(key for key, row in self.rows.items() if row.arm in PAIRED)
        return keys, HedgingRows(self.rows[key] for key in keys)

    @property
    def lexicon(self) -> str:
        """Return the list that hedges were counted by; empty where the log names none."""
        return next((_line(row.lexicon) for row in self.rows.values() if row.lexicon), "")


AnyRun = RefusalRun | HedgingRun


def scorer_of(header: AnyHeader) -> str | None:
    """Return the name of the newest of our scores in a log; None for a log of anything else."""
    named = [score.name for score in header.results.scores] if header.results else []
    named = named or [scorer.name.rpartition("/")[2] for scorer in header.eval.scorers or ()]
    return next(reversed(scores_of(named, (*REFUSAL.scorers, *HEDGING.scorers))), None)


def read_run(name: str, header: AnyHeader | None = None) -> AnyRun | None:
    """Return the run of a log file, read through its sample summaries; None if it has none of our scores."""
    head = header or short_header(name)
    scorer = scorer_of(head)
    if scorer is None:
        return None
    if scores_of([scorer], REFUSAL.scorers):
        return RefusalRun.of(name, head, *_rows(name, GrowingKinds(scorer), wanted(scorer, *of_refusal.READ)))
    growing = GrowingRows(scorer, hedging_row)
    return HedgingRun.of(name, head, *_rows(name, growing, wanted(scorer, *of_hedging.READ)))


def _rows(name: str, growing: GrowingRows[Row], members: Members) -> tuple[Mapping[Key, Row], dict[Key, SampleFacts]]:
    """Return the scored rows of a log and what is known of the samples that have no score."""
    lost: dict[Key, SampleFacts] = {}
    ids: list[str] = []
    epochs: list[int] = []
    with many_objects():
        for summary in read_summaries(name, members):
            key, epoch = str(summary["id"]), int(summary["epoch"])
            if growing.add(key, summary):
                ids.append(key)
                epochs.append(epoch)
            else:
                lost[key, epoch] = SampleFacts.of(summary.get("metadata") or {})
        return KeyedRows.of(ids, epochs, growing.rows()), lost


def refusal_rows(rows: Mapping[Key, RefusalRow]) -> RefusalRows:
    """Return rows by sample as metrics take them, in their order."""
    held = keyed(rows).in_places
    return held if isinstance(held, RefusalRows) else RefusalRows(held)


def _line(name: object) -> str:
    """Return a name from a log as one line: line breaks in it must not forge lines of ours."""
    return " ".join(str(name).split())
