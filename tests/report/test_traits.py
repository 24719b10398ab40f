"""Sizes and families of models, by the identifiers of the papers and by the rule for any other."""

import pytest

from refusalbench_tasks.outcome import Outcome
from refusalbench_tasks.report.charts import Curves
from refusalbench_tasks.report.figures.figure import Absent, Figure
from refusalbench_tasks.report.figures.traits import size, size_of, thinking
from refusalbench_tasks.report.tally import RefusalGroup, Tally
from refusalbench_tasks.results.logs.run import Key
from refusalbench_tasks.taxonomy import Label
from tests.results.logs.synthetic import refusal_run

OLMO = {
    "vllm/allenai/OLMo-2-0425-1B-DPO": 1,
    "vllm/allenai/OLMo-2-1124-7B-DPO": 7,
    "hf/allenai/OLMo-2-1124-13B-DPO": 13,
    "hf/allenai/OLMo-2-0325-32B-DPO": 32,
}


@pytest.mark.parametrize(("model", "size"), OLMO.items())
def test_a_line_is_one_family_whatever_month_its_sizes_came_out_in(model: str, size: float) -> None:
    assert size_of(model) == ("OLMo-2 DPO", size)
    # the same by the rule, for a training that no paper has
    assert size_of(model.replace("DPO", "Instruct")) == ("olmo-2-*-instruct", size)


def test_training_keeps_families_apart_and_the_provider_does_not() -> None:
    assert size_of("hf/allenai/OLMo-2-1124-7B-SFT") == ("OLMo-2 SFT", 7)
    assert size_of("vllm/meta-llama/Llama-3.1-8B-Instruct") == ("Llama-3.1 Instruct", 8)
    assert size_of("together/meta-llama/Llama-3.1-70B-Instruct") == ("Llama-3.1 Instruct", 70)
    assert size_of("hf/Qwen/Qwen1.5-0.5B-Chat") == ("Qwen1.5 Chat", 0.5)
    assert size_of("hf/Qwen/Qwen2.5-7B-Instruct") == ("qwen2.5-*-instruct", 7)
    assert size_of("openai/gpt-4o") is None


def tally(model: str, right: int, tokens: int | None = None, created: str = "") -> Tally:
    outcomes: dict[Key, Outcome] = {
        (str(k), 1): Outcome(Label.ANSWER, Label.ANSWER, k < right, str(k)) for k in range(4)
    }
    return Tally(refusal_run(outcomes, model, reasoning_tokens=tokens, created=created), model)


def lines(found: Figure | Absent) -> dict[str, list[tuple[float, float]]]:
    assert isinstance(found, Figure)
    assert isinstance(found.chart, Curves)
    return {name: [(point.x, point.y.value) for point in points] for name, points in found.chart.lines.items()}


def test_the_papers_line_is_drawn_whole() -> None:
    group = RefusalGroup(tuple(tally(model, k) for k, model in enumerate(OLMO)))
    drawn = lines(size(group))
    assert drawn["OLMo-2 DPO: answer accuracy"] == [(1, 0), (7, 0.25), (13, 0.5), (32, 0.75)]


def test_a_run_without_a_budget_is_the_point_at_0() -> None:
    runs = (tally("m", 1), tally("m", 2, 1024), tally("m", 3, 2048), tally("other", 4))
    drawn = lines(thinking(RefusalGroup(runs)))
    assert drawn["m: answer accuracy"] == [(0, 0.25), (1024, 0.5), (2048, 0.75)]
    assert not [name for name in drawn if name.startswith("other")]
    assert isinstance(thinking(RefusalGroup(runs[3:])), Absent)
