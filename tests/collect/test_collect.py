"""From topics to checked records, over a local web and scripted models."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task, eval

from refusalbench_tasks.collect.collecting import collecting
from refusalbench_tasks.collect.collection_scorer import SCORER, collection_scores
from refusalbench_tasks.collect.outcome import NotedRecord
from refusalbench_tasks.collect.stored import Collecting
from refusalbench_tasks.collect.web.providers.reddit import Reddit, reddit_of
from refusalbench_tasks.collect.web.subreddits import subreddits
from refusalbench_tasks.datasets.bluff_rows import BluffRecord
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.tasks.collect import collect
from tests.collect.outside import Outside
from tests.collect.pages import LOCKS, RELIABLE, UNRELIABLE, text_of
from tests.collect.panel import LISTS, metrics, read, reader, run, said, set_up, sources_of, write, writer
from tests.collect.web.reddit import ID, SECRET


def noted(log: Any) -> dict[str, NotedRecord]:
    return {str(one.id): NotedRecord.model_validate(one.scores[SCORER].metadata) for one in log.samples or []}


def engine(outside: Outside) -> str:
    return f"searxng:{outside.here}/searxng"


def test_topics_become_checked_records_and_no_page_is_fetched_twice(outside: Outside) -> None:
    log = run(engine(outside), locks=2)
    found = metrics(log)
    assert (found["n_accepted"], found["yield"], found["yield_n"]) == (2, 1.0, 2)
    # of each record: one list of queries, one question, and three readers of two sets
    assert found["calls_per_accepted"] == 1 + 1 + 3 * 2
    assert found["ambiguity/missing"] == 2
    assert max(Counter((host, path) for host, path, _ in outside.seen).values()) == 1
    for name, one in noted(log).items():
        assert one.record is not None
        row = one.record.row
        BluffRecord.model_validate(row)
        lock = next(lock for lock in LOCKS if lock.name == row["subdomain"])
        assert (row["id"], row["gold_answer"]) == (name, lock.weight)
        hosts: dict[str, list[str]] = {}
        for arm, sources in row["source_sets"].items():
            hosts |= {f"{arm} {category}": [] for category in ("reliable", "unreliable", "distraction")}
            for source in sources:
                hosts[f"{arm} {source['category']}"].append(source["domain"])
                assert source["date"] == "2021-03-14"
        assert [len(each) for each in hosts.values()] == [4, 1, 0, 1, 2, 2]
        assert set(hosts["clear reliable"]) < set(RELIABLE)
        assert set(hosts["ambiguous unreliable"]) < set(UNRELIABLE)
        every = [source["url"] for sources in row["source_sets"].values() for source in sources]
        assert len({*every, row["gold_passage"]["url"]}) == 11
        assert one.found["clear"].distribution == {"gold": 3}
        assert (one.found["ambiguous"].distribution, one.found["ambiguous"].entropy) == ({"missing": 3}, 0.0)
    asked, searched = len(outside.seen), len(outside.searches)
    again = run(engine(outside), locks=2, offline=True, logs="again")
    sets = [[one.record.row["source_sets"] for one in noted(each).values() if one.record] for each in (log, again)]
    assert sets[0] == sets[1]
    assert (len(outside.seen), len(outside.searches)) == (asked, searched)


def test_a_task_of_ones_own_may_stop_after_a_stage_and_gives_no_verdict_then(outside: Outside) -> None:
    arguments = set_up(1)
    planned = collect(search=engine(outside), cache=False, **arguments).dataset
    stage = collecting("queries", engine(outside), cache=False, topics=arguments["topics"], trust=arguments["trust"])
    roles: Any = {"verifier": [reader("a")]}
    (log,) = eval(
        Task(dataset=planned, solver=stage, scorer=collection_scores(cache=False)),
        model=writer(), model_roles=roles, log_dir="logs", display="none",
    )  # fmt: skip
    (one,) = log.samples or []
    assert one.store_as(Collecting).queries is not None
    assert outside.searches == []
    found = (one.scores or {})[SCORER]
    assert (found.answer, found.reason) == (None, "not_collected")


def test_addresses_that_lead_to_closed_places_are_refused_inside_the_task(outside: Outside) -> None:
    outside.traps = True
    log = run(engine(outside), locks=1)
    (one,) = noted(log).values()
    refused = {name: n for name, n in one.looked.left_out.items() if name.startswith("refused")}
    assert {name.partition(": ")[2].partition(" ")[0] for name in refused} == {"loopback", "link-local", "the"}, refused
    assert one.accepted
    assert not [path for host, path, _ in outside.seen if "secret" in path or "meta-data" in path]


def test_what_readers_find_decides(outside: Outside) -> None:
    def settles(prompt: str) -> dict[str, Any]:
        """Know the answer whatever the sources say."""
        return said("answer", LOCKS[0].weight, [1])

    def misled(prompt: str) -> dict[str, Any]:
        """Find the answer in the clear set, and a distraction in the other one."""
        places = [n for n, text in enumerate(sources_of(prompt), 1) if "meadow" in text]
        return said("conflict", "", places) if places else read(prompt)

    def broken(prompt: str) -> str:
        return "no verdict"

    cases: list[tuple[Any, dict[str, Any], bool | None, str | None]] = [
        (settles, {}, False, "weak"),
        (settles, {"weak": "keep"}, True, None),
        (lambda _: said("missing"), {}, False, "settled_arm_missing"),
        (lambda _: said("answer", "12 tonnes", [1]), {}, False, "settled_arm_other_answer"),
        (misled, {}, False, "distraction_used"),
        (broken, {}, None, "reader_failed"),
    ]
    for number, (answer, options, accepted, reason) in enumerate(cases):
        panel = [reader("a"), reader("b", answer)] if answer is not settles else [reader("b", settles)]
        log = run(engine(outside), read_by=panel, locks=1, logs=f"logs{number}", **options)
        (one,) = noted(log).values()
        assert (one.accepted, one.reason, one.stage) == (accepted, reason, "panel")
        assert one.weak == (reason is None)
    assert metrics(log)["undecided/panel/reader_failed"] == 1
    assert metrics(log)["acceptance"] != metrics(log)["acceptance"]  # nothing was decided: no rate


def test_every_rejected_record_says_why(outside: Outside) -> None:
    def no_query(prompt: str) -> dict[str, Any]:
        return {"queries": ["floods in March 2024", "latest news"]} if prompt.startswith(LISTS) else write(prompt)

    def invented(prompt: str) -> dict[str, Any]:
        return write(prompt) if prompt.startswith(LISTS) else write(prompt) | {"answer": "7 tonnes"}

    cases: list[tuple[Any, dict[str, Any], str, str, str]] = [
        (no_query, {}, "queries", "no_query", "2 usable queries are needed, and 0 of yours are."),
        (write, {"trust": "trust.yaml"}, "gold_source", "no_reliable_page", "hits"),
        (invented, {}, "question", "answer_not_in_support", "The answer must stand in the support"),
        (write, {"ambiguous": "4+2+2"}, "composition", "shortfall", "ambiguous/reliable: 1 of 4"),
    ]
    for number, (writes, options, stage, reason, detail) in enumerate(cases):
        log = run(engine(outside), writer(writes), locks=1, logs=f"logs{number}", **options)
        (one,) = noted(log).values()
        assert (one.accepted, one.stage, one.reason) == (False, stage, reason)
        assert detail in one.detail
        assert metrics(log)[f"rejected/{stage}/{reason}"] == 1
        assert metrics(log)[f"stage/{stage}/passed"] == 0
    assert metrics(log)["shortfall/ambiguous/reliable"] == 3


def test_reddit_is_asked_where_its_argument_and_keys_are_given_and_for_nothing_twice(
    outside: Outside, monkeypatch: pytest.MonkeyPatch
) -> None:
    def local(names: str, environment: Any) -> Reddit:
        reddit_of(names, environment)
        here = f"{outside.here}/reddit"
        return Reddit(ID, SECRET, subreddits(names), f"{here}/token", here, pause=0)

    def asked() -> list[str]:
        return [path for path in outside.paths() if path.startswith("/reddit")]

    monkeypatch.setattr("refusalbench_tasks.collect.gear.reddit_of", local)
    options: dict[str, Any] = {"locks": 1, "trust": "bundled", "clear": "4+0", "ambiguous": "1+1+2", "threshold": 0.15}
    for name in ("REDDIT_CLIENT_ID", "REDDIT_CLIENT_SECRET"):
        monkeypatch.delenv(name, raising=False)
    log = run(engine(outside), reddit="canals", logs="keyless", **options)
    assert "REDDIT_CLIENT_ID is not set" in str(log.error or (log.samples or [])[0].error)
    monkeypatch.setenv("REDDIT_CLIENT_ID", ID)
    monkeypatch.setenv("REDDIT_CLIENT_SECRET", SECRET)
    (without,) = noted(run(engine(outside), logs="without", **options)).values()
    assert (without.reason, without.shortfall, asked()) == ("shortfall", {"ambiguous/unreliable": 1}, [])
    (one,) = noted(run(engine(outside), reddit=["canals", "boats"], **options)).values()
    assert (one.accepted, one.reason) == (True, None)
    assert one.record is not None
    post = next(source for source in one.record.sources("ambiguous") if source["category"] == "unreliable")
    assert (post["domain"], post["date"], post["author"]) == ("reddit.com", "2020-03-01", "")
    assert post["because"] == ["posts of Reddit, unreliable as published"]
    assert asked() == ["/reddit/token", "/reddit/r/canals+boats/search", "/reddit/comments/abc12"]
    (again,) = noted(run(engine(outside), reddit="canals,boats", offline=True, logs="again", **options)).values()
    assert again.record is not None
    assert again.record.row["source_sets"] == one.record.row["source_sets"]
    assert len(asked()) == 3


def test_an_unknown_host_fills_a_slot_in_a_run_only_as_published(outside: Outside) -> None:
    # the bundled list calls no host unreliable
    (none,) = noted(run(engine(outside), locks=1, trust="bundled", logs="none")).values()
    assert (none.accepted, none.reason) == (False, "shortfall")
    assert set(none.shortfall) == {"clear/unreliable", "ambiguous/unreliable"}
    (one,) = noted(run(engine(outside), locks=1, trust="bundled", unknown="unreliable")).values()
    assert one.record is not None
    for arm, n in (("clear", 1), ("ambiguous", 2)):
        taken = [source for source in one.record.sources(arm) if source["category"] == "unreliable"]
        assert len(taken) == n
        assert all(source["domain"] in UNRELIABLE and not source["because"] for source in taken)


def test_a_run_reads_a_list_of_ones_own_with_columns_of_ones_own(outside: Outside) -> None:
    rows = "".join(f"{host},x,Unreliable\n" for host in UNRELIABLE)
    Path("hosts.csv").write_text(f"Where,Who,What I think\n{rows}", encoding="utf-8")
    # as Inspect's command line gives what has a comma
    how: dict[str, Any] = {"trust": ["bundled", "csv:hosts.csv"], "trust_columns": ["host=Where", "label=What I think"]}
    log = run(engine(outside), locks=1, **how)
    (one,) = noted(log).values()
    assert one.record is not None
    taken = [source for source in one.record.sources("ambiguous") if source["category"] == "unreliable"]
    assert [source["because"] for source in taken] == [[f"csv: {source['domain']}"] for source in taken]
    assert len(taken) == 2
    assert (log.eval.metadata or {})["trust_columns"] == "host=Where,label=What I think"


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({}, "search: required with sources=web"),
        ({"search": "altavista"}, None),
        ({"search": "brave", "clear": "4+1+"}, "clear: expected reliable"),
        ({"search": "brave", "ambiguous": "0+0+2"}, "not only distractions"),
        ({"search": "brave", "delay": -1}, "delay: expected a number from 0 to 3600"),
        ({"search": "brave", "unknown": "trusted"}, "unknown"),
        ({"sources": "written", "n": 6}, "use 8"),
        ({"search": "brave", "reddit": "all,canals"}, "reddit: expected 'all' or names"),
        ({"search": "brave", "trust": ["bundled", "x.yaml"]}, None),
        ({"search": "brave", "trust_columns": "hosts=Where"}, "trust_columns: 'hosts=Where' is not ROLE=COLUMN"),
        ({"serach": "brave"}, "unknown argument 'serach'"),
    ],
)
def test_wrong_arguments_are_one_line(arguments: dict[str, Any], problem: str | None) -> None:
    if problem is None:
        assert collect(**arguments).name  # engines are made in the run
        return
    with pytest.raises(DataError, match=problem) as error:
        collect(**arguments)
    assert "\n" not in str(error.value)


def test_the_pages_of_these_tests_are_what_they_should_be() -> None:
    for lock in LOCKS[:3]:
        told = {host for host in (*RELIABLE, *UNRELIABLE) if lock.weight in text_of(lock, host)}
        assert told == {*RELIABLE[:5], "corner.example.net"}
