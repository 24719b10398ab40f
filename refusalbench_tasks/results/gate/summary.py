"""What a gate found, as tables, and written as text, JSON, JUnit XML and Markdown."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from refusalbench_tasks.log_reading import file_name
from refusalbench_tasks.replies.outside_text import one_line
from refusalbench_tasks.results.interval_rules import interval_cells
from refusalbench_tasks.results.read_offline import own_errors
from refusalbench_tasks.tables import Table, TableRow, markdown_text

from .failing_rows import failing_rows
from .junit import junit, junit_error
from .rule_checks import Check, Gated, overall
from .verdict import Verdict

Form = Literal["text", "json", "junit", "markdown"]
STATUS = {"pass": 0, "fail": 1, "undecided": 3}
"""The exit status of each verdict; 2 is for what cannot be used."""
_MARKS = {"pass": "✅", "fail": "❌", "undecided": "❔"}
_SHOWN = ("verdict", "rule", "value", "95 % low", "95 % high", "n", "remark")
"""The columns for people; JSON has all."""


def written_gate(
    gates: Sequence[Gated],
    form: Form,
    undecided: Verdict = "undecided",
    rows: int = 20,
) -> str:
    """Return what a gate found in one form; `undecided` is what an undecided rule
    counts as.

    JUnit, JSON and Markdown name up to so many failing `rows` of each rule.
    """
    if form == "text":
        return _text(gates, undecided)
    failing = [failing_rows(gated, rows) for gated in gates]
    if form == "junit":
        return junit(gates, failing, undecided)
    if form == "markdown":
        return _markdown(gates, failing, undecided)
    return _json(
        {
            "verdict": counted(gates),
            "status": STATUS[counted(gates, undecided)],
            "runs": list(map(_values, gates, failing)),
        }
    )


def written_problem(problem: str, form: Form) -> str:
    """Return why a gate can't be held in one form; as text nothing: an error line says
    it.
    """
    if form == "junit":
        return junit_error(problem)
    if form == "markdown":
        return f"## {_MARKS['fail']} Gate: unusable: {markdown_text(problem)}\n"
    return _json({"status": 2, "problem": problem}) if form == "json" else ""


def _json(summary: Mapping[str, Any]) -> str:
    text = json.dumps(
        summary,
        ensure_ascii=False,
        indent=1,
        allow_nan=False,
    )
    return text + "\n"


def counted(gates: Sequence[Gated], undecided: Verdict = "undecided") -> Verdict:
    """Return the verdict over all runs, an undecided one counted as told."""
    return overall((check for gated in gates for check in gated.checks), undecided)


def check_table(gated: Gated) -> Table:
    """Return the table of a run: a row for each limit."""
    return Table(
        "gate",
        gated.title,
        list(map(_row, gated.checks)),
        names=_SHOWN,
    )


def _row(check: Check) -> TableRow:
    estimate = check.estimate
    interval: TableRow = {**interval_cells(estimate)}
    if check.counted:
        interval = dict.fromkeys(interval)
    more = check.needed
    return {
        "verdict": check.verdict,
        "rule": check.rule,
        "value": estimate.value,
        **interval,
        "n": int(estimate.n),
        "remark": check.remark,
        "limit": check.limit,
        "side": check.side,
        "units": estimate.units,
        "needed_rows": more and more.rows,
        "needed_units": more and more.units,
    }


def _text(gates: Sequence[Gated], undecided: Verdict) -> str:
    parts = []
    for gated in gates:
        logs = f"log: {one_line(file_name(gated.run.name))}"
        if gated.baseline:
            logs += f"\nagainst: {one_line(file_name(gated.baseline.name))}"
        parts.append(f"{gated.title}\n{logs}\n\n{check_table(gated).as_text()}\n")
    lines = [*own_errors(gated.run for gated in gates), _last_line(gates, undecided)]
    return "\n".join([*parts, *(f"{line}\n" for line in lines)])


def _markdown(
    gates: Sequence[Gated],
    failing: Sequence[Table],
    undecided: Verdict,
) -> str:
    parts = [
        f"## {_MARKS[counted(gates, undecided)]} Gate: {_last_line(gates, undecided)}\n"
    ]
    for gated, replies in zip(gates, failing, strict=True):
        table = check_table(gated)
        for row in table.rows:
            row["verdict"] = f"{_MARKS[row['verdict']]} {row['verdict']}"
        parts.append(f"### {markdown_text(gated.title)}\n\n{table.as_markdown()}")
        if replies.rows:
            parts.append(f"#### Failing rows\n\n{replies.as_markdown()}")
    for sentence in own_errors(gated.run for gated in gates):
        parts.append(f"{markdown_text(sentence)}\n")
    return "\n".join(parts)


def _last_line(gates: Sequence[Gated], undecided: Verdict) -> str:
    verdicts = [check.verdict for gated in gates for check in gated.checks]
    counts = ", ".join(
        f"{verdicts.count(kind)} {kind}" for kind in STATUS if kind in verdicts
    )
    verdict = counted(gates)
    status = counted(gates, undecided)
    taken = f" (counts as {status})" if verdict != status else ""
    return f"{verdict}{taken}: {counts}"


def _values(gated: Gated, failing: Table) -> dict[str, Any]:
    run = gated.run
    return {
        "task": run.task,
        "model": run.model,
        "data": run.data,
        "rows": run.fingerprint,
        "log": run.name,
        "against": gated.baseline.name if gated.baseline else None,
        "verdict": overall(gated.checks),
        "checks": replace(check_table(gated), names=()).values(),
        "failing": failing.values(),
    }
