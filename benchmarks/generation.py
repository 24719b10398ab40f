"""What an accepted item costs in calls and input tokens: the paper's way against the defaults, over one scripted mix.

Some pairs of a base and a lever cannot be done. A scripted writer that cannot decline forces an item out of them, which
four independent scripted verifiers seldom accept; one that can declines most of them. All numbers of the script stand
below; what follows from them is measured in runs of the task itself.
"""

import tempfile
from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from inspect_ai import eval
from inspect_ai.model import GenerateConfig, Model, ModelOutput, get_model

from benchmarks.result import Result
from refusalbench_tasks.generators.kit.bases import base_row, load_bases
from refusalbench_tasks.safe_writing import write_rows
from refusalbench_tasks.tasks.perturb import perturb
from tests.generators.panel import field as line_of
from tests.generators.panel import is_check, is_reading, is_writing, scripted, verdict, write_well
from tests.models import output, part

PAPER: dict[str, Any] = {
    "write": "whole", "coverage": "rotation", "checks": "record", "reading": "off", "intensity": "veto",
    "self_votes": True,
}  # fmt: skip
"""The settings that the paper's procedure has."""
INAPPLICABLE = 0.41
"""Share of pairs that cannot be done, of those that the levers take turns over."""
LEFT_BY_THE_PLAN = 0.05
"""The same share after a plan by what levers need: the goal of that plan, not a measurement."""
DECLINES = 0.8
"""How often a writer that may decline does, where a pair cannot be done; it never does elsewhere."""
STRICT = {"writer": 0.97, "mild": 0.92, "strict": 0.75, "fair": 0.84}
"""How often each model passes a good item; the writer is one of the panel."""
FORCED = 0.56
"""How often each passes one that was forced: four of them together about one in ten."""
FLOOR, STEP, CHARACTERS = 1024, 128, 4
"""Tokens from which providers keep a beginning, and by which they count it; characters of a token."""


@dataclass
class Meter:
    """Counts calls and input tokens, and how much of a role's prompts began as an earlier prompt of the same model."""

    calls: int = 0
    tokens: float = 0.0
    by_role: dict[str, list[float]] = field(default_factory=lambda: defaultdict(lambda: [0.0, 0.0]))
    seen: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def count(self, model: str, role: str, text: str) -> None:
        """Count one request."""
        before, at = self.seen[model], bisect_left(self.seen[model], text)
        near = before[max(0, at - 1) : at + 1]
        known = max((shared(text, other) for other in near), default=0) / CHARACTERS
        kept = known // STEP * STEP if known >= FLOOR else 0.0
        insort(before, text)
        size = len(text) / CHARACTERS
        self.calls, self.tokens = self.calls + 1, self.tokens + size
        self.by_role[role][0] += size
        self.by_role[role][1] += kept

    @property
    def new(self) -> float:
        """Return the input tokens that no provider can have kept."""
        return self.tokens - sum(kept for _, kept in self.by_role.values())

    def kept(self, role: str) -> float:
        """Return the share of a role's input tokens that a provider can keep."""
        size, kept = self.by_role[role]
        return kept / size if size else float("nan")


def shared(one: str, other: str) -> int:
    """Return with how many characters two texts begin alike."""
    return next((k for k, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def draw(*parts: str) -> float:
    """Return a number in [0, 1) that depends on the parts."""
    return int.from_bytes(sha256("|".join(parts).encode()).digest()[:8], "big") / 2**64


def model(name: str, meter: Meter, share: float) -> Model:
    """Return a scripted model that is writer, reader and verifier by what it is asked."""

    def reply(messages: Any, tools: Any, tool_choice: Any, config: GenerateConfig) -> ModelOutput:
        prompt = messages[-1].text
        role = "reader" if is_reading(prompt) else "writer" if is_writing(prompt) else "verifier"
        meter.count(name, role, tools[0].model_dump_json(exclude_none=True) + prompt)
        answer = scripted(prompt, lambda one: _vote(one, name, share) if is_check(one) else _write(one, share))
        return output(answer, model=f"mockllm/{name}", tool=tools[0].name)

    return get_model(f"mockllm/{name}", custom_outputs=reply, memoize=False)


def _forced(prompt: str, share: float) -> bool:
    return draw("fits", part(prompt, "QUESTION"), line_of(prompt, "Lever")) < share


def _write(prompt: str, share: float) -> dict[str, Any]:
    declines = draw("declines", part(prompt, "QUESTION"), line_of(prompt, "Lever")) < DECLINES
    if "`applicable`" in prompt and _forced(prompt, share) and declines:
        return {"applicable": False, "why_not": "The passage has no such thing."}
    return write_well(prompt)


def _vote(prompt: str, name: str, share: float) -> dict[str, Any]:
    passes = FORCED if _forced(prompt, share) else STRICT[name]
    return verdict(draw(name, part(prompt, "PERTURBED QUESTION"), line_of(prompt, "Lever")) < passes)


def measured(bases: str, share: float, **task: Any) -> tuple[Meter, float, float]:
    """Return what a run took, its accepted items, and its planned ones."""
    meter = Meter()
    panel = [model(name, meter, share) for name in STRICT]
    roles: Any = {"verifier": panel}
    with tempfile.TemporaryDirectory() as folder:
        few = f"{folder}/bases.jsonl"
        write_rows(Path(few), map(base_row, load_bases(bases)[:8]))
        (log,) = eval(
            perturb(bases=few, cache=False, max_failures=0, **task), model=panel[0], model_roles=roles,
            log_dir=folder, display="none",
        )  # fmt: skip
    assert log.status == "success", log.error
    assert log.results
    found = log.results.scores[0].metrics
    return meter, found["n_accepted"].value, found["yield_n"].value


def results() -> list[Result]:
    """Return calls and tokens of both ways, and the share of verifier tokens that providers can keep."""
    ways: Sequence[tuple[str, float, dict[str, Any]]] = (
        ("the paper's way", INAPPLICABLE, PAPER),
        ("default", LEFT_BY_THE_PLAN, {}),
        ("default without a reader", LEFT_BY_THE_PLAN, {"reading": "off"}),
        ("together", LEFT_BY_THE_PLAN, {"together": True}),
        ("together without a reader", LEFT_BY_THE_PLAN, {"together": True, "reading": "off"}),
    )
    method = (
        f"8 bundled questions, 4 scripted models, one the writer; {INAPPLICABLE:.0%} of the pairs cannot be done, "
        f"{LEFT_BY_THE_PLAN:.0%} after the plan (its goal, assumed); a reader that objects to nothing; "
        "the same prompts in both ways, schemas counted, characters / 4"
    )
    goals = {"the paper's way": "–", "default": "≤ 4.5 calls, ≤ 55 % of the tokens, ≥ 60 % kept"}
    rows, first = [], 0.0
    for name, share, task in ways:
        meter, accepted, planned = measured("nq_sample", share, **task)
        tokens = meter.tokens / accepted
        first = first or tokens
        value = (
            f"{meter.calls / accepted:.2f} calls, {tokens:,.0f} tokens ({tokens / first:.0%}), "
            f"{meter.new / accepted:,.0f} of them new; "
            f"{meter.kept('verifier'):.0%} of verifier tokens can be kept; yield {accepted / planned:.2f}"
        )
        rows.append(Result(f"an accepted item: {name}", value, goals.get(name, "as above"), method))
    ten, _, _ = measured("garage_sample", LEFT_BY_THE_PLAN)
    value = f"{ten.kept('verifier'):.0%} of verifier tokens, {ten.kept('writer'):.0%} of writer tokens"
    return [*rows, Result("ten passages: what providers can keep", value, "≥ 60 %", "as above, ten passages")]
