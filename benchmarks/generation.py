"""What an accepted item costs in calls and input tokens: the paper's way against the
defaults, over one scripted mix.

Some pairs of a base and a lever cannot be done. A scripted writer that cannot decline
forces an item out of them, which four independent scripted verifiers seldom accept; one
that can declines most of them. All numbers of the script stand below; what follows from
them is measured in runs of the task itself.
"""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from inspect_ai import eval
from inspect_ai.model import GenerateConfig, Model, ModelOutput, get_model

from benchmarks.result import Result
from refusalbench_tasks.generators.curation import curate
from refusalbench_tasks.generators.kit.bases import base_row
from refusalbench_tasks.safe_writing import write_rows
from refusalbench_tasks.tasks.perturb import perturb
from tests.generators.panel import field as line_of
from tests.generators.panel import is_check, scripted, verdict, write_well
from tests.models import output, part

PAPER: dict[str, Any] = {
    "write": "whole",
    "checks": "record",
    "reading": "off",
    "intensity": "veto",
    "self_votes": True,
}
"""The settings that the paper's procedure has."""
INAPPLICABLE = 0.41
"""Share of pairs that cannot be done, of those that the levers take turns over."""
LEFT_BY_THE_PLAN = 0.05
"""The same share after a plan by what levers need: the goal of that plan, not a
measurement.
"""
DECLINES = 0.8
"""How often a writer that may decline does, where a pair cannot be done; it never does
elsewhere.
"""
STRICT = {"writer": 0.97, "mild": 0.92, "strict": 0.75, "fair": 0.84}
"""How often each model passes a good item; the writer is one of the panel."""
FORCED = 0.56
"""How often each passes one that was forced: four of them together about one in ten."""
CHARACTERS = 4
"""Characters of a token."""


@dataclass
class Meter:
    """Counts calls and input tokens."""

    calls: int = 0
    tokens: float = 0.0


def draw(*parts: str) -> float:
    """Return a number in [0, 1) that depends on the parts."""
    return int.from_bytes(sha256("|".join(parts).encode()).digest()[:8], "big") / 2**64


def model(name: str, meter: Meter, share: float) -> Model:
    """Return a scripted model that is writer, annotator and verifier by what it is
    asked.
    """

    def reply(
        messages: Any, tools: Any, tool_choice: Any, config: GenerateConfig
    ) -> ModelOutput:
        prompt = messages[-1].text
        meter.calls += 1
        meter.tokens += (
            len(tools[0].model_dump_json(exclude_none=True) + prompt) / CHARACTERS
        )
        answer = scripted(
            prompt,
            lambda one: (
                _vote(one, name, share) if is_check(one) else _write(one, share)
            ),
        )
        return output(answer, model=f"mockllm/{name}", tool=tools[0].name)

    return get_model(f"mockllm/{name}", custom_outputs=reply, memoize=False)


def _forced(prompt: str, share: float) -> bool:
    return draw("fits", part(prompt, "QUESTION"), line_of(prompt, "Lever")) < share


def _write(prompt: str, share: float) -> dict[str, Any]:
    declines = (
        draw("declines", part(prompt, "QUESTION"), line_of(prompt, "Lever")) < DECLINES
    )
    if "`applicable`" in prompt and _forced(prompt, share) and declines:
        return {"applicable": False, "why_not": "The passage has no such thing."}
    return write_well(prompt)


def _vote(prompt: str, name: str, share: float) -> dict[str, Any]:
    passes = FORCED if _forced(prompt, share) else STRICT[name]
    return verdict(
        draw(name, part(prompt, "PERTURBED QUESTION"), line_of(prompt, "Lever"))
        < passes
    )


def measured(bases: str, share: float, **task: Any) -> tuple[Meter, float, float]:
    """Return what a run took, its accepted items, and its planned ones."""
    meter = Meter()
    panel = [model(name, meter, share) for name in STRICT]
    roles: Any = {"verifier": panel}
    with tempfile.TemporaryDirectory() as folder:
        few = f"{folder}/bases.jsonl"
        write_rows(Path(few), map(base_row, curate(bases).items[:8]))
        (log,) = eval(
            perturb(bases=few, cache=False, max_failures=0, **task),
            model=panel[0],
            model_roles=roles,
            log_dir=folder,
            display="none",
        )
    assert log.status == "success", log.error
    assert log.results
    found = log.results.scores[0].metrics
    return meter, found["n_accepted"].value, found["yield_n"].value


def results() -> list[Result]:
    """Return calls, input tokens and yield of three ways."""
    ways: Sequence[tuple[str, float, dict[str, Any]]] = (
        ("default", LEFT_BY_THE_PLAN, {}),
        ("`together=true`", LEFT_BY_THE_PLAN, {"together": True}),
        ("the paper's way", INAPPLICABLE, PAPER),
    )
    rows = []
    for name, share, task in ways:
        meter, accepted, planned = measured("nq_sample", share, **task)
        value = (
            f"{meter.calls / accepted:.2f} calls, {meter.tokens / accepted:,.0f} input"
            f" tokens; yield {accepted / planned:.2f}"
        )
        method = (
            f"8 bundled questions, 4 scripted models, one the writer; {share:.0%} of"
            " planned pairs cannot be done (assumed); an annotator that objects to"
            " nothing; schemas counted, characters / 4"
        )
        rows.append(Result(f"an accepted item of `perturb`, {name}", value, method))
    return rows
