"""Ten passages: who is asked about, what is signal, what is noise, and what drops a question."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.own.documents.chunk import Chunk
from refusalbench_tasks.own.questions.draft import QuestionDraft
from refusalbench_tasks.own.questions.question import question_of
from refusalbench_tasks.own.questions.rivals import Mark
from refusalbench_tasks.own.questions.ten import Ten, candidates_of, ten_passages
from tests.own.questions.panel import YARD, chunk_of

OWN = chunk_of("Sula")
ASKED = question_of(QuestionDraft.model_validate(YARD), OWN)


def chunk(name: str, text: str = "Nothing of the kind.", document: str = "") -> Chunk:
    return Chunk(
        id=name, doc_id=document or name, source=document or name, start=0, end=len(text), text=text, sha256="0" * 64
    )


OTHERS = [chunk(f"c{k}") for k in range(12)]
TOLD = "The Kessel yard built the Sula in 1998."


def assembled(candidates: Sequence[Chunk], *marks: Sequence[Mark]) -> Ten:
    found = ten_passages(ASKED, OWN, candidates, marks)
    assert isinstance(found, Ten)
    return found


def none(candidates: Sequence[Chunk], **marks: Mark) -> list[Mark]:
    return [marks.get(one.id, "none") for one in candidates]


def test_signal_is_the_chunk_and_what_every_reader_and_the_words_say_is_the_same() -> None:
    told = [chunk("a", TOLD), chunk("b", TOLD), chunk("c", "In that year."), *OTHERS]
    both = none(told, a="same", b="same", c="same")
    found = assembled(told, both, none(told, a="same", c="same"))
    names = [one.id for one in found.chunks]
    # b: only one reader; c: its words do not hold the answer; neither is noise
    assert {names[k] for k in found.signal} == {OWN.id, "a"}
    assert not {"b", "c"} & set(names)
    assert len(names) == len(set(names)) == 10


def test_a_passage_that_holds_the_answer_is_no_noise_whatever_the_readers_say() -> None:
    told = [chunk("a", TOLD), *OTHERS]
    assert "a" not in {one.id for one in assembled(told, none(told)).chunks}


def test_one_reader_that_finds_another_answer_drops_the_question() -> None:
    marks = none(OTHERS), none(OTHERS, c3="another")
    assert ten_passages(ASKED, OWN, OTHERS, marks) == "rival_answer"


def test_with_fewer_than_nine_others_there_are_no_ten() -> None:
    assert ten_passages(ASKED, OWN, OTHERS[:8], [none(OTHERS[:8])]) == "too_few_passages"
    assert len(assembled(OTHERS[:9], none(OTHERS[:9])).chunks) == 10


def test_two_of_the_own_document_come_before_nearer_noise() -> None:
    own = [chunk(f"own{k}", document=OWN.doc_id) for k in range(3)]
    candidates = [*OTHERS, *own]
    names = {one.id for one in assembled(candidates, none(candidates)).chunks}
    assert names == {OWN.id, "own0", "own1", *(f"c{k}" for k in range(7))}


def test_at_most_five_passages_are_signal() -> None:
    told = [*(chunk(f"s{k}", TOLD) for k in range(7)), *OTHERS]
    marks: dict[str, Mark] = {f"s{k}": "same" for k in range(7)}
    found = assembled(told, none(told, **marks))
    assert len(found.signal) == 5


def test_marks_of_every_reader_on_every_candidate_are_needed() -> None:
    for marks in ([], [none(OTHERS)[:-1]]):
        with pytest.raises(ValueError, match="every"):
            ten_passages(ASKED, OWN, OTHERS, marks)


def test_candidates_are_two_of_the_own_document_then_the_nearest_then_any() -> None:
    own = [chunk(f"own{k}", document=OWN.doc_id) for k in range(3)]
    corpus = [*OTHERS, OWN, *own]
    places = {one.id: k for k, one in enumerate(corpus)}
    asked: list[tuple[str, int]] = []

    def nearest(query: str, k: int) -> list[tuple[int, float]]:
        asked.append((query, k))
        return [(places[name], 1.0) for name in (OWN.id, "c5", "own2", "c1", "own0", "own1")]

    names = [one.id for one in candidates_of(ASKED, OWN, corpus, nearest, 4)]
    assert names == ["own2", "own0", "c5", "c1"]
    assert asked == [(ASKED.question, 20)]
    more = [one.id for one in candidates_of(ASKED, OWN, corpus, nearest, 12)]
    assert more[:5] == ["own2", "own0", "c5", "c1", "own1"]
    assert len(set(more)) == 12
    assert OWN.id not in more
    assert more == [one.id for one in candidates_of(ASKED, OWN, corpus, nearest, 12)]


@given(
    st.lists(st.sampled_from(["same", "another", "none"]), min_size=12, max_size=12),
    st.lists(st.sampled_from(["same", "none", "none", "none"]), min_size=12, max_size=12),
    st.lists(st.booleans(), min_size=12, max_size=12),
)
def test_no_noise_was_called_an_answer_by_anyone(first: list[Mark], second: list[Mark], holds: list[bool]) -> None:
    told = [chunk(f"c{k}", TOLD if held else "Nothing.") for k, held in enumerate(holds)]
    found = ten_passages(ASKED, OWN, told, [first, second])
    if "another" in first:
        assert found == "rival_answer"
        return
    sure = [k for k in range(12) if first[k] == second[k] == "none" and not holds[k]]
    if not isinstance(found, Ten):
        return
    noise = [one.id for k, one in enumerate(found.chunks) if k not in found.signal]
    assert set(noise) <= {f"c{k}" for k in sure}
    assert OWN.id in {found.chunks[k].id for k in found.signal}
