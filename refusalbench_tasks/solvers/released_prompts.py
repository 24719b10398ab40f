"""The authors' own prompts, read as data from their released files: nothing of theirs is stored here, or run.

RefusalBench and BLUFF-1000 have no licence for their code, so the files are fetched at a pinned commit when a run asks
for `prompt=official` or `judge_prompt=official`, or read from a copy of the file (a path that ends in `.py`).
"""

import ast
import hashlib
import re
from collections.abc import Mapping
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
_NQ = PinnedFile(_REPO, _COMMIT, "refusalbench/naturalquestions/run_models_all.py", "")
_GARAGE = PinnedFile(_REPO, _COMMIT, "refusalbench/garage/run_models_all.py", "")
_ANSWER = PinnedFile(_BLUFF, _BLUFF_COMMIT, "prompts_core.py", "2f73c6318506b87ebaf3a7bef51d103dcb895365")
_PTRUE = PinnedFile(_BLUFF, _BLUFF_COMMIT, "internal_confidence_ptrue.py", "8e94d340e828aeec9d3de501a6732c3b2c198c84")
_SLOTS = {
    "query": "query", "question": "query", "context": "context", "search_results": "context",
    "sources_text": "sources", "all_context": "passages", "relevant_context": "relevant",
    "formatted_correct": "references", "human_answer": "references", "expected_behavior": "expected",
    "model_output": "reply", "answer": "reply", "model_answer": "reply", "response": "reply",
}  # fmt: skip
"""What the released names of interpolations, as `ast.unparse` writes them, are called here."""
_TEST = "is_answerable"
_OUR_SLOT = re.compile(r"\{\{\w+\}\}")


@dataclass(frozen=True)
class Place:
    """Where a prompt stands in a released file, and which of our slots it has."""

    file: PinnedFile
    method: str
    variable: str
    slots: tuple[str, ...]
    answerable: bool | None = None
    """Whether it stands in the first branch of the test `is_answerable` or in its `else`; None for neither."""
    codes: bool = True
    """Whether all seven codes and all slots must occur in it."""


_ASKED, _JUDGED = ("query", "context"), ("query", "passages", "reply")
PLACES: Mapping[str, Place] = {
    "nq": Place(_NQ, "get_model_answer", "prompt_template", _ASKED),
    "nq judge": Place(_NQ, "classify_and_evaluate_response", "universal_prompt", ("query", "reply", "references")),
    "garage": Place(_GARAGE, "get_model_answer_merged_prompt", "prompt_template", _ASKED),
    "garage judge, answerable": Place(
        _GARAGE, "comprehensive_judge", "prompt", (*_JUDGED, "references", "relevant"), True
    ),
    "garage judge, unanswerable": Place(_GARAGE, "comprehensive_judge", "prompt", (*_JUDGED, "expected"), False),
    "bluff": Place(_ANSWER, "format_prompt", "base_prompt", ("query", "sources"), codes=False),
    "bluff p(true), system": Place(_PTRUE, "calculate_ptrue_confidence", "system_prompt", (), codes=False),
    "bluff p(true), user": Place(
        _PTRUE, "calculate_ptrue_confidence", "user_prompt", ("query", "sources", "reply"), codes=False
    ),
}


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
    DataError, with the file, for one that cannot be had or has no such prompt.
    """
    place = PLACES[use]
    source, method = _method(place, name)
    branches: list[ast.AST] = [method]
    if place.answerable is not None:
        tests = [node for node in ast.walk(method) if isinstance(node, ast.If) and ast.unparse(node.test) == _TEST]
        branches = [node for test in tests for node in (test.body if place.answerable else test.orelse)]
    values = [value for branch in branches for value in _assigned(branch, place.variable)]
    if len(values) != 1:
        raise _fault(place, name, f"expected one '{place.variable}' in {place.method}, found {len(values)}")
    try:
        template = _template(values[0], place.slots)
    except ValueError as error:
        about = f"line {values[0].lineno}: '{place.variable}' holds what is not known here"
        raise _fault(place, name, f"{about}: {error}") from None
    needed = [code.value for code in REFUSALS] + [_slot(slot) for slot in place.slots] if place.codes else []
    missing = sorted(text for text in needed if text not in template)
    if missing:
        raise _fault(place, name, f"'{place.variable}' lacks {', '.join(missing)}")
    return ReleasedPrompt(template, hashlib.sha256(source.encode()).hexdigest())


@lru_cache(maxsize=8)
def released_constant(use: str, variable: str, name: str = OFFICIAL) -> str:
    """Return the one constant text that is assigned to a variable in a prompt's method: what stands for nothing."""
    values = _assigned(_method(PLACES[use], name)[1], variable)
    texts = [value.value for value in values if isinstance(value, ast.Constant) and isinstance(value.value, str)]
    if len(texts) != 1:
        raise _fault(PLACES[use], name, f"expected one constant text '{variable}', found {len(texts)}")
    return texts[0]


def _method(place: Place, name: str) -> tuple[str, ast.AST]:
    """Return a file's source and the method of a prompt."""
    path = str(fetch(place.file, instead="prompt=FILE")) if name == OFFICIAL else name
    source = read_list_file(path, "prompt", f"give '{OFFICIAL}' or the path of the released file")
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise _fault(place, name, "is not a readable Python module") from None
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    found = [node for node in ast.walk(tree) if isinstance(node, kinds) and node.name == place.method]
    if len(found) != 1:
        raise _fault(place, name, f"expected one function '{place.method}', found {len(found)}")
    return source, found[0]


def _assigned(within: ast.AST, variable: str) -> list[ast.expr]:
    made = [node for node in ast.walk(within) if isinstance(node, ast.Assign)]
    return [node.value for node in made if [ast.unparse(target) for target in node.targets] == [variable]]


def _template(value: ast.expr, slots: tuple[str, ...]) -> str:
    """Return a written text with our slots for its interpolations. Raises ValueError for one that is unknown."""
    parts: list[tuple[str, str | None]] = [("", type(value).__name__)]
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        parts = [(text, field) for text, field, _, _ in Formatter().parse(value.value)]
    elif isinstance(value, ast.JoinedStr):
        parts = [
            (str(one.value), None) if isinstance(one, ast.Constant) else ("", _expression(one)) for one in value.values
        ]
    made = ""
    for text, field in parts:
        slot = _SLOTS.get(field) if field is not None else ""
        if slot not in ("", *slots):
            raise ValueError(field)
        if _OUR_SLOT.search(text):
            raise ValueError("a slot in its text")
        made += text + (_slot(slot) if slot else "")
    return made


def _expression(piece: ast.expr) -> str:
    if isinstance(piece, ast.FormattedValue) and piece.conversion < 0 and piece.format_spec is None:
        return ast.unparse(piece.value)
    return ast.unparse(piece)


def _slot(name: str) -> str:
    return "{{" + name + "}}"


def _fault(place: Place, name: str, problem: str) -> DataError:
    return DataError(f"prompt: '{place.file.path if name == OFFICIAL else name}': {problem}")
