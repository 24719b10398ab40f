"""Sentences that speak of a value and tell nothing of it, from `scripts/spoken.yaml`."""

from importlib.resources import files

import yaml

SPOKEN: tuple[str, ...] = tuple(
    yaml.load(
        (files("refusalbench_tasks.worlds") / "scripts" / "spoken.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader
    )
)
"""That a value is spoken of."""
