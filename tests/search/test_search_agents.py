"""What the two agents do with a model, and what is made of it."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalLog
from inspect_ai.model import ChatMessage, ModelOutput

from refusalbench_tasks.search.search_agents import (
    instructions,
    read_turn,
    search_lines,
)
from refusalbench_tasks.search.search_tool import NONE_LEFT
from refusalbench_tasks.taxonomy import REFUSALS, Label
from tests.logged import numbers_of
from tests.search.searching import (
    acting,
    calls,
    in_turn,
    question_in,
    says,
    searched,
)

MISSING = Label.MISSING.value
ONE: dict[str, Any] = {"limit": 1}


def values(log: EvalLog) -> dict[str, Any]:
    assert log.samples
    scores = log.samples[0].scores
    assert scores
    value: Any = scores["search_scores"].value
    return dict(value)


def told(log: EvalLog) -> str:
    assert log.samples
    scores = log.samples[0].scores
    assert scores
    return str(scores["search_scores"].explanation)


def searches_for_the_question(messages: list[ChatMessage]) -> ModelOutput:
    if messages[-1].role == "tool":
        return calls("submit", answer=MISSING)
    return calls("search", query=question_in(messages))


def test_the_default_agent_searches_and_submits(tmp_path: Path) -> None:
    log = searched(tmp_path, acting(searches_for_the_question))
    m = numbers_of(log, "search_scores")
    assert m["searches"] == m["refusal_rate"] == 1
    assert m["premature_refusal"] + m["refusal_despite_evidence"] == 1
    assert 0.4 <= m["evidence_found"] <= 0.8
    assert (m["malformed_calls"], m["n_unscored"]) == (0, 0)
    # each reply took two calls of twelve tokens, and none was right of the answerable
    sample = (log.samples or [])[0]
    assert sample.input == sample.metadata["query"]
    assert all(passage not in str(sample.input) for passage in sample.metadata)


def test_the_agent_sees_the_question_and_no_passage_before_it_searches() -> None:
    text = instructions("by_tool", 8)
    assert "8 searches" in text
    assert all(code.value in text for code in REFUSALS)
    assert "{{" not in text + instructions("by_line", 3, codes=False, grounded=True)


def test_a_score_says_where_the_evidence_came_and_what_was_made_of_it(
    tmp_path: Path,
) -> None:
    log = searched(
        tmp_path,
        acting(
            in_turn(
                calls("search", query="zebra crossing"),
                calls("search", query="zebra  Crossing"),
                calls("submit", answer=MISSING),
            )
        ),
        **ONE,
    )
    assert told(log).startswith(
        "not found in 2 searches, refused: info missing in context"
    )
    value = values(log)
    assert (value["searches"], value["repeated_queries"]) == (2, 1)
    assert log.samples
    scores = log.samples[0].scores
    assert scores
    first, _ = (scores["search_scores"].metadata or {})["trace"]
    assert first.startswith("1. zebra crossing: ")


def test_an_agent_that_runs_out_of_turns_has_given_no_reply(tmp_path: Path) -> None:
    log = searched(tmp_path, acting(in_turn(calls("search", query="mine"))), **ONE)
    value = values(log)
    assert (value["searches"], value["refused"], value["right"]) == (8, 0, 0)
    assert told(log) == "not found in 8 searches, no reply: stopped by limit"
    sample = (log.samples or [])[0]
    assert any(message.text == NONE_LEFT for message in sample.messages)
    assert numbers_of(log, "search_scores")["limit_rate"] == 1


def test_a_call_that_is_none_is_counted_and_no_verdict(tmp_path: Path) -> None:
    log = searched(
        tmp_path,
        acting(
            in_turn(
                says("I will search."),
                calls("search", words="no such argument"),
                calls("submit", answer=MISSING),
            )
        ),
        **ONE,
    )
    value = values(log)
    assert (value["searches"], value["malformed_calls"]) == (0, 2)
    assert told(log).startswith("never searched, refused")


def test_a_passage_keeps_its_number_and_the_scorer_sees_what_was_shown(
    tmp_path: Path,
) -> None:
    log = searched(
        tmp_path,
        acting(
            in_turn(
                calls("search", query="Pellan telescope mirror"),
                calls("search", query="Pellan telescope mirror wide"),
                calls("submit", answer=MISSING),
            )
        ),
        k=2,
        **ONE,
    )
    sample = (log.samples or [])[0]
    first, second = sample.store["refusalbench:searches"]
    assert first["numbers"] == [1, 2]
    again = set(first["ids"]) & set(second["ids"])
    for name in again:
        place = first["ids"].index(name)
        assert second["numbers"][second["ids"].index(name)] == place + 1
    shown = {*first["ids"], *second["ids"]}
    assert len(sample.store["refusalbench_retrieved"]) == len(shown)


@pytest.mark.parametrize(
    ("reply", "verb", "text"),
    [
        ("SEARCH: the mill", "search", "the mill"),
        ("**Search:** the mill\nANSWER: 4", "search", "the mill"),
        ("<think>hm</think>\nanswer: In 1931.", "answer", "In 1931."),
        ("REFUSE: REFUSE_OTHER", "refuse", "REFUSE_OTHER"),
        (f"`{MISSING}`", "refuse", MISSING),
        ("REFUSE: nothing is said of it", "refuse", "I cannot answer: nothing is"),
        ("ANSWER:", "", ""),
        ("The mill is old.", "", ""),
        ("", "", ""),
    ],
)
def test_a_turn_is_its_first_line(reply: str, verb: str, text: str) -> None:
    turn = read_turn(reply)
    assert turn.verb == verb
    assert turn.text.startswith(text)


def test_lines_search_and_answer(tmp_path: Path) -> None:
    def act(messages: list[ChatMessage]) -> ModelOutput:
        shown = messages[-1].text
        if "Searches left" in shown:
            return says(f"ANSWER: {shown.split()[1]} [1]")
        return says(f"SEARCH: {question_in(messages)}")

    log = searched(tmp_path, acting(act), solver=search_lines(), limit=4)
    for sample in log.samples or ():
        reply = sample.output.completion
        assert reply.endswith(" [1]")
        assert sample.messages[-1].text == f"ANSWER: {reply}"
    value = values(log)
    assert (value["searches"], value["malformed_calls"]) == (1, 0)


def test_lines_that_are_none_are_counted_until_the_turns_are_used_up(
    tmp_path: Path,
) -> None:
    log = searched(
        tmp_path, acting(in_turn(says("Hello!"))), solver=search_lines(), **ONE
    )
    value = values(log)
    assert (value["searches"], value["malformed_calls"]) == (0, 12)
    assert told(log) == "never searched, no reply: stopped by limit"


def test_a_copied_line_of_the_instructions_is_no_turn(tmp_path: Path) -> None:
    turns = says("REFUSE: and then the code"), says("ANSWER: 1902")
    log = searched(tmp_path, acting(in_turn(*turns)), solver=search_lines(), **ONE)
    assert values(log)["malformed_calls"] == 1
    assert (log.samples or [])[0].output.completion == "1902"


def test_the_error_of_a_provider_is_no_verdict(tmp_path: Path) -> None:
    def act(messages: list[ChatMessage]) -> ModelOutput:
        raise RuntimeError("429")

    from inspect_ai import eval

    from refusalbench_tasks.tasks.search import search

    (log,) = eval(
        search(data="sample", judge="offline"),
        model=acting(act),
        limit=1,
        log_dir=str(tmp_path),
        display="none",
        fail_on_error=False,
    )
    assert log.samples
    (sample,) = log.samples
    assert sample.error is not None
    assert not sample.scores


def test_an_agent_may_ask_back_if_it_is_allowed_to() -> None:
    plain, asking = (instructions("by_line", 8, ask=ask) for ask in (False, True))
    assert "ask back" in asking
    assert "ask back" not in plain
