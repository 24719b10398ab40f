"""Replies find their rows, by id or by question, or it is said why not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.solvers.recorded import match, record
from refusalbench_tasks.solvers.recorded_reply import Reply

ROWS = {"a": "Who is it?", "b": "When was it?", "c": "Who  is\nit?"}


def reply(id: str = "", question: str = "", epoch: int = 1, place: str = "line 1") -> Reply:
    return Reply(place=place, text="so", id=id, question=question, epoch=epoch)


def test_replies_are_found_by_id_or_by_question() -> None:
    found = match(record([reply("a"), reply(question="When was it?")], "f"), ROWS)
    assert sorted(found.replies) == [("a", 1), ("b", 1)]
    assert found.warning("f") == ""


def test_a_question_of_several_rows_is_an_error_that_names_them() -> None:
    with pytest.raises(DataError, match=r"f, line 1: 2 rows have the question 'Who is it\?' \(a, c"):
        match(record([reply(question="Who is it?")], "f"), ROWS)


def test_two_replies_to_one_row_are_an_error_unless_epochs_tell_them_apart() -> None:
    with pytest.raises(DataError, match="f: 'a' has two replies, at line 1 and at line 7; drop one, or number"):
        record([reply("a"), reply("a", place="line 7")], "f")
    with pytest.raises(DataError, match="has two replies"):
        match(record([reply("b"), reply(question="When was it?")], "f"), ROWS)
    assert sorted(match(record([reply("a"), reply("a", epoch=2)], "f"), ROWS).replies) == [("a", 1), ("a", 2)]


def test_replies_to_no_row_are_counted_and_the_first_are_named() -> None:
    found = match(record([reply("a"), *(reply(f"x{k}") for k in range(4)), reply("x0", epoch=2)], "f"), ROWS)
    assert found.warning("f").startswith("f: 4 replies are to no row of this run and are not used: 'x0', 'x1', 'x2', …")


def test_a_file_of_another_data_set_is_an_error() -> None:
    with pytest.raises(DataError, match="no reply is to a row of this run; it has replies to 'x', the rows are 'a'"):
        match(record([reply("x")], "f"), ROWS)


def test_the_id_of_one_row_with_the_question_of_another_is_an_error() -> None:
    with pytest.raises(DataError, match="f, line 1: the id is that of row 'a' and the question that of 'b'"):
        match(record([reply("a", "When was it?")], "f"), ROWS)
    # an application may put a question in its own words
    assert match(record([reply("a", "Who was that?")], "f"), ROWS).strangers == ()
    assert match(record([reply("c", "Who is it?")], "f"), ROWS).strangers == ()


@given(st.dictionaries(st.text(min_size=1), st.text(min_size=1), min_size=1), st.data())
def test_a_reply_goes_to_the_row_of_its_id_and_to_no_other(rows: dict[str, str], data: st.DataObject) -> None:
    ids = data.draw(st.lists(st.sampled_from(sorted(rows)), unique=True, min_size=1))
    found = match(record([reply(one) for one in ids], "f"), rows)
    assert {key: one.id for key, one in found.replies.items()} == {(one, 1): one for one in ids}
    assert found.strangers == ()
