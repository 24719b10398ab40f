"""The rules of a gate, as a file or a command line states them."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, Field, ValidationError, model_validator

from refusalbench_tasks.bounded_reading import yaml_value
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.metrics.metric import Better
from refusalbench_tasks.metrics.metric_table import metric_named
from refusalbench_tasks.metrics.spending import SPENDING
from refusalbench_tasks.results.slices import NEEDS_TEXTS, column_name

from .verdict import Limit, Side

MAX_SHARE = 0.05
"""The share of each of `COUNTED` that is allowed by default: above it a report warns
too.
"""
COUNTED = ("no_reply", "unscored", "errors")
"""What every gate counts: replies that are none, replies that nobody decided or graded,
and samples that failed or were not run.
"""

Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Share = Annotated[Number, Field(ge=0, le=1)]
Loss = Annotated[Number, Field(ge=0)]
Name = Annotated[str, Field(min_length=1)]


class Rule(BaseModel, extra="forbid", frozen=True):
    """One rule: what a metric may be at most or must be at least, or by how much it may
    be worse than a baseline's.
    """

    metric: Name
    max: Number | None = None
    min: Number | None = None
    no_worse_than: Loss | None = None
    """The largest loss against the baseline that is allowed."""
    better: Literal["lower", "higher"] | None = None
    """Which direction is better, for `no_worse_than`; known for most metrics."""
    task: Name | None = None
    """The only task that the rule is about; without it, every task that has the metric.
    """
    where: dict[str, Name] = {}
    """The rows that the rule is about, by groups: `{class: P-Ambiguity, intensity:
    HIGH}`.
    """
    by: Name | None = None
    """A column of which each value is held against the rule: `document` tells which
    document fails.
    """

    @model_validator(mode="after")
    def _states_a_limit(self) -> Self:
        if not self.limits and self.no_worse_than is None:
            raise ValueError("a rule needs max, min or no_worse_than")
        if self.max is not None and self.min is not None and self.min > self.max:
            raise ValueError(f"min ({self.min:g}) is above max ({self.max:g})")
        if self.by is not None and column_name(self.by) in map(column_name, self.where):
            raise ValueError(
                f"by and where are about one column ({self.by}); keep `where` for one"
                " value, `by` for each"
            )
        if self.no_worse_than is not None and self.direction == "neither":
            raise ValueError(
                f"say which is better for {self.metric}: better: lower, or better:"
                " higher"
            )
        return self

    @property
    def limits(self) -> list[Limit]:
        """Return the limits of the value itself."""
        stated: dict[Side, float | None] = {"max": self.max, "min": self.min}
        return [(side, at) for side, at in stated.items() if at is not None]

    @property
    def direction(self) -> Better:
        """Return which direction is better, as stated, or as the metric has it."""
        metric = metric_named(self.metric)
        return self.better or (metric.better if metric else "neither")


class Rules(BaseModel, extra="forbid", frozen=True):
    """The rules of a gate, and the largest shares of a run that each of `COUNTED` may
    have.
    """

    rules: tuple[Rule, ...] = ()
    max_no_reply: Share = MAX_SHARE
    max_unscored: Share = MAX_SHARE
    max_errors: Share = MAX_SHARE
    no_worse_than: Loss | None = None
    """The largest loss of every rule that states a limit and no loss of its own."""

    @property
    def need_baseline(self) -> bool:
        """Return whether some rule is about a difference."""
        return any(map(self.loss_of, self.rules))

    @property
    def need_texts(self) -> bool:
        """Return whether some rule is about what whole samples alone have: latency, the
        tokens that an application tells, and what it retrieved.
        """
        return any(
            rule.metric in SPENDING or NEEDS_TEXTS in (rule.by, *rule.where)
            for rule in self.rules
        )

    def loss_of(self, rule: Rule) -> Limit | None:
        """Return the limit of a rule's difference from the baseline, this run -
        baseline: its own, else that of all rules; None without one.

        For the latter a metric with a max is better lower, one with a min higher. A
        rule with both limits or about groups has none: groups are small.
        """
        loss = rule.no_worse_than
        better = rule.direction
        if loss is None and len(rule.limits) == 1 and not (rule.where or rule.by):
            loss = self.no_worse_than
            better = rule.better or ("higher" if rule.max is None else "lower")
        if loss is None:
            return None
        return ("max", loss) if better == "lower" else ("min", -loss)


def read_rules(text: str, source: str) -> Rules:
    """Return the rules of a YAML text.

    Raises DataError that names the source, the rule and the field.
    """
    value = yaml_value(text, source)
    if not isinstance(value, dict):
        raise DataError(
            f"{source}: expected `rules:` with a list of rules; see docs/compare.md"
        )
    try:
        rules = Rules.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        raise DataError(
            f"{source}, {_place(first['loc'])}: {_problem(first)}"
        ) from None
    if not rules.rules:
        raise DataError(f"{source}, field 'rules': no rule there; see docs/compare.md")
    return rules


def stated_rule(text: str, side: Side) -> Rule:
    """Return the rule of `--max METRIC=LIMIT` or `--min`.

    Raises DataError that names the option.
    """
    name, _, number = text.partition("=")
    try:
        return Rule.model_validate({"metric": name.strip(), side: float(number)})
    except ValueError:
        raise DataError(
            f"--{side}: expected METRIC=LIMIT, such as false_refusal_rate=0.1; got"
            f" '{text}'"
        ) from None


def number_of(
    text: str,
    option: str,
    most: float = 1e300,
) -> float:
    """Return the number of an option, from 0 to `most`.

    Raises DataError that names the option.
    """
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not 0 <= value <= most:
        span = "of 0 or more" if most > 1 else "from 0 to 1"
        raise DataError(f"{option}: expected a number {span}, got '{text}'")
    return value


def _place(parts: Sequence[int | str]) -> str:
    """Return where in a file of rules an error is; rules are counted from 1."""
    names = [f"{part + 1}" if isinstance(part, int) else f"'{part}'" for part in parts]
    if parts[:1] != ("rules",) or len(names) < 2:
        return "field " + ".".join(names)
    place = f"rule {names[1]}"
    return f"{place}, field {'.'.join(names[2:])}" if len(names) > 2 else place


def _problem(error: Any) -> str:
    if error["type"] != "extra_forbidden":
        return str(error["msg"]).removeprefix("Value error, ")
    known = Rule.model_fields if len(error["loc"]) > 2 else Rules.model_fields
    return f"no such field; known: {', '.join(known)}"
