"""What a run is written and verified by, noted in its log when it starts: hashes of prompts and levers."""

import json
from collections.abc import Sequence
from typing import Any

from refusalbench_tasks.generators.kit.prompt_hashes import prompt_hashes
from refusalbench_tasks.generators.kit.text_digest import text_digest
from refusalbench_tasks.generators.levers import Lever, bundled_levers


def recipe(levers: Sequence[Lever], known: Sequence[Lever]) -> dict[str, Any]:
    """Return the hash of each prompt, that of the run's levers, their number, and the levers that are not bundled.

    `known` are all levers that a run could choose from. Files change later; what stands in the log does not.
    """
    bundled = {lever.name for lever in bundled_levers()}
    return {
        "prompts": prompt_hashes("refusalbench_tasks.generators"),
        "levers": len(levers),
        "levers_sha256": text_digest(json.dumps([_plain(lever) for lever in levers], sort_keys=True)),
        "own_levers": [_plain(lever) for lever in known if lever.name not in bundled],
    }


def _plain(lever: Lever) -> dict[str, Any]:
    return lever.model_dump(mode="json", by_alias=True)
