"""The authors' own prompts, read as data from their released files, which never run."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from string import Formatter
from typing import Literal

from refusalbench_tasks.prompting import has_slot
from refusalbench_tasks.prompting.released_files import (
    OFFICIAL,
    ReleasedFile,
    file_fault,
    read_released,
)
from refusalbench_tasks.replies.outside_text import one_line

_SLOTS = {
    "query": "query",
    "question": "query",
    "context": "context",
    "search_results": "context",
    "sources_text": "sources",
    "all_context": "passages",
    "relevant_context": "relevant",
    "formatted_correct": "references",
    "human_answer": "references",
    "expected_behavior": "expected",
    "model_output": "reply",
    "answer": "reply",
    "model_answer": "reply",
    "response": "reply",
    "confidence_threshold:.1f": "threshold",
}
"""Our slot for each interpolation that released prompts may have, with its format."""
_ASKS_CONFIDENCE = "include_confidence"
"""The condition on which the released prompt asks for a confidence."""

Branch = Literal["any", "if", "else"]
Method = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Place:
    """Where a prompt stands: a variable of a method of a released file.

    Its slots tell it from other texts that the method assigns to the variable. A text
    without slots is taken as it is. `branch` is the side of `if include_confidence`.
    """

    file: str
    method: str
    variable: str
    slots: frozenset[str] = frozenset()
    branch: Branch = "any"


PLACES: Mapping[str, Place] = {
    "nq": Place(
        "nq",
        "get_model_answer",
        "prompt_template",
        frozenset({"query", "context"}),
    ),
    "nq judge": Place(
        "nq",
        "classify_and_evaluate_response",
        "universal_prompt",
        frozenset({"query", "reply", "references"}),
    ),
    "garage": Place(
        "garage",
        "get_model_answer_merged_prompt",
        "prompt_template",
        frozenset({"query", "context"}),
    ),
    "garage judge, answerable": Place(
        "garage",
        "comprehensive_judge",
        "prompt",
        frozenset({"query", "passages", "reply", "references", "relevant"}),
    ),
    "garage judge, unanswerable": Place(
        "garage",
        "comprehensive_judge",
        "prompt",
        frozenset({"query", "passages", "reply", "expected"}),
    ),
    "bluff": Place(
        "bluff",
        "format_prompt",
        "base_prompt",
        frozenset({"query", "sources", "threshold"}),
    ),
    "bluff, end that asks for a confidence": Place(
        "bluff", "format_prompt", "confidence_prompt", branch="if"
    ),
    "bluff, end": Place("bluff", "format_prompt", "confidence_prompt", branch="else"),
    "bluff p(true), system": Place(
        "bluff p(true)", "calculate_ptrue_confidence", "system_prompt"
    ),
    "bluff p(true), user": Place(
        "bluff p(true)",
        "calculate_ptrue_confidence",
        "user_prompt",
        frozenset({"query", "sources", "reply"}),
    ),
}
"""Where each prompt stands."""


@dataclass(frozen=True)
class ReleasedPrompt:
    """A released prompt as a template of ours, and the file that it was read from."""

    template: str
    file: ReleasedFile


@dataclass(frozen=True)
class _Text:
    """A text of a released file with our slots, or the problem with it."""

    template: str = ""
    slots: frozenset[str] = frozenset()
    problem: str = ""


@lru_cache(maxsize=32)
def released_prompt(use: str, name: str = OFFICIAL) -> ReleasedPrompt:
    """Return a released prompt by what it is for, a key of `PLACES`.

    Its blanks and line breaks are kept. `name` is `official` or the path of a copy, as
    in `read_released`. Raises DataError for a file that cannot be had or has no such
    prompt, and for an interpolation that is not known here, with its line.
    """
    place = PLACES[use]
    file = read_released(place.file, name)
    texts = [
        _read_text(value, bool(place.slots))
        for value in _assigned(place, place.variable, file)
    ]
    matching = [
        text.template
        for text in texts
        if not text.problem and text.slots == place.slots
    ]
    problem = next((text.problem for text in texts if text.problem), "")
    if problem and not matching:
        raise file_fault(file, f"'{place.variable}' of {place.method}, {problem}")
    return ReleasedPrompt(_only(matching, place, place.variable, file), file)


def released_answer_prompt(
    name: str = OFFICIAL, asks_confidence: bool = False
) -> ReleasedPrompt:
    """Return BLUFF's prompt for an answer, with the slots `query` and `sources`.

    It is a beginning and one of two ends: a request for a confidence, or a cue. The
    threshold in it is the default of the released function, printed as it prints it.
    """
    beginning = released_prompt("bluff", name)
    end = "bluff, end that asks for a confidence" if asks_confidence else "bluff, end"
    template = beginning.template + released_prompt(end, name).template
    threshold = _default("bluff", "confidence_threshold", beginning.file)
    filled = template.replace("{{threshold}}", f"{threshold:.1f}")
    return ReleasedPrompt(filled, beginning.file)


@lru_cache(maxsize=8)
def released_constant(use: str, variable: str, name: str = OFFICIAL) -> str:
    """Return the constant text that a prompt's method assigns to a variable.

    It is what the released prompt shows where there is nothing to show.
    """
    place = PLACES[use]
    file = read_released(place.file, name)
    values = _assigned(place, variable, file)
    constants = [value.value for value in values if isinstance(value, ast.Constant)]
    texts = [text for text in constants if isinstance(text, str)]
    return _only(texts, place, variable, file)


def _only(texts: Sequence[str], place: Place, variable: str, file: ReleasedFile) -> str:
    if len(texts) != 1:
        named = variable == place.variable and place.slots
        slots = f" with {', '.join(sorted(place.slots))}" if named else ""
        raise file_fault(
            file,
            f"expected one '{variable}'{slots} in {place.method}, found {len(texts)}",
        )
    return texts[0]


def _methods(place: Place, file: ReleasedFile) -> list[Method]:
    try:
        nodes = list(ast.walk(ast.parse(file.text)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise file_fault(file, "is not a readable Python module") from None
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return [
        node for node in nodes if isinstance(node, kinds) and node.name == place.method
    ]


def _assigned(place: Place, variable: str, file: ReleasedFile) -> list[ast.expr]:
    """Return what is assigned to a variable in a prompt's method, in its branch."""
    values = []
    for method in _methods(place, file):
        for node in _in_branch(method, place.branch):
            if not isinstance(node, ast.Assign) or len(node.targets) != 1:
                continue
            [target] = node.targets
            if isinstance(target, ast.Name) and target.id == variable:
                values.append(node.value)
    return values


def _in_branch(method: Method, branch: Branch) -> Iterator[ast.AST]:
    if branch == "any":
        yield from ast.walk(method)
        return
    for node in ast.walk(method):
        if not isinstance(node, ast.If) or not isinstance(node.test, ast.Name):
            continue
        if node.test.id == _ASKS_CONFIDENCE:
            for statement in node.body if branch == "if" else node.orelse:
                yield from ast.walk(statement)


def _default(use: str, argument: str, file: ReleasedFile) -> float:
    """Return the number that a prompt's function takes without an argument."""
    place = PLACES[use]
    numbers = []
    for method in _methods(place, file):
        names = method.args.posonlyargs + method.args.args
        with_default = names[len(names) - len(method.args.defaults) :]
        pairs = [
            *zip(with_default, method.args.defaults, strict=True),
            *zip(method.args.kwonlyargs, method.args.kw_defaults, strict=True),
        ]
        for name, value in pairs:
            if name.arg == argument and isinstance(value, ast.Constant):
                numbers.append(value.value)
    if len(numbers) != 1 or not isinstance(numbers[0], float):
        raise file_fault(
            file, f"expected a number as the default of '{argument}' in {place.method}"
        )
    return numbers[0]


def _read_text(value: ast.expr, formatted: bool) -> _Text:
    """Return a text with our slots for its interpolations.

    An f-string has them as it stands; a plain string only if it is `formatted`, which
    means that the released code calls `.format` on it.
    """
    try:
        pieces = list(_pieces(value, formatted))
    except (ValueError, RecursionError) as error:
        return _Text(
            problem=f"text from line {value.lineno}: not a text to fill ({error})"
        )
    template = ""
    slots = set()
    for literal, interpolation in pieces:
        if has_slot(literal):
            return _Text(
                problem=(
                    f"text from line {value.lineno}: a name in two braces would be a"
                    " slot"
                )
            )
        template += literal
        if interpolation is None:
            continue
        slot = _SLOTS.get(interpolation)
        if slot is None:
            return _Text(
                problem=(
                    f"text from line {value.lineno}: the released file has no "
                    f"interpolation {{{one_line(interpolation)}}}"
                )
            )
        template += "{{" + slot + "}}"
        slots.add(slot)
    return _Text(template, frozenset(slots))


def _pieces(value: ast.expr, formatted: bool) -> Iterator[tuple[str, str | None]]:
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
        raise ValueError(f"it is a {type(value).__name__}")
    elif not formatted:
        yield value.value, None
    else:
        for text, field, spec, conversion in Formatter().parse(value.value):
            if field is None:
                yield text, None
                continue
            kind = f"!{conversion}" if conversion else ""
            yield text, field + kind + (f":{spec}" if spec else "")


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
