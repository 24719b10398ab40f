"""Scripted runs have the records and the numbers that they had before the rewrite
(`frozen.json`).
"""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

from tests.collect.panel import metrics, run
from tests.collect.site import Site
from tests.tasks.generation import command

FROZEN = json.loads(Path(__file__).with_name("frozen.json").read_text())


def without_moments(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            name: without_moments(one)
            for name, one in value.items()
            if name != "timestamp"
        }
    return [without_moments(one) for one in value] if isinstance(value, list) else value


def exported() -> tuple[dict[str, str], list[str]]:
    """Export the logs; return the digest of each record, moments apart, and the rows of
    the card's tables.
    """
    command("export", "logs", "-o", "set")
    rows = [
        without_moments(json.loads(line))
        for line in Path("set/records.jsonl").read_text().splitlines()
    ]
    digests = {
        row["id"]: sha256(json.dumps(row, sort_keys=True).encode()).hexdigest()[:16]
        for row in rows
    }
    card = Path("set/README.md").read_text().partition("## Price")[0]
    return digests, [
        line for line in card.splitlines() if line.startswith("|") and "---" not in line
    ]


def test_records_of_the_web(site: Site) -> None:
    log = run(site.engine(), locks=4)
    assert {"metrics": metrics(log), "exported": list(exported())} == FROZEN["web"]
