"""Text, JSON and YAML from outside, read with bounds: whatever a file holds is a value
or one error line. Our own data files, read as they are.
"""

import json
from collections.abc import Hashable, Iterator
from importlib import resources
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from refusalbench_tasks.errors import DataError

Value = TypeVar("Value")
Layout = TypeVar("Layout", bound=BaseModel)
DEEPEST = 64
"""How many lists and objects may stand in one another."""
MOST_DIGITS = 100
"""How many digits a whole number may have."""
MOST_BROKEN = 1_000
"""How many broken objects a text may hold: each costs a pass over what stands before
it.
"""
MOST_BYTES = 500_000
"""How large a list of words may be; a parser never sees more."""


def file_at(name: str | Path, about: str, instead: str = "") -> Path:
    """Return the path of a file that is there.

    `about` begins the error line (the argument's name, for instance), `instead` says
    what else it may be. Raises DataError for a name that is no file, a folder included.
    """
    try:
        path = Path(name).expanduser()
        if path.is_file():
            return path
        problem = "this is a folder, give a file:" if path.is_dir() else "no such file"
    except (OSError, RuntimeError, ValueError) as error:
        problem = f"no such file ({getattr(error, 'strerror', None) or error})"
    advice = f"; {instead}" if instead else ""
    raise DataError(f"{about}: {problem} '{name}'{advice}")


def data_text(package: str, name: str) -> str:
    """Return the text of a file in the folder `data` of a package of this suite."""
    file = resources.files(f"refusalbench_tasks.{package}") / "data" / name
    return file.read_text(encoding="utf-8")


def data_yaml(package: str, name: str) -> Any:
    """Return what such a file holds as YAML. It is ours, so that nothing is checked."""
    return yaml.load(data_text(package, name), yaml.CSafeLoader)


def read_text(path: Path, about: str) -> str:
    """Return the text of a UTF-8 file, without a byte order mark; line ends become
    `\\n`.

    Raises DataError.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise not_utf8(about, error) from None
    except OSError as error:
        raise DataError(f"{about}: cannot be read ({error.strerror})") from None


def read_list_file(name: str, argument: str, instead: str) -> str:
    """Return the text of a file that a user gave for a list of words.

    Raises DataError, which names the argument and the file, for one that is missing
    (with what it may be `instead`), larger than MOST_BYTES, unreadable, or not UTF-8.
    """
    path = file_at(name, argument, instead)
    if path.stat().st_size > MOST_BYTES:
        raise DataError(
            f"{argument}: '{name}' is larger than {MOST_BYTES:,} bytes; give a list of"
            " words"
        )
    return read_text(path, f"{argument}: '{name}'")


def not_utf8(about: str, error: UnicodeDecodeError) -> DataError:
    """Return the error for a file in another encoding."""
    return DataError(
        f"{about}: not UTF-8 text ({error.reason} at byte {error.start}); save it as"
        " UTF-8"
    )


def json_value(text: str, source: str, place: str | None = None) -> object:
    """Return what a JSON text says; NaN, as other programs write a missing number, is
    None.

    Raises DataError that names the source and the place (by default the line of the
    error) for text that is not JSON, an object with one key twice, nesting deeper than
    DEEPEST and numbers longer than MOST_DIGITS.
    """
    try:
        return bounded(_JSON.decode(text))
    except (ValueError, RecursionError) as error:
        if place is None and isinstance(error, json.JSONDecodeError):
            place = f"line {error.lineno}"
        where = f"{source}, {place}" if place else source
        raise DataError(f"{where}: not valid JSON ({reason_of(error)})") from None


def json_objects(text: str) -> tuple[list[dict[str, Any]], int]:
    """Return the JSON objects in a text, in order, without those inside one another,
    and where the last one ends.

    What begins like an object and is none is passed over up to where it breaks. Raises
    ValueError for more than MOST_BROKEN of these, an object with one key twice or a
    giant number, and RecursionError for nesting deeper than DEEPEST.
    """
    objects = []
    broken = 0
    last = 0
    start = text.find("{")
    while start >= 0:
        try:
            value, last = _JSON.raw_decode(text, start)
            objects.append(bounded(value))
            start = text.find("{", last)
        except json.JSONDecodeError as error:
            broken += 1
            if broken > MOST_BROKEN:
                raise ValueError("too many broken objects") from None
            start = text.find("{", max(error.pos, start + 1))
    return objects, last


def yaml_value(text: str, source: str) -> object:
    """Return what a YAML (or JSON) text says.

    Raises DataError that names the source for text that is not YAML, aliases (they can
    make a short text endless), a key that is there twice, half of a surrogate pair, and
    what `json_value` refuses.
    """
    try:
        if lone_surrogate(text):
            raise ValueError("half of a surrogate pair; repair the text")
        # before anything is built of aliases and deep nesting
        depth = 0
        for event in yaml.parse(text, yaml.CSafeLoader):
            if isinstance(event, yaml.AliasEvent):
                line = event.start_mark.line + 1 if event.start_mark else "?"
                raise ValueError(f"line {line}: aliases are not read; write it out")
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            if depth > DEEPEST:
                raise RecursionError
        return bounded(yaml.load(text, _StrictLoader))
    except (
        yaml.YAMLError,
        ValueError,
        RecursionError,
        LookupError,
        AttributeError,
        TypeError,
    ) as error:
        raise DataError(
            f"{source}: not valid YAML ({reason_of(error, text)})"
        ) from None


def in_layout(layout: type[Layout], value: object, source: str) -> Layout:
    """Return a value of a file in its layout.

    Raises DataError that names the source and the first wrong field.
    """
    try:
        return layout.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"])) or "the whole"
        raise DataError(f"{source}, field '{field}': {first['msg']}") from None


def lone_surrogate(value: object) -> bool:
    """Whether a text, or one in a list or an object, holds half of a pair, so that no
    file can hold it.
    """
    try:
        for part in chain.from_iterable(_layers(value)):
            if isinstance(part, str) and not part.isascii():
                part.encode()
    except UnicodeEncodeError:
        return True
    return False


class _StrictLoader(yaml.CSafeLoader):
    """A safe loader, in C, that takes no key twice."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Hashable, Any]:
        mapping = super().construct_mapping(node, deep)
        if len(mapping) < len(node.value):
            raise ValueError(f"line {node.start_mark.line + 1}: a key is there twice")
        return mapping


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping = {}
    for name, value in pairs:
        if name in mapping:
            raise ValueError(f"the key '{name}' is there twice")
        mapping[name] = value
    return mapping


def _constant(name: str) -> None:
    if name != "NaN":
        raise ValueError(f"{name} is no number")


_TOO_LARGE = 10**MOST_DIGITS
_JSON = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant)


def bounded(value: Value) -> Value:
    """Return a value as it is.

    Raises RecursionError if it is deeper than DEEPEST, ValueError for a giant number.
    """
    for depth, layer in enumerate(_layers(value)):
        if depth > DEEPEST:
            raise RecursionError
        if any(isinstance(part, int) and abs(part) >= _TOO_LARGE for part in layer):
            raise ValueError(f"a number of more than {MOST_DIGITS} digits")
    return value


def _layers(value: object) -> Iterator[list[object]]:
    """Yield a value, then all that is in it, then all that is in that, without
    recursion.
    """
    layer = [value]
    while layer:
        yield layer
        inner: list[object] = []
        for part in layer:
            if isinstance(part, dict):
                inner += chain(part, part.values())
            elif isinstance(part, list | tuple | set):
                inner += part
        layer = inner


def reason_of(error: BaseException, text: str = "") -> str:
    """Return why something could not be read, in one line; for YAML with the line of
    the text.
    """
    if isinstance(error, RecursionError):
        return f"nested more than {DEEPEST} deep"
    if "integer string conversion" in str(error):
        return f"a number of more than {MOST_DIGITS} digits"
    if isinstance(error, json.JSONDecodeError):
        return error.msg
    if isinstance(error, yaml.MarkedYAMLError) and error.problem:
        mark = error.problem_mark or error.context_mark
        if mark is None:
            return error.problem
        # the end of the text is on its last line, not behind it
        line = min(mark.line, text.count("\n")) + 1
        return f"line {line}: {error.problem}"
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
