"""Errors in data are one readable line."""

from refusalbench_tasks.errors import LONGEST, DataError, RowError, first_of


def test_outside_text_in_a_message_is_escaped_and_cut() -> None:
    message = str(DataError("bad\x1b[1m\nname"))
    assert message == r"bad\x1b[1m\nname"
    assert len(str(DataError("x" * (2 * LONGEST)))) == LONGEST + len(" … ")


def test_one_error_stands_for_all_with_the_number_of_the_others() -> None:
    errors = [RowError("rows.jsonl", f"line {k}", "id", "empty") for k in (1, 2, 3)]
    assert str(first_of(errors[:1])) == "rows.jsonl, line 1, field 'id': empty"
    assert str(first_of(errors)).endswith("empty (and 2 more rows with errors)")
