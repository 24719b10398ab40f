"""The arguments of a task as one checked model; `-T name=value` is YAML, so a value may be of any kind."""

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, TypeAdapter, ValidationError

import refusalbench_tasks
from refusalbench_tasks.errors import DataError


def names_of(argument: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return the names in a comma list (or a list, as Inspect's command line makes of one); () for no filter."""
    if argument is None:
        return ()
    parts = map(str, argument) if isinstance(argument, list | tuple) else str(argument).split(",")
    return tuple(part.strip() for part in parts if part.strip())


def _only(expected: str, holds: Callable[[Any], bool]) -> BeforeValidator:
    """Return a check that raises ValueError, with what was expected, for a value of another kind."""

    def check(value: Any) -> Any:
        if holds(value):
            return value
        raise ValueError(f"expected {expected}, got {value!r}")

    return BeforeValidator(check)


def _is_int(value: Any, least: float = float("-inf")) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def required(advice: str) -> BeforeValidator:
    """Return a check that raises ValueError with advice for an argument that was left out."""

    def check(value: Any) -> Any:
        if value is None:
            raise ValueError(f"required; {advice}")
        return value

    return BeforeValidator(check)


def at_least(least: int) -> BeforeValidator:
    """Return a check that raises ValueError unless a value is a whole number of at least `least`."""
    return _only(f"a whole number of at least {least}", lambda value: _is_int(value, least))


def between(least: float, most: float) -> BeforeValidator:
    """Return a check that raises ValueError unless a value is a number from `least` to `most`."""
    return _only(
        f"a number from {least} to {most}",
        lambda value: isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most,
    )


Names = Annotated[tuple[str, ...], BeforeValidator(names_of)]
CommaList = Annotated[str, BeforeValidator(lambda value: ",".join(names_of(value)))]
"""Names as one text, for what logs and solvers keep of them."""
Text = Annotated[str, _only("text", lambda value: isinstance(value, str) and bool(value.strip()))]
PromptFile = Annotated[Text | None, BeforeValidator(lambda value: None if value == "ours" else value)]
"""A prompt file, `official`, or `ours` for the bundled prompt, which is also what is meant without it."""
Switch = Annotated[bool, _only("true or false", lambda value: isinstance(value, bool))]
Whole = Annotated[int, _only("a whole number", _is_int)]
Natural = Annotated[int, at_least(0)]
Count = Annotated[int, at_least(1)]
Fraction = Annotated[float, between(0, 1)]


def require(kind: Any, **values: Any) -> None:
    """Raise DataError for the first argument whose value is not of a kind, such as `Text` or `Count`; None passes."""
    for argument, value in values.items():
        try:
            TypeAdapter(kind | None).validate_python(value)
        except ValidationError as error:
            raise _first_of(error, argument) from None


class Arguments(BaseModel):
    """The arguments of a task. A check across several of them is a validator of the model that raises DataError."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @classmethod
    def of(cls, task: str, given: Mapping[str, Any]) -> Self:
        """Return the arguments that a task was called with: its `locals()`, with names it lacks under `others`.

        Raises DataError for the first that is not of its kind, and for one that the task does not have.
        """
        values = dict(given)
        for name in values.pop("others", {}):
            raise _unknown(task, name, values)
        try:
            return cls(**values)
        except ValidationError as error:
            raise _first_of(error) from None


def _first_of(error: ValidationError, argument: str = "") -> DataError:
    first = error.errors()[0]
    argument = argument or ".".join(map(str, first["loc"]))
    value, context = first["input"], first.get("ctx", {})
    cause = context.get("error", first["msg"])
    if isinstance(cause, DataError):
        return cause
    if first["type"] == "literal_error":
        known = str(context["expected"]).replace("'", "").replace(" or ", ", ")
        return DataError(f"{argument}: unknown value '{value}'; known: {known}")
    advice = ""
    if value is None and "expected" in str(cause):
        advice = "; leave it out to have the default"
    elif not isinstance(value, str) and "expected text" in str(cause):
        advice = f"; quote a number: -T '{argument}=\"{value}\"'"
    return DataError(f"{argument}: {cause}{advice}")


def _unknown(task: str, name: str, known: Iterable[str]) -> DataError:
    others = [
        other
        for other in refusalbench_tasks.__all__
        if name in inspect.signature(getattr(refusalbench_tasks, other)).parameters
    ]
    if others:
        return DataError(
            f"{task}: '{name}' is an argument of {' and '.join(others)}. Inspect gives each -T to every task of a run: "
            f"run them apart, or in Python as eval_set([{task}(), {others[0]}({name}=...)])"
        )
    return DataError(f"{task}: unknown argument '{name}'; known: {', '.join(known)}")
