"""All treatments on one model and the same rows: `python -m examples.treatments LOGS
MODEL`.

`--per-stratum 2` takes 36 of the 72 bundled rows, balanced by class and intensity, and
`--judge offline` needs no grader. Compare them: `refusalbench compare LOGS`.
"""

import argparse

from inspect_ai import eval
from inspect_ai.model import Model
from inspect_ai.solver import Solver

from refusalbench_tasks import nq
from refusalbench_tasks.outcome import JudgeMode
from refusalbench_tasks.solvers.refusal_prompt import refusal_prompt
from refusalbench_tasks.solvers.treatments.by_confidence import (
    self_consistency,
    threshold,
)
from refusalbench_tasks.solvers.treatments.by_prompt import (
    check_then_answer,
    codes_last,
    evidence_first,
    no_codes,
    self_check,
)
from refusalbench_tasks.solvers.treatments.few_shot import few_shot


def arms() -> list[Solver]:
    """Return the plain prompt and each treatment."""
    return [
        refusal_prompt(),
        evidence_first(),
        check_then_answer(),
        self_check(),
        self_consistency(samples=3),
        threshold(0.7),
        few_shot(),
        codes_last(),
        no_codes(),
    ]


def run(
    logs: str,
    model: str | Model,
    judge: JudgeMode = "cascade",
    per_stratum: int | None = None,
) -> None:
    """Write a log for the plain prompt and for each treatment."""
    for arm in arms():
        task = nq(data="sample", judge=judge, per_stratum=per_stratum)
        eval(
            task, model=model, solver=arm, log_dir=logs, max_tokens=400, display="plain"
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        "python -m examples.treatments", description=__doc__
    )
    parser.add_argument("logs", help="the folder of logs")
    parser.add_argument("model", help="such as openai/gpt-4o")
    parser.add_argument(
        "--per-stratum", type=int, help="rows of each class and intensity"
    )
    parser.add_argument(
        "--judge", choices=("cascade", "always", "offline"), default="cascade"
    )
    args = parser.parse_args()
    run(args.logs, args.model, args.judge, args.per_stratum)
