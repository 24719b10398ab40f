"""Worked examples before the question: which they are, and how they stand in the
prompt.
"""

from pathlib import Path

from inspect_ai import eval
from inspect_ai.solver import chain

from refusalbench_tasks import garage, nq
from refusalbench_tasks.datasets.benchmarks import GARAGE, Selection, load
from refusalbench_tasks.solvers.treatments.by_prompt import evidence_first
from refusalbench_tasks.solvers.treatments.few_shot import (
    drawn_examples,
    examples_text,
    few_shot,
)
from refusalbench_tasks.taxonomy import Label
from tests.models import fake
from tests.solvers.treated import MISSING, gold, refusals, run


def test_examples_are_balanced_and_share_no_question_with_the_run() -> None:
    items = drawn_examples("worlds", False, 2, 0, frozenset())
    assert sorted(item.expected for item in items) == sorted(
        [x for x in Label if x is not Label.OTHER] * 2
    )
    without = drawn_examples(
        "worlds", False, 2, 0, frozenset(item.source_id for item in items)
    )
    assert not {item.source_id for item in items} & {item.source_id for item in without}
    assert drawn_examples("worlds", False, 2, 1, frozenset()) != items


def test_a_learner_follows_examples_and_the_chain_asks_once(tmp_path: Path) -> None:
    asked: list[str] = []

    def learner(prompt: str) -> str:
        asked.append(prompt)
        return (
            f"REPLY: {gold(prompt)}"
            if "EXAMPLE REPLY" in prompt and "EVIDENCE:" in prompt
            else "Oslo"
        )

    treated = run(
        chain(few_shot(ask_now=False), evidence_first()), learner, tmp_path, limit=6
    )
    assert len(asked) == 6
    assert refusals(treated)[0] == 0.0
    assert refusals(run(few_shot(), learner, tmp_path, limit=6))[1] == 1.0


def test_garage_rows_are_treated_with_numbered_passages(tmp_path: Path) -> None:
    seen: list[str] = []

    def model(prompt: str) -> str:
        seen.append(prompt)
        return f"REPLY: {MISSING}"

    run(evidence_first(), model, tmp_path, task=garage, limit=1)
    assert "SEARCH RESULTS\n[1] " in seen[0]
    assert "EXAMPLE TEXT\n[1] " in examples_text(
        load(GARAGE, Selection(data="sample")).perturbed[:1], True
    )


def test_an_example_can_reach_no_slot(tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    source = Path("refusalbench_tasks/datasets/data/nq_sample.jsonl").read_text(
        encoding="utf-8"
    )
    rows.write_text(source.replace(" the ", " {{context}} the "), encoding="utf-8")
    items = drawn_examples(str(rows), False, 1, 0, frozenset())
    assert any("{{context}}" in passage for item in items for passage in item.passages)
    seen: list[str] = []

    def model(prompt: str) -> str:
        seen.append(prompt)
        return MISSING

    eval(
        nq(data="worlds", n=36, judge="offline"),
        model=fake(model),
        solver=few_shot(examples=str(rows)),
        limit=1,
        log_dir=str(tmp_path),
        display="none",
    )
    assert "{{context}}" in seen[0]
