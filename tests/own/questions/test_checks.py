"""Checks of a question: each one failed alone by hand, what passes all of them, and the
draw of chunks.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.own.documents.chunk import Chunk
from refusalbench_tasks.own.questions.chunk_text import heading_of, passage_of, span_of
from refusalbench_tasks.own.questions.draft import (
    QuestionDraft,
    aliases_of,
    question_of,
)
from refusalbench_tasks.own.questions.draft_checks import (
    CHECKS,
    Drafted,
    check,
    nearly_same,
)
from refusalbench_tasks.own.questions.slot import ChunkSlot, draw_chunks, plan_chunks
from refusalbench_tasks.own.questions.writing import checked_drafts
from tests.own.questions.panel import (
    CREW,
    ELSEWHERE,
    NEAR_MISS,
    OUTSIDE,
    YARD,
    chunk_of,
)

SULA = chunk_of("Sula")


def draft(**changes: object) -> QuestionDraft:
    return QuestionDraft.model_validate(YARD | changes)


def failed(one: QuestionDraft, *others: QuestionDraft) -> set[str]:
    return set(check(Drafted(one, SULA, others)))


@pytest.mark.parametrize("one", [YARD, CREW, *OUTSIDE])
def test_a_good_question_passes_every_check(one: dict[str, object]) -> None:
    assert failed(QuestionDraft.model_validate(one)) == set()


CASES = [
    ({"question": "In which year was the Sula built?! And where?"}, "not_one_question"),
    (
        {"question": "Tell me the year in which the Kessel yard built the Sula."},
        "not_one_question",
    ),
    (
        {"question": f"In which year was the Sula built {'and so on ' * 12}?"},
        "not_one_question",
    ),
    (
        {"question": "In which year was the Sula built, or is that REFUSE_OTHER?"},
        "not_one_question",
    ),
    ({"question": "In which year was the **Sula** built?"}, "not_one_question"),
    ({"support": "The Sula was built in 1998."}, "support_not_in_passage"),
    ({"support": SULA.text + " " + SULA.text}, "support_not_in_passage"),
    (NEAR_MISS | {"support": ""}, "support_not_in_passage"),
    ({"answer": "1999"}, "answer_not_in_support"),
    ({"answer": "2019"}, "answer_not_in_support"),
    (ELSEWHERE | {"answer": "5 crowns"}, "answer_not_in_support"),
    (
        {"question": "Was it in 1998 that the Kessel yard built the Sula?"},
        "answer_in_question",
    ),
    (
        {
            "question": "In which year of MCMXCVIII was the Sula built?",
            "aliases": ("MCMXCVIII",),
        },
        "answer_in_question",
    ),
    ({"answer": " ".join(SULA.text.split()[:30])}, "answer_unfit"),
    ({"answer": "unknown"}, "answer_unfit"),
]


@pytest.mark.parametrize(("changes", "name"), CASES)
def test_each_check_finds_what_fails_it(changes: dict[str, object], name: str) -> None:
    assert name in failed(draft(**changes))


def test_every_check_has_a_case_here() -> None:
    assert {case[1] for case in CASES} == {one.__name__ for one in CHECKS} - {
        "repeats_another"
    }


def test_a_question_of_the_chunk_is_not_asked_again() -> None:
    again = draft(question="In which year, at the Kessel yard, was the Sula built?")
    assert failed(again, draft()) == {"repeats_another"}
    assert failed(draft(), QuestionDraft.model_validate(CREW)) == set()
    assert nearly_same("Wann öffnet das Museum?", "Wann öffnet das museum")
    assert not nearly_same("When was the Sula built?", "When was the Morwen built?")


def test_a_span_stands_letter_by_letter_at_word_ends_whatever_the_white_space() -> None:
    assert span_of("She carries\n  180 passengers.", "carries 180") == (4, 17)
    assert span_of("It is 1800, not 180.", "180") == (16, 19)
    assert span_of("at 3.12 or 12", "12") == (11, 13)
    assert span_of("She Carries", "carries") is None
    assert span_of("古い水車がある。", "水車") == (2, 4)
    assert span_of("text", "  ") is None


def test_a_wrong_alias_is_left_out() -> None:
    assert aliases_of("Ines Falk", ("Captain Falk", "ines falk", "Tom Reed")) == (
        "Ines Falk",
        "Captain Falk",
    )
    assert aliases_of("180", ("180 passengers", "240")) == ("180", "180 passengers")


def test_a_passage_stands_under_its_title_and_headings() -> None:
    chunk = SULA.model_copy(
        update={"title": "Fleet\nlist", "headings": ("Fleet list", "Sula")}
    )
    assert heading_of(chunk) == "Fleet list > Sula"
    assert passage_of(chunk) == f"Fleet list > Sula\n\n{chunk.text}"
    bare = SULA.model_copy(update={"title": "", "headings": ()})
    assert passage_of(bare) == bare.text


def test_an_unanswerable_question_has_a_starting_passage_and_no_answer() -> None:
    found = question_of(QuestionDraft.model_validate(NEAR_MISS), SULA)
    assert (found.answers, found.kind) == ((), "near miss")
    assert (
        SULA.text[found.start - SULA.start : found.end - SULA.start]
        == found.support
        == NEAR_MISS["support"]
    )


texts = st.text("abc 1998?.", min_size=1, max_size=24)
drafts = st.builds(
    QuestionDraft,
    kind=st.sampled_from(["answerable", "answerable", "near miss"]),
    question=st.one_of(
        texts,
        st.sampled_from([YARD["question"], CREW["question"]]),
        texts.map(lambda text: text + "?"),
    ),
    answer=st.one_of(texts, st.sampled_from(["1998", "180", "16 knots", ""])),
    support=st.one_of(texts, st.sampled_from([YARD["support"], CREW["support"]])),
    aliases=st.lists(texts, max_size=2).map(tuple),
)


@given(st.lists(drafts, max_size=5), st.integers(0, 3), st.integers(0, 1))
def test_what_is_kept_passes_every_check_among_what_is_kept(
    given_: list[QuestionDraft], most: int, out: int
) -> None:
    slot = ChunkSlot(chunk=SULA, questions=most, outside=("near miss",) * out)
    kept, left = checked_drafts(given_, slot)
    for kind, room in (("answerable", most), ("near miss", out)):
        assert sum(one.kind == kind for one in kept) <= room
    for at, one in enumerate(kept):
        assert check(Drafted(one, SULA, kept[:at])) == {}
        made = question_of(one, SULA)
        assert bool(made.answers) == (one.kind == "answerable")
    assert all(one.checks for one in left)


@given(st.permutations(range(9)), st.integers(1, 9), st.integers(0, 3))
def test_a_draw_is_the_same_whatever_the_order(
    order: list[int], n: int, seed: int
) -> None:
    chunks = [made(f"{k % 3}", k) for k in range(9)]
    drawn = draw_chunks([chunks[k] for k in order], n, seed)
    assert drawn == draw_chunks(chunks, n, seed)
    assert len(drawn) == n
    counts = [sum(chunk.doc_id == name for chunk in drawn) for name in "012"]
    assert max(counts) - min(counts) <= 1


def test_the_kinds_that_nothing_answers_take_turns() -> None:
    whole, plan = plan_chunks([made("d", k) for k in range(4)], 2, 2, None, 0)
    assert [kind for slot in whole for kind in slot.outside] == 2 * [
        "near miss",
        "missing detail",
        "false premise",
        "plainly outside",
    ]
    assert [slot.chunk for slot in plan] == [slot.chunk for slot in whole]
    assert {(slot.planned, slot.shard) for slot in plan} == {(4, 0)}


def made(document: str, number: int) -> Chunk:
    return Chunk(
        id=f"c{number}",
        doc_id=document,
        source=document,
        start=0,
        end=1,
        text="x",
        sha256="0" * 64,
    )
