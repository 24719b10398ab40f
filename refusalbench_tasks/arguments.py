"""The arguments of a task as one checked model; `-T name=value` is YAML, so a value may
be of any kind.
"""

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, get_args

from pydantic import (
    BaseModel,
    BeforeValidator,
    Field,
    StrictBool,
    StrictInt,
    StringConstraints,
    TypeAdapter,
    ValidationError,
)

from refusalbench_tasks.errors import DataError


def names_of(argument: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return the names in a comma list (or a list, as Inspect's command line makes of
    one); () for no filter.
    """
    if argument is None:
        return ()
    listed = isinstance(argument, list | tuple)
    parts = map(str, argument) if listed else str(argument).split(",")
    return tuple(filter(None, map(str.strip, parts)))


Names = Annotated[
    tuple[str, ...], BeforeValidator(names_of, json_schema_input_type=str | None)
]
"""Names, written as a comma list."""
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
PromptFile = Annotated[
    Text | None,
    BeforeValidator(
        lambda value: None if value == "ours" else value,
        json_schema_input_type=str | None,
    ),
]
"""A prompt file, `official`, or `ours` for the bundled prompt, which is also what is
meant without it.
"""
Switch = StrictBool
Whole = StrictInt
Natural = Annotated[StrictInt, Field(ge=0)]
Count = Annotated[StrictInt, Field(ge=1)]
Fraction = Annotated[
    float,
    Field(
        ge=0,
        le=1,
        strict=True,
        allow_inf_nan=False,
    ),
]


def value_of_kind(kind: Any, argument: str, value: object) -> Any:
    """Return the value of an argument as a kind has it, such as `Text` or a Literal.

    Raises DataError, which names the argument, for a value of another kind.
    """
    try:
        return TypeAdapter(kind).validate_python(value)
    except ValidationError as error:
        raise _first_of(error, argument) from None


def require(kind: Any, **values: Any) -> None:
    """Raise DataError for the first argument that is not of a kind; None passes."""
    for argument, value in values.items():
        value_of_kind(kind | None, argument, value)


def reject_unknown(task: Callable[..., object], unknown: Iterable[str]) -> None:
    """Raise DataError for the first of the arguments that a task does not have."""
    for argument in unknown:
        *known, _ = inspect.signature(task).parameters
        raise DataError(
            f"{task.__name__}: unknown argument '{argument}'; known:"
            f" {', '.join(known)}. Inspect gives each -T to every task of a run: run"
            " tasks that take other arguments apart, or in Python by eval_set"
        )


class Arguments(BaseModel, frozen=True, extra="forbid"):
    """The arguments of a task, or of what it hands some of them to.

    Raises DataError for the first argument that is not of its kind, and for one that is
    None although it has no default; its description says what it may be. A check across
    several arguments is a validator of the model that raises DataError.
    """

    def __init__(self, /, **values: Any) -> None:
        self._refuse_unknown(values)
        values = self._as_typed(values)
        for argument, field in type(self).model_fields.items():
            if field.is_required() and values.get(argument) is None:
                raise DataError(f"{argument}: required; {field.description}")
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise _first_of(error) from None

    @classmethod
    def some(cls, given: Mapping[str, object]) -> dict[str, Any]:
        """Return some of the arguments, each checked by itself, none against another.

        Raises DataError for one that is not of its kind, or unknown.
        """
        cls._refuse_unknown(given)
        values = {}
        for argument, value in cls._as_typed(given).items():
            kind = cls.model_fields[argument].rebuild_annotation()
            values[argument] = value_of_kind(kind, argument, value)
        return values

    @classmethod
    def _as_typed(cls, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return arguments as they were typed: YAML makes false of the word `off`."""
        values = dict(given)
        for argument, value in given.items():
            choices = get_args(cls.model_fields[argument].annotation)
            if value is False and "off" in choices:
                values[argument] = "off"
        return values

    @classmethod
    def _refuse_unknown(cls, given: Iterable[str]) -> None:
        for argument in given:
            if argument not in cls.model_fields:
                known = ", ".join(cls.model_fields)
                raise DataError(f"unknown argument '{argument}'; known: {known}")


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
