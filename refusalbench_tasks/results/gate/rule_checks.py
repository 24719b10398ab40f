"""Runs held against rules."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.metrics.metric_table import is_share, metric_named
from refusalbench_tasks.replies.outside_text import one_line
from refusalbench_tasks.results.comparison import compare_pairs
from refusalbench_tasks.results.gate.pooled_runs import repeated
from refusalbench_tasks.results.gate.rules import Rule, Rules
from refusalbench_tasks.results.gate.verdict import (
    Needed,
    Side,
    Verdict,
    limit_verdict,
    needed,
)
from refusalbench_tasks.results.interval_rules import certain, unchanged
from refusalbench_tasks.results.read_offline import told_bounds
from refusalbench_tasks.results.run_view import RunView
from refusalbench_tasks.results.slices import run_part, values_of
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
        n = f"n={self.estimate.n:.0f}"
        return "; ".join(filter(None, (f"{self.estimate} {n}", self.remark)))


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
    if "fail" in verdicts:
        return "fail"
    return "undecided" if "undecided" in verdicts else "pass"


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
    views = [RunView(run) for run in runs]
    named = {
        f"rule {number} ({rule.metric})": rule
        for number, rule in enumerate(rules.rules, 1)
    }
    for about, rule in named.items():
        if not any(_is_about(rule, view) for view in views):
            raise DataError(f"{about}: {_absent(rule, views)}")
    gates = []
    for view in views:
        run = view.run
        of_run = {about: rule for about, rule in named.items() if _is_about(rule, view)}
        if not of_run:
            raise DataError(
                f"{run.name}: no rule is about this run of {run.task}; give it one, or"
                " leave it out"
            )
        has_loss = any(rule.loss for rule in of_run.values())
        baseline = baseline_of(run, baselines) if has_loss else None
        graded = any(_graded(rule) for rule in of_run.values())
        checks = [_of_unscored(view, graded, rules.max_unscored)]
        for about, rule in of_run.items():
            checks += _checks(
                view,
                about,
                rule,
                baseline,
                any_data,
            )
        gates.append(
            Gated(
                run,
                baseline,
                tuple(checks),
            )
        )
    return tuple(gates)


def _is_about(rule: Rule, view: RunView) -> bool:
    return rule.task in (None, view.run.task) and rule.metric in _numbers(view)


def _graded(rule: Rule) -> bool:
    metric = metric_named(rule.metric)
    return metric is not None and metric.graded


def _checks(
    view: RunView,
    about: str,
    rule: Rule,
    baseline: Run | None,
    any_data: bool,
) -> list[Check]:
    """Return the checks of one rule, for each part of the rows where it is about each
    that the metric is about.
    """
    run = view.run
    share = is_share(rule.metric)
    for field_name in ("max", "min", "no_worse_than"):
        limit = getattr(rule, field_name)
        if share and limit is not None and not 0 <= limit <= 1:
            raise DataError(
                f"{about}, field '{field_name}': {limit:g} is no share from 0 to 1"
                " (10 % is 0.1)"
            )
    parts = [rule.where]
    if rule.by:
        values = values_of(run, rule.by, about)
        parts = [rule.where | {rule.by: value} for value in values]
    checks = []
    for where in parts:
        part = run_part(run, where, about)
        numbers = _numbers(RunView(part) if where else view)
        estimate = numbers.get(rule.metric, Estimate())
        undecided = (part.replies["outcome"] == "unscored").any()
        if rule.by and not estimate.n and not undecided:
            continue
        check = partial(_check, rule.metric, where)
        sure = certain(estimate, share)
        checks += [check(estimate, limit, sure) for limit in rule.limits]
        if rule.loss and baseline:
            baseline_part = run_part(baseline, where, about)
            gap = _difference(
                part,
                baseline_part,
                rule.metric,
                about,
                any_data,
            )
            loss = check(
                gap,
                rule.loss,
                unchanged(gap),
                " - baseline",
            )
            checks.append(_with_readers(loss, run, baseline))
    if not checks:
        raise DataError(
            f"{about}: no value of {rule.by} has a row for this metric in {run.name}"
        )
    return checks


def _with_readers(check: Check, run: Run, baseline: Run) -> Check:
    """Return a check that says so where a run and its baseline were read otherwise."""
    if run.reader == baseline.reader:
        return check
    readers = f"read by {run.reader}, the baseline by {baseline.reader}"
    remarks = filter(None, (check.remark, readers))
    return replace(check, remark="; ".join(remarks))


def _check(
    metric: str,
    where: Mapping[str, str],
    estimate: Estimate,
    at: tuple[Side, float],
    sure: bool,
    against: str = "",
) -> Check:
    side, limit = at
    decision = limit_verdict(estimate, limit, side)
    more = needed(
        estimate,
        limit,
        side,
        sure,
    )
    remark = ""
    if more:
        units = f" ({more.units:,} base questions)"
        if more.units == more.rows:
            units = ""
        remark = f"about {more.rows:,} rows{units} would decide"
    elif decision == "undecided" and estimate.has_interval:
        remark = "the value is the limit"
    elif decision == "undecided":
        remark = "no CI: n is too small, or all values are equal"
    groups = ", ".join(f"{name}={value}" for name, value in where.items())
    text = f"{metric} [{groups}]" if groups else metric
    name = f"{text}{against} {_SIGNS[side]} {limit:g}"
    return Check(
        name,
        decision,
        estimate,
        side,
        limit,
        metric,
        where,
        more,
        remark,
    )


def _difference(
    run: Run,
    baseline: Run,
    metric: str,
    about: str,
    any_data: bool,
) -> Estimate:
    """Return this run - baseline over the samples that are decided in both."""
    pair = (baseline, repeated(run, baseline))
    [comparison] = compare_pairs([pair], any_data)
    known = {gap.metric: gap.difference for gap in comparison.differences}
    if metric not in known:
        why = f" ({comparison.note})" if comparison.note else ""
        raise DataError(
            f"{about}, field 'no_worse_than': logs are not compared by it{why}; they"
            f" are by: {', '.join(known)}"
        )
    return known[metric]


def _numbers(view: RunView) -> dict[str, Estimate]:
    return {**view.numbers, **view.spending}


def _of_unscored(
    view: RunView,
    graded: bool,
    limit: float,
) -> Check:
    """Return the check of the unscored rows, which are counted and not estimated.

    Our definition.
    """
    counts = dict(view.unscored)
    if not graded:
        counts["ungraded"] = 0
    n = view.samples
    share = sum(counts.values()) / n if n else NAN
    unscored = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count)
    remark = "the run has no sample"
    if n:
        remark = "; ".join(filter(None, (unscored, told_bounds(view.run))))
    return Check(
        f"unscored ≤ {limit:g}",
        "pass" if share <= limit + 1e-9 else "fail",
        Estimate(share, n),
        "max",
        limit,
        remark=remark,
    )


def _absent(rule: Rule, views: Sequence[RunView]) -> str:
    """Return why a rule is about none of some runs."""
    tasks = sorted({view.run.task for view in views})
    if rule.task not in (None, *tasks):
        return f"no log is of the task '{rule.task}'; there are: {', '.join(tasks)}"
    names: dict[str, None] = {}
    for view in views:
        if rule.task in (None, view.run.task):
            for name, estimate in _numbers(view).items():
                if estimate.has_interval:
                    names[name] = None
    return f"no log has this metric; those with a CI are: {', '.join(names) or 'none'}"


def baseline_of(run: Run, baselines: Sequence[Run]) -> Run:
    """Return the baseline of a run: of its task; of several that of its data and model.

    Raises DataError for none.
    """
    of_task = [baseline for baseline in baselines if baseline.task == run.task]
    chosen = [baseline for baseline in of_task if baseline.data == run.data] or of_task
    if len(chosen) > 1:
        chosen = [baseline for baseline in chosen if baseline.model == run.model]
    if len(chosen) != 1:
        raise DataError(
            f"--against: {len(of_task)} runs of {run.task} there; name the log for"
            f" {run.model}"
        )
    return chosen[0]
