"""The numbers that the papers print, and which of a user's metrics is meant by each."""

from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict


class PublishedRow(BaseModel):
    """One printed number."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    task: str
    model: str
    metric: str
    value: float
    where: str


class Setting(BaseModel):
    """What an argument was when numbers were published: one of `values`, or anything but none if it was `given`.

    Without `metrics` or `models` it holds for all of them.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    values: tuple[str | int | float | bool | None, ...] = ()
    given: bool = False
    metrics: tuple[str, ...] = ()
    models: tuple[str, ...] = ()

    def concerns(self, row: PublishedRow) -> bool:
        """Return whether a published number depends on this setting."""
        return (not self.metrics or row.metric in self.metrics) and (not self.models or row.model in self.models)

    def difference(self, settings: Mapping[str, Any]) -> str:
        """Return how a run's settings differ from the published one, in a few words; empty if they do not."""
        value = settings.get(self.name)
        if self.given:
            return "" if value is not None else f"without {self.name}"
        return "" if value in self.values else f"{self.name}={value}"


class Published(BaseModel):
    """The printed numbers of one paper.

    `models` are the ids under which a published model may be run; `notes` say why numbers may not be comparable, for
    `all` or for one model; `scorers` are those whose metrics are meant; `settings` are what a run must have had, and
    `replies` how many replies a model's numbers rest on, where that is known.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    paper: str
    scorers: tuple[str, ...]
    notes: Mapping[str, str]
    models: Mapping[str, tuple[str, ...]]
    settings: tuple[Setting, ...]
    replies: Mapping[str, int] = {}
    rows: tuple[PublishedRow, ...]

    def model_of(self, evaluated: str) -> str | None:
        """Return the published model that an evaluated model's id names; None for any other."""
        name = evaluated.lower()
        return next(
            (model for model, ids in self.models.items() if any(name == i or name.endswith(f"/{i}") for i in ids)), None
        )


@cache
def published_papers() -> tuple[Published, ...]:
    """Return the papers' numbers, shipped with the package."""
    folder = resources.files("refusalbench_tasks.published")
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".yaml")), key=lambda file: file.name)
    return tuple(Published.model_validate(yaml.safe_load(file.read_text(encoding="utf-8"))) for file in files)
