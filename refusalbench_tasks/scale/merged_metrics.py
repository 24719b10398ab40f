"""The metrics of a merged log, from a small row of each sample: no sample and no score is kept."""

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from inspect_ai.log import EvalLog, EvalResults, EvalSample, recompute_metrics
from inspect_ai.scorer import Score
from pydantic_core import from_json

from refusalbench_tasks.files.narrow_json import Parse, narrow_parser
from refusalbench_tasks.metrics import hedging_row, inspect_hedging, inspect_refusal, refusal_rows
from refusalbench_tasks.metrics.hedging_rows import HedgingRows
from refusalbench_tasks.metrics.score_reading import StandIn
from refusalbench_tasks.results.logs.growing_rows import GrowingRows, wanted
from refusalbench_tasks.results.logs.packed_kinds import PackedKinds


class _Kind(NamedTuple):
    """What makes rows of the scores of a scorer, what metrics take them as, and the names that a row reads."""

    growing: Callable[[str], GrowingRows[Any]]
    rows: Callable[..., Any]
    reads: tuple[tuple[str, ...], tuple[str, ...]]


_REFUSAL = _Kind(PackedKinds, refusal_rows.RefusalRows, refusal_rows.READ)
_ROWS: Mapping[str, _Kind] = {
    "refusal_scores": _REFUSAL,
    "grounded_scores": _REFUSAL,
    "hedging_scores": _Kind(partial(GrowingRows, row_of=hedging_row.hedging_row), HedgingRows, hedging_row.READ),
}
"""Our scores whose metrics read rows."""


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
        self._rows: dict[str, GrowingRows[Any]] = {
            name: _ROWS[name].growing(name)
            for name, used in names.items()
            if name in _ROWS and all(map(_is_ours, used))
        }
        self._labels: dict[str, Counter[Any]] = {
            name: Counter() for name, used in names.items() if used == ["inspect_ai/frequency"]
        }
        self._silent = {name for name, used in names.items() if not used}
        self._seen: dict[str, _Seen] = {}
        self._others: list[EvalSample] = []
        self._parse = self._parser(_score_names(header))
        self.samples = self._completed = 0

    def add(self, sample: Mapping[str, Any]) -> None:
        """Take a sample, as it is in a log."""
        self.samples += 1
        self._completed += sample.get("error") is None
        scores = sample.get("scores") or {}
        left = {name: score for name, score in scores.items() if not self._taken(name, score, sample)}
        if left:
            self._others.append(_light(sample, left))

    def add_stored(self, sample: bytes) -> None:
        """Take a sample as the JSON that is stored; of what no metric reads no value is made."""
        self.add(self._parse(b"[" + sample + b"]")[0])

    def compute(self, header: EvalLog) -> None:
        """Put the metrics of all samples into a header, in place of those that it has."""
        stand_ins: dict[str, Score] = {name: Score(value={}) for name in self._silent if name in self._seen}
        stand_ins |= {name: StandIn.of(_ROWS[name].rows(rows)) for name, rows in self._grown() if rows}
        header.samples = [_light_of({name: score}) for name, score in stand_ins.items()] + self._others
        # one sample of each label: how often it occurs is put in afterwards
        header.samples += [
            _light_of({name: Score(value=label)}) for name, counts in self._labels.items() for label in counts
        ]
        recompute_metrics(header)
        header.samples = None
        if header.results is not None:
            self._complete(header.results)

    def _grown(self) -> Iterator[tuple[str, Sequence[Any]]]:
        return ((name, growing.rows()) for name, growing in self._rows.items())

    def _parser(self, scorers: Collection[str]) -> Parse:
        """Return what makes values of a sample: of all of it where scores are kept whole."""
        if not set(scorers) <= {*self._rows, *self._labels, *self._silent}:
            return from_json
        members: dict[str, Any] = {"id": None, "epoch": None, "error": None, "metadata": {}, "scores": {}}
        for name in scorers:
            members["scores"][name] = {"value": None}
            if name in self._rows:
                of_row = wanted(name, *_ROWS[name].reads)
                members["metadata"] |= of_row["metadata"] or {}
                members["scores"] |= of_row["scores"] or {}
        return narrow_parser(members)

    def _taken(self, name: str, score: Mapping[str, Any], sample: Mapping[str, Any]) -> bool:
        """Return whether a score is read for good."""
        if name not in self._rows and name not in self._labels and name not in self._silent:
            return False
        value = score["value"]
        known = value is not None and not (isinstance(value, float) and math.isnan(value))
        seen = self._seen.get(name, _Seen())
        self._seen[name] = _Seen(seen.scored + known, seen.unscored + (not known))
        if name in self._rows:
            self._rows[name].add(str(sample["id"]), sample)
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


def _score_names(header: EvalLog) -> set[str]:
    """Return the names of the scores that samples have: of the run's scorers, and of what was scored afterwards."""
    named = {scorer.name.rpartition("/")[2] for scorer in header.eval.scorers or ()}
    return named | {score.name for score in (header.results.scores if header.results else ())}


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
