"""The same work on few things and on many."""

import pytest

from refusalbench_tasks.results.parallel import each


@pytest.mark.parametrize("n", [0, 3, 20])
def test_values_are_in_the_order_of_the_items_however_many_there_are(n: int) -> None:
    assert each(float, list(map(str, range(n))), "reading") == list(range(n))


@pytest.mark.parametrize("n", [3, 20])
def test_an_error_of_the_work_is_raised(n: int) -> None:
    with pytest.raises(ValueError, match="could not convert"):
        each(float, ["x"] * n, "reading")
