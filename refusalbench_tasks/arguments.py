"""The arguments of a task as one checked model; `-T name=value` is YAML, so a value may
be of any kind.
"""

import inspect
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    StrictInt,
    StringConstraints,
    TypeAdapter,
    ValidationError,
)

import refusalbench_tasks
from refusalbench_tasks.errors import DataError


def names_of(argument: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return the names in a comma list (or a list, as Inspect's command line makes of
    one); () for no filter.
    """
    if argument is None:
        return ()
    parts = (
        map(str, argument)
        if isinstance(argument, list | tuple)
        else str(argument).split(",")
    )
    return tuple(part.strip() for part in parts if part.strip())


Names = Annotated[tuple[str, ...], BeforeValidator(names_of)]
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
PromptFile = Annotated[
    Text | None, BeforeValidator(lambda value: None if value == "ours" else value)
]
"""A prompt file, `official`, or `ours` for the bundled prompt, which is also what is
meant without it.
"""
Switch = StrictBool
Whole = StrictInt
Natural = Annotated[StrictInt, Field(ge=0)]
Count = Annotated[StrictInt, Field(ge=1)]
Fraction = Annotated[float, Field(ge=0, le=1, strict=True, allow_inf_nan=False)]


def require(kind: Any, **values: Any) -> None:
    """Raise DataError for the first argument whose value is not of a kind, such as
    `Text` or a Literal; None passes.
    """
    for argument, value in values.items():
        try:
            TypeAdapter(kind | None).validate_python(value)
        except ValidationError as error:
            raise _first_of(error, argument) from None


class Arguments(BaseModel):
    """The arguments of a task.

    A check across several of them is a validator of the model that raises DataError.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    @classmethod
    def of(cls, task: str, given: Mapping[str, Any]) -> Self:
        """Return the arguments that a task was called with: its `locals()`, with names
        it lacks under `others`.

        Raises DataError for the first that is not of its kind, for one that the task
        does not have, and for one that was left out although it has no default; its
        description says what it may be.
        """
        values = dict(given)
        for name in values.pop("others", {}):
            raise _unknown(task, name, values)
        for name, field in cls.model_fields.items():
            if field.is_required() and values.get(name) is None:
                raise DataError(f"{name}: required; {field.description}")
        try:
            return cls(**values)
        except ValidationError as error:
            raise _first_of(error) from None


def _first_of(error: ValidationError, argument: str = "") -> DataError:
    first = error.errors()[0]
    cause = first.get("ctx", {}).get("error", first["msg"])
    if isinstance(cause, DataError):
        return cause
    argument = argument or str(first["loc"][0])
    value = first["input"]
    quoted = first["type"] == "string_type" and value is not None
    advice = f"; quote a number: -T '{argument}=\"{value}\"'" if quoted else ""
    return DataError(f"{argument}: {cause}, got {value!r}{advice}")


def _unknown(task: str, name: str, known: Iterable[str]) -> DataError:
    others = [
        other
        for other in refusalbench_tasks.__all__
        if name in inspect.signature(getattr(refusalbench_tasks, other)).parameters
    ]
    if others:
        return DataError(
            f"{task}: '{name}' is an argument of {' and '.join(others)}. Inspect gives"
            " each -T to every task of a run: run them apart, or in Python as"
            f" eval_set([{task}(), {others[0]}({name}=...)])"
        )
    return DataError(f"{task}: unknown argument '{name}'; known: {', '.join(known)}")
