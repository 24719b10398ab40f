"""What an export says of itself: the card, its front matter, Croissant, the sheet; over a run with scripted models."""

import csv
import json
import math
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from inspect_ai.log import EvalLog
from inspect_ai.model import ModelConfig, ModelUsage

from refusalbench_tasks.cli import main
from refusalbench_tasks.generators.card import data_card
from refusalbench_tasks.generators.card_provenance import run_lines, usage
from refusalbench_tasks.generators.generation_logs import GenerationRun
from refusalbench_tasks.generators.levers import bundled_levers
from refusalbench_tasks.generators.recipe import recipe
from refusalbench_tasks.generators.validation_sheet import CHECKED
from tests.generators.kept import distinct
from tests.generators.test_generated import generate
from tests.generators.test_near_duplicates import HIGH, LONG, LOW, TEXT, item
from tests.tasks.generation import metrics


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, EvalLog]:
    folder = tmp_path_factory.mktemp("made")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("INSPECT_DISPLAY", "none")
        log = generate(bases="nq_sample", verify="all", self_votes=True)
        result = CliRunner().invoke(main, ["export", "logs", "-o", "set"])
    assert result.exit_code == 0, result.output
    assert "near-duplicates with different labels" in result.output
    return folder, log


def rows_of(folder: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in (folder / "set/rows.jsonl").read_text().splitlines()]


def test_the_front_matter_is_what_the_hub_reads(made: tuple[Path, EvalLog]) -> None:
    card = pytest.importorskip("huggingface_hub").DatasetCard((made[0] / "set/README.md").read_text())
    values = card.data.to_dict()
    assert (values["license"], values["size_categories"]) == ("apache-2.0", ["n<1K"])
    assert [one["data_files"][0]["path"] for one in values["configs"]] == ["rows.jsonl", "controls.jsonl"]
    assert card.text.lstrip().startswith("# Data card")


def test_the_card_has_hashes_of_the_run_settings_yields_coverage_and_price(made: tuple[Path, EvalLog]) -> None:
    folder, log = made
    card = (folder / "set/README.md").read_text()
    m = metrics(log)
    noted = log.eval.metadata or {}
    for name, digest in noted["prompts"].items():
        text = (resources.files("refusalbench_tasks.generators") / "prompts" / name).read_text(encoding="utf-8")
        assert digest == sha256(text.encode()).hexdigest()[:16]
        assert f"{name} `{digest}`" in card
    assert f"sha256 `{noted['levers_sha256']}`" in card
    assert "verify: all" in card
    assert "self votes: True" in card
    assert "blind reader: the first verifier that votes" in card
    never = sorted(noted["fit"]["never_usable"])
    assert never
    assert f"levers that fit no base question: {', '.join(never)}" in card
    assert f"| P-MissingInfo | MEDIUM | 18 | {m['n_candidates']:.0f} | {m['n_accepted']:.0f} |" in card
    assert f"base questions: {len({row['source_id'] for row in rows_of(folder)})} of 18" in card
    assert f"| mockllm/w | {m['calls']:.3f} | {m['calls_per_accepted']:.3f} |" in card
    assert "inspect_ai " in card


@pytest.mark.parametrize(
    ("reading", "bound", "told"),
    [
        ("gate", ModelConfig(model="a/b"), "`a/b` (default settings)"),
        ("record", [ModelConfig(model="a/b"), ModelConfig(model="c/d")], "`a/b` (default settings)"),
        ("gate", [], "the first verifier that votes"),
        ("off", ModelConfig(model="a/b"), "nobody"),
        (None, [], "not noted in the log"),
    ],
)
def test_the_card_says_who_read_blind(made: tuple[Path, EvalLog], reading: str | None, bound: Any, told: str) -> None:
    log = made[1].model_copy(deep=True)
    log.eval.metadata = {"reading": reading} if reading else {}
    log.eval.task_args = {}
    log.eval.model_roles = {"reader": bound} if bound else {}
    lines = run_lines(GenerationRun(log, (), 0))
    assert f"blind reader: {told}" in lines


def test_the_price_in_dollars_is_told_where_the_logs_note_it(made: tuple[Path, EvalLog]) -> None:
    def run(**costs: float | None) -> GenerationRun:
        log = made[1].model_copy(deep=True)
        log.stats.model_usage = {
            model: ModelUsage(input_tokens=10, output_tokens=2, total_cost=cost) for model, cost in costs.items()
        }
        return GenerationRun(log, (), 0)

    first, second = usage([run(a=0.25, b=None), run(a=0.5, b=0.125)])
    assert first == {"model": "a", "input": 20, "cached input": 0, "output": 4, "cost ($)": 0.75}
    # one log does not say what b took
    assert math.isnan(float(second["cost ($)"]))
    assert "cost ($)" not in usage([run(a=None)])[0]


def test_the_card_lists_near_duplicates_by_both_of_their_items(made: tuple[Path, EvalLog]) -> None:
    one, other = item(f"{TEXT}{LONG}.", LOW), item(f"{TEXT}{LONG} soon.", HIGH)
    card = data_card([GenerationRun(made[1], (one, other), 2)], distinct([one, other]), [], {}, "MIT")
    # 21 of 22 5-grams, as in test_near_duplicates
    assert f"| {one.sample_id} | w | {other.sample_id} | w | 0.955 |" in card
    assert "2 are near-duplicates with different labels" in card


def test_croissant_names_the_files_by_their_hashes_and_the_fields_of_their_rows(made: tuple[Path, EvalLog]) -> None:
    folder = made[0] / "set"
    found = json.loads((folder / "croissant.json").read_text())
    for file in found["distribution"]:
        assert file["sha256"] == sha256((folder / file["contentUrl"]).read_bytes()).hexdigest()
    fields = {one["@id"]: one for record in found["recordSet"] for one in record["field"]}
    assert fields["rows/perturbed_query"]["dataType"] == "sc:Text"
    assert fields["rows/original_answers"]["repeated"]
    assert "rows/verifier_votes" not in fields  # its keys differ from row to row


def test_croissant_is_read_by_its_own_library(made: tuple[Path, EvalLog]) -> None:
    mlcroissant = pytest.importorskip("mlcroissant")
    found = mlcroissant.Dataset(jsonld=str(made[0] / "set/croissant.json"))
    assert not found.metadata.ctx.issues.errors
    assert len(list(found.records("rows"))) == len(rows_of(made[0]))


def test_what_people_fail_is_dropped(made: tuple[Path, EvalLog], monkeypatch: pytest.MonkeyPatch) -> None:
    folder, _ = made
    monkeypatch.chdir(folder)
    with (folder / "set/validation.csv").open(newline="") as lines:
        sheet = list(csv.DictReader(lines))
    for k, line in enumerate(sheet):
        line |= dict.fromkeys(CHECKED, "no" if k == 0 else "yes")
    with (folder / "sheet.csv").open("w", newline="") as out:
        writer = csv.DictWriter(out, list(sheet[0]))
        writer.writeheader()
        writer.writerows(sheet)
    result = CliRunner().invoke(main, ["export", "logs", "-o", "again", "--drop", "sheet.csv"])
    assert result.exit_code == 0, result.output
    assert "dropped: 1 of the 1 that people failed" in result.output
    with (folder / "set/validation_key.csv").open(newline="") as lines:
        ids = {line["item"]: line["id"] for line in csv.DictReader(lines)}
    again = [json.loads(line)["id"] for line in (folder / "again/rows.jsonl").read_text().splitlines()]
    assert {row["id"] for row in rows_of(folder)} - set(again) == {ids[sheet[0]["item"]]}


def test_own_levers_are_noted_whole_and_another_text_is_another_hash() -> None:
    levers = bundled_levers()
    changed = levers[0].model_copy(update={"instruction": "Another."})
    own = levers[0].model_copy(update={"name": "Mine"})
    assert recipe(levers, levers)["levers_sha256"] != recipe([changed, *levers[1:]], levers)["levers_sha256"]
    assert recipe(levers, levers)["own_levers"] == []
    (noted,) = recipe(levers, [*levers, own])["own_levers"]
    assert type(own).model_validate(noted) == own


def test_a_licence_that_the_hub_does_not_know_is_named() -> None:
    from refusalbench_tasks.generators.kit.card_front import front_matter

    text = front_matter("n", "Mine: 'own'", 2_000, ["a/b"])
    values = yaml.safe_load(text.strip("-"))
    assert (values["license"], values["license_name"]) == ("other", "Mine: 'own'")
    assert values["size_categories"] == ["1K<n<10K"]
