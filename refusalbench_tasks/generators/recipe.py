"""What a run is written and verified by, noted in its log when it starts: hashes of prompts and levers."""

import json
from collections.abc import Sequence
from hashlib import sha256
from importlib import resources
from typing import Any

from refusalbench_tasks.generators.levers import Lever, bundled_levers

DIGITS = 16


def recipe(levers: Sequence[Lever], known: Sequence[Lever]) -> dict[str, Any]:
    """Return the hash of each prompt, that of the run's levers, their number, and the levers that are not bundled.

    `known` are all levers that a run could choose from. Files change later; what stands in the log does not.
    """
    bundled = {lever.name for lever in bundled_levers()}
    return {
        "prompts": prompt_hashes("refusalbench_tasks.generators"),
        "levers": len(levers),
        "levers_sha256": _digest(json.dumps([_plain(lever) for lever in levers], sort_keys=True)),
        "own_levers": [_plain(lever) for lever in known if lever.name not in bundled],
    }


def prompt_hashes(package: str) -> dict[str, str]:
    """Return the hash of each prompt that is shipped with a package, by its file's name."""
    folder = resources.files(package) / "prompts"
    prompts = sorted(
        (file for file in folder.iterdir() if file.name.endswith((".txt", ".yaml"))), key=lambda file: file.name
    )
    return {file.name: _digest(file.read_text(encoding="utf-8")) for file in prompts}


def _plain(lever: Lever) -> dict[str, Any]:
    return lever.model_dump(mode="json", by_alias=True)


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:DIGITS]
