"""Rows of every layout become items, and bad rows say where they are bad."""

import csv
import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from refusalbench_tasks.datasets.benchmarks import NQ
from refusalbench_tasks.datasets.draw import fingerprint
from refusalbench_tasks.datasets.refusal_rows import RefusalRow
from refusalbench_tasks.datasets.rows import Row, read_rows
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.taxonomy import Intensity, Label, PerturbationClass

RELEASED: dict[str, Any] = {
    "id": "RB-NQ_gpt_-12_P-Contradiction_HIGH_00000000_1",
    "source_id": "-12",
    "generator_model": "gpt",
    "perturbation_class": "P-Contradiction",
    "intensity": "HIGH",
    "expected_rag_behavior": "REFUSE_CONTRADICTORY_CONTEXT",
    "lever_selected": "Direct Factual Negation",
    "original_query": "When did the Tarn bridge open?",
    "original_context": "The Tarn bridge opened in 1987.",
    "original_answers": ["1987"],
    "perturbed_query": "When did the Tarn bridge open?",
    "perturbed_context": (
        "The Tarn bridge opened in 1987. The Tarn bridge opened in 1991."
    ),
    "implementation_reasoning": "two years",
    "verifier_votes": {"gpt": "PASS"},
}
OWN: dict[str, Any] = {
    "query": "When did the Tarn bridge open?",
    "context": "The Tarn bridge, a fine one, opened in 1987.",
    "answers": ["1987"],
    "class": "ambiguity",
    "intensity": "low",
}


def item_of(values: dict[str, Any]):  # type: ignore[no-untyped-def]
    return NQ.items_of([Row("rows.jsonl", "line 1", values)])[0]


def test_a_released_row() -> None:
    item = item_of(RELEASED)
    assert item.item_id == RELEASED["id"]
    assert item.source_id == "-12"
    assert item.perturbation is PerturbationClass.CONTRADICTION
    assert item.intensity is Intensity.HIGH
    assert item.expected is Label.CONTRADICTORY
    assert item.query == RELEASED["perturbed_query"]
    assert item.passages == (RELEASED["perturbed_context"],)
    assert item.answers == ("1987",)
    assert (item.lever, item.generator) == ("Direct Factual Negation", "gpt")


def test_a_pipeline_row_with_the_other_names_where_query_is_the_original() -> None:
    row = dict(RELEASED)
    row["unique_id"] = row.pop("id")
    row["source_qid"] = row.pop("source_id")
    row["ground_truth_label"] = row.pop("expected_rag_behavior")
    row["answer"] = "1987"
    row.pop("original_answers")
    row["query"] = "the original question"
    item = item_of(row)
    assert item.query == RELEASED["perturbed_query"]
    assert (item.item_id, item.source_id, item.answers) == (
        RELEASED["id"],
        "-12",
        ("1987",),
    )


def test_our_minimal_layout_gets_a_stable_id_and_a_label() -> None:
    first = item_of(OWN)
    again = item_of(dict(reversed(OWN.items())))
    assert first == again
    assert first.item_id.startswith("row-")
    assert first.expected is Label.ANSWER
    assert item_of(OWN | {"query": "Other?"}).item_id != first.item_id


@pytest.mark.parametrize(
    ("change", "field", "problem"),
    [
        (
            {"perturbed_query": None},
            "query",
            "missing; add a column 'perturbed_query' or 'query'",
        ),
        ({"perturbed_query": "  "}, "perturbed_query", "non-empty"),
        ({"perturbed_context": 7}, "perturbed_context", "non-empty text"),
        (
            {"perturbation_class": "P-Doubt"},
            "perturbation_class",
            "should be 'P-Ambiguity', 'P-Contradiction'",
        ),
        (
            {"perturbation_class": None},
            "perturbation_class",
            "missing; add a column 'class', or intensity CLEAN if unperturbed",
        ),
        (
            {"intensity": "EXTREME"},
            "intensity",
            "should be 'CLEAN', 'LOW', 'MEDIUM' or 'HIGH', found 'EXTREME'",
        ),
        (
            {"expected_rag_behavior": "REFUSE_NEW"},
            "expected_rag_behavior",
            "unknown label 'REFUSE_NEW'",
        ),
        (
            {"expected_rag_behavior": "ANSWER_CORRECTLY"},
            "expected_rag_behavior",
            "contradicts",
        ),
        (
            {
                "intensity": "LOW",
                "expected_rag_behavior": "ANSWER_CORRECTLY",
                "original_answers": [],
            },
            "original_answers",
            "at least one",
        ),
        ({"original_answers": [["1987"]]}, "original_answers", "list of strings"),
    ],
)
def test_a_bad_row_names_file_row_and_field(
    change: dict[str, Any], field: str, problem: str
) -> None:
    with pytest.raises(DataError) as caught:
        item_of(RELEASED | change)
    message = str(caught.value)
    assert message.startswith(f"rows.jsonl, line 1, field '{field}': ")
    assert problem in message
    assert "\n" not in message


def test_the_papers_shorter_label_is_accepted() -> None:
    assert (
        item_of(RELEASED | {"expected_rag_behavior": "REFUSE_CONTRADICTORY"}).expected
        is Label.CONTRADICTORY
    )


def test_a_question_for_an_index_has_no_passage_and_is_to_be_refused() -> None:
    row = {
        "query": "Who?",
        "context": "",
        "answers": [],
        "class": "P-MissingInfo",
        "intensity": "HIGH",
    }
    (item,) = NQ.items_of([Row("f", "line 1", row)])
    assert (item.passages, item.answers, item.expected) == ((), (), Label.MISSING)
    with pytest.raises(DataError, match="an answerable row needs a passage"):
        NQ.items_of(
            [
                Row(
                    "f",
                    "line 1",
                    {
                        "query": "Who?",
                        "context": "",
                        "answers": ["x"],
                        "intensity": "CLEAN",
                    },
                )
            ]
        )


def test_a_table_with_semicolons_is_read(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("query;answers\nWho, then?;Ada\n")
    assert [row.values for row in read_rows(tmp_path / "rows.csv")] == [
        {"query": "Who, then?", "answers": "Ada"}
    ]


def test_controls_are_the_distinct_originals() -> None:
    other = RELEASED | {"id": "x", "intensity": "MEDIUM"}
    rows = [
        Row("f", "line 1", RELEASED),
        Row("f", "line 2", other),
        Row("f", "line 3", OWN),
    ]
    (control,) = NQ.originals_of(rows)
    assert control.is_clean
    assert control.answerable
    assert control.query == RELEASED["original_query"]
    assert control.passages == (RELEASED["original_context"],)
    assert control.source_id == "-12"


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    if path.suffix == ".jsonl":
        path.write_text(
            "\n".join(json.dumps(row) for row in rows) + "\n\n", encoding="utf-8"
        )
    elif path.suffix == ".json":
        path.write_text(
            json.dumps({"data": rows} if "wrapped" in path.name else rows),
            encoding="utf-8",
        )
    elif path.suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(rows), path)
    else:
        with path.open("w", newline="", encoding="utf-8-sig") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(
                {k: json.dumps(v) if isinstance(v, list) else v for k, v in row.items()}
                for row in rows
            )
    return path


@pytest.mark.parametrize(
    "name", ["rows.jsonl", "rows.json", "wrapped.json", "rows.csv", "rows.parquet"]
)
def test_every_format_gives_the_same_items(tmp_path: Path, name: str) -> None:
    rows = [
        {k: v for k, v in RELEASED.items() if k != "verifier_votes"},
        OWN | {"answers": ["1987", 'in \'87, "late"']},
    ]
    for row in rows:
        items = NQ.items_of(read_rows(write(tmp_path / name, [row])))
        assert items == [item_of(row)]


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("a.jsonl", b'{"query": "x"}\n{oops\n', "a.jsonl, line 2: not valid JSON"),
        ("a.jsonl", b"[1]\n", "a.jsonl, line 1: expected an object, found list"),
        ("a.jsonl", b"\n\n", "no rows"),
        ("a.json", b'{"rows": []}', "an array under 'data'"),
        ("a.csv", b"query,context\na,b,c\n", "number of cells"),
        ("a.csv", b"query,context\na\n", "number of cells"),
        ("a.csv", "query\nMaß\n".encode("latin-1"), "not UTF-8"),
        ("a.parquet", b"nonsense", "not a readable Parquet file"),
        ("a.txt", b"x", "unknown format '.txt'"),
    ],
)
def test_a_bad_file_ends_in_one_clear_line(
    tmp_path: Path, name: str, content: bytes, problem: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError) as caught:
        read_rows(tmp_path / name)
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("answers", "expected", "intensity"),
    [
        (["30 days"], Label.ANSWER, Intensity.CLEAN),
        ("30 days", Label.ANSWER, Intensity.CLEAN),
        ([], Label.MISSING, Intensity.HIGH),
        ("[]", Label.MISSING, Intensity.HIGH),
    ],
)
def test_without_class_and_intensity_a_list_of_answers_tells_what_is_due(
    answers: Any, expected: Label, intensity: Intensity
) -> None:
    values = {
        "question": "How long?",
        "context": "Lamps may be returned within 30 days.",
        "answers": answers,
    }
    item = item_of(values)
    assert (item.expected, item.intensity) == (expected, intensity)
    # a row that names a class has to name its intensity
    with pytest.raises(DataError, match="'intensity': missing"):
        item_of(values | {"class": "Ambiguity"})


MINIMAL = {
    "query": "q?",
    "context": "c",
    "answers": ["a"],
    "class": "MissingInfo",
    "intensity": "HIGH",
}


def test_short_texts_and_numbers_are_kept_and_change_no_fingerprint() -> None:
    more = {
        "document": "faq.md",
        "version": 2,
        "note": "x" * 101,
        "parts": ["a"],
        "empty": " ",
    }
    plain, item = (
        RefusalRow.item_of(Row("file", "1", values))
        for values in (MINIMAL, MINIMAL | more)
    )
    assert item.columns == {"document": "faq.md", "version": 2}
    assert fingerprint([item]) == fingerprint([plain])
    assert item.item_id == plain.item_id


def accepting(codes: object, intensity: str = "HIGH") -> Row:
    values = {
        "query": "q?",
        "context": "c",
        "answers": ["a"],
        "class": "MissingInfo",
        "intensity": intensity,
        "accepted_alternatives": codes,
    }
    return Row("file", "1", values)


def test_rows_carry_the_codes_by_any_of_their_names() -> None:
    (item,) = NQ.items_of([accepting(["REFUSE_GRANULARITY", "REFUSE_OTHER"])])
    assert item.accepted_alternatives == (Label.GRANULARITY, Label.OTHER)
    assert (item.to_sample().metadata or {})["accepted_alternatives"] == [
        Label.GRANULARITY.value,
        Label.OTHER.value,
    ]
    (plain,) = NQ.items_of([accepting([])])
    assert fingerprint([item]) != fingerprint([plain])
    since = {
        "accepted_alternatives",
        "ambiguity_explanation",
        "answer_type",
        "pair",
        "intrinsic",
        "knobs",
    }
    before = plain.model_dump(mode="json", exclude={"control", "columns", *since})
    line = json.dumps(before, sort_keys=True)
    # as in logs from before
    assert fingerprint([plain]) == sha256(line.encode()).hexdigest()[:16]


@pytest.mark.parametrize(
    ("codes", "intensity"), [(["REFUSE_MAYBE"], "HIGH"), (["REFUSE_OTHER"], "LOW")]
)
def test_what_is_no_code_or_stands_at_an_answerable_row_is_an_error(
    codes: list[str], intensity: str
) -> None:
    with pytest.raises(DataError, match="accepted_alternatives"):
        NQ.items_of([accepting(codes, intensity)])


def test_an_ambiguous_row_says_what_its_ambiguity_is_and_stays_the_same_row() -> None:
    ambiguous = RELEASED | {
        "perturbation_class": "P-Ambiguity",
        "expected_rag_behavior": "REFUSE_AMBIGUOUS_QUERY",
        "implementation_reasoning": " Two bridges opened. ",
    }
    item = item_of(ambiguous)
    assert item.ambiguity_explanation == "Two bridges opened."
    assert item_of(RELEASED).ambiguity_explanation == ""
    silent = item_of(ambiguous | {"implementation_reasoning": None})
    assert silent.ambiguity_explanation == ""
    assert fingerprint([item]) == fingerprint([silent])
    odd = item_of(ambiguous | {"implementation_reasoning": ["two", 2]})
    assert odd.ambiguity_explanation == ""
