"""The numbers that the papers print, and which of a user's metrics is meant by each."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, get_args

from pydantic import BaseModel

from refusalbench_tasks.bounded_reading import data_yaml

Names = tuple[str, ...]
Sign = Literal["=", "<", ">", "~"]
"""How a number is printed: as it is, as a bound, or as about so much."""
Across = Literal[
    "lowest", "highest", "mean", "spread", "ratio", "gain", "correlation", "below_zero"
]
PublishedTask = Literal[
    "nq",
    "garage",
    "bluff",
    "perturb nq",
    "perturb garage",
    "validation nq",
    "validation garage",
]
"""A task, and for those about items the benchmark that the items are of."""
DATA_SET = "data set"
"""The model of a number that is about the rows, whoever answers them."""
PEOPLE = "people"
Tuning = Literal["SFT", "DPO", "RLVR", "Chat", "Instruct"]
TUNINGS = get_args(Tuning)
_FILES = ("bluff.yaml", "refusalbench.yaml")


class _Printed(BaseModel, frozen=True, extra="forbid"):
    """An entry of the files of printed numbers."""


class PublishedRow(_Printed):
    """One printed number, its place in the paper, and the metric of ours that is meant.

    `model` is a published model, a group of them, or the data set. `across` says what
    the number is of a group; `against` is the other metric of a correlation. `low` and
    `high` are the interval that is printed beside it.
    """

    task: PublishedTask
    model: str
    metric: str
    subset: str = ""
    across: Across | None = None
    against: str = ""
    tokens: int | None = None
    sign: Sign = "="
    value: float
    low: float | None = None
    high: float | None = None
    where: str
    read_off: bool = False
    """Whether others read it off a figure, and no text of the paper has it."""

    @property
    def key(self) -> str:
        """Return the name that the metric has in a log."""
        return f"{self.subset}/{self.metric}" if self.subset else self.metric

    @property
    def is_count(self) -> bool:
        """Return whether the number is one of rows, replies or models, and no rate."""
        if self.across:
            return self.across == "below_zero"
        name = self.metric
        counts = ("rows", "refusal_count", "missed_refusals")
        return name in counts or name.startswith("n_") or name.endswith("_n")

    @property
    def label(self) -> str:
        """Return what the number is, in a few words."""
        if self.across == "correlation":
            return f"correlation of {self.metric} and {self.against}"
        words = f"{self.across} {self.key}" if self.across else self.key
        words = words.replace("below_zero", "models below 0 in")
        if self.tokens is None:
            return words
        return f"{words} ({self.tokens} thinking tokens)"


class PublishedModel(_Printed):
    """One model of a paper: the ids under which it may be run, and what is known of it.

    `size` is in billions of parameters. Models of one family and tuning differ in size
    alone.
    """

    ids: Names
    family: str
    open: bool
    size: float | None = None
    tuning: Tuning | None = None

    def is_named(self, evaluated: str) -> bool:
        """Return whether an evaluated model's id is one of these, with any provider,
        region or vendor before it.
        """
        last = _REGION.sub("", evaluated.lower().rpartition("/")[2])
        bare = _VENDOR.sub("", last)
        forms = {last, bare, _REVISION.sub("", bare)}
        return not forms.isdisjoint(self.ids)


class SizedModel(PublishedModel):
    """A model of known size and tuning, of a paper or not."""

    size: float
    tuning: Tuning


_REGION = re.compile(r"^(us|eu|apac|global)\.")
_VENDOR = re.compile(r"^(anthropic|amazon|meta|openai|google|mistral|cohere)\.")
_REVISION = re.compile(r"(-v\d+)?:\d+$|@[\w-]+$")


class Setting(_Printed):
    """What an argument was when numbers were published: one of `values`, or anything
    but none if it was `given`.

    Without `tasks`, `metrics` or `models` it holds for all of them, but for those in
    `not_metrics` and `not_models`.
    """

    name: str
    values: tuple[str | int | float | bool | None, ...] = ()
    given: bool = False
    metrics: Names = ()
    models: Names = ()
    not_metrics: Names = ()
    not_models: Names = ()
    tasks: Names = ()

    def concerns(
        self,
        task: str,
        metric: str,
        model: str,
    ) -> bool:
        """Return whether a published metric of a model depends on this setting."""
        if metric in self.not_metrics or model in self.not_models:
            return False
        named = (
            (self.tasks, task),
            (self.metrics, metric),
            (self.models, model),
        )
        return all(not names or name in names for names, name in named)

    def difference(self, settings: Mapping[str, Any]) -> str:
        """Return how a run's settings differ from the published one, in a few words;
        empty if they do not.
        """
        value = settings.get(self.name)
        if self.given:
            return "" if value is not None else f"without {self.name}"
        return "" if value in self.values else f"{self.name}={value}"


class Published(_Printed):
    """The printed numbers of one paper.

    `models` are those that it evaluates, and `groups` some of them under one name;
    `notes` say why numbers may not be comparable, for `all` or for one model;
    `settings` are what a run must have had, and `replies` how many replies a model's
    numbers rest on, where that is known.
    """

    paper: str
    notes: Mapping[str, str]
    models: Mapping[str, PublishedModel]
    groups: Mapping[str, Names]
    settings: tuple[Setting, ...]
    replies: Mapping[str, int] = {}
    rows: tuple[PublishedRow, ...]

    def model_of(self, evaluated: str) -> str | None:
        """Return the published model that an evaluated model's id names; None for any
        other.
        """
        for name, model in self.models.items():
            if model.is_named(evaluated):
                return name
        return None


@cache
def published_papers() -> tuple[Published, ...]:
    """Return the papers' numbers, shipped with the package."""
    models = data_yaml("results.published", "models.yaml")
    papers = []
    for name in _FILES:
        paper = data_yaml("results.published", name)
        models_of_paper = {"models": models[paper["paper"]]}
        papers.append(Published.model_validate(paper | models_of_paper))
    return tuple(papers)


@cache
def _sized_models() -> list[SizedModel]:
    sized: list[SizedModel] = []
    for section in data_yaml("results.published", "models.yaml").values():
        models = [model for model in section.values() if "size" in model]
        sized += map(SizedModel.model_validate, models)
    return sized


def sized_model(evaluated: str) -> SizedModel | None:
    """Return the model of known size that an evaluated model's id names; None for any
    other.
    """
    named = (model for model in _sized_models() if model.is_named(evaluated))
    return next(named, None)
