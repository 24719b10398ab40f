"""The metrics of a merged log, from a small row of each sample: no sample and no score is kept."""

import math
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from inspect_ai.log import EvalLog, EvalResults, EvalSample, recompute_metrics
from inspect_ai.scorer import Score

from refusalbench_tasks.logs.keyed_rows import SameValues
from refusalbench_tasks.logs.run import scored_of
from refusalbench_tasks.metrics import inspect_hedging, inspect_refusal
from refusalbench_tasks.metrics.hedging_row import hedging_row
from refusalbench_tasks.metrics.hedging_rows import HedgingRows
from refusalbench_tasks.metrics.refusal_rows import RefusalRows, refusal_row
from refusalbench_tasks.metrics.score_reading import StandIn

_REFUSAL = (refusal_row, RefusalRows)
_ROWS: Mapping[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "refusal_scores": _REFUSAL,
    "grounded_scores": _REFUSAL,
    "hedging_scores": (hedging_row, HedgingRows),
}
"""Our scores whose metrics read rows, with what makes a row and what holds all of them."""


class _Seen(NamedTuple):
    """How many samples have a score, and how many have one that is not known."""

    scored: int = 0
    unscored: int = 0


class MergedMetrics:
    """Takes the samples of a log one by one and computes its metrics, as Inspect would over all of them at once.

    Scores that are neither rows of ours nor labels are kept whole, with what is known of their samples: memory grows
    with these.
    """

    def __init__(self, header: EvalLog) -> None:
        names = _metric_names(header)
        self._rows: dict[str, list[Any]] = {
            name: [] for name, used in names.items() if name in _ROWS and all(map(_is_ours, used))
        }
        self._labels: dict[str, Counter[Any]] = {
            name: Counter() for name, used in names.items() if used == ["inspect_ai/frequency"]
        }
        self._silent = {name for name, used in names.items() if not used}
        self._seen: dict[str, _Seen] = {}
        self._others: list[EvalSample] = []
        self._same = SameValues()
        self.samples = self._completed = 0

    def add(self, sample: Mapping[str, Any]) -> None:
        """Take a sample, as it is in a log."""
        self.samples += 1
        self._completed += sample.get("error") is None
        scores = sample.get("scores") or {}
        left = {name: score for name, score in scores.items() if not self._taken(name, score, sample)}
        if left:
            self._others.append(_light(sample, left))

    def compute(self, header: EvalLog) -> None:
        """Put the metrics of all samples into a header, in place of those that it has."""
        stand_ins: dict[str, Score] = {name: Score(value={}) for name in self._silent if name in self._seen}
        stand_ins |= {name: StandIn.of(_ROWS[name][1](rows)) for name, rows in self._rows.items() if rows}
        header.samples = [_light_of({name: score}) for name, score in stand_ins.items()] + self._others
        # one sample of each label: how often it occurs is put in afterwards
        header.samples += [
            _light_of({name: Score(value=label)}) for name, counts in self._labels.items() for label in counts
        ]
        recompute_metrics(header)
        header.samples = None
        if header.results is not None:
            self._complete(header.results)

    def _taken(self, name: str, score: Mapping[str, Any], sample: Mapping[str, Any]) -> bool:
        """Return whether a score is read for good."""
        if name not in self._rows and name not in self._labels and name not in self._silent:
            return False
        value = score["value"]
        known = not (isinstance(value, float) and math.isnan(value))
        seen = self._seen.get(name, _Seen())
        self._seen[name] = _Seen(seen.scored + known, seen.unscored + (not known))
        if name in self._rows:
            scored = scored_of(sample, name, self._same)
            if scored is not None:
                facts = self._same.facts(sample.get("metadata") or {}, str(sample["id"]))
                self._rows[name].append(_ROWS[name][0](facts, scored))
        elif name in self._labels and known:
            self._labels[name][value] += 1
        return True

    def _complete(self, results: EvalResults) -> None:
        results.completed_samples = self._completed
        for score in results.scores:
            if score.name not in self._seen:
                continue
            score.scored_samples, score.unscored_samples = self._seen[score.name]
            counts = self._labels.get(score.name, Counter())
            for label, metric in score.metrics.items() if counts else ():
                metric.value = counts[label] / counts.total()


def _is_ours(metric: str) -> bool:
    """Return whether a metric is one of the suite's; in a checkout Inspect names them without the package."""
    name = metric.removeprefix("refusalbench_tasks/")
    return hasattr(inspect_refusal, name) or hasattr(inspect_hedging, name)


def _metric_names(header: EvalLog) -> dict[str, list[str]]:
    """Return the names of the metrics of each scorer, as far as these are plain and no other scorer has its name."""
    scorers = header.eval.scorers or []
    # metrics of the task stand in for those of each scorer
    if header.eval.metrics:
        return {}
    named = [scorer.name.rpartition("/")[2] for scorer in scorers]
    return {
        name: [one.name for one in metrics if not isinstance(one, dict)]
        for name, scorer in zip(named, scorers, strict=True)
        if isinstance(metrics := scorer.metrics or [], list)
        and named.count(name) == 1
        and not any(isinstance(one, dict) for one in metrics)
    }


def _light(sample: Mapping[str, Any], scores: Mapping[str, Any]) -> EvalSample:
    """Return a sample with nothing but what metrics read: id, epoch, these scores, metadata, error."""
    return _light_of(
        {name: Score.model_validate(score) for name, score in scores.items()},
        id=sample["id"],
        epoch=sample["epoch"],
        metadata=sample.get("metadata") or {},
        error=sample.get("error"),
    )


def _light_of(scores: dict[str, Score], **fields: Any) -> EvalSample:
    about: dict[str, Any] = {"id": "", "epoch": 1, "input": "", "target": "", "metadata": {}, "error": None}
    return EvalSample.model_construct(**(about | fields), scores=scores)
