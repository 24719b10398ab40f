"""What people found of a grader, kept as a file, and later runs of the same grader
corrected by it.
"""

from pathlib import Path
from typing import Self

from pydantic import BaseModel

from refusalbench_tasks.bounded_reading import file_at, in_layout, json_value, read_text
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.results.table import Run
from refusalbench_tasks.stats.calibrated import CalibratedShare, Calibration

from .sheet import (
    Labels,
    judged,
    judged_shares,
    read_shares,
)


class GraderCalibration(BaseModel, extra="forbid", frozen=True):
    """Who graded, by which prompt, and how often people agreed."""

    graders: tuple[str, ...]
    task: str
    task_version: str
    """Prompts of graders are pinned by it."""
    judge_prompt: str
    codes: bool
    refused: Calibration
    correct: Calibration

    @classmethod
    def read(cls, path: Path) -> Self:
        """Return the calibration of a file.

        Raises DataError that names file and field.
        """
        text = read_text(file_at(path, "--calibration"), str(path))
        return in_layout(
            cls,
            json_value(text, path.name),
            path.name,
        )

    def corrected(self, log: Run) -> dict[str, CalibratedShare]:
        """Return the shares of `judged_shares` as this calibration corrects them.

        Raises DataError for a log with other graders, another prompt of theirs, or of
        another task: nothing is known of those.
        """
        for name, value in _about(log).items():
            known = getattr(self, name)
            if value != known:
                raise DataError(
                    f"{log.name}: another {name}: {_text(value)}, and the calibration"
                    f" is of {_text(known)}; draw a sheet from this log (audit --draw)"
                    " and calibrate again"
                )
        shares = {}
        for name, judgements in judged_shares(log).items():
            calibration = getattr(self, name)
            positive = int(judgements.sum())
            shares[name] = calibration.share(positive, len(judgements))
        return shares


def calibrate(log: Run, people: Labels) -> GraderCalibration:
    """Return how a log's grader did on the replies of a filled sheet."""
    strata = judged(log)["predicted"]
    read = read_shares(people)
    counts = {}
    for name, judgements in judged_shares(log).items():
        both = judgements[judgements.index.isin(list(read[name]))]
        # a sheet takes as many of each label of the grader as it can, so each reply is
        # weighted by how many judged ones of its label it stands for, and the counts
        # are scaled to the effective number of replies (Kish 1965)
        labels = strata.loc[both.index]
        stands_for = strata.loc[judgements.index].value_counts() / labels.value_counts()
        weights = labels.map(stands_for).to_numpy(float)
        weights = weights * weights.sum() / max((weights**2).sum(), 1e-9)
        truth = both.index.map(read[name]).to_numpy(float)
        found = both.to_numpy(float)
        counts[name] = Calibration(
            positives=float(weights @ truth),
            found=float(weights @ (truth * found)),
            negatives=float(weights @ (1 - truth)),
            cleared=float(weights @ ((1 - truth) * (1 - found))),
        )
    return GraderCalibration.model_validate(_about(log) | counts)


def _about(log: Run) -> dict[str, object]:
    args = log.header.eval.task_args or {}
    return {
        "graders": tuple(sorted(log.graders)),
        "task": log.task,
        "task_version": str(log.header.eval.task_version),
        "judge_prompt": str(args.get("judge_prompt") or "ours"),
        "codes": args.get("codes") is not False,
    }


def _text(value: object) -> str:
    return ", ".join(value) if isinstance(value, tuple) else str(value)
