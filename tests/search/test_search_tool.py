"""The tool `search` in a task of one's own, and where there is nothing to search."""

from pathlib import Path

from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.solver import generate, use_tools

from refusalbench_tasks.corpus.passages import Corpus, CorpusPassage
from refusalbench_tasks.search.search_tool import (
    NONE_LEFT,
    NOTHING,
    RunSearch,
    open_corpus,
    search_tool,
)
from tests.search.searching import acting, calls, in_turn, says

CORPUS = Corpus.of(
    [CorpusPassage("The mill is old."), CorpusPassage("The kiln is new.")]
)
RUN = RunSearch({"row": CORPUS.view("mill", ["The mill grinds rye."])}, 2, 2)


def shown(folder: Path, *queries: str) -> list[str]:
    """Return what an agent is shown for its queries."""
    turns = [calls("search", query=query) for query in queries]
    (log,) = eval(
        Task(
            dataset=[Sample(id="row", input="What does the mill grind?")],
            setup=open_corpus(RUN),
            solver=generate(),
        ),
        model=acting(in_turn(*turns, says("Rye."))),
        log_dir=str(folder),
        display="none",
    )
    assert log.status == "success", log.error
    assert log.samples
    messages = log.samples[0].messages
    return [message.text for message in messages if message.role == "tool"]


def test_a_passage_keeps_the_number_under_which_it_was_first_shown(
    tmp_path: Path,
) -> None:
    assert shown(tmp_path, "old", "the mill") == [
        "[1] The mill is old.",
        "[2] The mill grinds rye.\n\n[1] The mill is old.",
    ]


def test_what_no_document_has_is_said_and_a_search_beyond_the_budget_shows_nothing(
    tmp_path: Path,
) -> None:
    assert shown(tmp_path, "zebra", "", "old") == [NOTHING, NOTHING, NONE_LEFT]


def test_outside_of_the_task_the_tool_says_where_it_works(tmp_path: Path) -> None:
    (log,) = eval(
        Task(
            dataset=[Sample(id="row", input="What does the mill grind?")],
            solver=[use_tools(search_tool()), generate()],
        ),
        model=acting(in_turn(calls("search", query="mill"))),
        log_dir=str(tmp_path),
        display="none",
    )
    assert log.status == "error"
    assert log.error
    assert "in runs of the task search alone" in log.error.message
