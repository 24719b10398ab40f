"""What a gate found, as tables, and written as text, JSON, JUnit XML and Markdown."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from refusalbench_tasks.replies.outside_text import one_line
from refusalbench_tasks.results.gate.failing_rows import failing_rows
from refusalbench_tasks.results.gate.junit import junit
from refusalbench_tasks.results.gate.rule_checks import Check, Gated, overall
from refusalbench_tasks.results.gate.verdict import Verdict
from refusalbench_tasks.tables import Table, TableRow, markdown_text

Form = Literal["text", "json", "junit", "markdown"]
STATUS: Mapping[Verdict, int] = {"pass": 0, "fail": 1, "undecided": 3}
"""The exit status of each verdict; 2 is for what cannot be used."""
_MARKS: Mapping[Verdict, str] = {"pass": "✅", "fail": "❌", "undecided": "❔"}
_SHOWN = ("verdict", "rule", "value", "95 % low", "95 % high", "n", "remark")
"""The columns for people; JSON has all."""


def written_gate(
    found: Sequence[Gated], form: Form, undecided: Verdict = "undecided", rows: int = 20
) -> str:
    """Return what a gate found in one form; `undecided` is what an undecided rule
    counts as.

    JUnit, JSON and Markdown name up to so many failing `rows` of each rule.
    """
    if form == "text":
        parts = [
            f"{one.title}\n{_logs(one)}\n\n{table(one).as_text()}\n" for one in found
        ]
        return "\n".join([*parts, _last_line(found, undecided) + "\n"])
    failing = [failing_rows(one, rows) for one in found]
    if form == "junit":
        return junit(found, failing, undecided)
    if form == "json":
        runs = [
            _values(one) | {"failing": rows.values()}
            for one, rows in zip(found, failing, strict=True)
        ]
        made = {
            "verdict": counted(found),
            "status": STATUS[counted(found, undecided)],
            "runs": runs,
        }
        return json.dumps(made, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    return _markdown(found, failing, undecided)


def counted(found: Sequence[Gated], undecided: Verdict = "undecided") -> Verdict:
    """Return the verdict over all runs, an undecided one counted as told."""
    verdict = overall(check for one in found for check in one.checks)
    return undecided if verdict == "undecided" else verdict


def table(one: Gated) -> Table:
    """Return the table of a run: a row for each limit."""
    return Table("gate", one.title, list(map(_row, one.checks)), names=_SHOWN)


def _row(check: Check) -> TableRow:
    found = check.estimate
    needed = check.needed
    # the unscored rows are counted, and have no CI
    low, high = (found.low, found.high) if check.metric else (None, None)
    return {
        "verdict": check.verdict,
        "rule": check.rule,
        "value": found.value,
        "95 % low": low,
        "95 % high": high,
        "n": int(found.n),
        "remark": check.remark,
        "limit": check.limit,
        "side": check.side,
        "units": found.units,
        "needed_rows": needed.rows if needed else None,
        "needed_units": needed.units if needed else None,
    }


def _markdown(
    found: Sequence[Gated], failing: Sequence[Table], undecided: Verdict
) -> str:
    parts = [
        f"## {_MARKS[counted(found, undecided)]} Gate: {_last_line(found, undecided)}\n"
    ]
    for one, replies in zip(found, failing, strict=True):
        plain = table(one)
        rows = [
            row | {"verdict": f"{_MARKS[row['verdict']]} {row['verdict']}"}
            for row in plain.rows
        ]
        marked = replace(plain, rows=rows)
        parts.append(f"### {markdown_text(one.title)}\n\n{marked.as_markdown()}")
        if replies.rows:
            parts.append(f"#### Failing rows\n\n{replies.as_markdown()}")
    return "\n".join(parts)


def _last_line(found: Sequence[Gated], undecided: Verdict) -> str:
    verdicts = [check.verdict for one in found for check in one.checks]
    counts = ", ".join(
        f"{verdicts.count(kind)} {kind}" for kind in STATUS if kind in verdicts
    )
    verdict = counted(found)
    taken = f" (counts as {undecided})" if verdict == "undecided" != undecided else ""
    return f"{verdict}{taken}: {counts}"


def _values(one: Gated) -> dict[str, Any]:
    run = one.run
    return {
        "task": run.task,
        "model": run.model,
        "data": run.data,
        "rows": run.fingerprint,
        "log": run.name,
        "against": one.baseline.name if one.baseline else None,
        "verdict": overall(one.checks),
        "checks": replace(table(one), names=()).values(),
    }


def _logs(one: Gated) -> str:
    names = [
        run.name.rstrip("/").rpartition("/")[2]
        for run in (one.run, one.baseline)
        if run
    ]
    return "log: " + "\nagainst: ".join(map(one_line, names))
