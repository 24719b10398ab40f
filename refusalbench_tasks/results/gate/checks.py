"""Runs held against rules."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.results.careful import certain, unchanged
from refusalbench_tasks.results.comparison import Comparison, compare_pairs
from refusalbench_tasks.results.gate.newest import repeated
from refusalbench_tasks.results.gate.rules import Rule, Rules
from refusalbench_tasks.results.gate.verdict import Needed, Side, Verdict, needed, verdict
from refusalbench_tasks.results.measures import is_share, measures, needs_grades
from refusalbench_tasks.results.read_offline import told_bounds
from refusalbench_tasks.results.spending import spending
from refusalbench_tasks.results.table import Run
from refusalbench_tasks.stats.estimate import NAN, Estimate

_SIGNS: Mapping[Side, str] = {"max": "≤", "min": "≥"}
_GROUPS: Mapping[bool, Mapping[str, str]] = {
    True: {
        "class": "class",
        "intensity": "intensity",
        "generator": "generator",
        "domain": "domain",
        "type": "question_type",
        "complexity": "question_complexity",
        "lever": "lever",
    },
    False: {"topic": "topic", "ambiguity": "ambiguity"},
}
"""The groups that a rule may be about in a run of the refusal family and of `bluff`, with their columns."""
_MOST_NAMED = 12


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
    where: Mapping[str, str] = field(default_factory=dict)
    needed: Needed | None = None
    """About how much data would decide, where that can be told."""
    by_row: bool = False
    """Whether rows are taken for independent."""
    note: str = ""


@dataclass(frozen=True)
class Gated:
    """One run, the baseline that it was held against, and what came of each limit."""

    run: Run
    baseline: Run | None
    checks: tuple[Check, ...]

    @property
    def verdict(self) -> Verdict:
        """Return the verdict over all limits."""
        return overall([check.verdict for check in self.checks])


@dataclass(frozen=True)
class Unscored:
    """The samples of a run of which nobody knows what was to be known, and all of them."""

    undecided: int
    ungraded: int
    """Answers that nobody could grade, where grades matter."""
    errors: int
    not_run: int
    n: int

    @property
    def share(self) -> float:
        """Return their share of all samples, in [0, 1]; NaN without samples."""
        return (self.undecided + self.ungraded + self.errors + self.not_run) / self.n if self.n else NAN


def overall(verdicts: Sequence[Verdict]) -> Verdict:
    """Return `fail` if something fails, else `undecided` if something is, else `pass`."""
    order: tuple[Verdict, ...] = ("fail", "undecided")
    return next((one for one in order if one in verdicts), "pass")


def unscored(run: Run, graded: bool) -> Unscored:
    """Return the unscored samples of a run, controls included; ungraded answers count only with `graded`.

    A reply that the model failed to give is not among them: it is known to be none.
    """
    table = run.replies
    decided = table["outcome"] == "decided"
    if run.refusal:
        ungraded = decided & table["right"].isna()
    else:
        ungraded = decided & (table["refused"] != 1) & table["correctness"].isna()
    undecided, n = int((table["outcome"] == "unscored").sum()), len(table) + len(run.lost) + run.never_run
    return Unscored(undecided, int(ungraded.sum()) if graded else 0, len(run.lost), run.never_run, n)


def part_of(run: Run, where: Mapping[str, str], about: str) -> Run:
    """Return a run with the replies to rows of some groups alone.

    Raises DataError, which begins with `about`, for a group that there is not, and names those that there are.
    """
    known = _GROUPS[run.refusal]
    for name, value in where.items():
        if name not in known:
            raise DataError(f"{about}, field 'where': {run.task} has no groups of '{name}'; known: {', '.join(known)}")
        there = sorted(set(run.replies[known[name]]) - {""})
        if value not in there:
            more = " …" if len(there) > _MOST_NAMED else ""
            names = ", ".join(there[:_MOST_NAMED]) or "none"
            raise DataError(f"{about}, field 'where.{name}': no row of '{value}'; there are: {names}{more}")
        run = run.of_rows(run.replies[known[name]] == value)
    return run


def gated(
    runs: Sequence[Run], rules: Rules, baselines: Sequence[Run] = (), any_data: bool = False
) -> tuple[Gated, ...]:
    """Return what the rules say of each run.

    A rule is about every run that has its metric (and is of its task, if it names one). Raises DataError for a rule
    that is about no run, a run that no rule is about, a group that there is not, and a baseline that is missing or
    can't be compared.
    """
    if rules.need_baseline and not baselines:
        raise DataError("gate: a rule of no_worse_than needs a baseline: --against LOG")
    every = [_One(run, rules, baselines, any_data) for run in runs]
    for number, rule in enumerate(rules.rules, 1):
        if not any(one.is_about(rule) for one in every):
            raise DataError(f"rule {number} ({rule.metric}): {_absent(rule, every)}")
    for one in every:
        if not one.rules:
            raise DataError(
                f"{one.run.name}: no rule is about this run of {one.run.task}; give it one, or leave it out"
            )
    return tuple(one.gated() for one in every)


@dataclass(frozen=True)
class _One:
    """One run with what it is held against."""

    run: Run
    every_rule: Rules
    baselines: Sequence[Run]
    any_data: bool

    @cached_property
    def measured(self) -> Mapping[str, Estimate]:
        """Return the metrics of the run."""
        return _numbers(self.run)

    def is_about(self, rule: Rule) -> bool:
        """Return whether a rule is about this run."""
        return rule.task in (None, self.run.task) and rule.metric in self.measured

    @cached_property
    def rules(self) -> list[tuple[str, Rule]]:
        """Return the rules about this run, each with how it is named in an error."""
        numbered = enumerate(self.every_rule.rules, 1)
        return [(f"rule {k} ({rule.metric})", rule) for k, rule in numbered if self.is_about(rule)]

    @cached_property
    def baseline(self) -> Run | None:
        """Return the baseline, if a rule is about a difference."""
        return baseline_of(self.run, self.baselines) if any(rule.loss for _, rule in self.rules) else None

    def gated(self) -> Gated:
        """Return what came of each rule."""
        graded = any(needs_grades(self.run, rule.metric) for _, rule in self.rules)
        checks = [_of_unscored(unscored(self.run, graded), self.every_rule.max_unscored, told_bounds(self.run))]
        for about, rule in self.rules:
            checks += self._checks(about, rule)
        return Gated(self.run, self.baseline, tuple(checks))

    def _checks(self, about: str, rule: Rule) -> list[Check]:
        share = is_share(self.run, rule.metric)
        part = _numbers(part_of(self.run, rule.where, about)) if rule.where else self.measured
        found = part.get(rule.metric, Estimate())
        checks = []
        for side, limit in rule.limits:
            _in_range(limit, share, about, side)
            checks.append(self._check(rule, _text(rule), found, (side, limit), certain(found, share)))
        if rule.loss and self.baseline:
            side, limit = rule.loss
            _in_range(abs(limit), share, about, "no_worse_than")
            gap = self._difference(rule, about)
            checks.append(self._check(rule, f"{_text(rule)} - baseline", gap, rule.loss, unchanged(gap)))
        return checks

    def _check(self, rule: Rule, text: str, found: Estimate, at: tuple[Side, float], sure: bool) -> Check:
        side, limit = at
        verdict_of = verdict(found, limit, side)
        return Check(
            f"{text} {_SIGNS[side]} {limit:g}", verdict_of, found, side, limit, rule.metric, rule.where,
            needed(found, limit, side, sure), self.run.cluster == "row",
            _note(found, limit) if verdict_of == "undecided" else "",
        )  # fmt: skip

    def _difference(self, rule: Rule, about: str) -> Estimate:
        """Return this run - baseline over the samples that are decided in both."""
        assert self.baseline is not None
        run, baseline = (part_of(one, rule.where, about) for one in (self.run, self.baseline))
        comparison: Comparison = compare_pairs([(baseline, repeated(run, baseline))], self.any_data)[0]
        known = {one.metric: one.difference for one in comparison.differences}
        if rule.metric not in known:
            why = f" ({comparison.note})" if comparison.note else ""
            raise DataError(
                f"{about}, field 'no_worse_than': logs are not compared by it{why}; they are by: {', '.join(known)}"
            )
        return known[rule.metric]


def _numbers(run: Run) -> dict[str, Estimate]:
    return {**measures(run), **spending(run)}


def _note(estimate: Estimate, limit: float) -> str:
    """Return why no number of rows can be told, where it can't."""
    if not estimate.n:
        return "no decided row is about it"
    if not estimate.has_interval:
        few = f"{estimate.units} base questions are" if estimate.units != 1 else "one base question is"
        return f"{few} too few for a CI, or all values are equal"
    return "the value is the limit: no number of rows would decide" if abs(estimate.value - limit) < 1e-9 else ""


def _of_unscored(found: Unscored, limit: float, told: str) -> Check:
    """Return the check of the unscored rows, which are counted and not estimated. Our definition."""
    counted = Estimate(found.share, found.n)
    if not found.n:
        return Check(f"unscored ≤ {limit:g}", "fail", counted, "max", limit, note="the run has no sample")
    kinds = {
        "undecided": found.undecided, "ungraded": found.ungraded, "errors": found.errors, "not run": found.not_run
    }  # fmt: skip
    note = "; ".join(filter(None, (", ".join(f"{n} {kind}" for kind, n in kinds.items() if n), told)))
    done: Verdict = "pass" if found.share <= limit + 1e-9 else "fail"
    return Check(f"unscored ≤ {limit:g}", done, counted, "max", limit, note=note)


def _text(rule: Rule) -> str:
    groups = ", ".join(f"{name}={value}" for name, value in rule.where.items())
    return f"{rule.metric} [{groups}]" if groups else rule.metric


def _absent(rule: Rule, every: Sequence[_One]) -> str:
    tasks = sorted({one.run.task for one in every})
    if rule.task is not None and rule.task not in tasks:
        return f"no log is of the task '{rule.task}'; there are: {', '.join(tasks)}"
    one = next(one for one in every if rule.task in (None, one.run.task))
    return f"no log has this metric with a CI; {one.run.task} has: {', '.join(one.measured)}"


def _in_range(limit: float, share: bool, about: str, name: str) -> None:
    if share and not 0 <= limit <= 1:
        raise DataError(f"{about}, field '{name}': {limit:g} is no share from 0 to 1 (10 % is 0.1)")


def baseline_of(run: Run, baselines: Sequence[Run]) -> Run:
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
