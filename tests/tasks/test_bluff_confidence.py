"""How sure a model is of its answer in BLUFF-1000: by log probabilities, by votes, in words, or by another model."""

import math

import pytest
from inspect_ai import eval
from inspect_ai.model import get_model

from refusalbench_tasks.tasks.bluff import bluff
from tests.provider.call import Call
from tests.provider.reply import Reply
from tests.provider.server import Server
from tests.tasks.hedging import (
    about,
    is_ambiguous,
    metrics,
    openai,
    run,
    values,
    well_behaved,
)


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")


def test_a_provider_without_log_probabilities_gives_no_confidence() -> None:
    with Server(well_behaved) as server:
        model = get_model("anthropic/claude-sonnet-4-0", base_url=server.anthropic_url, api_key="x", memoize=False)
        m = metrics(run(model, topics="law"))
    assert (m["n_confidence_no_logprobs"], m["ece_n"], m["n_pairs_no_confidence"]) == (4, 0, 2)
    assert math.isnan(m["asi"])
    assert math.isnan(m["ece"])
    assert m["vui_n"] == 4  # what does not need a confidence is there


def test_no_letter_among_the_alternatives_gives_no_confidence() -> None:
    def script(call: Call) -> Reply:
        other = ((("The", math.log(0.9)), ("It", math.log(0.1))),)
        return Reply("The", logprobs=other) if "LETTER:" in call.text else well_behaved(call)

    with Server(script) as server:
        assert metrics(run(openai(server), topics="law"))["n_confidence_no_letter"] == 4


def test_sampled_confidence_is_a_share_of_votes() -> None:
    votes = {"n": 0}

    def script(call: Call) -> Reply:
        if "LETTER:" not in call.text:
            return well_behaved(call)
        votes["n"] += 1
        return Reply("A" if votes["n"] % 4 else "B")

    with Server(script) as server:
        log = run(openai(server), topics="law", ptrue="sample", ptrue_samples=4)
    assert votes["n"] == 4 * 4
    assert all(about_one["confidence"]["method"] == "sample" for about_one in about(log))
    assert {a["confidence"]["resolution"] for a in about(log)} == {0.25}
    assert sum(v["confidence"] for v in values(log).values()) == pytest.approx(4 * 0.75)


def test_verbal_confidence_is_a_number_or_missing() -> None:
    def script(call: Call) -> Reply:
        if "PROBABILITY:" in call.text:
            return Reply("rather sure" if is_ambiguous(call.text) else "0.70")
        return well_behaved(call)

    with Server(script) as server:
        log = run(openai(server), topics="law", ptrue="verbal")
    assert {name: v["confidence"] for name, v in values(log).items() if name.endswith("clear")} == {
        "law_002/clear": 0.7,
        "law_004/clear": 0.7,
    }
    assert metrics(log)["n_confidence_no_number"] == 2


def test_another_model_can_be_asked_for_the_confidence() -> None:
    with Server(well_behaved) as server:
        proxy = get_model("openai/gpt-4o-mini", base_url=server.openai_url, api_key="x", memoize=False)
        task = bluff(data="sample", topics="law", per_topic=2)
        (log,) = eval(task, model=openai(server), model_roles={"confidence": proxy}, log_dir="logs", display="none")
        asked = {call.model for call in server.calls if "LETTER:" in call.text}
    assert asked == {"gpt-4o-mini"}
    assert {a["confidence"]["model"] for a in about(log)} == {"openai/gpt-4o-mini"}
