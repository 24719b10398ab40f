"""Some fifty calls, half of them failing (thousands, a fifth, where slow tests run):
none is without an outcome.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval
from inspect_ai.log import EvalLog
from inspect_ai.model import GenerateConfig, get_model

from refusalbench_tasks.datasets import benchmarks as loading
from refusalbench_tasks.outcome import reply_outcome
from refusalbench_tasks.replies.code import parse_reply
from refusalbench_tasks.tasks.nq import nq
from tests.logged import numbers_of
from tests.provider import Call, Fault, Reply, Server, faulty
from tests.provider.plausible import plausible
from tests.provider.reply import Script

SAMPLE = Path(loading.__file__).parent / "data" / "nq_sample.jsonl"
TRANSPORT = (Fault.RATE_LIMIT, Fault.SERVER_ERROR, Fault.DROP, Fault.MALFORMED)
REASONS = {
    Fault.EMPTY: "no_response",
    Fault.FILTERED: "provider_refusal",
    Fault.TRUNCATED: "truncated",
}
JUDGES = ("gpt-4o-mini", "claude-b")
KINDS = (*TRANSPORT, *REASONS, *REASONS, *REASONS)


def script(share: float) -> Script:
    """Return what a share of the model's calls and four fifths of the judge's get no
    answer from.
    """
    answers = plausible(bare=0.2, prose=0.15)
    model, judge = (
        faulty(answers, part, KINDS, persistent=True) for part in (share, 0.8)
    )
    return lambda call: (judge if call.model in JUDGES else model)(call)


def copies(path: Path, number: int) -> Path:
    """Write so many rows: those of the sample, and where it has no more the same with
    another question.
    """
    rows = [
        json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()
    ]
    with path.open("w", encoding="utf-8") as file:
        for n in range(number):
            row = rows[n % len(rows)]
            k = n // len(rows)
            copy = row | {
                "id": f"{row['id']}-{k}",
                "perturbed_query": f"{row['perturbed_query']} ({k})",
            }
            file.write(json.dumps(copy) + "\n")
    return path


def run(wire: str, server: Server, data: Path) -> EvalLog:
    url = server.openai_url if wire == "openai" else server.anthropic_url
    name, grader = (
        ("openai/gpt-4o", "openai/gpt-4o-mini")
        if wire == "openai"
        else ("anthropic/claude-a", "anthropic/claude-b")
    )
    config = GenerateConfig(max_retries=0, max_connections=40, max_tokens=200)
    options: dict[str, Any] = {
        "base_url": url,
        "config": config,
        "memoize": False,
        "max_retries": 0,
    }
    (log,) = eval(
        nq(data=str(data)),
        model=get_model(name, **options),
        model_roles={"grader": get_model(grader, **options)},
        fail_on_error=False,
        log_dir=str(data.parent / "logs"),
        display="none",
        max_samples=100,
    )
    return log


SIZES = [
    ("openai", 36, 0.5, 50),
    pytest.param("anthropic", 36, 0.5, 50, marks=pytest.mark.slow),
    pytest.param("openai", 17 * 72, 0.2, 2000, marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("wire", "rows", "share", "calls"), SIZES)
def test_every_sample_is_accounted_for(
    wire: str, rows: int, share: float, calls: int, tmp_path: Path
) -> None:
    with Server(script(share)) as server:
        log = run(wire, server, copies(tmp_path / "rows.jsonl", rows))
        assert len(server.calls) >= calls
    samples = log.samples or []
    assert len(samples) == rows
    outcomes: Counter[str] = Counter()
    for sample in samples:
        outcomes[_check(sample, log.eval.model.partition("/")[2], script(share))] += 1
    assert outcomes.total() == rows
    assert {"parse", "judge", "error", "grader_failed", *REASONS.values()} <= set(
        outcomes
    )
    found = numbers_of(log)
    assert found["n_by_parse"] == outcomes["parse"]
    assert found["n_by_judge"] == outcomes["judge"]
    assert found["n"] + outcomes["error"] == len(samples)
    assert found["n_decided"] == outcomes["parse"] + outcomes["judge"]
    assert found["n_unscored"] == outcomes["grader_failed"]


def _check(sample: Any, model: str, answers: Script) -> str:
    """Return the sample's outcome, after comparing it with what the server did to its
    call.
    """
    made = answers(Call("openai", model, sample.messages[0].text, (), False, {}, 0, 0))
    if made in TRANSPORT:
        assert sample.error
        assert not sample.scores
        return "error"
    if sample.error:  # the judge's call failed in transport
        assert not sample.scores
        return "error"
    label = sample.scores["refusal_correct"]
    numbers = sample.scores["refusal_scores"]
    if isinstance(made, Fault):
        assert label.reason == REASONS[made]
        assert numbers.value["unscored"] == (reply_outcome(label.reason) == "unscored")
        return str(label.reason)
    assert isinstance(made, Reply)
    parsed = parse_reply(made.text).label
    if parsed:
        assert numbers.answer == parsed.value
        return "parse"
    if numbers.value["unscored"]:
        return str(label.reason)
    assert numbers.metadata["decided_by"] == "judge"
    return "judge"
