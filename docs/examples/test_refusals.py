"""A gate as a test: it fails unless every rule holds."""

from pathlib import Path

from inspect_ai import eval

from refusalbench_tasks import nq
from refusalbench_tasks.results.gate.checks import gated
from refusalbench_tasks.results.gate.rules import Rule, Rules
from refusalbench_tasks.results.gate.summary import written_gate
from refusalbench_tasks.results.table import read_logs
from refusalbench_tasks.solvers.baselines import oracle

RULES = Rules(
    rules=(
        Rule(metric="false_refusal_rate", max=0.25),
        Rule(metric="missed_refusal_rate", max=0.25),
    )
)


def test_the_system_knows_when_not_to_answer(tmp_path: Path) -> None:
    """Fail with the table of the gate."""
    eval(nq(data="sample", judge="offline"), solver=oracle(), model="none", log_dir=str(tmp_path), display="none")
    found = gated(read_logs([str(tmp_path)]).runs, RULES)
    assert [one.verdict for one in found] == ["pass"], written_gate(found, "text")
