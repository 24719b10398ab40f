"""Scripted logs from before generation was rewritten: what is computed of them is what was computed then.

`frozen.json` holds what the former code made of the logs beside it, and what came of each slot when they were run.
"""

import json
import math
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from inspect_ai import eval
from inspect_ai.log import read_eval_log
from inspect_ai.model import Model
from inspect_ai.scorer import SampleScore

from refusalbench_tasks.cli import main
from refusalbench_tasks.generators.curation import curate
from refusalbench_tasks.generators.generation_logs import read_runs
from refusalbench_tasks.generators.generation_metrics import generation_values
from refusalbench_tasks.generators.kit.bases import base_row
from refusalbench_tasks.results.log_files import read_headers
from refusalbench_tasks.results.votes import gap, panel_of, read_votes
from refusalbench_tasks.safe_writing import write_rows
from refusalbench_tasks.tasks.perturb import perturb
from tests.generators.panel import field, is_check, named, verdict, write_well
from tests.models import part

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
            OUTCOMES[one.accepted], one.reason or "", " ".join(one.broken),
            " ".join(f"{vote.verifier.rpartition('/')[2]}{SIGNS[vote.passed]}" for vote in one.votes),
        ]
        for one in run.items
    }  # fmt: skip
    assert found == THEN["runs"][name]["outcomes"]
    assert len({one.slot.slot_id for one in run.items}) == THEN["runs"][name]["slots"] == run.samples


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
    """What is no longer told is left out, and so are CIs, which have another definition."""
    logs, _ = read_headers([str(FROZEN / f"{one}.eval") for one in ("whole_a", "whole_b")])
    panel, then = panel_of(read_votes(logs)[0]), THEN["tables"]["whole"]
    for one in then["pass_rates"]:
        rates = {name: panel.of_verifier(one["writer"], name).value for name in panel.verifiers}
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
        now = {key: [int(found.n), plain(found.value)] for key, found in panel.by_writer(column).items()}
        rows = [one for one in then[f"by_{column}"] if one["n"]]
        assert now == {(one["group"], one["writer"]): [one["n"], one["pass_rate"]] for one in rows}


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("all", ["--all"]),
        ("paper", ["--per-stratum", "1", "--per-generator", "12"]),
        ("ten", ["--all"]),
    ],
)
def test_exported_rows_are_those_of_then_letter_by_letter(name: str, options: list[str], tmp_path: Path) -> None:
    chosen = [one for one in RUNS if (one == "ten") == (name == "ten")]
    logs = [str(FROZEN / f"{one}.eval") for one in chosen]
    done = CliRunner().invoke(main, ["export", *logs, *options, "-o", str(tmp_path / "set")])
    assert done.exit_code == 0, done.output
    then = THEN["export"][name]
    assert done.output.split("\n")[:2] == then["printed"]
    rows = (tmp_path / "set" / "rows.jsonl").read_text().splitlines()
    assert [sha256(line.encode()).hexdigest()[:16] for line in rows] == then["rows"]
    controls = (tmp_path / "set" / "controls.jsonl").read_bytes()
    assert sha256(controls).hexdigest()[:16] == then["controls"]


RUN_AS: dict[str, tuple[str, dict[str, Any]]] = {
    "edits": ("w", {"attempts": 2}),
    "whole_a": ("a", {"write": "whole", "verify": "all", "self_votes": True, "intensity": "veto"}),
    "whole_b": ("b", {"write": "whole", "verify": "all", "self_votes": True, "intensity": "veto"}),
    "together": ("w", {"together": True, "verify": "all", "classes": "MissingInfo,FalsePremise"}),
    "ten": ("w", {}),
}
"""The runs of then: their writer and their settings."""
FAILS, MISSING, SILENT = {"a": 25, "b": 15, "c": 10}, {"c": 8}, {("edits", "w"): 6}
"""How many of a hundred candidates a verifier fails or says nothing of, and a writer does not give, by their slots."""


def drawn(*parts: str) -> int:
    return int.from_bytes(sha256("|".join(parts).encode()).digest()[:4], "big") % 100


def model(name: str, run: str) -> Model:
    def one(prompt: str) -> Any:
        slot = (part(prompt, "QUESTION"), field(prompt, "Class"), field(prompt, "Intensity").split()[0],
                field(prompt, "Lever"))  # fmt: skip
        if is_check(prompt):
            missing = run in ("edits", "whole_a", "whole_b") and drawn(name, "missing", *slot) < MISSING.get(name, 0)
            return "no" if missing else verdict(drawn(name, *slot) >= FAILS[name])
        if drawn(name, "silent", *slot) < SILENT.get((run, name), 0):
            return "I would rather not."
        return write_well(prompt)

    return named(name, one)


@pytest.mark.parametrize("name", RUNS)
def test_a_run_with_the_same_script_ends_as_it_did_but_for_what_the_former_rules_rejected(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A candidate that one of the former 73 rules rejected is judged now, because the rule is gone: the row says so."""
    writer, settings = RUN_AS[name]
    number, bases = (1, "garage_sample") if name == "ten" else (2 if name == "together" else 3, "nq_sample")
    write_rows(tmp_path / "b.jsonl", [base_row(item) for item in curate(bases).items[:number]])
    panel = [model(one, name) for one in ("ab" if name in ("together", "ten") else "abc")]
    few = {} if name in ("edits", "together") else {"classes": "Ambiguity,Contradiction,MissingInfo"}
    slots = [one.slot for one in read_runs([str(FROZEN / f"{name}.eval")]).items if one.slot.attempt == 1]
    planned = [slot.model_copy(update={"siblings": ()}) for slot in slots]  # the levers then took turns
    monkeypatch.setattr("refusalbench_tasks.generators.perturb_run.make_plan", lambda *_: planned)
    task = perturb(
        bases=str(tmp_path / "b.jsonl"), cache=False, max_failures=0, reading="off",
        **(few | settings),
    )  # fmt: skip
    roles: Any = {"verifier": panel}
    (log,) = eval(task, model=model(writer, name), model_roles=roles, log_dir=str(tmp_path / "logs"), display="none")
    assert log.status == "success", log.error
    found = {
        one.slot.sample_id: [OUTCOMES[one.accepted], " ".join(one.broken),
                        " ".join(f"{vote.verifier.rpartition('/')[2]}{SIGNS[vote.passed]}" for vote in one.votes)]
        for one in read_runs([str(tmp_path / "logs")]).items
    }  # fmt: skip
    then = THEN["runs"][name]["outcomes"]
    rejected = {slot for slot, (_, _, broken, _) in then.items() if broken}
    again = {slot for slot in then if slot.rpartition("~")[0] in rejected}
    for slot in then.keys() - rejected - again:
        outcome, _, _, votes = then[slot]
        assert found[slot] == [outcome, "", votes], slot
    assert len(rejected) <= len(then) // 6
    assert not any(broken for _, broken, _ in found.values())
