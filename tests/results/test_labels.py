"""What models and runs are called beside each other."""

from refusalbench_tasks.results.labels import labels, short_names
from refusalbench_tasks.taxonomy import Label
from tests.results.synthetic import row, run


def test_a_name_is_cut_to_its_shortest_ending_that_no_other_has() -> None:
    assert short_names(["openai/gpt-4o", "x/y/z"]) == {
        "openai/gpt-4o": "gpt-4o",
        "x/y/z": "z",
    }
    assert short_names(["openai/gpt-4o", "azure/gpt-4o", "gpt-4o"]) == {
        "openai/gpt-4o": "openai/gpt-4o",
        "azure/gpt-4o": "azure/gpt-4o",
        "gpt-4o": "gpt-4o",
    }


def test_runs_that_nothing_else_tells_apart_are_numbered() -> None:
    rows = [row("1", Label.MISSING)]
    runs = [run(rows, "x/m"), run(rows, "x/m"), run(rows, "x/n")]
    assert labels(runs) == ["m (no grader) #1", "m (no grader) #2", "n"]
