"""What Inspect's entry point loads. Only light modules: every `inspect` command imports this."""

from refusalbench_tasks.garage import garage
from refusalbench_tasks.metrics.inspect_refusal import (
    calibration_metrics,
    grounding_metrics,
    refusal_breakdown,
    refusal_counts,
    refusal_intervals,
    refusal_metrics,
)
from refusalbench_tasks.nq import nq
from refusalbench_tasks.scorers.refusal import grounded_scores, refusal_label, refusal_scores
from refusalbench_tasks.solvers.baselines import always_refuse, extractive, oracle
from refusalbench_tasks.solvers.refusal_prompt import refusal_prompt

__all__ = [
    "always_refuse",
    "calibration_metrics",
    "extractive",
    "garage",
    "grounded_scores",
    "grounding_metrics",
    "nq",
    "oracle",
    "refusal_breakdown",
    "refusal_counts",
    "refusal_intervals",
    "refusal_label",
    "refusal_metrics",
    "refusal_prompt",
    "refusal_scores",
]
