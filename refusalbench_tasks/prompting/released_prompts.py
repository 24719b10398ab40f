"""The authors' own prompts, read as data from their released files, which never run."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from string import Formatter
from typing import Literal

from pydantic import BaseModel

from refusalbench_tasks.bounded_reading import data_yaml
from refusalbench_tasks.replies.outside_text import one_line

from . import has_slot
from .released_files import (
    ReleasedFile,
    file_fault,
    read_released,
)

_THRESHOLD = "confidence_threshold"
_ASKS_CONFIDENCE = "include_confidence"
"""The condition on which the released prompt asks for a confidence."""

Branch = Literal["any", "if", "else"]
Method = ast.FunctionDef | ast.AsyncFunctionDef


class Location(BaseModel, frozen=True):
    """Where a prompt stands (`released_prompts.yaml`)."""

    file: str
    method: str
    variable: str
    slots: frozenset[str] = frozenset()
    branch: Branch = "any"


class _Locations(BaseModel):
    slots: dict[str, str]
    prompts: dict[str, Location]


@cache
def _locations() -> _Locations:
    return _Locations.model_validate(data_yaml("prompting", "released_prompts.yaml"))


@dataclass(frozen=True)
class ReleasedPrompt:
    """A released prompt as a template of ours, and the file that it was read from."""

    template: str
    file: ReleasedFile


@lru_cache(maxsize=32)
def released_prompt(
    use: str,
    name: str,
) -> ReleasedPrompt:
    """Return a released prompt by what it is for, a name in `released_prompts.yaml`.

    Its blanks and line breaks are kept. `name` is `official` or the path of a copy, as
    in `read_released`. Raises DataError for a file that cannot be had or has no such
    prompt, and for an interpolation that is not known here, with its line.
    """
    location = _locations().prompts[use]
    file = read_released(location.file, name)
    templates = []
    problems = []
    for value in _assigned(location, location.variable, file):
        try:
            template, slots = _template(value, formatted=bool(location.slots))
        except (ValueError, RecursionError) as error:
            problems.append(f"text from line {value.lineno}: {error}")
        else:
            if slots == location.slots:
                templates.append(template)
    if problems and not templates:
        place = f"'{location.variable}' of {location.method}"
        raise file_fault(file, f"{place}, {problems[0]}")
    return ReleasedPrompt(
        _only(
            templates,
            location,
            location.variable,
            file,
        ),
        file,
    )


def released_answer_prompt(
    name: str,
    asks_confidence: bool = False,
) -> ReleasedPrompt:
    """Return BLUFF's prompt for an answer, with the slots `query` and `sources`.

    It is a beginning and one of two ends: a request for a confidence, or a cue. The
    threshold in it is the default of the released function, printed as it prints it.
    """
    beginning = released_prompt("bluff", name)
    end = "bluff, end that asks for a confidence" if asks_confidence else "bluff, end"
    template = beginning.template + released_prompt(end, name).template
    location = _locations().prompts["bluff"]
    # the number that the prompt's function takes without an argument
    defaults = []
    for method in _methods(location, beginning.file):
        arguments = method.args
        positional = [*arguments.posonlyargs, *arguments.args]
        # defaults are those of the last arguments
        last_first = reversed(positional), reversed(arguments.defaults)
        pairs = [
            *zip(*last_first, strict=False),
            *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True),
        ]
        for argument, value in pairs:
            if argument.arg == _THRESHOLD and isinstance(value, ast.Constant):
                defaults.append(value.value)
    if len(defaults) != 1 or not isinstance(defaults[0], float):
        raise file_fault(
            beginning.file,
            f"expected a number as the default of '{_THRESHOLD}' in {location.method}",
        )
    threshold = defaults[0]
    filled = template.replace("{{threshold}}", f"{threshold:.1f}")
    return ReleasedPrompt(filled, beginning.file)


@lru_cache(maxsize=8)
def released_constant(
    use: str,
    variable: str,
    name: str,
) -> str:
    """Return the constant text that a prompt's method assigns to a variable.

    It is what the released prompt shows where there is nothing to show.
    """
    location = _locations().prompts[use]
    file = read_released(location.file, name)
    texts = []
    for value in _assigned(location, variable, file):
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            texts.append(value.value)
    return _only(
        texts,
        location,
        variable,
        file,
    )


def _only(
    texts: Sequence[str],
    location: Location,
    variable: str,
    file: ReleasedFile,
) -> str:
    if len(texts) != 1:
        slots = ""
        if variable == location.variable and location.slots:
            slots = f" with {', '.join(sorted(location.slots))}"
        raise file_fault(
            file,
            f"expected one '{variable}'{slots} in {location.method},"
            f" found {len(texts)}",
        )
    return texts[0]


def _methods(
    location: Location,
    file: ReleasedFile,
) -> list[Method]:
    try:
        nodes = list(ast.walk(ast.parse(file.text)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise file_fault(file, "is not a readable Python module") from None
    return [
        node
        for node in nodes
        if isinstance(node, Method) and node.name == location.method
    ]


def _assigned(
    location: Location,
    variable: str,
    file: ReleasedFile,
) -> list[ast.expr]:
    """Return what is assigned to a variable in a prompt's method, in its branch."""
    values = []
    for method in _methods(location, file):
        for node in _in_branch(method, location.branch):
            if not isinstance(node, ast.Assign) or len(node.targets) != 1:
                continue
            [target] = node.targets
            if isinstance(target, ast.Name) and target.id == variable:
                values.append(node.value)
    return values


def _in_branch(
    method: Method,
    branch: Branch,
) -> Iterator[ast.AST]:
    if branch == "any":
        yield from ast.walk(method)
        return
    for node in ast.walk(method):
        if not isinstance(node, ast.If) or not isinstance(node.test, ast.Name):
            continue
        if node.test.id == _ASKS_CONFIDENCE:
            for statement in node.body if branch == "if" else node.orelse:
                yield from ast.walk(statement)


def _template(
    value: ast.expr,
    formatted: bool,
) -> tuple[str, set[str]]:
    """Return a text with our slots for its interpolations, and these slots.

    An f-string has them as it stands; a plain string only if it is `formatted`, which
    means that the released code calls `.format` on it. Raises ValueError for what is no
    text to fill, and for an interpolation that is not known.
    """
    template = ""
    slots = set()
    for literal, interpolation in _pieces(value, formatted):
        if has_slot(literal):
            raise ValueError("a name in two braces would be a slot")
        template += literal
        if interpolation is None:
            continue
        slot = _locations().slots.get(interpolation)
        if slot is None:
            raise ValueError(
                f"the released file has no interpolation {{{one_line(interpolation)}}}"
            )
        template += f"{{{{{slot}}}}}"
        slots.add(slot)
    return template, slots


def _pieces(
    value: ast.expr,
    formatted: bool,
) -> Iterator[tuple[str, str | None]]:
    """Yield literal texts, each with the interpolation behind it, written in full.

    Raises ValueError for what is no text, or no format string.
    """
    if isinstance(value, ast.JoinedStr):
        for part in value.values:
            if isinstance(part, ast.FormattedValue):
                yield "", _interpolation(part)
            else:
                yield str(ast.literal_eval(part)), None
    elif not isinstance(value, ast.Constant) or not isinstance(value.value, str):
        raise ValueError(f"not a text to fill (it is a {type(value).__name__})")
    elif not formatted:
        yield value.value, None
    else:
        try:
            pieces = list(Formatter().parse(value.value))
        except ValueError as error:
            raise ValueError(f"not a text to fill ({error})") from None
        for literal, interpolation, spec, conversion in pieces:
            if conversion:
                interpolation = f"{interpolation}!{conversion}"
            if spec:
                interpolation = f"{interpolation}:{spec}"
            yield literal, interpolation


def _interpolation(part: ast.FormattedValue) -> str:
    """Return an interpolation of an f-string, such as `share:.1f`."""
    written = ast.unparse(part.value)
    if part.conversion != -1:
        written += f"!{chr(part.conversion)}"
    if isinstance(part.format_spec, ast.JoinedStr):
        written += ":"
        for piece in part.format_spec.values:
            written += str(piece.value) if isinstance(piece, ast.Constant) else "{}"
    return written
