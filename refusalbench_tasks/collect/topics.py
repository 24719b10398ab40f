"""Topics, their fields, and what is added to queries: bundled, or from a file of one's own."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from refusalbench_tasks.bounded_reading import file_at, read_text, yaml_value
from refusalbench_tasks.errors import DataError

LAYOUT = "topics: {NAME: [FIELD, ...]}, and perhaps suffixes: {reliable: [...], unreliable: [...]}"


@dataclass(frozen=True)
class Topics:
    """Fields by topic, and suffixes of queries by the kind of source that they are to find."""

    fields: Mapping[str, tuple[str, ...]]
    suffixes: Mapping[str, tuple[str, ...]]


def load_topics(path: str | None = None) -> Topics:
    """Return the topics of a YAML file, the bundled ones without a path.

    Raises DataError, naming the field, for a file of another layout; without suffixes the bundled ones hold.
    """
    if path is None:
        return _bundled()
    return _topics(read_text(file_at(path, "topics"), f"topics: {path}"), path)


@cache
def _bundled() -> Topics:
    text = files("refusalbench_tasks.collect").joinpath("data/topics.yaml").read_text(encoding="utf-8")
    return _topics(text, "the bundled topics")


def _topics(text: str, source: str) -> Topics:
    data = yaml_value(text, source)
    if not isinstance(data, dict) or not isinstance(data.get("topics"), dict) or not data["topics"]:
        raise DataError(f"{source}, field 'topics': expected {LAYOUT}")
    fields = {_name(name, source): _texts(data["topics"], name, source) for name in data["topics"]}
    given = data.get("suffixes")
    if given is None:
        return Topics(fields, _bundled().suffixes)
    if not isinstance(given, dict) or set(given) - {"reliable", "unreliable"}:
        raise DataError(f"{source}, field 'suffixes': expected {LAYOUT}")
    return Topics(fields, {str(name): _texts(given, name, source) for name in given})


def _name(name: object, source: str) -> str:
    # a part of ids and of file names
    if not isinstance(name, str) or not name.replace("_", "a").replace("-", "a").isalnum():
        raise DataError(f"{source}, field 'topics': a topic's name has letters, digits, _ and -, not {name!r}")
    return name


def _texts(data: Mapping[Any, Any], name: Any, source: str) -> tuple[str, ...]:
    values = data[name]
    if not isinstance(values, list) or not values or not all(isinstance(one, str) and one.strip() for one in values):
        raise DataError(f"{source}, field '{name}': expected a list of texts; quote what YAML reads as something else")
    texts = tuple(" ".join(one.split()) for one in values)
    twice = next((one for one in texts if texts.count(one) > 1), None)
    if twice:
        raise DataError(f"{source}, field '{name}': '{twice}' is there twice")
    return texts
