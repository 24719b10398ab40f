"""Runs held against rules."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.metrics.metric_table import is_share, metric_named
from refusalbench_tasks.replies.outside_text import one_line
from refusalbench_tasks.results.comparison import compare_pairs
from refusalbench_tasks.results.gate.newest_runs import repeated
from refusalbench_tasks.results.gate.rules import Rule, Rules
from refusalbench_tasks.results.gate.verdict import (
    Needed,
    Side,
    Verdict,
    needed,
    verdict,
)
from refusalbench_tasks.results.interval_rules import certain, unchanged
from refusalbench_tasks.results.read_offline import told_bounds
from refusalbench_tasks.results.run_view import RunView
from refusalbench_tasks.results.slices import part_of, values_of
from refusalbench_tasks.results.table import Run
from refusalbench_tasks.stats.estimate import NAN, Estimate

_SIGNS: Mapping[Side, str] = {"max": "≤", "min": "≥"}


@dataclass(frozen=True)
class Check:
    """One limit and what a run says of it."""

    rule: str
    """The rule as a reader is told it, in one line."""
    verdict: Verdict
    estimate: Estimate
    side: Side
    limit: float
    metric: str = ""
    """Empty for the share of unscored rows, which are counted."""
    where: Mapping[str, str] = field(default_factory=dict)
    needed: Needed | None = None
    """About how much data would decide, where that can be told."""
    remark: str = ""

    @property
    def told(self) -> str:
        """Return the value, its CI, n and the remark in a line."""
        found = self.estimate
        value = f"{found.value:.3f}" if found.known else "undefined"
        ci = f" [{found.low:.3f}, {found.high:.3f}]" if found.has_interval else ""
        return f"{value}{ci} n={found.n:.0f}; {self.remark}".removesuffix("; ")


@dataclass(frozen=True)
class Gated:
    """One run, the baseline that it was held against, and what came of each limit."""

    run: Run
    baseline: Run | None
    checks: tuple[Check, ...]

    @property
    def title(self) -> str:
        """Return what the run is called, in one line."""
        data = f" on {self.run.data}" if self.run.data else ""
        against = f", against {self.baseline.model}" if self.baseline else ""
        return one_line(f"{self.run.task}{data}: {self.run.model}{against}")


def overall(checks: Iterable[Check]) -> Verdict:
    """Return `fail` if something fails, else `undecided` if
    something is, else `pass`.
    """
    verdicts = {check.verdict for check in checks}
    return (
        "fail"
        if "fail" in verdicts
        else "undecided"
        if "undecided" in verdicts
        else "pass"
    )


def gated(
    runs: Sequence[Run],
    rules: Rules,
    baselines: Sequence[Run] = (),
    any_data: bool = False,
) -> tuple[Gated, ...]:
    """Return what the rules say of each run.

    A rule is about every run that has its metric (and is of its task, if it names one).
    Raises DataError for a rule that is about no run, a run that no rule is about, a
    group that there is not, and a baseline that is missing or can't be compared.
    """
    if rules.need_baseline and not baselines:
        raise DataError("gate: a rule of no_worse_than needs a baseline: --against LOG")
    found = [_numbers(run) for run in runs]
    named = [
        (f"rule {number} ({rule.metric})", rule)
        for number, rule in enumerate(rules.rules, 1)
    ]
    for about, rule in named:
        if not any(
            _is_about(rule, run, measured)
            for run, measured in zip(runs, found, strict=True)
        ):
            raise DataError(f"{about}: {_absent(rule, runs, found)}")
    made = []
    for run, measured in zip(runs, found, strict=True):
        own = [(about, rule) for about, rule in named if _is_about(rule, run, measured)]
        if not own:
            raise DataError(
                f"{run.name}: no rule is about this run of {run.task}; give it one, or"
                " leave it out"
            )
        baseline = (
            baseline_of(run, baselines) if any(rule.loss for _, rule in own) else None
        )
        checks = [
            _of_unscored(
                run,
                any(_graded(rule) for _, rule in own),
                rules.max_unscored,
            )
        ]
        for about, rule in own:
            checks += _checks(run, about, rule, measured, baseline, any_data)
        made.append(Gated(run, baseline, tuple(checks)))
    return tuple(made)


def _is_about(rule: Rule, run: Run, measured: Mapping[str, Estimate]) -> bool:
    return rule.task in (None, run.task) and rule.metric in measured


def _graded(rule: Rule) -> bool:
    metric = metric_named(rule.metric)
    return metric is not None and metric.graded


def _checks(
    run: Run,
    about: str,
    rule: Rule,
    measured: Mapping[str, Estimate],
    baseline: Run | None,
    any_data: bool,
) -> list[Check]:
    """Return the checks of one rule, for each part of the rows where it is about each
    that the metric is about.
    """
    share = is_share(rule.metric)
    for name, limit in (
        *rule.limits,
        *([("no_worse_than", abs(rule.loss[1]))] if rule.loss else []),
    ):
        if share and not 0 <= limit <= 1:
            raise DataError(
                f"{about}, field '{name}': {limit:g} is no share from 0 to 1 (10 % is"
                " 0.1)"
            )
    checks = []
    parts = (
        [rule.where | {rule.by: value} for value in values_of(run, rule.by, about)]
        if rule.by
        else [rule.where]
    )
    for where in parts:
        part = part_of(run, where, about)
        found = (_numbers(part) if where else measured).get(rule.metric, Estimate())
        if rule.by and not found.n and (part.replies["outcome"] != "unscored").all():
            continue
        checks += [
            _check(run, rule, where, found, at, certain(found, share))
            for at in rule.limits
        ]
        if rule.loss and baseline:
            gap = _difference(
                part, part_of(baseline, where, about), rule.metric, about, any_data
            )
            checks.append(
                _check(run, rule, where, gap, rule.loss, unchanged(gap), " - baseline")
            )
    if not checks:
        raise DataError(
            f"{about}: no value of {rule.by} has a row for this metric in {run.name}"
        )
    return checks


def _check(
    run: Run,
    rule: Rule,
    where: Mapping[str, str],
    found: Estimate,
    at: tuple[Side, float],
    sure: bool,
    against: str = "",
) -> Check:
    side, limit = at
    done = verdict(found, limit, side)
    more = needed(found, limit, side, sure)
    remark = ""
    if more:
        units = (
            ""
            if run.cluster == "row" or more.units == more.rows
            else f" ({more.units:,} base questions)"
        )
        remark = f"about {more.rows:,} rows{units} would decide"
    elif done == "undecided":
        remark = (
            "the value is the limit"
            if found.has_interval
            else "no CI: n is too small, or all values are equal"
        )
    groups = ", ".join(f"{name}={value}" for name, value in where.items())
    text = f"{rule.metric} [{groups}]" if groups else rule.metric
    name = f"{text}{against} {_SIGNS[side]} {limit:g}"
    return Check(name, done, found, side, limit, rule.metric, where, more, remark)


def _difference(
    run: Run, baseline: Run, metric: str, about: str, any_data: bool
) -> Estimate:
    """Return this run - baseline over the samples that are decided in both."""
    comparison = compare_pairs([(baseline, repeated(run, baseline))], any_data)[0]
    known = {one.metric: one.difference for one in comparison.differences}
    if metric not in known:
        why = f" ({comparison.note})" if comparison.note else ""
        raise DataError(
            f"{about}, field 'no_worse_than': logs are not compared by it{why}; they"
            f" are by: {', '.join(known)}"
        )
    return known[metric]


def _numbers(run: Run) -> dict[str, Estimate]:
    view = RunView(run)
    return {**view.numbers, **view.spending}


def _of_unscored(run: Run, graded: bool, limit: float) -> Check:
    """Return the check of the unscored rows, which are counted and not estimated.

    Our definition.
    """
    view = RunView(run)
    counts = view.unscored | ({} if graded else {"ungraded": 0})
    n = view.samples
    share = sum(counts.values()) / n if n else NAN
    told = (
        ", ".join(f"{count} {kind}" for kind, count in counts.items() if count),
        told_bounds(run),
    )
    remark = "; ".join(filter(None, told)) if n else "the run has no sample"
    done: Verdict = "pass" if share <= limit + 1e-9 else "fail"
    return Check(
        f"unscored ≤ {limit:g}", done, Estimate(share, n), "max", limit, remark=remark
    )


def _absent(
    rule: Rule, runs: Sequence[Run], found: Sequence[Mapping[str, Estimate]]
) -> str:
    tasks = sorted({run.task for run in runs})
    if rule.task not in (None, *tasks):
        return f"no log is of the task '{rule.task}'; there are: {', '.join(tasks)}"
    known = [
        known
        for run, known in zip(runs, found, strict=True)
        if rule.task in (None, run.task)
    ]
    names = dict.fromkeys(
        name for one in known for name in one if one[name].has_interval
    )
    return f"no log has this metric; those with a CI are: {', '.join(names) or 'none'}"


def baseline_of(run: Run, baselines: Sequence[Run]) -> Run:
    """Return the baseline of a run: of its task; of several that of its data and model.

    Raises DataError for none.
    """
    of_task = [one for one in baselines if one.task == run.task]
    of_data = [one for one in of_task if one.data == run.data] or of_task
    chosen = (
        [one for one in of_data if one.model == run.model]
        if len(of_data) > 1
        else of_data
    )
    if len(chosen) != 1:
        raise DataError(
            f"--against: {len(of_task)} runs of {run.task} there; name the log for"
            f" {run.model}"
        )
    return chosen[0]
