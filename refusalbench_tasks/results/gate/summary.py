"""What a gate found, as tables, and written as text, JSON, JUnit XML and Markdown."""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

from refusalbench_tasks.results.gate.checks import Check, Gated, overall
from refusalbench_tasks.results.gate.failing import failing_rows
from refusalbench_tasks.results.gate.junit import junit
from refusalbench_tasks.results.gate.verdict import Verdict
from refusalbench_tasks.tables import Table, markdown_text
from refusalbench_tasks.terminal import one_line

Form = Literal["text", "json", "junit", "markdown"]
FORMS: tuple[Form, ...] = get_args(Form)
STATUS: Mapping[Verdict, int] = {"pass": 0, "fail": 1, "undecided": 3}
"""The exit status of each verdict; 2 is for what cannot be used."""
_MARKS: Mapping[Verdict, str] = {"pass": "✅", "fail": "❌", "undecided": "❔"}


def written_gate(found: Sequence[Gated], form: Form, undecided: Verdict = "undecided", rows: int = 20) -> str:
    """Return what a gate found in one form; `undecided` is what an undecided rule counts as.

    JUnit, JSON and Markdown name up to so many failing `rows` of each rule.
    """
    if form == "text":
        return _text(found, undecided)
    failing = [failing_rows(one, rows) for one in found]
    if form == "junit":
        runs = [(title(one), _file(one), [(check, remark(check)) for check in one.checks]) for one in found]
        texts = {
            (title(one), rule): _of_rule(table, rule).as_text()
            for one, table in zip(found, failing, strict=True)
            for rule in {row["rule"] for row in table.rows}
        }
        return junit(runs, undecided, texts)
    if form == "json":
        return json.dumps(_values(found, failing, undecided), ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    return _markdown(found, failing, undecided)


def counted(found: Sequence[Gated], undecided: Verdict = "undecided") -> Verdict:
    """Return the verdict over all runs, an undecided one counted as told."""
    verdict = overall([one.verdict for one in found])
    return undecided if verdict == "undecided" else verdict


def title(one: Gated) -> str:
    """Return what a run is called, in one line."""
    data = f" on {one.run.data}" if one.run.data else ""
    against = f", against {one.baseline.model}" if one.baseline else ""
    return one_line(f"{one.run.task}{data}: {one.run.model}{against}")


def remark(check: Check) -> str:
    """Return what there is to say of a check beside its numbers: why, or how much data would about decide it."""
    if check.needed is None:
        return check.note
    questions = "" if check.by_row else f" ({check.needed.units:,} base questions)"
    return f"about {check.needed.rows:,} rows{questions} would decide"


def table(one: Gated) -> Table:
    """Return the table of a run: a row for each limit."""
    rows = [
        {
            "verdict": check.verdict, "rule": check.rule, "value": check.estimate.value,
            "95 % low": check.estimate.low, "95 % high": check.estimate.high, "n": int(check.estimate.n),
            "remark": remark(check),
        }
        for check in one.checks
    ]  # fmt: skip
    # the unscored rows are counted, and have no CI
    of_unscored = [{name: _blank(value) for name, value in row.items()} for row in rows[:1]]
    return Table("gate", title(one), [*of_unscored, *rows[1:]])


def _of_rule(failing: Table, rule: str) -> Table:
    rows = [{name: value for name, value in row.items() if name != "rule"} for row in failing.rows]
    return Table("failing", rule, [row for row, of in zip(rows, failing.rows, strict=True) if of["rule"] == rule])


def _text(found: Sequence[Gated], undecided: Verdict) -> str:
    parts = [f"{title(one)}\n{_logs(one)}\n\n{table(one).as_text()}\n" for one in found]
    return "\n".join([*parts, _last_line(found, undecided) + "\n"])


def _markdown(found: Sequence[Gated], failing: Sequence[Table], undecided: Verdict) -> str:
    parts = [f"## {_MARKS[counted(found, undecided)]} Gate: {_last_line(found, undecided)}\n"]
    for one, replies in zip(found, failing, strict=True):
        made = table(one)
        rows = [row | {"verdict": f"{_MARKS[row['verdict']]} {row['verdict']}"} for row in made.rows]
        parts.append(f"### {markdown_text(title(one))}\n\n{Table(made.key, '', rows).as_markdown()}")
        if replies.rows:
            parts.append(f"#### Failing rows\n\n{replies.as_markdown()}")
    return "\n".join(parts)


def _last_line(found: Sequence[Gated], undecided: Verdict) -> str:
    verdicts = [check.verdict for one in found for check in one.checks]
    counts = ", ".join(f"{verdicts.count(kind)} {kind}" for kind in STATUS if kind in verdicts)
    verdict = overall(verdicts)
    taken = f" (counts as {undecided})" if verdict == "undecided" != undecided else ""
    return f"{verdict}{taken}: {counts}"


def _values(found: Sequence[Gated], failing: Sequence[Table], undecided: Verdict) -> dict[str, Any]:
    verdict = counted(found, undecided)
    return {
        "verdict": overall([one.verdict for one in found]),
        "status": STATUS[verdict],
        "runs": [_run_values(one) | {"failing": rows.values()} for one, rows in zip(found, failing, strict=True)],
    }


def _run_values(one: Gated) -> dict[str, Any]:
    run = one.run
    return {
        "task": run.task, "model": run.model, "data": run.data, "rows": run.fingerprint, "log": run.name,
        "against": one.baseline.name if one.baseline else None, "verdict": one.verdict,
        "checks": [_check_values(check) for check in one.checks],
    }  # fmt: skip


def _check_values(check: Check) -> dict[str, Any]:
    estimate = check.estimate
    return {
        "rule": check.rule, "verdict": check.verdict, "limit": check.limit, "side": check.side,
        "value": _blank(estimate.value), "low": _blank(estimate.low), "high": _blank(estimate.high),
        "n": int(estimate.n), "units": estimate.units,
        "needed_rows": check.needed.rows if check.needed else None,
        "needed_units": check.needed.units if check.needed else None, "remark": remark(check),
    }  # fmt: skip


def _blank(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _file(one: Gated) -> str:
    return one_line(one.run.name.rstrip("/").rpartition("/")[2])


def _logs(one: Gated) -> str:
    against = f"\nagainst: {one_line(one.baseline.name.rpartition('/')[2])}" if one.baseline else ""
    return f"log: {_file(one)}{against}"
