"""Outside text in prompts: marked, so that it can't be taken for instructions."""

import hashlib
from collections.abc import Mapping, Sequence

from refusalbench_tasks.prompting import bundled, fill


def shared_lengths(prompt: str, parts: Mapping[str, str]) -> tuple[int, ...]:
    """Return how long a prompt is before some material that stands in it, and with it:
    what other prompts share.
    """
    block = material(parts)
    start = prompt.index(block)
    return start, start + len(block)


def material(parts: Mapping[str, str]) -> str:
    """Return outside text in marked parts.

    The key of the marks is a digest of the text itself, so no text can contain its own
    mark.
    """
    return grouped_material([("", parts)])


def grouped_material(groups: Sequence[tuple[str, Mapping[str, str]]]) -> str:
    """Return several groups of outside text, each after a heading of our own, under one
    note and one key for all.
    """
    texts = [text for _, parts in groups for text in parts.values()]
    key = hashlib.sha256("\x1f".join(texts).encode()).hexdigest()[:16]
    note = bundled("refusalbench_tasks.judging", "material.txt")
    blocks = [fill(note, {"key": key})]
    for heading, parts in groups:
        blocks.append(heading)
        for name, text in parts.items():
            blocks.append(f"BEGIN {name} {key}\n{text}\nEND {name} {key}")
    return "\n\n".join(filter(None, blocks))
