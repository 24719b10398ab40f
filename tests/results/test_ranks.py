"""How two sets order the same models."""

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from refusalbench_tasks.cli import main
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.results.comparison import Draws
from refusalbench_tasks.results.table import Run
from refusalbench_tasks.results.two_sets import Ranks, rank_comparison
from refusalbench_tasks.taxonomy import Intensity, Label
from tests.results import synthetic
from tests.results.synthetic import row, write_log


def run(model: str, right: int, of: int = 40, **changes: Any) -> Run:
    """Return a run of answerable rows, of which the first `right` are."""
    made = [row(str(k), Label.ANSWER, intensity=Intensity.LOW, correct=k < right) for k in range(of)]
    return synthetic.run(made, model, **changes)


def of(made: Ranks, metric: str) -> dict[str, Any]:
    return next(one for one in made.rows if one["metric"] == metric)


def ranks(first: Sequence[Run], second: Sequence[Run]) -> Ranks:
    return rank_comparison(first, second, Draws())


def runs(right: Sequence[int]) -> list[Run]:
    return [run(f"m{k}", n) for k, n in enumerate(right)]


def test_one_swap_among_four_models() -> None:
    made = ranks(runs([4, 12, 20, 28]), runs([2, 18, 17, 36]))
    found = of(made, "answer_accuracy")
    assert made.models == ["m0", "m1", "m2", "m3"]
    assert found["models"] == 4
    assert [found["Kendall's tau"], found["Spearman's rho"]] == pytest.approx([4 / 6, 0.8])
    assert found["p of tau"] == pytest.approx(8 / 24)
    # on B, m1 and m2 differ in one question: where it is not drawn (1 in e) they are tied, and 5 / sqrt(6 x 5) is left
    assert [found["tau low"], found["tau high"]] == pytest.approx([4 / 6, 5 / math.sqrt(30)])
    missing = of(made, "refusal_accuracy")
    assert (missing["models"], math.isnan(missing["Kendall's tau"]), math.isnan(missing["p of tau"])) == (0, True, True)


def test_the_order_is_as_sure_as_the_questions_are_many() -> None:
    far = of(ranks(runs([0, 20, 40]), runs([2, 21, 39])), "answer_accuracy")
    assert (far["Kendall's tau"], far["tau low"], far["tau high"]) == (1, 1, 1)
    assert far["p of tau"] == pytest.approx(2 / 6)
    few = [run(f"m{k}", n, 4) for k, n in enumerate([1, 2, 3])]
    near = of(ranks(few, few), "answer_accuracy")
    assert near["Kendall's tau"] == 1
    assert near["tau low"] < 1


def test_the_newest_run_of_a_model_counts_and_baselines_do_not() -> None:
    def dated(model: str, right: int, day: str) -> Run:
        return run(model, right, created=f"2026-01-0{day}T00:00:00+00:00")

    first = [dated("a", 40, "1"), dated("a", 1, "2"), dated("b", 10, "1"), dated("c", 20, "1")]
    base = run("none/none", 40)
    base.header.eval.solver = "refusalbench_tasks/oracle"
    made = ranks([*first, base], [dated("a", 1, "1"), dated("b", 10, "1"), dated("c", 20, "1")])
    assert made.models == ["a", "b", "c"]
    assert of(made, "answer_accuracy")["Kendall's tau"] == 1
    with pytest.raises(DataError, match="baselines are no models"):
        ranks([base], first)


def test_sets_that_are_no_sets_are_refused() -> None:
    with pytest.raises(DataError, match="a folder of their own"):
        ranks([run("a", 1), run("b", 1, selected_fingerprint="g")], [run("a", 1)])
    official = run("b", 1)
    official.replies["protocol"] = "official-code"
    with pytest.raises(DataError, match="scored by official-code, but a.eval by paper"):
        ranks([run("a", 1)], [official])


def test_the_command_prints_correlations_and_who_is_left_out(tmp_path: Path) -> None:
    for place, shares in (("worlds", (1, 4, 7)), ("nq", (2, 5, 8))):
        for k, right in enumerate(shares):
            made = [row(str(i), Label.ANSWER, intensity=Intensity.LOW, correct=i < right) for i in range(10)]
            write_log(tmp_path / place, f"p/m{k}", made, selected_fingerprint=place)
    write_log(tmp_path / "nq", "p/more", [row("1", Label.MISSING)], selected_fingerprint="nq")
    places = [str(tmp_path / "worlds"), str(tmp_path / "nq")]
    told = CliRunner().invoke(main, ["compare", *places, "--ranks"])
    assert told.exit_code == 0, told.output
    assert "3 models on both: p/m0, p/m1, p/m2" in told.output
    assert "left out, in B only: p/more" in told.output
    line = next(one for one in told.output.splitlines() if one.startswith("answer_accuracy"))
    assert line.split()[:3] == ["answer_accuracy", "3", "1.000"]
    alone = CliRunner().invoke(main, ["compare", places[0], "--ranks"])
    assert (alone.exit_code, "--ranks needs two" in alone.output) == (1, True)
    stored = json.loads(CliRunner().invoke(main, ["compare", *places, "--ranks", "--format", "json"]).stdout)
    taus = {one["metric"]: one["Kendall's tau"] for one in stored["ranks"]}
    assert taus["answer_accuracy"] == 1
    write_log(tmp_path / "one", "p/m1", [row("1", Label.MISSING)])
    few = CliRunner().invoke(main, ["compare", str(tmp_path / "one"), places[1], "--ranks"])
    assert "too few models: an order needs 3" in few.output
    assert "too few" not in told.output
