"""Scripted logs from before generation was rewritten: what is computed of them is what
was computed then.

`frozen.json` holds what the former code made of the logs beside it, and what came of
each slot when they were run.
"""

import json
import math
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from inspect_ai.log import read_eval_log
from inspect_ai.scorer import SampleScore

from refusalbench_tasks.cli import main
from refusalbench_tasks.generators.generation_logs import read_runs
from refusalbench_tasks.generators.generation_metrics import generation_values
from refusalbench_tasks.log_reading import read_headers
from refusalbench_tasks.results.verifier_panel import gap, panel_of, read_votes

FROZEN = Path(__file__).parent / "frozen"
THEN: dict[str, Any] = json.loads((FROZEN / "frozen.json").read_text())
OUTCOMES = {True: "accepted", False: "rejected", None: "undecided"}
SIGNS = {True: "+", False: "-", None: "?"}
RUNS = sorted(THEN["runs"])


def plain(value: Any) -> Any:
    """Return a value as it stands in the file: rounded, and None for NaN."""
    if isinstance(value, float):
        return None if math.isnan(value) else round(value, 9)
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    return [plain(one) for one in value] if isinstance(value, list | tuple) else value


@pytest.mark.parametrize("name", RUNS)
def test_every_candidate_is_read_with_its_outcome_and_votes(name: str) -> None:
    (run,) = read_runs([str(FROZEN / f"{name}.eval")]).runs
    found = {
        one.slot.sample_id: [
            OUTCOMES[one.accepted],
            one.reason or "",
            " ".join(one.broken),
            " ".join(
                f"{vote.verifier.rpartition('/')[2]}{SIGNS[vote.passed]}"
                for vote in one.votes
            ),
        ]
        for one in run.items
    }
    assert found == THEN["runs"][name]["outcomes"]
    assert (
        len({one.slot.slot_id for one in run.items})
        == THEN["runs"][name]["slots"]
        == run.samples
    )


@pytest.mark.parametrize("name", RUNS)
def test_metrics_are_those_of_then(name: str) -> None:
    log = read_eval_log(str(FROZEN / f"{name}.eval"))
    scores = [
        SampleScore(score=score, sample_id=one.id, sample_metadata=one.metadata)
        for one in log.samples or []
        for score in (one.scores or {}).values()
    ]
    assert plain(generation_values(scores)) == THEN["runs"][name]["metrics"]


def test_agreement_of_writers_and_verifiers_is_that_of_then() -> None:
    """What is no longer told is left out, and so are CIs, which have another
    definition.
    """
    headers = read_headers(
        [str(FROZEN / f"{name}.eval") for name in ("whole_a", "whole_b")]
    )
    panel = panel_of(read_votes(headers.logs)[0])
    then = THEN["tables"]["whole"]
    for one in then["pass_rates"]:
        rates = {
            name: panel.of_verifier(one["writer"], name).value
            for name in panel.verifiers
        }
        assert plain(rates) == {name: one[name] for name in rates}
    for one in then["self_against_cross"]:
        own = panel.own()
        rows = own[own["writer"] == one["writer"]]
        assert plain([len(rows), *(found.value for found in gap(rows))]) == [
            one[name] for name in ("n", "self", "cross", "gap")
        ]
    for one in then["kappa"]:
        found = panel.kappa(one["verifier"], one["other"])
        assert plain([found.n, found.value]) == [one["n"], one["kappa"]]
    for column in ("class", "intensity", "lever"):
        now = {
            key: [int(found.n), plain(found.value)]
            for key, found in panel.by_writer(column).items()
        }
        rows = [one for one in then[f"by_{column}"] if one["n"]]
        assert now == {
            (one["group"], one["writer"]): [one["n"], one["pass_rate"]] for one in rows
        }


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("all", ["--all"]),
        ("paper", ["--per-stratum", "1", "--per-generator", "12"]),
        ("ten", ["--all"]),
    ],
)
def test_exported_rows_are_those_of_then_letter_by_letter(
    name: str, options: list[str], tmp_path: Path
) -> None:
    chosen = [one for one in RUNS if (one == "ten") == (name == "ten")]
    logs = [str(FROZEN / f"{one}.eval") for one in chosen]
    done = CliRunner().invoke(
        main, ["export", *logs, *options, "-o", str(tmp_path / "set")]
    )
    assert done.exit_code == 0, done.output
    then = THEN["export"][name]
    assert done.output.split("\n")[:2] == then["printed"]
    rows = (tmp_path / "set" / "rows.jsonl").read_text().splitlines()
    assert [sha256(line.encode()).hexdigest()[:16] for line in rows] == then["rows"]
    controls = (tmp_path / "set" / "controls.jsonl").read_bytes()
    assert sha256(controls).hexdigest()[:16] == then["controls"]
