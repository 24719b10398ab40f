"""Which attempts follow."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai.dataset import Sample

from refusalbench_tasks.generators.kit.runs import (
    read_task_runs,
)
from refusalbench_tasks.generators.perturb_run import Attempts
from tests.generators.made_logs import run_attempts, said
from tests.generators.panel import add, named, verdict, write_well
from tests.models import part
from tests.tasks.generation import (
    metrics,
    run,
)

pytestmark = pytest.mark.usefixtures("_elsewhere")
FEW: dict[str, Any] = {"classes": "Ambiguity", "intensities": "LOW"}


def test_a_rejected_candidate_is_asked_for_anew_with_the_reasons() -> None:
    prompts: list[str] = []

    def write(prompt: str) -> dict[str, Any]:
        prompts.append(prompt)
        return add(
            write_well(prompt),
            "Told for the third time:" if "This is attempt 3" in prompt else "Told:",
        )

    panel = [named("v", lambda prompt: verdict("the third time" in prompt))]
    m = metrics(
        run(write, panel, classes="FalsePremise", intensities="LOW", attempts=3)
    )
    assert (m["n_candidates"], m["n_items"], m["n_accepted"], m["yield"]) == (
        9,
        3,
        3,
        1.0,
    )
    assert prompts[0].count("REASONS") == 0
    told = prompts[-1][prompts[-1].index("This is attempt") :]
    assert part(told, "REASONS") == "- It is too easy."
    assert part(told, "LAST QUESTION").startswith("Told:")


def test_samples_that_were_added_later_are_read_too(tmp_path: Path) -> None:
    def following(sample: Any) -> tuple[Sample, int] | None:
        return (Sample(id="a", input="again"), 2) if sample.epoch == 1 else None

    run_attempts(tmp_path, source=Attempts([Sample(id="a", input="a")], following))
    found = read_task_runs([str(tmp_path)], "made", said)
    assert (sorted(found.items), found.runs[0].samples) == (["a", "again"], 1)
