"""The authors' own prompts, read as data from their released files: nothing of theirs is stored here, or run.

RefusalBench and BLUFF-1000 have no licence for their code, so the files are fetched at a pinned commit when a run asks
for `prompt=official` or `judge_prompt=official`, or read from a copy of the file (a path that ends in `.py`).
"""

import ast
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from string import Formatter

from refusalbench_tasks.bounded_reading import read_list_file
from refusalbench_tasks.datasets.remote import PinnedFile, fetch
from refusalbench_tasks.errors import DataError

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


@dataclass(frozen=True)
class Place:
    """Where a prompt stands in a released file, and which of our slots it has: it alone of those in its method."""

    file: PinnedFile
    method: str
    variable: str
    slots: frozenset[str]


def _place(file: PinnedFile, method: str, variable: str, slots: str) -> Place:
    return Place(file, method, variable, frozenset(slots.split()))


PLACES: Mapping[str, Place] = {
    "nq": _place(_NQ, "get_model_answer", "prompt_template", "query context"),
    "nq judge": _place(_NQ, "classify_and_evaluate_response", "universal_prompt", "query reply references"),
    "garage": _place(_GARAGE, "get_model_answer_merged_prompt", "prompt_template", "query context"),
    "garage judge, answerable": _place(
        _GARAGE, "comprehensive_judge", "prompt", "query passages reply references relevant"
    ),
    "garage judge, unanswerable": _place(_GARAGE, "comprehensive_judge", "prompt", "query passages reply expected"),
    "bluff": _place(_ANSWER, "format_prompt", "base_prompt", "query sources"),
    "bluff p(true), system": _place(_PTRUE, "calculate_ptrue_confidence", "system_prompt", ""),
    "bluff p(true), user": _place(_PTRUE, "calculate_ptrue_confidence", "user_prompt", "query sources reply"),
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
    source, values = _assigned(place, place.variable, name)
    found = [text for text, slots in map(_template, values) if slots == place.slots]
    return ReleasedPrompt(_only(found, place, place.variable, name), hashlib.sha256(source.encode()).hexdigest())


@lru_cache(maxsize=8)
def released_constant(use: str, variable: str, name: str = OFFICIAL) -> str:
    """Return the one constant text that is assigned to a variable in a prompt's method: what stands for nothing."""
    place = PLACES[use]
    values = _assigned(place, variable, name)[1]
    texts = [value.value for value in values if isinstance(value, ast.Constant)]
    return _only([text for text in texts if isinstance(text, str)], place, variable, name)


def _only(found: Sequence[str], place: Place, variable: str, name: str) -> str:
    if len(found) != 1:
        slots = f" with {', '.join(sorted(place.slots))}" if variable == place.variable and place.slots else ""
        raise _fault(place, name, f"expected one '{variable}'{slots} in {place.method}, found {len(found)}")
    return found[0]


def _assigned(place: Place, variable: str, name: str) -> tuple[str, list[ast.expr]]:
    """Return a file's source, and what is assigned to a variable in a prompt's method."""
    path = str(fetch(place.file, instead="prompt=FILE")) if name == OFFICIAL else name
    source = read_list_file(path, "prompt", f"give '{OFFICIAL}' or the path of the released file")
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise _fault(place, name, "is not a readable Python module") from None
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    methods = [node for node in nodes if isinstance(node, kinds) and node.name == place.method]
    made = [node for method in methods for node in ast.walk(method) if isinstance(node, ast.Assign)]
    return source, [node.value for node in made if [ast.unparse(target) for target in node.targets] == [variable]]


def _template(value: ast.expr) -> tuple[str, set[str]]:
    """Return a text with our slots for its interpolations, and their names: "?" for one that is not known here."""
    parts: list[tuple[str, str | None]] = [("", type(value).__name__)]
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        parts = [(text, field) for text, field, _, _ in Formatter().parse(value.value)]
    elif isinstance(value, ast.JoinedStr):
        parts = [
            ("", ast.unparse(one.value)) if isinstance(one, ast.FormattedValue) else (ast.literal_eval(one), None)
            for one in value.values
        ]
    slots = [None if field is None else _SLOTS.get(field, "?") for _, field in parts]
    made = [text + ("{{%s}}" % slot if slot else "") for (text, _), slot in zip(parts, slots, strict=True)]  # noqa: UP031
    return "".join(made), {slot for slot in slots if slot}


def _fault(place: Place, name: str, problem: str) -> DataError:
    return DataError(f"prompt: '{place.file.path if name == OFFICIAL else name}': {problem}")
