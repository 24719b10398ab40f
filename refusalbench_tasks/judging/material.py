"""Outside text in prompts: marked, so that it can't be taken for instructions."""

import hashlib
from collections.abc import Mapping

from refusalbench_tasks.prompting import bundled, fill


def shared_lengths(prompt: str, parts: Mapping[str, str]) -> tuple[int, ...]:
    """Return how long a prompt is before some material that stands in it, and with it: what other prompts share."""
    block = material(parts)
    start = prompt.index(block)
    return start, start + len(block)


def material(parts: Mapping[str, str]) -> str:
    """Return outside text in marked parts.

    The key of the marks is a digest of the text itself, so no text can contain its own mark.
    """
    key = hashlib.sha256("\x1f".join(parts.values()).encode()).hexdigest()[:16]
    blocks = [f"BEGIN {name} {key}\n{text}\nEND {name} {key}" for name, text in parts.items()]
    return "\n\n".join([fill(bundled("refusalbench_tasks.judging", "material.txt"), {"key": key}), *blocks])
