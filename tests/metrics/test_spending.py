"""What replies cost and how long they took: shown, compared and limited."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from inspect_ai.model import ModelUsage

from refusalbench_tasks.cli import main
from refusalbench_tasks.metrics.spending import SPENDING
from refusalbench_tasks.taxonomy import Label
from tests.results.shown import told
from tests.results.synthetic import row, write_log


@pytest.fixture(scope="module")
def spent(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("spent")
    samples = [row(str(k), Label.MISSING) for k in range(200)]
    for k, sample in enumerate(samples):
        sample.output.time = k / 10
        price = None if k >= 100 else 0.4 + 0.2 * (k % 2)
        usage = ModelUsage(
            input_tokens=90, output_tokens=10, total_tokens=100, total_cost=price
        )
        sample.model_usage = {"m": usage}
    write_log(folder, "m", samples)
    return str(folder)


def test_all_numbers_have_latency_tokens_and_price_where_a_log_has_them(
    spent: str, tmp_path: Path
) -> None:
    found = {metric: numbers for (_, metric), numbers in told(spent, "--all").items()}
    assert found["latency_p50"] == [pytest.approx(9.95), 200]
    assert found["latency_p95"] == [pytest.approx(18.905), 200]
    assert found["tokens_per_row"] == [100, 200]
    assert found["cost_per_row"] == [pytest.approx(0.5), 100]
    write_log(tmp_path, "m", [row("1", Label.MISSING)])
    assert not {metric for _, metric in told(str(tmp_path), "--all")} & set(SPENDING)


def test_what_is_spent_is_compared_reply_by_reply(spent: str, tmp_path: Path) -> None:
    samples = [row(str(k), Label.MISSING) for k in range(200)]
    for k, sample in enumerate(samples):
        sample.output.time = k / 10 + 2 + k % 2
        sample.model_usage = {
            "b": ModelUsage(input_tokens=90, output_tokens=30 + k % 5, total_tokens=120)
        }
    write_log(tmp_path, "b", samples)
    words = ["compare", spent, str(tmp_path), "--format", "json"]
    plain, whole = (
        json.loads(CliRunner().invoke(main, [*words, *more]).stdout)
        for more in ([], ["--latency"])
    )
    found = {one["metric"]: one for one in whole["differences"]}
    assert found["output_tokens_per_row"]["B - A"] == pytest.approx(22)
    assert found["latency_per_row"]["B - A"] == pytest.approx(2.5)
    assert (
        found["latency_per_row"]["95 % low"]
        < 2.5
        < found["latency_per_row"]["95 % high"]
    )
    # only one of both has prices
    assert "cost_per_row" not in found
    assert "latency_per_row" not in {one["metric"] for one in plain["differences"]}


@pytest.mark.parametrize(
    ("rule", "status"),
    [
        ("latency_p95=15", 1),
        ("latency_p95=19", 3),
        ("cost_per_row=0.6", 0),
    ],
)
def test_the_gate_holds_latency_and_price_by_their_cis(
    spent: str, rule: str, status: int
) -> None:
    assert CliRunner().invoke(main, ["gate", spent, "--max", rule]).exit_code == status
