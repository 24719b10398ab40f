"""Runs held against rules."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.metrics.metric_table import is_share, metric_named
from refusalbench_tasks.metrics.spending import SPENDING
from refusalbench_tasks.replies.outside_text import one_line
from refusalbench_tasks.results.comparison import compare_pairs
from refusalbench_tasks.results.coverage import why_withheld
from refusalbench_tasks.results.interval_rules import certain, unchanged
from refusalbench_tasks.results.read_offline import told_bounds
from refusalbench_tasks.results.run_view import RunView
from refusalbench_tasks.results.slices import run_part, values_of
from refusalbench_tasks.results.table import Run
from refusalbench_tasks.stats.estimate import NAN, Estimate

from .gate_runs import baseline_of, repeated
from .rules import COUNTED, Rule, Rules
from .verdict import Limit, Needed, Side, Verdict, limit_verdict, needed

_SIGNS = {"max": "≤", "min": "≥"}
_LESS_BASELINE = " - baseline"


@dataclass(frozen=True)
class Check:
    """One limit and what a run says of it."""

    rule: str
    """The rule as a reader is told it, in one line."""
    verdict: Verdict
    estimate: Estimate
    side: Side
    limit: float
    metric: str
    where: Mapping[str, str] = field(default_factory=dict)
    needed: Needed | None = None
    """About how much data would decide, where that can be told."""
    remark: str = ""

    @property
    def told(self) -> str:
        """Return the value, its CI, n and the remark in a line."""
        return _joined(f"{self.estimate} n={self.estimate.n:.0f}", self.remark)

    @property
    def counted(self) -> bool:
        """Return whether this is a share that every gate counts, without a CI."""
        return self.metric in COUNTED

    def counts_as(self, undecided: Verdict) -> Verdict:
        """Return the verdict where an undecided one counts as told.

        What was counted may fail a build, but no option makes it pass.
        """
        if self.verdict != "undecided" or (self.counted and undecided == "pass"):
            return self.verdict
        return undecided


@dataclass(frozen=True)
class Gated:
    """One run, the baseline that it was held against, and what came of each limit."""

    run: Run
    baseline: Run | None
    checks: Sequence[Check]

    @property
    def title(self) -> str:
        """Return what the run is called, in one line."""
        data = f" on {self.run.data}" if self.run.data else ""
        against = f", against {self.baseline.model}" if self.baseline else ""
        return one_line(f"{self.run.task}{data}: {self.run.model}{against}")


def overall(checks: Iterable[Check], undecided: Verdict = "undecided") -> Verdict:
    """Return `fail` if something fails, else `undecided` if something is, else `pass`;
    an undecided check counts as told.
    """
    verdicts = {check.counts_as(undecided) for check in checks}
    if "fail" in verdicts:
        return "fail"
    return "undecided" if "undecided" in verdicts else "pass"


def gated(
    runs: Sequence[Run],
    rules: Rules,
    baselines: Sequence[Run] = (),
    any_data: bool = False,
) -> list[Gated]:
    """Return what the rules say of each run.

    A rule is about every run that has its metric (and is of its task, if it names one).
    Of a run without a scored sample all are undecided. Raises DataError
    for a rule that is about no run, a run that no rule is about, a group that there is
    not, and a baseline that is missing or can't be compared.
    """
    if rules.need_baseline and not baselines:
        raise DataError("gate: a rule of no_worse_than needs a baseline: --against LOG")
    views = [RunView(run) for run in runs]
    named = {
        f"rule {number} ({rule.metric})": rule
        for number, rule in enumerate(rules.rules, 1)
    }
    with_replies = [view for view in views if len(view.run.replies)]
    for about, rule in named.items():
        if with_replies and not any(_is_about(rule, view) for view in with_replies):
            raise DataError(f"{about}: {_absent(rule, with_replies)}")
    gates = []
    for view in views:
        run = view.run
        if not len(run.replies):
            checks = _counted(view, False, rules) + _without_replies(run, rules)
            gates.append(Gated(run, None, checks))
            continue
        of_run = {about: rule for about, rule in named.items() if _is_about(rule, view)}
        if not of_run:
            raise DataError(
                f"{run.name}: no rule is about this run of {run.task}; give it one, or"
                " leave it out"
            )
        losses = {about: rules.loss_of(rule) for about, rule in of_run.items()}
        baseline = baseline_of(run, baselines) if any(losses.values()) else None
        checks = _counted(view, any(map(_is_graded, of_run.values())), rules)
        for about, rule in of_run.items():
            checks += _checks(
                view,
                about,
                rule,
                losses[about],
                baseline,
                any_data,
            )
        gates.append(Gated(run, baseline, checks))
    return gates


def _without_replies(run: Run, rules: Rules) -> list[Check]:
    """Return what is to be said of each rule where nothing was scored: undecided, with
    the cause.
    """
    checks = []
    for rule in rules.rules:
        if rule.task not in (None, run.task):
            continue
        check = partial(
            _check,
            rule.metric,
            rule.where,
            Estimate(),
        )
        checks += [check(limit) for limit in rule.limits]
        if loss := rules.loss_of(rule):
            checks.append(check(loss, against=_LESS_BASELINE))
    cause = _joined("no scored reply", run.failures)
    return [replace(check, remark=cause) for check in checks]


def _is_about(rule: Rule, view: RunView) -> bool:
    return rule.task in (None, view.run.task) and rule.metric in _numbers(view)


def _is_graded(rule: Rule) -> bool:
    metric = metric_named(rule.metric)
    return metric is not None and metric.graded


def _checks(
    view: RunView,
    about: str,
    rule: Rule,
    loss: Limit | None,
    baseline: Run | None,
    any_data: bool,
) -> list[Check]:
    """Return the checks of one rule, for each part of the rows where it is about each
    that the metric is about.
    """
    run = view.run
    share = is_share(rule.metric)
    if share:
        _require_shares(rule, loss, about)
    parts = [rule.where]
    if rule.by:
        parts = []
        for value in values_of(run, rule.by, about):
            parts.append(rule.where | {rule.by: value})
    checks = []
    for where in parts:
        part = RunView(run_part(run, where, about)) if where else view
        estimate = _numbers(part).get(rule.metric, Estimate())
        if rule.by and not estimate.n and not part.counts["unscored"]:
            continue
        check = partial(_check, rule.metric, where)
        withheld = why_withheld(part, rule.metric)
        for limit in rule.limits:
            held = check(estimate, limit, certain(estimate, share))
            checks.append(replace(held, remark=withheld or held.remark))
        if loss and baseline:
            has_own = rule.no_worse_than is not None
            gap: Estimate | str = "state a loss in its own unit"
            if has_own or rule.metric not in SPENDING:
                before = run_part(baseline, where, about)
                gap = _difference(
                    part.run,
                    before,
                    rule.metric,
                    any_data,
                )
            remark = ""
            if not isinstance(gap, str):
                checks.append(
                    check(
                        gap,
                        loss,
                        unchanged(gap),
                        _LESS_BASELINE,
                    )
                )
                if run.reader != baseline.reader:
                    remark = f"read by {run.reader}, the baseline by {baseline.reader}"
            elif has_own:
                raise DataError(f"{about}, field 'no_worse_than': {gap}")
            else:
                remark = f"left out by no_worse_than: {gap.partition(';')[0]}"
            last = checks.pop()
            checks.append(replace(last, remark=_joined(last.remark, remark)))
    if not checks:
        raise DataError(
            f"{about}: no value of {rule.by} has a row for this metric in {run.name}"
        )
    return checks


def _require_shares(rule: Rule, loss: Limit | None, about: str) -> None:
    stated: list[tuple[str, float]] = [*rule.limits]
    if loss:
        stated.append(("no_worse_than", abs(loss[1])))
    for field_name, limit in stated:
        if not 0 <= limit <= 1:
            raise DataError(
                f"{about}, field '{field_name}': {limit:g} is no share from 0 to 1"
                " (10 % is 0.1)"
            )


def _joined(*remarks: str) -> str:
    return "; ".join(filter(None, remarks))


def _check(
    metric: str,
    where: Mapping[str, str],
    estimate: Estimate,
    at: Limit,
    sure: bool = False,
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
        units = f" ({more.units:,} base questions)" * (more.units != more.rows)
        remark = f"about {more.rows:,} rows{units} would decide"
    elif decision == "undecided":
        remark = "no CI: n is too small, or all values are equal"
        if estimate.has_interval:
            remark = "the value is the limit"
    groups = ", ".join(f"{name}={value}" for name, value in where.items())
    about = f"{metric} [{groups}]" if groups else metric
    return Check(
        f"{about}{against} {_SIGNS[side]} {limit:g}",
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
    any_data: bool,
) -> Estimate | str:
    """Return run - baseline over the samples that are decided in both, or why logs are
    not compared by a metric.
    """
    [comparison] = compare_pairs([(baseline, repeated(run, baseline))], any_data)
    known = {gap.metric: gap.difference for gap in comparison.differences}
    note = f" ({comparison.note})" if comparison.note else ""
    return known.get(
        metric,
        f"logs are not compared by it{note}; they are by: {', '.join(known)}",
    )


def _numbers(view: RunView) -> dict[str, Estimate]:
    return {**view.numbers, **view.spending}


def _counted(
    view: RunView,
    graded: bool,
    rules: Rules,
) -> list[Check]:
    """Return the checks of `COUNTED`, which have no CI.

    Silence and errors above their limit fail. What nobody decided or graded is not the
    system's fault: it leaves the gate undecided. Our definition.
    """
    run = view.run
    n = len(run.replies)
    silent = Counter(run.replies.loc[run.replies["outcome"] == "no_reply", "reason"])
    unscored = Counter(view.reasons)
    if graded:
        unscored["ungraded"] = view.unscored["ungraded"]
    silence = f"gives no answer to {silent.total()} of {n}: {_listed(silent)}"
    unknown = _joined(_listed(unscored), told_bounds(run) if n else "")
    failed = _joined(run.failures, f"{run.never_run} not run" * bool(run.never_run))
    return [
        _count(
            "no_reply",
            silent.total(),
            n,
            silence * bool(silent),
            rules,
        ),
        _count(
            "unscored",
            unscored.total(),
            n,
            unknown,
            rules,
        ),
        _count(
            "errors",
            len(run.lost) + run.never_run,
            view.samples,
            failed,
            rules,
        ),
    ]


def _count(
    name: str,
    count: int,
    n: int,
    remark: str,
    rules: Rules,
) -> Check:
    limit = getattr(rules, f"max_{name}")
    share = count / n if n else NAN
    verdict: Verdict = "pass"
    if not share <= limit + 1e-9:
        verdict = "fail" if n and name != "unscored" else "undecided"
    return Check(
        f"{name} ≤ {limit:g}",
        verdict,
        Estimate(share, n),
        "max",
        limit,
        name,
        remark=remark,
    )


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in counts.most_common() if count)


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
