"""Base questions are curated by the rules."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.curation import SOURCES, curate

OWN = {
    "question": "Who built it?",
    "answer": "Ole Brandt",
    "context": "It was built by Ole Brandt.",
}


def saved(path: Path, *rows: dict[str, Any]) -> str:
    (path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path / "rows.jsonl")


def test_a_question_whose_answer_stands_nowhere_is_left_out_and_counted(
    tmp_path: Path,
) -> None:
    found = curate(
        saved(tmp_path, OWN, OWN | {"question": "When?", "answer": "In 1820"})
    )
    assert (len(found.items), found.left_out) == (
        1,
        {"no answer stands in a context": ["line 2"]},
    )


@pytest.mark.parametrize("field", ["question", "answer", "context"])
def test_a_row_that_lacks_a_field_is_named(tmp_path: Path, field: str) -> None:
    broken = {k: v for k, v in OWN.items() if k != field}
    with pytest.raises(DataError, match="rows.jsonl, line 2, field"):
        curate(saved(tmp_path, OWN, broken))


def test_a_draw_goes_by_seed_and_an_id_that_is_there_twice_is_named(
    tmp_path: Path,
) -> None:
    rows = [OWN | {"question": f"Who built {k}?", "id": f"q{k}"} for k in range(25)]
    first = curate(saved(tmp_path, *rows, OWN | {"id": "q3"}), count=7)
    assert len(first.items) == 7
    assert {reason: len(places) for reason, places in first.left_out.items()} == {
        "its id occurs twice": 1,
        "not drawn": 18,
    }
    assert first.items == curate(saved(tmp_path, *rows[::-1]), count=7).items


def test_perturbed_rows_give_their_distinct_originals() -> None:
    assert len(curate("nq_sample").items) == 18
    assert len(curate("garage_sample").items) == 12
    assert all(item.is_clean for item in curate("nq_sample").items)


def test_nothing_left_is_an_error_that_says_why(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no answer stands in a context"):
        curate(saved(tmp_path, OWN | {"answer": "In 1820"}))


def hub_folder(path: Path, split: str, *rows: dict[str, Any]) -> str:
    """Return a folder in the layout of a repository on the hub, read by the hub's own
    client.
    """
    (path / "data").mkdir(parents=True)
    pa_table = pytest.importorskip("pyarrow").Table.from_pylist(list(rows))
    pytest.importorskip("pyarrow.parquet").write_table(
        pa_table, path / "data" / f"{split}-00000-of-00001.parquet"
    )
    return str(path)


@pytest.fixture(name="cache")
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", str(tmp_path / "cache"))


@pytest.mark.usefixtures("cache")
def test_natural_questions_come_from_the_hub_without_tags(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = {
        "subset": "NaturalQuestionsShort",
        "qid": "q1",
        "question": "Who built it?",
        "answers": ["Ole Brandt"],
    }
    rows = [
        row | {"context": "<P> It was built by Ole Brandt . </P>"},
        row | {"subset": "SQuAD", "context": "x"},
    ]
    # nobody's own row, so that it ends no run
    rows.append(rows[0] | {"qid": "q2", "answers": []})
    repo = hub_folder(tmp_path / "repo", "validation", *rows)
    monkeypatch.setitem(
        SOURCES, "nq-upstream", SOURCES["nq-upstream"]._replace(repo=repo)
    )
    found = curate("nq-upstream")
    (item,) = found.items
    assert list(found.left_out.values()) == [["row 3"]]
    assert (item.item_id, item.passages, item.answers) == (
        "q1",
        ("It was built by Ole Brandt .",),
        ("Ole Brandt",),
    )


def garage_record(key: str, **other: Any) -> dict[str, Any]:
    """Return a record in GaRAGe's own layout, with twelve passages of which seven
    answer the question.
    """
    labels = ["ANSWER-THE-QUESTION"] * 7 + ["RELATED-INFORMATION"] + ["UNKNOWN"] * 4
    return {
        "sample_id": key,
        "question": f"What is {key}?",
        "question_category": "Health",
        "question_complexity": "simple",
        "question_type": "SLOW-CHANGING",
        "answer_validate": "YES",
        "answer_generate": f"It is {key}.",
        "grounding": [{f"cite_{k}": f"{key} {k}", "age": "1"} for k in range(12)],
        "evidence_correct": labels,
        # the answer cites two signal passages, and the last of the noise
        "evidence_cited": ["YES" if k in (5, 6, 11) else "NO" for k in range(12)],
    } | other


def test_a_record_of_garage_is_cut_to_ten_passages(tmp_path: Path) -> None:
    (item,) = curate(saved(tmp_path, garage_record("a"))).items
    # five that answer, those that are cited first; then cited, related, others
    kept = [0, 1, 2, 5, 6, 7, 8, 9, 10, 11]
    assert item.passages == tuple(f"a {k}" for k in kept)
    assert item.signal == (0, 1, 2, 3, 4)
    assert (item.item_id, item.source_id, item.domain) == ("a", "a", "Health")
    assert item.reference == "It is a."
    assert item.is_clean


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ({"answer_validate": "NO"}, "answer_validate is 'NO'"),
        ({"question_complexity": "multi-hop"}, "question_complexity is 'multi-hop'"),
        ({"question_type": "FAST-CHANGING"}, "question_type is 'FAST-CHANGING'"),
        ({"question_category": "Sports"}, "question_category is 'Sports'"),
        ({"evidence_correct": ["UNKNOWN"] * 12}, "no 10 labelled passages"),
        ({"evidence_correct": ["ANSWER-THE-QUESTION"] * 12}, "no 10 labelled passages"),
        ({"evidence_correct": ["ANSWER-THE-QUESTION"]}, "no 10 labelled passages"),
        ({"grounding": []}, "no 10 labelled passages"),
    ],
)
def test_a_record_of_garage_that_the_paper_would_not_take_is_left_out(
    tmp_path: Path, other: dict[str, Any], reason: str
) -> None:
    rows = garage_record("a"), garage_record("b", **other)
    curated = curate(saved(tmp_path, *rows))
    assert [item.item_id for item in curated.items] == ["a"]
    [told] = curated.left_out
    assert told.startswith(reason)


def test_a_draw_takes_as_many_of_each_domain(tmp_path: Path) -> None:
    rows = []
    for domain, n in (("Health", 9), ("Finance", 5), ("Science", 1)):
        for k in range(n):
            rows.append(garage_record(f"{domain}{k}", question_category=domain))
    drawn = curate(saved(tmp_path, *rows), count=7).items
    domains = Counter(item.domain for item in drawn)
    # a domain with fewer gives what it has, and no other takes its place
    assert domains == {"Finance": 3, "Health": 2, "Science": 1}


@pytest.mark.usefixtures("cache")
def test_garage_comes_from_the_hub_in_its_own_layout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = [garage_record("a"), garage_record("b", answer_validate="NO")]
    for record in records:
        record["grounding"] = [str(text) for text in range(12)]
    repo = hub_folder(tmp_path / "repo", "train", *records)
    source = SOURCES["garage-upstream"]._replace(repo=repo)
    monkeypatch.setitem(SOURCES, "garage-upstream", source)
    curated = curate("garage-upstream")
    assert [item.item_id for item in curated.items] == ["a"]
    assert curated.licence == "CC-BY-NC-4.0"
