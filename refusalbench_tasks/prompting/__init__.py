"""Prompt templates: text files with `{{name}}` slots, filled in one pass."""

import re
from collections.abc import Mapping, Sequence
from importlib import resources

from refusalbench_tasks.bounded_reading import file_at, read_text
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.taxonomy import WHEN_TO_REFUSE

_SLOT = re.compile(r"\{\{(\w+)\}\}")


def bundled(package: str, name: str) -> str:
    """Return a prompt text that is shipped in the `prompts` folder of a package."""
    file = resources.files(package) / "prompts" / name
    return _with_rule(file.read_text(encoding="utf-8"))


def from_file(path: str, slots: frozenset[str]) -> str:
    """Return a user's prompt text.

    Raises DataError unless it has exactly the given slots.
    """
    text = _with_rule(read_text(file_at(path, "prompt"), f"prompt: '{path}'"))
    named = set(_SLOT.findall(text))
    if named != slots:
        expected = ", ".join("{{%s}}" % name for name in sorted(slots))  # noqa: UP031
        raise DataError(
            f"prompt: '{path}' needs the slots {expected}, each at least once, and no"
            f" other; found {sorted(named)}"
        )
    return text


def _with_rule(text: str) -> str:
    """Return a prompt with the one rule that stands in several of them in place of its
    slot.
    """
    return text.strip().replace("{{when_to_refuse}}", WHEN_TO_REFUSE)


def has_slot(text: str) -> bool:
    """Whether a text holds what would be taken for a slot."""
    return _SLOT.search(text) is not None


def fill(template: str, values: Mapping[str, str]) -> str:
    """Return the template with each slot replaced by its value.

    One pass: a value that contains `{{name}}` stays text, so outside text cannot reach
    another slot. Raises KeyError for a slot without a value.
    """
    return _SLOT.sub(lambda slot: values[slot[1]], template)


def numbered(passages: Sequence[str]) -> str:
    """Return the passages as search results `[1] ...`, one paragraph each; a fixed line
    if there are none.
    """
    if not passages:
        return "(no search results)"
    return "\n\n".join(f"[{number}] {text}" for number, text in enumerate(passages, 1))
