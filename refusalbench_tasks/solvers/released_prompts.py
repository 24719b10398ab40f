"""The authors' own prompts, read as data from their released files: nothing of theirs is stored here, or run.

RefusalBench and BLUFF-1000 have no licence for their code, so the files are fetched at a pinned commit when a run asks
for `prompt=official` or `judge_prompt=official`, or read from a copy of the file (a path that ends in `.py`).
"""

import ast
import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from string import Formatter

from refusalbench_tasks.bounded_reading import read_list_file
from refusalbench_tasks.datasets.remote import PinnedFile, fetch
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.taxonomy import REFUSALS

OFFICIAL = "official"
_REPO, _COMMIT = "aashiqmuhamed/refusalbench", "ff92b1b8467fe8eb3ba782850cc74b91a050c0ce"
_BLUFF, _BLUFF_COMMIT = "rzharzhavsky/Bluff-1000", "028a84b98c3088e1c276a004a1c0ca1217687765"
_OUR_SLOT = re.compile(r"\{\{\w+\}\}")


@dataclass(frozen=True)
class Place:
    """Where a prompt stands in a released file, and what its interpolations are called here."""

    file: PinnedFile
    method: str
    variable: str
    slots: Mapping[str, str]
    """Our slot by the released name, or by the expression as `ast.unparse` writes it."""
    branch: tuple[str, bool] | None = None
    """The condition that it stands under, and whether in its first branch or its `else`."""
    codes: bool = True
    """Whether all seven codes must occur in it."""


_NQ = PinnedFile(_REPO, _COMMIT, "refusalbench/naturalquestions/run_models_all.py", "")
_GARAGE = PinnedFile(_REPO, _COMMIT, "refusalbench/garage/run_models_all.py", "")
_ANSWER = PinnedFile(_BLUFF, _BLUFF_COMMIT, "prompts_core.py", "2f73c6318506b87ebaf3a7bef51d103dcb895365")
_PTRUE = PinnedFile(_BLUFF, _BLUFF_COMMIT, "internal_confidence_ptrue.py", "8e94d340e828aeec9d3de501a6732c3b2c198c84")
_BLUFF_SLOTS = {
    "query": "query", "question": "query", "sources_text": "sources",
    "answer": "answer", "model_answer": "answer", "response": "answer",
}  # fmt: skip
PLACES: Mapping[str, Place] = {
    "nq": Place(_NQ, "get_model_answer", "prompt_template", {"query": "query", "context": "context"}),
    "nq judge": Place(
        _NQ, "classify_and_evaluate_response", "universal_prompt",
        {"query": "query", "model_output": "reply", "formatted_correct": "references"},
    ),
    "garage": Place(
        _GARAGE, "get_model_answer_merged_prompt", "prompt_template", {"query": "query", "search_results": "context"}
    ),
    "garage judge, answerable": Place(
        _GARAGE, "comprehensive_judge", "prompt",
        {
            "query": "query", "human_answer": "references", "model_answer": "reply",
            "all_context": "passages", "relevant_context": "relevant",
        },
        ("is_answerable", True),
    ),
    "garage judge, unanswerable": Place(
        _GARAGE, "comprehensive_judge", "prompt",
        {"query": "query", "expected_behavior": "expected", "model_answer": "reply", "all_context": "passages"},
        ("is_answerable", False),
    ),
    "bluff": Place(_ANSWER, "format_prompt", "base_prompt", _BLUFF_SLOTS, codes=False),
    "bluff p(true), system": Place(_PTRUE, "calculate_ptrue_confidence", "system_prompt", {}, codes=False),
    "bluff p(true), user": Place(_PTRUE, "calculate_ptrue_confidence", "user_prompt", _BLUFF_SLOTS, codes=False),
}  # fmt: skip


@dataclass(frozen=True)
class ReleasedPrompt:
    """A released prompt as a template of ours, and the SHA-256 of the file that it was read from."""

    template: str
    file_sha256: str


def is_released(name: str | None) -> bool:
    """Whether a `prompt` or `judge_prompt` names a released file: `official`, or a copy that ends in `.py`."""
    return name is not None and (name == OFFICIAL or name.endswith(".py"))


@lru_cache(maxsize=32)
def released_prompt(use: str, name: str = OFFICIAL) -> ReleasedPrompt:
    """Return a released prompt by what it is for, a key of `PLACES`, with its blanks and line breaks.

    `name` is `official` (the authors' file at the pinned commit, fetched and cached) or the path of a copy. Raises
    DataError, with file and line, for a file that cannot be had or has no such prompt.
    """
    place = PLACES[use]
    source, tree = _module(place, name)
    values = list(_assigned(_within(_method(tree, place, name), place), place.variable))
    if len(values) != 1:
        raise DataError(
            f"{_about(place, name)}: expected one '{place.variable}' in {place.method}, found {len(values)}"
        )
    template = _template(values[0], place, name)
    needed = [code.value for code in REFUSALS] + [_slot(slot) for slot in place.slots.values()] if place.codes else []
    missing = sorted({text for text in needed if text not in template})
    if missing:
        raise DataError(f"{_about(place, name)}: '{place.variable}' lacks {', '.join(missing)}")
    return ReleasedPrompt(template, hashlib.sha256(source.encode()).hexdigest())


@lru_cache(maxsize=8)
def released_constant(use: str, variable: str, name: str = OFFICIAL) -> str:
    """Return the one constant text that is assigned to a variable in a prompt's method: what stands for nothing."""
    place = PLACES[use]
    _, tree = _module(place, name)
    values = list(_assigned([_method(tree, place, name)], variable))
    texts = [value.value for value in values if isinstance(value, ast.Constant) and isinstance(value.value, str)]
    if len(texts) != 1:
        raise DataError(f"{_about(place, name)}: expected one constant text '{variable}', found {len(texts)}")
    return texts[0]


def _about(place: Place, name: str) -> str:
    return f"prompt: '{place.file.path if name == OFFICIAL else name}'"


def _module(place: Place, name: str) -> tuple[str, ast.Module]:
    path = str(fetch(place.file, instead="prompt=FILE")) if name == OFFICIAL else name
    source = read_list_file(path, "prompt", f"give '{OFFICIAL}' or the path of the released file")
    try:
        return source, ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise DataError(f"{_about(place, name)} is not a readable Python module") from None


def _method(tree: ast.Module, place: Place, name: str) -> ast.AST:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    found = [node for node in ast.walk(tree) if isinstance(node, kinds) and node.name == place.method]
    if len(found) != 1:
        raise DataError(f"{_about(place, name)}: expected one function '{place.method}', found {len(found)}")
    return found[0]


def _within(method: ast.AST, place: Place) -> list[ast.AST]:
    """Return what of a method the prompt can stand in: all of it, or a branch of its condition."""
    if place.branch is None:
        return [method]
    test, first = place.branch
    found = [node for node in ast.walk(method) if isinstance(node, ast.If) and ast.unparse(node.test) == test]
    return [node for branch in found for node in (branch.body if first else branch.orelse)]


def _assigned(nodes: Iterable[ast.AST], variable: str) -> Iterable[ast.expr]:
    for top in nodes:
        for node in ast.walk(top):
            match node:
                case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == variable:
                    yield value


def _template(value: ast.expr, place: Place, name: str) -> str:
    """Return a written text with our slots in place of its interpolations. Raises DataError for one that is unknown."""
    parts: list[tuple[str, str | None]] = []
    match value:
        case ast.Constant(value=str(text)):
            parts = [(literal, field) for literal, field, _, _ in Formatter().parse(text)]
        case ast.JoinedStr(values=pieces):
            for piece in pieces:
                match piece:
                    case ast.Constant(value=str(text)):
                        parts.append((text, None))
                    case ast.FormattedValue(value=inner, conversion=-1, format_spec=None):
                        parts.append(("", ast.unparse(inner)))
                    case _:
                        raise _unknown(place, name, piece.lineno, ast.unparse(piece))
        case _:
            raise _unknown(place, name, value.lineno, type(value).__name__)
    unknown = next((field for _, field in parts if field is not None and field not in place.slots), None)
    if unknown is not None or any(_OUR_SLOT.search(literal) for literal, _ in parts):
        raise _unknown(place, name, value.lineno, unknown or "a slot in its text")
    return "".join(text if field is None else text + _slot(place.slots[field]) for text, field in parts)


def _slot(name: str) -> str:
    return "{{" + name + "}}"


def _unknown(place: Place, name: str, line: int, what: str) -> DataError:
    return DataError(f"{_about(place, name)}, line {line}: '{place.variable}' holds what is not known here: {what}")
