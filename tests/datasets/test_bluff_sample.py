"""The bundled questions in BLUFF's layout: composition, evidence, what an open arm
leaves open, and the scores.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from refusalbench_tasks.datasets import bluff_item
from refusalbench_tasks.datasets.bluff import load_bluff

RECORDS: list[dict[str, Any]] = json.loads(
    (Path(bluff_item.__file__).parent / "data" / "bluff_sample.json").read_text(
        encoding="utf-8"
    )
)
DOCS = Path(__file__).parents[2] / "docs" / "bluff-data.md"


def sources(
    record: dict[str, Any], arm: str, category: str | None = None
) -> list[dict[str, Any]]:
    return [s for s in record["source_sets"][arm] if category in (None, s["category"])]


def states(text: str, values: list[str]) -> bool:
    """Whether a text holds one of the values as whole words."""
    return any(
        re.search(rf"(?<![\w.,]){re.escape(value)}(?!\w)", text, re.IGNORECASE)
        for value in values
    )


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: str(record["id"]))
def test_reliable_sources_state_the_evidence_and_distractions_do_not_answer(
    record: dict[str, Any],
) -> None:
    assert states(record["gold_answer"], record["gold_value"])
    for arm in ("clear", "ambiguous"):
        reliable = " ".join(
            source["text"] for source in sources(record, arm, "reliable")
        )
        assert record["evidence"][arm]
        assert [
            phrase for phrase in record["evidence"][arm] if phrase not in reliable
        ] == []
        assert not any(
            record["gold_answer"] in source["text"] for source in sources(record, arm)
        )
    for source in sources(record, "ambiguous", "distraction"):
        assert not states(source["text"], record["gold_value"]), source["url"]


@pytest.mark.parametrize(
    "record",
    [r for r in RECORDS if r["ambiguity"]["open"]],
    ids=lambda record: str(record["id"]),
)
def test_an_open_arm_has_rivals_or_does_not_state_the_value(
    record: dict[str, Any],
) -> None:
    arm = " ".join(source["text"] for source in sources(record, "ambiguous"))
    if record["ambiguity"]["kind"] != "conflict":
        assert not states(arm, record["gold_value"])
        return
    rivals = record["evidence"]["ambiguous"]
    assert len(rivals) == 2
    assert sum(rival in record["gold_value"] for rival in rivals) == 1


def test_the_page_names_the_fingerprint_and_the_lengths() -> None:
    page = DOCS.read_text(encoding="utf-8")
    lengths = {
        arm: [len(s["text"].split()) for r in RECORDS for s in sources(r, arm)]
        for arm in ("clear", "ambiguous")
    }
    both = lengths["clear"] + lengths["ambiguous"]
    means = {arm: round(sum(found) / len(found)) for arm, found in lengths.items()}
    assert f"fingerprint `{load_bluff('sample')[1]['fingerprint']}`" in page
    assert (
        f"{min(both)} to {max(both)} words, {round(sum(both) / len(both))} on average"
        in page
    )
    assert (
        f"{means['clear']} words a source in the clear arm, {means['ambiguous']} in the"
        " ambiguous one" in page
    )
