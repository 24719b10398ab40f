"""What is to be cited: the suite, the papers, and the rows of runs."""

from importlib.metadata import version
from pathlib import Path
from typing import Any

import yaml
from click.testing import CliRunner

from refusalbench_tasks.cli import main
from refusalbench_tasks.results.published.citations import (
    ARXIV,
    AUTHORS,
    BLUFF,
    BLUFF_PAPER,
    BLUFF_URL,
    DOI,
    REFUSALBENCH,
    Entry,
)
from refusalbench_tasks.taxonomy import Label
from tests.results.synthetic import row, write_log

CFF: dict[str, Any] = yaml.safe_load((Path(__file__).parents[3] / "CITATION.cff").read_text(encoding="utf-8"))
"""Checked once with `cffconvert --validate`; here, that it says what the package and `refusalbench cite` say."""


def test_the_citation_file_says_what_the_package_says() -> None:
    assert CFF["version"] == version("refusalbench-tasks")
    assert {"cff-version", "message", "title", "authors", "abstract", "keywords", "license"} <= CFF.keys()
    papers = [one for one in CFF["references"] if one["type"] != "data"]
    assert papers[0]["title"] == REFUSALBENCH
    assert papers[0]["url"].endswith(ARXIV)
    assert papers[0]["doi"] == DOI
    assert [f"{one['given-names']} {one['family-names']}" for one in papers[0]["authors"]] == list(AUTHORS)
    assert (papers[1]["title"], papers[1]["url"]) == (BLUFF, BLUFF_PAPER)
    assert papers[1]["repository-code"] == BLUFF_URL


def test_without_logs_the_suite_and_both_papers_are_named() -> None:
    done = CliRunner().invoke(main, ["reproduce", "--cite"])
    assert done.exit_code == 0, done.output
    assert [line.partition("{")[0] for line in done.stdout.splitlines() if line[:1] == "@"] == [
        "@software", "@inproceedings", "@misc",
    ]  # fmt: skip
    assert f"title = {{{{{REFUSALBENCH}}}}}" in done.stdout
    assert "author = {Aashiq Muhamed and Leonardo F. R. Ribeiro and Markus Dreyer and" in done.stdout
    assert "pages = {6811-6856}" in done.stdout
    assert "author = {{The authors of BLUFF-1000}}" in done.stdout
    assert version("refusalbench-tasks") in done.stdout


def test_the_rows_of_logs_are_named_once_with_their_revision(tmp_path: Path) -> None:
    for model in ("a", "b"):
        facts: dict[str, Any] = {
            "data": "hub",
            "repo": "x/Rows_1",
            "revision": "abc123",
            "fingerprint": "0123456789",
            "licence": "MIT",
        }
        write_log(tmp_path, model, [row("1", Label.MISSING)], **facts)
    (tmp_path / "x.eval").write_text("no log")
    done = CliRunner().invoke(main, ["reproduce", "--cite", str(tmp_path)])
    assert done.stdout.count("@misc{nq_data_01234567,") == 1
    assert "note = {revision abc123, rows 0123456789, licence MIT}" in done.stdout
    assert "url = {https://huggingface.co/datasets/x/Rows_1}" in done.stdout
    assert "left out" in done.stderr


def test_outside_text_ends_no_entry() -> None:
    hostile = "a} }\n@evil{x,"
    text = Entry("misc", hostile, {"title": hostile, "url": hostile}).as_bibtex()
    assert text.startswith("@misc{aevilx,\n")
    assert text.count("\n@") == 0
    assert text.replace(r"\{", "").replace(r"\}", "").count("{") == text.replace(r"\{", "").replace(r"\}", "").count(
        "}"
    )
