"""Runs held against rules."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.results.compare.comparison import compare
from refusalbench_tasks.results.compare.differences import Comparison
from refusalbench_tasks.results.gate.estimates import Measured, careful_difference
from refusalbench_tasks.results.gate.rows import Unscored, decided_in_both, part_of, unscored
from refusalbench_tasks.results.gate.rules import Rule, Rules
from refusalbench_tasks.results.gate.verdict import Estimate, Needed, Side, Verdict, needed, verdict
from refusalbench_tasks.results.logs.run import AnyRun

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
    needed: Needed | None = None
    """About how much data would decide, where that can be told."""
    by_row: bool = False
    """Whether rows are taken for independent."""
    note: str = ""


@dataclass(frozen=True)
class Gated:
    """One run, the baseline that it was held against, and what came of each limit."""

    run: AnyRun
    baseline: AnyRun | None
    checks: tuple[Check, ...]

    @property
    def verdict(self) -> Verdict:
        """Return the verdict over all limits."""
        return overall([check.verdict for check in self.checks])


def overall(verdicts: Sequence[Verdict]) -> Verdict:
    """Return `failed` if something failed, else `undecided` if something is, else `held`."""
    order: tuple[Verdict, ...] = ("failed", "undecided")
    return next((one for one in order if one in verdicts), "held")


def gated(
    runs: Sequence[AnyRun], rules: Rules, baselines: Sequence[AnyRun] = (), any_data: bool = False
) -> tuple[Gated, ...]:
    """Return what the rules say of each run.

    A rule is about every run that has its metric (and is of its task, if it names one). Raises DataError for a rule
    that is about no run, a run that no rule is about, a group that there is not, and a baseline that is missing or
    can't be compared.
    """
    if rules.need_baseline and not baselines:
        raise DataError("gate: a rule of no_worse_than needs a baseline: --against LOG")
    measured = [Measured(run) for run in runs]
    for number, rule in enumerate(rules.rules, 1):
        if not any(_is_about(rule, one) for one in measured):
            raise DataError(f"rule {number} ({rule.metric}): {_absent(rule, measured)}")
    for one in measured:
        if not any(_is_about(rule, one) for rule in rules.rules):
            raise DataError(
                f"{one.run.name}: no rule is about this run of {one.run.task}; give it one, or leave it out"
            )
    return tuple(_gated(one, rules, baselines, any_data) for one in measured)


def _gated(measured: Measured, rules: Rules, baselines: Sequence[AnyRun], any_data: bool) -> Gated:
    run = measured.run
    mine = [(f"rule {k} ({rule.metric})", rule) for k, rule in enumerate(rules.rules, 1) if _is_about(rule, measured)]
    graded = any(measured.needs_grades(rule.metric) for _, rule in mine)
    checks = [_of_unscored(unscored(run, graded), rules.max_unscored)]
    baseline = baseline_of(run, baselines) if any(rule.loss for _, rule in mine) else None
    against = _Against(run, baseline, any_data) if baseline else None
    for about, rule in mine:
        part = Measured(part_of(run, rule.where, about)) if rule.where else measured
        share = measured.is_share(rule.metric)
        for side, limit in rule.limits:
            _in_range(limit, share, about, side)
            checks.append(_check(_text(rule), part.estimate(rule.metric), side, limit, run))
        if rule.loss and against:
            side, limit = rule.loss
            _in_range(abs(limit), share, about, "no_worse_than")
            text = f"{_text(rule)} - baseline"
            checks.append(_check(text, against.difference(rule, about, share), side, limit, run))
    return Gated(run, baseline, tuple(checks))


def _check(about: str, estimate: Estimate, side: Side, limit: float, run: AnyRun) -> Check:
    found = verdict(estimate, limit, side)
    return Check(
        f"{about} {_SIGNS[side]} {limit:g}", found, estimate, side, limit, needed(estimate, limit, side),
        run.cluster == "row", _note(estimate, limit) if found == "undecided" else "",
    )  # fmt: skip


def _note(estimate: Estimate, limit: float) -> str:
    """Return why no number of rows can be told, where it can't."""
    if not estimate.n:
        return "no decided row is about it"
    if estimate.low != estimate.low:
        return "one base question has no interval" if estimate.units < 2 else "it has no interval: all values are equal"
    return "the value is the limit: no number of rows would decide" if abs(estimate.value - limit) < 1e-9 else ""


def _of_unscored(found: Unscored, limit: float) -> Check:
    """Return the check of the unscored rows, which are counted and not estimated. Our definition."""
    if not found.n:
        return Check(f"unscored ≤ {limit:g}", "failed", _counted(found), "max", limit, note="the run has no sample")
    kinds = {"undecided": found.undecided, "ungraded": found.ungraded, "errors": found.lost, "not run": found.never_run}
    note = ", ".join(f"{n} {kind}" for kind, n in kinds.items() if n)
    done: Verdict = "held" if found.share <= limit + 1e-9 else "failed"
    return Check(f"unscored ≤ {limit:g}", done, _counted(found), "max", limit, note=note)


def _counted(found: Unscored) -> Estimate:
    return Estimate(found.share, float("nan"), float("nan"), found.n, 0)


def _is_about(rule: Rule, measured: Measured) -> bool:
    return rule.task in (None, measured.run.task) and measured.has(rule.metric)


def _text(rule: Rule) -> str:
    groups = ", ".join(f"{name}={value}" for name, value in rule.where.items())
    return f"{rule.metric} [{groups}]" if groups else rule.metric


def _absent(rule: Rule, measured: Sequence[Measured]) -> str:
    tasks = sorted({one.run.task for one in measured})
    if rule.task is not None and rule.task not in tasks:
        return f"no log is of the task '{rule.task}'; there are: {', '.join(tasks)}"
    named = next(one for one in measured if rule.task in (None, one.run.task))
    return f"no log has this metric with an interval; {named.run.task} has: {', '.join(named.names)}"


def _in_range(limit: float, share: bool, about: str, name: str) -> None:
    if share and not 0 <= limit <= 1:
        raise DataError(f"{about}, field '{name}': {limit:g} is no share from 0 to 1 (10 % is 0.1)")


def baseline_of(run: AnyRun, baselines: Sequence[AnyRun]) -> AnyRun:
    """Return the baseline of a run: of its task, and of its model if there are several.

    Raises DataError if there is none, or if several could be meant.
    """
    of_task = [one for one in baselines if one.task == run.task]
    chosen = [one for one in of_task if one.model == run.model] if len(of_task) > 1 else of_task
    if len(chosen) == 1:
        return chosen[0]
    if not of_task:
        raise DataError(f"--against: no run of {run.task} there, which {run.name} is")
    models = ", ".join(sorted({one.model for one in of_task}))
    raise DataError(f"--against: {len(of_task)} runs of {run.task} there ({models}); name the log for {run.model}")


@dataclass(frozen=True)
class _Against:
    """A run and its baseline: paired differences, each part compared once."""

    run: AnyRun
    baseline: AnyRun
    any_data: bool
    _made: dict[tuple[tuple[str, str], ...], tuple[Comparison, Measured]] = field(default_factory=dict)

    def difference(self, rule: Rule, about: str, share: bool) -> Estimate:
        """Return this run - baseline over the samples that are decided in both."""
        comparison, both = self._part(rule, about)
        found = next((one for one in comparison.differences if one.metric == rule.metric), None)
        if found is None:
            there = ", ".join(one.metric for one in comparison.differences)
            why = f" ({comparison.note})" if comparison.note else ""
            raise DataError(f"{about}, field 'no_worse_than': logs are not compared by it{why}; they are by: {there}")
        units = both.estimate(rule.metric).units
        made = Estimate(found.difference, found.low, found.high, found.n, units)
        return careful_difference(made, share)

    def _part(self, rule: Rule, about: str) -> tuple[Comparison, Measured]:
        key = tuple(sorted(rule.where.items()))
        if key not in self._made:
            run, baseline = (part_of(one, rule.where, about) for one in (self.run, self.baseline))
            (comparison,) = compare(baseline, [run], self.any_data)
            self._made[key] = comparison, Measured(decided_in_both(run, baseline))
        return self._made[key]
