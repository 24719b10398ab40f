"""Scores of replies that exist already, without a model and without Inspect's cost for a sample."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

from inspect_ai import Task
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelName, ModelOutput
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target
from inspect_ai.solver import TaskState

from refusalbench_tasks.datasets.item import SETTINGS, RefusalItem
from refusalbench_tasks.metrics.inspect_refusal import grounding_metrics, refusal_metrics
from refusalbench_tasks.outcome import Cluster
from refusalbench_tasks.scorers.decision import Settings, decide_offline
from refusalbench_tasks.scorers.hedging import METRICS, hedging_scores
from refusalbench_tasks.scorers.refusal import (
    DETAILS,
    grounded_numbers,
    grounded_scores,
    plain_numbers,
    refusal_score,
    refusal_scores,
)
from refusalbench_tasks.solvers.recorded import Matched
from refusalbench_tasks.solvers.recorded_reply import Reply
from refusalbench_tasks.solvers.replay import NAME, give, with_level


@dataclass(frozen=True)
class ScoredReply:
    """A row in one epoch, the reply to it if there is one, and its score."""

    sample: Sample
    epoch: int
    reply: Reply | None
    score: Score
    state: TaskState | None = None
    """What a scorer of Inspect was given, where one was needed."""

    @property
    def as_sample_score(self) -> SampleScore:
        """Return the score as metrics take it."""
        return SampleScore(score=self.score, sample_id=self.sample.id, sample_metadata=self.sample.metadata)


@dataclass(frozen=True)
class Kind:
    """What is particular to the scores of one kind of task."""

    scorer: str
    metrics: tuple[Metric, ...]


PLAIN = Kind("refusal_scores", (*DETAILS, refusal_metrics()))
GROUNDED = Kind("grounded_scores", (*DETAILS, grounding_metrics(), refusal_metrics()))
HEDGING = Kind("hedging_scores", tuple(METRICS))
_SETTINGS = tuple(field.name for field in fields(Settings))


def kind_of(task: Task) -> Kind:
    """Return the kind of a task of ours."""
    settings = _settings(task.dataset[0])
    if "grounded" not in settings:
        return HEDGING
    return GROUNDED if settings["grounded"] else PLAIN


def score_replies(task: Task, matched: Matched) -> list[ScoredReply]:
    """Return the scores of the replies to a task's rows: one for each row and epoch, as its own scorer gives them.

    The task must decide offline. There are as many epochs as the replies have.
    """
    kind = kind_of(task)
    epochs = max(epoch for _, epoch in matched.replies)
    scorer = _scorer(kind)
    pairs = ((sample, epoch) for sample in task.dataset for epoch in range(1, epochs + 1))
    return list(_scored(pairs, matched.replies, kind, scorer))


def metrics_of(kind: Kind, scores: Iterable[ScoredReply]) -> dict[str, float]:
    """Return the metrics of scores by name, as a run's log has them."""
    given = [one.as_sample_score for one in scores]
    found: dict[str, float] = {}
    for metric in kind.metrics:
        values: Any = metric(given)  # type: ignore[arg-type]
        found |= {name: float(value) for name, value in values.items()}
    return found


def _scored(
    pairs: Iterable[tuple[Sample, int]], replies: Mapping[tuple[str, int], Reply], kind: Kind, scorer: Scorer
) -> Iterator[ScoredReply]:
    loop = asyncio.new_event_loop()
    row: _Row | None = None
    try:
        for sample, epoch in pairs:
            reply = replies.get((str(sample.id), epoch))
            if kind is HEDGING or (reply and reply.passages is not None):
                state = state_of(sample, epoch, reply)
                score = loop.run_until_complete(scorer(state, Target(sample.target)))
                assert score is not None
                yield ScoredReply(sample, epoch, reply, score, state)
                continue
            if row is None or row.sample is not sample:
                row = _row_of(sample)
            yield ScoredReply(sample, epoch, reply, _refusal_score(row, epoch, reply))
    finally:
        loop.close()


@dataclass(frozen=True)
class _Row:
    """A row of the refusal kind and how its replies are scored, read once for all its epochs."""

    sample: Sample
    item: RefusalItem
    settings: Settings
    cluster: Cluster


def _row_of(sample: Sample) -> _Row:
    known = _settings(sample)
    settings = Settings(**{name: known[name] for name in _SETTINGS})
    return _Row(sample, RefusalItem.model_validate(sample.metadata), settings, known["cluster"])


def _refusal_score(row: _Row, epoch: int, reply: Reply | None) -> Score:
    """Return the score of a reply that saw the row's own passages."""
    item, settings = row.item, row.settings
    given = reply is not None and reply.text is not None
    text = with_level(reply, settings.confidence) if reply is not None and given else None
    decision = decide_offline(item, text, reply.stop if reply else "", settings.confidence, settings.codes)
    numbers = grounded_numbers(decision, item) if settings.grounded else plain_numbers(decision)
    return refusal_score(item, decision, settings, numbers, row.cluster, {"epoch": epoch})


def _scorer(kind: Kind) -> Scorer:
    # without arguments a scorer takes those that each sample remembers of its task
    if kind is HEDGING:
        return hedging_scores()
    return grounded_scores() if kind is GROUNDED else refusal_scores()


def state_of(sample: Sample, epoch: int, reply: Reply | None) -> TaskState:
    """Return a sample with its reply as a scorer of Inspect takes it."""
    state = TaskState(
        model=ModelName("none/none"),
        sample_id=sample.id or "",
        epoch=epoch,
        input=sample.input,
        messages=[],
        target=Target(sample.target),
        output=ModelOutput(model=NAME),
        metadata=dict(sample.metadata or {}),
    )
    give(state, reply)
    return state


def _settings(sample: Sample) -> Mapping[str, Any]:
    settings: Mapping[str, Any] = (sample.metadata or {})[SETTINGS]
    return settings
