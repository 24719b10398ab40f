"""Questions to base rows: repeats, answers that clash, kinds in balance, a split by document."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.own.documents.chunk import Chunk, Twin, document_id
from refusalbench_tasks.own.questions.distinct import balanced_kinds, distinct_questions
from refusalbench_tasks.own.questions.export_questions import export_questions
from refusalbench_tasks.own.questions.kinds import kind_of
from refusalbench_tasks.own.questions.outcome import Shown
from refusalbench_tasks.own.questions.question import Question
from refusalbench_tasks.own.questions.question_logs import Accepted
from refusalbench_tasks.own.questions.question_rows import question_row
from refusalbench_tasks.own.questions.splits import DEV, splits_of, strangers
from tests.own.questions.panel import chunk_of


def chunk(document: str, twins: tuple[str, ...] = ()) -> Chunk:
    also = tuple(Twin(id=f"t-{name}", source=name) for name in twins)
    return Chunk(
        id=f"c-{document}", doc_id=document_id(document), source=document, start=10, end=16, text="It is.",
        sha256="0" * 64, also=also,
    )  # fmt: skip


def item(name: str, text: str, answer: str, document: str = "d", shown: Shown | None = None, **more: Any) -> Accepted:
    question = Question(
        id=name, chunk_id=f"c-{document}", question=text, answers=(answer, *more.pop("aliases", ())), support="It is.",
        kind=kind_of(text), start=10, end=12,
    )  # fmt: skip
    return Accepted(question, chunk(document, more.pop("twins", ())), shown, **more)


def names(items: Any) -> list[str]:
    return [one.question.id for one in items]


def test_the_same_question_is_kept_once_and_one_with_two_answers_not_at_all() -> None:
    found = distinct_questions(
        [
            item("b", "who built the Sula yard?", "Ole"),
            item("a", "Who built the Sula yard?", "Ole Brandt", aliases=("Ole",)),
            item("c", "What does a berth at Harrow cost?", "4 crowns"),
            item("d", "What does a berth at Harrow cost?", "5 crowns"),
            item("e", "In which year was the Sula built at the Kessel yard?", "1998"),
            item("f", "When was the Sula built at the Kessel yard?", "1998"),
            item("g", "When was the Morwen built at the Kessel yard?", "1998"),
        ]
    )
    assert names(found.items) == ["a", "e", "g"]
    assert (found.repeats, found.conflicts) == (2, 2)


def test_kinds_are_cut_to_a_quota_with_documents_in_turn() -> None:
    items = [item(f"w{k}", "Who is it?", str(k), "abc"[k // 4]) for k in range(12)]
    items += [item("y", "Why is it?", "so", "a")]
    drawn = balanced_kinds(items, 3, 0)
    assert Counter(one.question.kind.value for one in drawn) == {"who": 3, "why": 1}
    assert len({one.chunk.source for one in drawn if one.question.kind == "who"}) == 3
    assert balanced_kinds(items, None, 0) == items
    assert balanced_kinds(list(reversed(items)), 3, 0) == drawn


def test_documents_that_answer_together_stay_in_one_part() -> None:
    shown = Shown(chunks=(chunk("a"), chunk("b"), chunk("z")), signal=(0, 1))
    items = [item("1", "Who?", "x", "a", shown), item("2", "Who?", "y", "b"), item("3", "Who?", "z", "c", twins=("b",))]
    items += [item("4", "Who?", "v", "z")]
    for seed in range(8):
        parts = splits_of(items, 0.25, seed)
        assert len({parts["1"], parts["2"], parts["3"]}) == 1
        assert parts["1"] == "train"  # three of four are more than a quarter
        assert parts["4"] == DEV
        assert strangers(items, parts) == 1  # question 1 shows a passage of z
    assert set(splits_of(items, 0.0, 1).values()) == {"train"}


@given(
    st.lists(st.tuples(st.integers(0, 6), st.sets(st.integers(0, 6), max_size=2)), max_size=20),
    st.floats(0, 1),
    st.integers(0, 3),
)
def test_no_document_is_in_both_parts(drawn: list[tuple[int, set[int]]], dev: float, seed: int) -> None:
    items = [
        item(str(at), "Who?", "x", f"d{own}", twins=tuple(f"d{k}" for k in sorted(others)))
        for at, (own, others) in enumerate(drawn)
    ]
    parts = splits_of(items, dev, seed)
    assert parts.keys() == {one.question.id for one in items}
    assert sum(part == DEV for part in parts.values()) <= round(dev * len(items))
    documents: dict[str, set[str]] = {DEV: set(), "train": set()}
    for one in items:
        documents[parts[one.question.id]] |= {one.chunk.doc_id, *(document_id(twin.source) for twin in one.chunk.also)}
    assert not documents[DEV] & documents["train"]


def test_a_row_says_where_its_answer_stands_and_under_which_licence() -> None:
    row = question_row(item("q", "Who is it?", "It", known=False, writer="w", readers=("r",)), "dev", "MIT")
    assert (row["query"], row["context"], row["answers"]) == ("Who is it?", "It is.", ["It"])
    assert (row["intensity"], row["licence"], row["split"], row["known"]) == ("CLEAN", "MIT", "dev", False)
    assert (row["question_type"], row["answer_type"]) == ("who", "person")
    place = {"document": document_id("d"), "chunk": "c-d", "source": "d", "page": None, "start": 10, "end": 16,
             "sha256": "0" * 64}  # fmt: skip
    assert row["provenance"] == place | {"answer_start": 10, "answer_end": 12, "passages": [place]}
    assert question_row(item("q", "Who is it?", "It"), "dev")["licence"] == "not stated"


def test_ten_passages_state_every_licence() -> None:
    shown = Shown(chunks=tuple([chunk(f"x{k}") for k in range(8)] + [chunk_of("Sula"), chunk("d")]), signal=(9,))
    row = question_row(item("q", "Who is it?", "It", shown=shown), "train", None)
    assert row["licence"] == "Apache-2.0, not stated"
    assert (len(row["grounding"]), row["signal_indices"], row["reference_answer"]) == (10, [9], "It is.")
    assert "context" not in row
    assert "known" not in row


def test_nothing_accepted_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no accepted question in these logs"):
        export_questions([], tmp_path / "set")
