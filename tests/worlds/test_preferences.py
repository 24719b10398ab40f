"""Preference pairs: answer against refusal and code against code, never from a seed that is kept for measuring."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.taxonomy import Label
from refusalbench_tasks.worlds.command import worlds
from refusalbench_tasks.worlds.failures import Failures
from refusalbench_tasks.worlds.preferences import HELD_OUT, NEIGHBOURS, check_seed, preferences, quad_code
from refusalbench_tasks.worlds.production import Range
from refusalbench_tasks.worlds.rewards import reward
from refusalbench_tasks.worlds.rows import row
from tests.worlds.reply_styles import made_rows

ROW = {
    "id": "RBW7.0.0.0",
    "perturbed_query": "When was the mill built?",
    "perturbed_context": "The mill was built in 1987.",
    "original_answers": ["1987", "87"],
    "answer_type": "year",
}


def test_a_row_with_an_answer_prefers_it_to_the_code_of_its_quad() -> None:
    (pair,) = preferences(ROW | {"expected_rag_behavior": Label.ANSWER.value}, Label.MISSING)
    assert pair == {
        "id": "RBW7.0.0.0",
        "kind": "answer_or_refuse",
        "question": "When was the mill built?",
        "passages": ["The mill was built in 1987."],
        "chosen": "1987",
        "rejected": Label.MISSING.value,
    }


def test_a_row_without_one_prefers_its_code_to_the_answer_and_to_the_nearest_code() -> None:
    first, second = preferences(ROW | {"expected_rag_behavior": Label.MISSING.value}, Label.MISSING)
    assert (first["kind"], first["chosen"], first["rejected"]) == ("answer_or_refuse", Label.MISSING.value, "1987")
    assert (second["kind"], second["chosen"]) == ("which_code", Label.MISSING.value)
    assert second["rejected"] == Label.GRANULARITY.value


def test_every_refusal_has_another_neighbour() -> None:
    assert set(NEIGHBOURS) == {label for label in Label if label not in (Label.ANSWER, Label.OTHER)}
    assert all(label is not other for label, other in NEIGHBOURS.items())


def test_the_better_reply_of_a_pair_earns_more_than_the_worse_one() -> None:
    for quad in made_rows(7, 12):
        for one in quad:
            for pair in preferences(one, quad_code(quad)):
                assert (reward(pair["chosen"], one), reward(pair["rejected"], one)) == (1.0, 0.0)


@pytest.mark.parametrize("seed", [HELD_OUT.start, HELD_OUT.stop - 1])
def test_a_held_out_seed_is_refused(seed: int) -> None:
    with pytest.raises(DataError, match=f"seed {seed} is held out"):
        check_seed(seed)


@pytest.mark.parametrize("seed", [0, HELD_OUT.start - 1, HELD_OUT.stop])
def test_another_seed_is_not(seed: int) -> None:
    check_seed(seed)


@pytest.mark.parametrize("name", ["RBW7.9000.0.0", "RBW8.9999.24999.3"])
def test_rows_of_a_held_out_seed_give_no_pairs_whoever_asks(name: str) -> None:
    held = ROW | {"id": name, "expected_rag_behavior": Label.ANSWER.value}
    with pytest.raises(DataError, match="is held out"):
        list(preferences(held, Label.MISSING))
    for other in ("RBW7.8999.9000.0", "RBW5.90000.0.0", "my.9000.0.0"):
        assert len(list(preferences(held | {"id": other}, Label.MISSING))) == 1


def test_the_id_of_a_made_row_tells_its_seed() -> None:
    made = row(HELD_OUT.start, 5)
    with pytest.raises(DataError, match=f"seed {HELD_OUT.start} is held out"):
        list(preferences(made, Label.MISSING))


def run(*arguments: str) -> Any:
    return CliRunner().invoke(worlds, arguments)


@pytest.fixture
def _made(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand in for the production: that rows are proven is tested elsewhere."""

    def produce(wanted: Range, processes: int, failures: Failures) -> list[list[dict[str, Any]]]:
        return [[one for quad in made_rows(wanted.seed, wanted.stop // 4) for one in quad]]

    monkeypatch.setattr("refusalbench_tasks.worlds.production.produce", produce)


@pytest.mark.usefixtures("_made")
def test_the_command_writes_pairs_with_the_prompt_of_the_task(tmp_path: Path) -> None:
    said = run("-o", str(tmp_path / "pairs.jsonl"), "-n", "4", "--seed", "7", "--preferences")
    pairs = [json.loads(line) for line in (tmp_path / "pairs.jsonl").read_text(encoding="utf-8").splitlines()]
    # two rows with an answer give a pair each, two without give two each
    assert said.output == f"6 preference pairs in {tmp_path / 'pairs.jsonl'}\n"
    assert [pair["kind"] for pair in pairs].count("which_code") == 2
    for pair in pairs:
        assert pair["passages"][0] in pair["prompt"]
        assert pair["question"] in pair["prompt"]
        assert "{{" not in pair["prompt"]
        assert pair["chosen"] != pair["rejected"]


@pytest.mark.usefixtures("_made")
def test_the_command_writes_parquet(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    assert run("-o", str(tmp_path / "pairs.parquet"), "-n", "4", "--seed", "7", "--preferences").exit_code == 0
    table = pq.read_table(tmp_path / "pairs.parquet")
    assert table.num_rows == 6
    assert table.column_names == ["id", "kind", "prompt", "question", "passages", "chosen", "rejected"]


def test_the_command_refuses_a_held_out_seed_and_writes_nothing(tmp_path: Path) -> None:
    said = run("-o", str(tmp_path / "pairs.jsonl"), "-n", "4", "--seed", "9000", "--preferences")
    assert said.exit_code == 1
    assert "held out for measuring (9000 to 9999)" in said.output
    assert list(tmp_path.iterdir()) == []
