"""The bundled questions in BLUFF's layout: composition, evidence, what an open arm leaves open, and the scores."""

import json
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from refusalbench_tasks.datasets import bluff_rows
from refusalbench_tasks.datasets.bluff import load_bluff

RECORDS: list[dict[str, Any]] = json.loads(
    (Path(bluff_rows.__file__).parent / "data" / "bluff_sample.json").read_text(encoding="utf-8")
)
DOCS = Path(__file__).parents[2] / "docs" / "bluff-data.md"
OPEN = {"conflict", "missing", "outdated", "vague"}
by_record = pytest.mark.parametrize("record", RECORDS, ids=lambda record: str(record["id"]))


def sources(record: dict[str, Any], arm: str, category: str | None = None) -> list[dict[str, Any]]:
    return [s for s in record["source_sets"][arm] if category in (None, s["category"])]


def every_source() -> list[dict[str, Any]]:
    return [s for record in RECORDS for arm in ("clear", "ambiguous") for s in sources(record, arm)]


def states(text: str, values: list[str]) -> bool:
    """Whether a text holds one of the values as whole words."""
    return any(re.search(rf"(?<![\w.,]){re.escape(value)}(?!\w)", text, re.IGNORECASE) for value in values)


def runs_of(text: str, length: int) -> set[tuple[str, ...]]:
    words = re.findall(r"\w+", text.lower())
    return {tuple(words[start : start + length]) for start in range(len(words) - length + 1)}


def test_half_of_the_ambiguous_arms_are_open_and_less_than_a_third_of_the_questions_are_look_ups() -> None:
    kinds = Counter(record["ambiguity"]["kind"] for record in RECORDS)
    assert kinds == {"noise": 22, "conflict": 7, "missing": 6, "outdated": 5, "vague": 4}
    assert all(record["ambiguity"]["open"] == (record["ambiguity"]["kind"] in OPEN) for record in RECORDS)
    assert Counter(record["reasoning"] for record in RECORDS) == {
        "look-up": 11, "two hops": 12, "comparison": 6, "count": 5, "at a time": 10,
    }  # fmt: skip


def test_the_items_say_what_their_records_say() -> None:
    kinds = {
        item.source_id: (item.ambiguity, item.ambiguity_kind) for item in load_bluff("sample")[0] if item.arm != "clear"
    }
    assert kinds == {
        str(record["id"]): ("open" if record["ambiguity"]["open"] else "inferable", record["ambiguity"]["kind"])
        for record in RECORDS
    }


@by_record
def test_reliable_sources_come_first_as_in_the_released_file(record: dict[str, Any]) -> None:
    order = {arm: [source["category"] for source in sources(record, arm)] for arm in ("clear", "ambiguous")}
    assert order["clear"] == ["reliable"] * 4 + ["unreliable"]
    assert order["ambiguous"] == ["reliable", "unreliable", "unreliable", "distraction", "distraction"]


@by_record
def test_texts_have_sixty_to_a_hundred_and_eighty_words_and_the_released_length_at_most(record: dict[str, Any]) -> None:
    for source in (*sources(record, "clear"), *sources(record, "ambiguous"), record["gold_passage"]):
        assert 60 <= len(source["text"].split()) <= 180, source["url"]
        assert len(source["text"]) <= 1000, source["url"]


@by_record
def test_addresses_are_on_reserved_domains_and_dates_are_before_the_day_of_collection(record: dict[str, Any]) -> None:
    for source in (*sources(record, "clear"), *sources(record, "ambiguous")):
        host = urlsplit(source["url"]).hostname or ""
        assert host.removeprefix("www.") == source["domain"]
        assert re.search(r"(^|\.)example(\.(com|net|org))?$", host), host
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", source["date"])
        assert source["date"] < source["timestamp"][:10]


def test_ids_addresses_titles_and_texts_are_unique() -> None:
    assert len({record["id"] for record in RECORDS}) == len(RECORDS) == 44
    passages = [record["gold_passage"] for record in RECORDS]
    for field, among in (("url", every_source() + passages), ("text", every_source() + passages)):
        assert len({source[field] for source in among}) == len(among), field
    assert len(every_source()) == 440


def test_no_run_of_nine_words_is_in_two_texts() -> None:
    passages = [record["gold_passage"] for record in RECORDS]
    seen = Counter(run for source in every_source() + passages for run in runs_of(source["text"], 9))
    assert [run for run, n in seen.items() if n > 1] == []


@by_record
def test_the_answer_states_the_value_and_stands_in_no_source(record: dict[str, Any]) -> None:
    assert states(record["gold_answer"], record["gold_value"])
    everything = (*sources(record, "clear"), *sources(record, "ambiguous"))
    assert not any(record["gold_answer"] in source["text"] for source in everything)


@by_record
def test_the_clear_arm_states_what_the_answer_rests_on(record: dict[str, Any]) -> None:
    reliable = " ".join(source["text"] for source in sources(record, "clear", "reliable"))
    assert record["evidence"]["clear"]
    assert [phrase for phrase in record["evidence"]["clear"] if phrase not in reliable] == []


@by_record
def test_the_only_reliable_source_of_the_ambiguous_arm_states_its_evidence(record: dict[str, Any]) -> None:
    (reliable,) = sources(record, "ambiguous", "reliable")
    assert record["evidence"]["ambiguous"]
    assert [phrase for phrase in record["evidence"]["ambiguous"] if phrase not in reliable["text"]] == []


@by_record
def test_distractions_do_not_answer(record: dict[str, Any]) -> None:
    for source in sources(record, "ambiguous", "distraction"):
        assert not states(source["text"], record["gold_value"]), source["url"]


@pytest.mark.parametrize("record", [r for r in RECORDS if r["ambiguity"]["open"]], ids=lambda record: str(record["id"]))
def test_an_open_arm_has_rivals_or_does_not_state_the_value(record: dict[str, Any]) -> None:
    arm = " ".join(source["text"] for source in sources(record, "ambiguous"))
    if record["ambiguity"]["kind"] != "conflict":
        assert not states(arm, record["gold_value"])
        return
    rivals = record["evidence"]["ambiguous"]
    assert len(rivals) == 2
    assert sum(rival in record["gold_value"] for rival in rivals) == 1


def test_the_order_of_the_file_is_by_topic_and_number() -> None:
    numbers = [(record["topic"], int(record["id"].removeprefix(f"{record['topic']}_"))) for record in RECORDS]
    assert all(b == (a[0], a[1] + 1) or (b[0] != a[0] and b[1] == 1) for a, b in pairwise(numbers))


def test_scores_reach_the_threshold_of_the_paper() -> None:
    for record in RECORDS:
        for source in (*sources(record, "clear"), *sources(record, "ambiguous")):
            if source["category"] == "distraction":
                assert source["score"] == "N/A"
            else:
                assert 0.3 <= source["score"] <= 1, source["url"]


def test_the_page_names_the_fingerprint_and_the_lengths() -> None:
    page = DOCS.read_text(encoding="utf-8")
    lengths = {
        arm: [len(s["text"].split()) for r in RECORDS for s in sources(r, arm)] for arm in ("clear", "ambiguous")
    }
    both = lengths["clear"] + lengths["ambiguous"]
    means = {arm: round(sum(found) / len(found)) for arm, found in lengths.items()}
    assert f"fingerprint `{load_bluff('sample')[1]['fingerprint']}`" in page
    assert f"{min(both)} to {max(both)} words, {round(sum(both) / len(both))} on average" in page
    assert f"{means['clear']} words a source in the clear arm, {means['ambiguous']} in the ambiguous one" in page
