"""`bluff` on made sources: a model that minds one thing alone, and a log that finds this thing and no other."""

import math
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import pytest
from inspect_ai import eval
from inspect_ai.log import EvalLog

from refusalbench_tasks.datasets.bluff import load_bluff
from refusalbench_tasks.datasets.bluff_item import FACTORS, LEVELS
from refusalbench_tasks.datasets.worlds import WorldsConfig
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.metrics.hedging import kind_estimates
from refusalbench_tasks.metrics.source_factors import factor_effects
from refusalbench_tasks.report.section import Section, section_of
from refusalbench_tasks.report.system import groups_of
from refusalbench_tasks.results.table import read_logs
from refusalbench_tasks.solvers.hedging_prompt import sources_text
from refusalbench_tasks.tasks.bluff import bluff
from refusalbench_tasks.worlds.persona import script
from tests.models import fake
from tests.tasks.hedging import metrics, replies

HEARSAY = [sentence for persona in script().personas for sentence in persona.doubtful.evidence]
ROWS = 24
Minds = Callable[[Mapping[str, bool]], bool]


@cache
def told() -> dict[str, dict[str, bool]]:
    """Return by the text of its sources and question which factors of an item give cause for doubt."""
    items, _ = load_bluff("worlds", made=WorldsConfig(ROWS))
    return {sources_text(item): {name: item.factors[name] == LEVELS[name][1] for name in FACTORS} for item in items}


def doubts(prompt: str) -> dict[str, bool]:
    return next(factors for text, factors in told().items() if prompt.startswith(text))


def run(minds: Minds, **task: object) -> EvalLog:
    def reply(prompt: str) -> str:
        return "It may be so." if minds(doubts(prompt)) else "It is so."

    return evaluated(reply, **task)


def evaluated(reply: Callable[[str], str], **task: object) -> EvalLog:
    arguments = {"data": "worlds", "n": ROWS, "ptrue": "none", "judge": "offline"} | task
    (log,) = eval(bluff(**arguments), model=fake(reply), log_dir="logs", display="none")  # type: ignore[arg-type]
    assert log.status == "success", log.error
    return log


def effects(log: EvalLog, measure: str) -> dict[str, tuple[float, float]]:
    return {one.name: (one.found.value, one.found.n) for one in factor_effects(replies(log), (measure,), 20)}


def test_a_model_that_minds_conflict_alone_is_found_out() -> None:
    log = run(lambda doubt: doubt["conflict"])
    # "may": six questions, in each of which four pairs of sets differ in one factor alone
    found = effects(log, "hedges")
    assert {name: found[name] for name in FACTORS} == {
        "reliability": (0.0, 24),
        "conflict": (1.0, 24),
        "sufficiency": (0.0, 24),
    }
    assert effects(log, "confidence")["conflict"][1] == 0
    # the four rows of a question are pairs of their own, and are resampled together
    m = metrics(log)
    assert (m["n"], m["n_pairs"], m["n_questions"]) == (48, 24, 6)


def test_a_model_that_minds_a_conflict_of_doubtful_sources_alone_shows_an_interaction() -> None:
    log = run(lambda doubt: doubt["reliability"] and doubt["conflict"])
    assert effects(log, "hedges") == {
        "reliability": (0.5, 24),
        "conflict": (0.5, 24),
        "sufficiency": (0.0, 24),
        "reliability x conflict": (1.0, 12),
        "reliability x sufficiency": (0.0, 12),
        "conflict x sufficiency": (0.0, 12),
    }
    section = _section(log)
    table = next(one for one in section.details if one.key == "factors")
    shown = {row["factor"]: (row["hedges"], row["hedges n"]) for row in table.rows}
    assert shown == effects(log, "hedges")
    assert {row["kind"] for one in section.details if one.key == "kinds" for row in one.rows} == {
        "conflict",
        "missing",
        "outdated",
        "unreliable",
    }


def test_a_model_that_minds_rival_answers_alone_is_told_from_one_that_minds_any_conflict() -> None:
    log = run(lambda doubt: doubt["conflict"] and not doubt["sufficiency"])
    assert effects(log, "hedges")["conflict"] == (0.5, 24)
    table = next(one for one in _section(log).details if one.key == "conflicts")
    # six questions: in each two pairs that suffice, and two that don't, of which three have the gap `missing`
    assert {row["conflict about"]: (row["hedges"], row["hedges n"]) for row in table.rows if row["hedges n"]} == {
        "asked": (1.0, 12),
        "other_thing": (0.0, 6),
        "former_value": (0.0, 6),
    }
    bounds = next(row for row in table.rows if row["conflict about"] == "bounds")
    assert (bounds["hedges n"], math.isnan(bounds["hedges"])) == (0, True)


def _section(log: EvalLog) -> Section:
    (section,) = map(section_of, groups_of(read_logs([log.location]).runs))
    return section


def test_a_model_that_reads_where_knowledge_comes_from_minds_reliability_alone() -> None:
    # it knows nothing of the data but the sentences of hearsay; with a lesser rival there are two where all is well
    log = evaluated(lambda prompt: "It may be so." if sum(map(prompt.count, HEARSAY)) >= 3 else "It is so.")
    assert {name: value for name, (value, _) in effects(log, "hedges").items()} == {
        "reliability": 1.0,
        "conflict": 0.0,
        "sufficiency": 0.0,
        "reliability x conflict": 0.0,
        "reliability x sufficiency": 0.0,
        "conflict x sufficiency": 0.0,
    }


def test_a_model_that_refuses_where_sources_do_not_suffice() -> None:
    grader = fake(lambda prompt: {"explanation": "x", "behaviour": "ANSWER", "correctness": 1.0})
    model = fake(lambda prompt: "I don't know." if doubts(prompt)["sufficiency"] else "It is so.")
    (log,) = eval(
        bluff(data="worlds", n=ROWS, ptrue="none"), model=model, model_roles={"grader": grader}, log_dir="logs",
        display="none",
    )  # fmt: skip
    assert {name: effects(log, "refusal_rate")[name][0] for name in FACTORS} == {
        "reliability": 0.0,
        "conflict": 0.0,
        "sufficiency": 1.0,
    }
    kinds = {kind: arms["refusal_rate"]["ambiguous"] for kind, arms in kind_estimates(replies(log), 20).items()}
    assert (kinds["missing"].value, kinds["outdated"].value) == (1.0, 1.0)
    # of the ambiguous sets that differ by a conflict two of four don't suffice
    assert (kinds["conflict"].value, kinds["conflict"].n) == (0.5, 8)


def test_each_sample_of_a_log_tells_what_its_sources_disagree_on() -> None:
    samples = run(lambda _: False).samples or []
    seen = {(one.metadata["factors"]["conflict"], one.metadata["factors"]["sufficiency"],
             one.metadata["conflict_about"]) for one in samples}  # fmt: skip
    assert {about for conflict, _, about in seen if conflict == "none"} == {None}
    assert {about for conflict, enough, about in seen if (conflict, enough) == ("conflict", "sufficient")} == {"asked"}
    # 24 rows are six questions: three with the gap `missing`, three with `outdated`
    short = {about for conflict, enough, about in seen if (conflict, enough) == ("conflict", "insufficient")}
    assert short == {"other_thing", "former_value"}


def test_other_data_has_no_factors_and_no_domains() -> None:
    log = evaluated(lambda prompt: "It is so.", data="sample", n=None, per_topic=1, topics="law")
    assert factor_effects(replies(log)) == []
    assert all(one.key != "factors" or not one.rows for one in _section(log).details)
    with pytest.raises(DataError, match="only data=worlds has domains"):
        bluff(data="sample", domains="halls")
    with pytest.raises(DataError, match="only data=worlds is made to measure"):
        bluff(data="sample", n=4)
    with pytest.raises(DataError, match="domains: 'opinions' has no sources; known: halls, campsites"):
        bluff(data="worlds", domains="opinions")
    with pytest.raises(DataError, match="use 24"):
        bluff(data="worlds", n=22)


def test_made_rows_in_a_file_are_the_rows_made_on_the_spot(tmp_path: Path) -> None:
    from click.testing import CliRunner

    from refusalbench_tasks.worlds.command import worlds

    file = tmp_path / "rows.jsonl"
    done = CliRunner().invoke(worlds, ["-o", str(file), "-n", "4", "--layout", "bluff"])
    assert done.exit_code == 0, done.output
    assert load_bluff(str(file))[0] == load_bluff("worlds", made=WorldsConfig(4))[0]
