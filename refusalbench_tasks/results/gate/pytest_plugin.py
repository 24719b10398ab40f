"""A gate in pytest: `pytest --refusalbench rules.yaml --refusalbench-logs logs` runs a
test for each rule and log.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from .rule_checks import Check, Gated


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("refusalbench", "rules on logs of refusalbench tasks")
    group.addoption(
        "--refusalbench",
        metavar="RULES",
        help="a YAML file of rules: a test for each, and each log",
    )
    group.addoption(
        "--refusalbench-logs",
        metavar="LOGS",
        default="logs",
        help="log files or a folder [logs]",
    )
    group.addoption(
        "--refusalbench-against",
        metavar="LOG",
        help="the baseline of rules with no_worse_than",
    )
    group.addoption(
        "--refusalbench-undecided",
        choices=("fail", "skip", "pass"),
        default="fail",
        help="what an undecided rule does [fail]",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Collect the rules beside what else is collected."""
    rules = config.getoption("--refusalbench")
    if rules and rules not in config.args:
        config.args.append(str(rules))


def pytest_collect_file(
    file_path: Path, parent: pytest.Collector
) -> "RulesFile | None":
    """Return the collector of the rules; None for every other file."""
    rules = parent.config.getoption("--refusalbench")
    if not rules or file_path != Path(rules).absolute():
        return None
    return RulesFile.from_parent(parent, path=file_path)


class RulesFile(pytest.File):
    """The file of rules, held against the newest run of each task, model and data."""

    def collect(self) -> Iterator[pytest.Item]:
        """Yield a test for each run and rule.

        Raises CollectError for what no gate can be held with.
        """
        from refusalbench_tasks.errors import DataError

        from .gate_runs import newest
        from .rule_checks import gated
        from .rules import read_rules

        option = self.config.getoption
        against = option("--refusalbench-against")
        try:
            rules = read_rules(self.path.read_text(encoding="utf-8"), self.path.name)
            texts = rules.need_texts
            runs = newest((option("--refusalbench-logs"),), texts)
            baselines = newest((against,), texts) if against else []
            for gate in gated(runs, rules, baselines):
                for check in gate.checks:
                    yield RuleItem.from_parent(
                        self,
                        name=f"{gate.title}: {check.rule}",
                        gated=gate,
                        check=check,
                    )
        except DataError as error:
            raise self.CollectError(error.message) from None


class RuleItem(pytest.Item):
    """One rule and one run: it fails where the rule fails, and where the data decide
    nothing, unless that is to be skipped or to pass.
    """

    def __init__(self, *, gated: "Gated", check: "Check", **given: Any) -> None:
        super().__init__(**given)
        self.gated, self.check = gated, check

    def runtest(self) -> None:
        """Fail with the value and the rows that count against the rule."""
        from dataclasses import replace

        from .failing_rows import failing_rows

        option = self.config.getoption("--refusalbench-undecided")
        counts_as = self.check.counts_as("pass" if option == "pass" else "fail")
        told = self.check.told
        if self.check.verdict == "undecided":
            told = f"undecided: {told}"
            if option == "skip":
                pytest.skip(told)
        if counts_as != "pass":
            failed = replace(self.check, verdict="fail")
            rows = failing_rows(replace(self.gated, checks=(failed,)))
            named = f"\n\n{rows.as_text()}" if rows.rows else ""
            pytest.fail(f"{self.check.rule}: {told}{named}", pytrace=False)

    def reportinfo(self) -> tuple[Path, None, str]:
        """Return where the rule stands."""
        return self.path, None, self.name
