"""Twins in several languages, from the rows to the table of a run."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from inspect_ai import eval
from inspect_ai.log import EvalLog

from refusalbench_tasks.cli import main
from refusalbench_tasks.datasets.benchmarks import NQ, Selection, load
from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.datasets.languages import (
    LANGUAGES,
    bundled_twins,
    language_of,
    twin_id,
)
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.metrics.refusal import every_number
from refusalbench_tasks.metrics.reply_table import reply_table
from refusalbench_tasks.offline import judge_offline
from refusalbench_tasks.prompting.refusal_template import prompt_text
from refusalbench_tasks.tasks.nq import nq
from refusalbench_tasks.taxonomy import REFUSALS
from tests.models import fake

CODE = "REFUSE_INFO_MISSING_IN_CONTEXT"


def items(data: str = "sample", **selection: Any) -> list[RefusalItem]:
    return load(NQ, Selection(data=data, **selection)).perturbed


def run(folder: Path, reply: Any = lambda _: CODE, **task: Any) -> EvalLog:
    args: dict[str, Any] = {"data": "sample", "judge": "offline", "per_stratum": 2}
    args |= task
    (log,) = eval(nq(**args), model=fake(reply), log_dir=str(folder), display="none")
    assert log.status == "success", log.error
    return log


def numbers(language: str, oracle: bool) -> dict[str, Any]:
    """Return every number of the oracle, or of one code for all, read offline."""
    table = []
    for row in bundled_twins(NQ.sample):
        item = NQ.layout.item_of(row)
        if language_of(item) == language:
            gold = item.references[0] if item.answerable else item.expected.value
            table.append(judge_offline(row.values, gold if oracle else CODE))
    assert len(table) == 72
    return every_number(reply_table(table))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_oracle_is_perfect_in_each_language_without_a_grader(
    language: str,
) -> None:
    perfect = numbers(language, oracle=True)
    for name in ("answer_accuracy", "refusal_accuracy", "calibrated_refusal_score"):
        assert perfect[name].value == 1
    assert perfect["false_refusal_rate"].value == 0
    assert perfect["missed_refusal_rate"].value == 0


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_always_refusing_scores_as_in_english(language: str) -> None:
    english = numbers("en", oracle=False)
    for name, estimate in numbers(language, oracle=False).items():
        assert str(estimate) == str(english[name]), name


def test_a_twin_has_its_languages_id_and_the_question_and_label_of_its_row() -> None:
    english = {item.item_id: item for item in items()}
    twins = items(language="all")
    assert len(twins) == len(english) * len(LANGUAGES)
    for twin in twins:
        language = language_of(twin)
        row = english[twin_id(twin)]
        ending = "" if language == "en" else f"@{language}"
        assert twin.item_id == f"{row.item_id}{ending}"
        assert twin.source_id == row.source_id
        assert (twin.expected, twin.lever) == (row.expected, row.lever)


def test_english_rows_are_those_without_a_language() -> None:
    facts = [
        load(NQ, Selection(data="sample", language=language)).provenance["fingerprint"]
        for language in (None, "en", "de")
    ]
    assert facts[0] == facts[1] != facts[2]


def test_controls_are_in_the_languages_of_the_rows() -> None:
    loaded = load(NQ, Selection(data="sample", language="pl", controls="add"))
    assert {language_of(item) for item in loaded.originals} == {"pl"}


def test_a_question_of_another_language_brings_its_gold_answers() -> None:
    crossed = items(language="en", question_language="fr")
    french = {twin_id(item): item for item in items(language="fr")}
    english = {item.item_id: item for item in items()}
    assert len(crossed) == 72
    for item in crossed:
        twin, row = french[item.item_id], english[item.item_id]
        assert item.passages == row.passages
        assert item.query == twin.query
        assert item.answers == row.answers + twin.answers
        assert item.columns["question_language"] == "fr"


def own_rows(path: Path, languages: tuple[str, ...] = ("en", "de")) -> Path:
    """Write a row of one's own in some languages."""
    rows = []
    for language in languages:
        row = {"id": f"q1@{language}", "source_id": "q1", "language": language}
        text = {"query": f"{language}?", "context": "1931.", "answers": ["1931"]}
        rows.append(json.dumps(row | text))
    path.write_text("\n".join(rows), encoding="utf-8")
    return path


def test_rows_of_ones_own_are_chosen_and_crossed_by_their_column(
    tmp_path: Path,
) -> None:
    path = str(own_rows(tmp_path / "rows.jsonl"))
    selection = Selection(data=path, language="de", question_language="en")
    (item,) = load(NQ, selection).unperturbed
    assert (item.item_id, item.query) == ("q1@de", "en?")


@pytest.mark.parametrize(
    ("selection", "message"),
    [
        ({"language": "fr"}, r"language: no row in 'fr'; languages: de, en, it"),
        (
            {"language": "it", "question_language": "fr"},
            "language: no row in 'fr'",
        ),
    ],
)
def test_a_language_without_rows_is_an_error(
    tmp_path: Path, selection: dict[str, str], message: str
) -> None:
    path = own_rows(tmp_path / "rows.jsonl", ("en", "de", "it"))
    with pytest.raises(DataError, match=message):
        load(NQ, Selection(data=str(path), **selection))


def test_a_row_without_a_twin_cannot_be_asked_in_its_language(tmp_path: Path) -> None:
    path = own_rows(tmp_path / "rows.jsonl")
    path.write_text(path.read_text().replace("q1@de", "q2@de"), encoding="utf-8")
    with pytest.raises(DataError, match="question_language: row 'q1@en' has no twin"):
        load(NQ, Selection(data=str(path), language="en", question_language="de"))


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_a_prompt_has_every_code_once_and_the_item_last(language: str) -> None:
    text = prompt_text(base=f"nq_{language}.txt")
    english = prompt_text(base="nq.txt")
    assert len(text.split("\n\n")) == len(english.split("\n\n"))
    for code in REFUSALS:
        assert text.splitlines().count(code.value) == 1
    assert text.index("REFUSE_OTHER") < text.index("{{query}}")
    assert text.index("{{query}}") < text.index("{{context}}")


def test_a_row_is_asked_in_the_language_of_its_question(tmp_path: Path) -> None:
    prompts = []

    def reply(prompt: str) -> str:
        prompts.append(prompt)
        return CODE

    chosen = {"language": "en,de", "prompt_language": "row", "per_stratum": 1}
    log = run(tmp_path, reply, **chosen)
    starts = {prompt[:3] for prompt in prompts}
    assert starts == {"You", "Du "}
    single = run(tmp_path, **chosen | {"language": "de"})
    crossed = run(
        tmp_path, reply, **chosen | {"language": "en", "question_language": "de"}
    )
    assert prompts[-1].startswith("Du ")
    hashes = [one.eval.metadata for one in (log, single, crossed)]
    assert all(hashes)
    both, german, of_crossed = [facts["prompt_sha256"] for facts in hashes if facts]
    assert both != german == of_crossed


@pytest.mark.parametrize(
    "args", [{"prompt_language": "it"}, {"prompt_language": "de", "ask": True}]
)
def test_a_prompt_that_is_not_there_is_an_error(args: dict[str, Any]) -> None:
    with pytest.raises(DataError, match="^prompt_language: "):
        nq(data="sample", judge="offline", **args)


def test_twins_are_compared_within_a_run(tmp_path: Path) -> None:
    answers = {item.query: item.references for item in items(language="en")}

    def reply(prompt: str) -> str:
        """Answer in English as the oracle does, and refuse in German."""
        asked = [query for query in answers if f"\n{query}\n" in prompt]
        return answers[asked[0]][0] if asked else CODE

    run(tmp_path, reply, language="en,de", per_stratum=None)
    args = ["compare", str(tmp_path), "--by", "language", "--format", "json"]
    result = CliRunner().invoke(main, args)
    assert result.exit_code == 0, result.output
    table = json.loads(result.stdout)["languages"]
    false, missed = table
    assert (false["language"], false["metric"]) == ("de", "false_refusal_rate")
    assert (false["in English"], false["value"], false["difference"]) == (0, 1, 1)
    assert false["n"] == 24
    assert (missed["in English"], missed["value"], missed["n"]) == (1, 0, 48)
    assert false["p (Holm)"] < 0.05
    assert false["95 % low"] <= 1


def test_twins_need_two_languages(tmp_path: Path) -> None:
    run(tmp_path, language="en", per_stratum=1)
    result = CliRunner().invoke(main, ["compare", str(tmp_path), "--by", "language"])
    assert result.exit_code
    assert "run with -T language=all" in result.output
