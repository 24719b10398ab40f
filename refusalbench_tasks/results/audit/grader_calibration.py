"""What people found of a grader, kept as a file, and later runs of the same grader
corrected by it.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from refusalbench_tasks.bounded_reading import file_at, json_value, read_text
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.results.audit.sheet import (
    Labels,
    judged,
    judged_shares,
    read_shares,
)
from refusalbench_tasks.results.table import Run
from refusalbench_tasks.stats.calibrated import (
    CalibratedShare,
    Calibration,
    calibrated_share,
)

if TYPE_CHECKING:
    import pandas as pd


class GraderCalibration(BaseModel):
    """Who graded, by which prompt, and how often people agreed."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    graders: tuple[str, ...]
    task: str
    task_version: str
    """Prompts of graders are pinned by it."""
    judge_prompt: str
    codes: bool
    refused: Calibration
    correct: Calibration
    """Replies that people read, weighted so that they stand for all judged ones."""

    @classmethod
    def read(cls, path: Path) -> Self:
        """Return the calibration of a file.

        Raises DataError that names file and field.
        """
        content = json_value(
            read_text(file_at(path, "--calibration"), str(path)), path.name
        )
        try:
            return cls.model_validate(content)
        except ValidationError as error:
            first = error.errors()[0]
            raise DataError(
                f"{path.name}: {'.'.join(map(str, first['loc']))}: {first['msg']}"
            ) from None


def calibrate(log: Run, people: Labels) -> GraderCalibration:
    """Return how a log's grader did on the replies of a filled sheet."""
    strata = judged(log)["predicted"]
    read = read_shares(people)
    counts = {
        name: _counts(own, strata, read[name])
        for name, own in judged_shares(log).items()
    }
    return GraderCalibration.model_validate(_about(log) | counts)


def calibrated_rates(log: Run, known: GraderCalibration) -> dict[str, CalibratedShare]:
    """Return the shares of `judged_shares` as a calibration corrects them.

    Raises DataError for another grader.

    Of a log with other graders, another prompt of theirs, or another task nothing is
    known, and nothing is corrected.
    """
    for name, value in _about(log).items():
        if getattr(known, name) != value:
            raise DataError(
                f"{log.name}: another {name}: {_text(value)}, and the calibration is of"
                f" {_text(getattr(known, name))}; draw a sheet from this log (audit"
                " --draw) and calibrate again"
            )
    shares = judged_shares(log)
    return {
        name: calibrated_share(int(own.sum()), len(own), getattr(known, name))
        for name, own in shares.items()
    }


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


def _counts(
    judge: "pd.Series[float]", strata: "pd.Series[str]", people: Mapping[str, float]
) -> Calibration:
    """Return how often judge and people agree, as weighted counts.

    A sheet takes as many of each label of the grader as it can, so each reply is
    weighted by how many judged ones of its label it stands for, and the counts are
    scaled to the effective number of replies (Kish 1965).
    """
    read = judge[judge.index.isin(list(people))]
    labels = strata.loc[read.index]
    w = labels.map(
        strata.loc[judge.index].value_counts() / labels.value_counts()
    ).to_numpy(dtype=float)
    w = w * w.sum() / max((w**2).sum(), 1e-9)
    truth = read.index.map(people).to_numpy(dtype=float)
    found = read.to_numpy(dtype=float)
    return Calibration(
        positives=float(w @ truth),
        found=float(w @ (truth * found)),
        negatives=float(w @ (1 - truth)),
        cleared=float(w @ ((1 - truth) * (1 - found))),
    )
