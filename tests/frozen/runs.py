"""Scripted runs of nq, garage and bluff. What they gave before the core was written anew is in `numbers.json.gz`."""

import gzip
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from inspect_ai import eval
from inspect_ai.log import EvalLog

from tests.frozen.scripted import Script, confidence, evaluated, grader

HERE = Path(__file__).parent
NUMBERS = HERE / "numbers.json.gz"


@dataclass(frozen=True)
class Run:
    """One run: its task with its arguments, what its models say, and how often.

    `graders` is a number of voices; with none the evaluated model grades itself.
    """

    task: str
    args: Mapping[str, Any]
    script: Script = field(default_factory=Script)
    epochs: int = 1
    graders: int = 1


FEW = {"per_stratum": 1}
RUNS: dict[str, Run] = {
    # nq: one passage
    "nq_cascade": Run("nq", FEW | {"confidence": True}, Script(confidence=True), epochs=3),
    "nq_cascade_beta": Run("nq", FEW | {"confidence": True}, Script("beta", confidence=True), epochs=3),
    "nq_whole": Run("nq", {"controls": "add"}),
    "nq_always_row": Run("nq", FEW | {"judge": "always", "cluster": "row"}, Script("beta"), epochs=3),
    "nq_offline": Run("nq", {"judge": "offline", "controls": "add", "cluster": "row"}),
    "nq_controls_only": Run("nq", {"controls": "only", "confidence": True}, Script(confidence=True)),
    "nq_without_codes": Run(
        "nq", FEW | {"codes": False, "controls": "add", "confidence": True}, Script(confidence=True, codes=False)
    ),
    "nq_official": Run("nq", FEW | {"protocol": "official-code", "confidence": True}, Script("beta", confidence=True)),
    "nq_panel": Run("nq", FEW, Script(failing=5), graders=3),
    "nq_self_graded": Run("nq", FEW, graders=0),
    "nq_failing": Run("nq", FEW | {"judge": "always"}, Script(failing=14)),
    "nq_worlds": Run("nq", {"data": str(HERE / "worlds_nq.jsonl")}, epochs=3),
    # garage: ten passages
    "garage_cascade": Run("garage", FEW | {"confidence": True}, Script(confidence=True), epochs=3),
    "garage_cascade_beta": Run("garage", FEW | {"confidence": True}, Script("beta", confidence=True), epochs=3),
    "garage_claims": Run("garage", {"raf": "claims", "controls": "add"}),
    "garage_always_row": Run("garage", {"judge": "always", "cluster": "row"}, Script("beta")),
    "garage_offline": Run("garage", {"judge": "offline"}),
    "garage_without_codes": Run(
        "garage", FEW | {"codes": False, "controls": "add", "judge": "always"}, Script(codes=False)
    ),
    "garage_official": Run("garage", {"protocol": "official-code", "confidence": True}, Script("beta", True)),
    # bluff: two sets of sources, and every way to ask how sure a model is
    "bluff_logprob": Run("bluff", {}),
    "bluff_logprob_beta": Run("bluff", {}, Script("beta")),
    "bluff_votes_epochs": Run("bluff", {"ptrue": "sample", "ptrue_samples": 5, "per_topic": 2}, epochs=3),
    "bluff_verbal_always": Run("bluff", {"ptrue": "verbal", "judge": "always", "cluster": "row", "per_topic": 2}),
    "bluff_orders_judged": Run("bluff", {"ptrue_orders": 2, "hedging": "judge"}, Script("beta")),
    "bluff_votes_orders_attribution": Run(
        "bluff", {"ptrue": "sample", "ptrue_orders": 2, "attribution": "grader", "per_topic": 2}
    ),
    "bluff_lexicon_v1_offline": Run("bluff", {"lexicon": "v1", "judge": "offline", "ptrue": "none"}),
    "bluff_official": Run("bluff", {"protocol": "official-code"}, Script("official")),
    "bluff_arms": Run(
        "bluff", {"arms": "clear,ambiguous,none,gold", "per_topic": 2}, Script("beta", failing=5), graders=3
    ),
    "bluff_worlds": Run("bluff", {"data": str(HERE / "worlds_bluff.jsonl")}, epochs=3),
}


def run(name: str, folder: Path) -> EvalLog:
    """Return the log of a run, which ended well."""
    # here, because a place of the tasks other than today's must do
    import refusalbench_tasks

    asked = RUNS[name]
    task = getattr(refusalbench_tasks, asked.task)(**{"data": "sample", **asked.args})
    roles: dict[str, Any] = {"confidence": confidence(asked.script)} if asked.task == "bluff" else {}
    voices = [grader(asked.script, voice) for voice in ("first", "second", "third")[: asked.graders]]
    roles |= {"grader": voices if len(voices) > 1 else voices[0]} if voices else {}
    (log,) = eval(
        task, model=evaluated(asked.script), model_roles=roles, epochs=asked.epochs, log_dir=str(folder),
        display="none", score_display=False, log_realtime=False,
    )  # fmt: skip
    assert log.status == "success", log.error
    return log


def freeze(log: EvalLog) -> dict[str, Any]:
    """Return what a log says of its samples, by id and epoch; NaN is None."""
    samples = {
        f"{sample.id}@{sample.epoch}": {
            "reply": sample.output.completion,
            "scores": {
                name: plain({"value": score.value, "answer": score.answer, "reason": score.reason})
                for name, score in (sample.scores or {}).items()
            },
        }
        for sample in log.samples or []
    }
    return {"samples": samples}


def plain(value: Any) -> Any:
    """Return a value as JSON has it: NaN as None, and a whole float as what it is."""
    if isinstance(value, float):
        return None if math.isnan(value) else value
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    return [plain(one) for one in value] if isinstance(value, list | tuple) else value


def read(file: Path) -> Any:
    """Return what is kept in a file."""
    return json.loads(gzip.decompress(file.read_bytes()))
