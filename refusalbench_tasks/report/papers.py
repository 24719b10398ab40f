"""The numbers that the papers print, and which of a user's metrics is meant by each."""

from collections.abc import Mapping
from functools import cache
from importlib import resources

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


class Published(BaseModel):
    """The printed numbers of one paper.

    `models` are the ids under which a published model may be run; `notes` say why numbers may not be comparable, for
    `all` or for one model; `scorers` are those whose metrics are meant.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    paper: str
    scorers: tuple[str, ...]
    notes: Mapping[str, str]
    models: Mapping[str, tuple[str, ...]]
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
    folder = resources.files("refusalbench_tasks.report") / "published"
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".yaml")), key=lambda file: file.name)
    return tuple(Published.model_validate(yaml.safe_load(file.read_text(encoding="utf-8"))) for file in files)
