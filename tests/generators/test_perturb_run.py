"""Which attempts follow."""

from typing import Any

import pytest

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
