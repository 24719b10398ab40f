"""What is read of a log's header where its rows are what counts."""

import zipfile
import zlib
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, Union

from pydantic import BaseModel, Field
from pydantic_core import from_json

from refusalbench_tasks.files.log_members import HEADER, local_path, read_header, top_members, unreadable

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSpec

AnyHeader: TypeAlias = Union["EvalLog", "ShortHeader"]
AnySpec: TypeAlias = Union["EvalSpec", "Spec"]
_UTC = r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?\+00:00$"
"""A time as Inspect writes it; it turns others into this."""


class Named(BaseModel):
    """A scorer of a task, by its name."""

    name: str


class Metric(BaseModel):
    """A metric's value."""

    value: int | float


class Scores(Named):
    """The metrics of one scorer."""

    metrics: dict[str, Metric] = {}


class Results(BaseModel):
    """How many samples there are, and what they came to; logs of the first versions of Inspect have no `scores`."""

    total_samples: int = 0
    completed_samples: int = 0
    scores: list[Scores]


class Usage(BaseModel):
    """The tokens that a model took, and their price in dollars."""

    input_tokens: int = 0
    output_tokens: int = 0
    input_tokens_cache_read: int | None = None
    input_tokens_cache_write: int | None = None
    total_cost: float | None = None


class Stats(BaseModel):
    """The tokens of each model."""

    model_usage: dict[str, Usage] = {}


class Generation(BaseModel):
    """How a model replies."""

    reasoning_tokens: int | None = None


class Config(BaseModel):
    """How often each sample is run."""

    epochs: int | None = None


class Dataset(BaseModel):
    """The ids of the samples."""

    sample_ids: list[Any] | None = None


class Spec(BaseModel):
    """Who was evaluated on which task, when, and with which settings."""

    created: Annotated[str, Field(pattern=_UTC)]
    task: str
    task_id: str
    task_version: int | str = 0
    task_args: dict[str, Any]
    task_args_passed: dict[str, Any]
    model: str
    model_generate_config: Generation = Generation()
    solver: str | None = None
    solver_args: dict[str, Any] | None = None
    config: Config
    dataset: Dataset
    scorers: list[Named] | None = None
    packages: dict[str, str] = {}
    metadata: dict[str, Any] | None = None


class ShortHeader(BaseModel):
    """The members of Inspect's `EvalLog` that are read of a log whose rows count, under the same names."""

    version: Literal[2]
    status: Literal["started", "success", "cancelled", "error"]
    eval: Spec
    results: Results | None = None
    stats: Stats = Stats()
    location: str = ""


def short_header(name: str) -> AnyHeader:
    """Return the header of a log, of a local `.eval` file in the present format without what no row needs.

    To load Inspect takes two seconds, and nothing else of a report is in need of it. Whatever this can't read goes
    through Inspect's reader, and raises what `read_header` raises.
    """
    path = local_path(name)
    if path.suffix == ".eval" and path.is_file():
        with suppress(zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, KeyError, NotImplementedError):
            member = top_members(name)[HEADER]
            with path.open("rb") as file:
                found = ShortHeader.model_validate(from_json(member.read(file)))
            return found.model_copy(update={"location": name})
    return read_header(name)


def header_or_why(name: str) -> AnyHeader | str:
    """Return the header of a log as `short_header` does, or the line that says why it can't be read."""
    try:
        return short_header(name)
    except Exception as error:  # anything can be wrong with a file, and it must not hide the others
        return str(unreadable(name, error))
