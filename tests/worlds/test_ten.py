"""Rows of ten passages: proven by the reader over all ten, drawn anew if it can't parse them."""

import pytest

from refusalbench_tasks.taxonomy import Label
from refusalbench_tasks.worlds import proof, ten
from refusalbench_tasks.worlds.production import Range, produce
from refusalbench_tasks.worlds.proof import Disagreement, Unread, prove_row
from refusalbench_tasks.worlds.quad import Quad, make_quad
from refusalbench_tasks.worlds.reader import derive
from refusalbench_tasks.worlds.rows import as_row
from refusalbench_tasks.worlds.solve import Impure, Solved
from refusalbench_tasks.worlds.ten import TRIES, ten_passages


@pytest.mark.parametrize("index", range(7))
def test_the_reader_finds_label_and_answer_in_ten_passages(index: int) -> None:
    quad = make_quad(62, index)
    for place in (0, 1):
        row = as_row(quad, place, "grounding")
        found = derive(quad.domain, [one["text"] for one in row["grounding"]], row["query"])
        assert found.label.value == row["expected_rag_behavior"]
        assert found.answer is None or str(found.answer) == str(quad.cells[place].solved.answer)


def test_a_false_word_in_one_of_ten_passages_is_a_disagreement() -> None:
    quad = next(one for one in (make_quad(62, index) for index in range(40)) if _year(one))
    answer = str(quad.cells[0].solved.answer)
    shown = ten_passages(quad, 0).row.passages
    prove_row(quad, 0, shown)
    with pytest.raises(Disagreement, match="quad .* of seed 62, cell 0"):
        prove_row(quad, 0, [one.replace(answer, "1899") for one in shown])


def _year(quad: Quad) -> bool:
    answer = quad.cells[0].solved.answer
    return quad.cells[0].question.ask.operator == "value" and answer is not None and answer.type == "year"


@pytest.mark.parametrize("error", [Unread("not parsed"), Impure("two defects")])
def test_ten_passages_that_cannot_be_taken_together_are_drawn_again(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    quad, tried = make_quad(62, 0), []

    def first_fails(quad: Quad, place: int, passages: object) -> None:
        tried.append(passages)
        if len(tried) == 1:
            raise error

    monkeypatch.setattr(ten, "prove_row", first_fails)
    found = ten_passages(quad, 0)
    assert tried[0] != tried[1] == found.row.passages
    # the original is of the second draw too
    kept = set(range(10)) - set(found.row.signal)
    assert all(found.row.passages[at] == found.original.passages[at] for at in kept)


def test_ten_passages_that_no_draw_makes_readable_are_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []

    def fails(quad: Quad, place: int, passages: object) -> None:
        tried.append(passages)
        raise Unread("not parsed")

    monkeypatch.setattr(ten, "prove_row", fails)
    with pytest.raises(Unread, match="ten passages: not parsed"):
        ten_passages(make_quad(62, 0), 0)
    assert len(tried) == TRIES


def test_a_disagreement_over_ten_passages_is_no_reason_to_draw_again(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []

    def disagrees(*row: object) -> Solved:
        tried.append(row)
        return Solved(Label.AMBIGUOUS)

    monkeypatch.setattr(proof, "derive", disagrees)
    with pytest.raises(Disagreement, match="read as REFUSE_AMBIGUOUS_QUERY"):
        as_row(make_quad(62, 1), 0, "grounding")
    assert len(tried) == 1


def test_rows_that_nobody_wants_proven_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def reads(*_: object) -> None:
        raise AssertionError("the reader was asked")

    monkeypatch.setattr(ten, "prove_row", reads)
    monkeypatch.setattr(proof, "prove_row", reads)
    wanted = Range(63, 0, 8, ("clinics",), "grounding")
    assert [len(rows) for rows in produce(wanted, proven=False)] == [8]
    with pytest.raises(AssertionError, match="was asked"):
        list(produce(wanted))
