"""The arguments of `collect`."""

import pytest

from refusalbench_tasks.collect.settings import CollectSettings
from refusalbench_tasks.errors import DataError


@pytest.mark.parametrize("size", ["", "4+", "a", "0+0+2", "4+1+1+1", "20+1", "-1"])
def test_a_set_of_another_form_is_one_line(size: str) -> None:
    with pytest.raises(DataError, match="clear: expected reliable"):
        CollectSettings(search="brave", clear=size)


def test_sizes_are_read() -> None:
    assert CollectSettings(search="brave", clear="3").sizes == {
        "clear": {"reliable": 3, "unreliable": 0, "distraction": 0},
        "ambiguous": {"reliable": 1, "unreliable": 2, "distraction": 2},
    }
