"""The documentation site: every page is in its menu, the commands of the first page are
tested, and it builds.
"""

import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import yaml

from refusalbench_tasks.cli import COMMANDS

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = {str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md")}


class Config(yaml.SafeLoader):
    """Reads mkdocs.yml without making the objects that it names."""


Config.add_multi_constructor(
    "tag:yaml.org,2002:python/", lambda loader, suffix, node: suffix
)


def config() -> dict[str, Any]:
    found: dict[str, Any] = yaml.load(
        (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), Loader=Config
    )
    return found


def entries(nav: Any) -> Iterator[str]:
    if isinstance(nav, str):
        yield nav
    else:
        for part in nav.values() if isinstance(nav, dict) else nav:
            yield from entries(part)


def text(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def blocks(name: str, language: str) -> list[str]:
    found = re.findall(
        r"^ *```(\w*)\n(.*?)^ *```$", text(name), re.MULTILINE | re.DOTALL
    )
    return [block for said, block in found if said == language]


def test_every_page_is_in_the_menu_once_and_every_entry_is_a_page() -> None:
    listed = list(entries(config()["nav"]))
    assert len(listed) == len(set(listed))
    assert set(listed) - PAGES == set()
    assert PAGES - set(listed) == set(), "give it an entry under `nav` in mkdocs.yml"


def test_the_first_pages_commands_are_those_of_the_readme() -> None:
    known = (
        (ROOT / "README.md").read_text(encoding="utf-8")
        + text("nq.md")
        + (ROOT / "Makefile").read_text()
    )
    said = [line for block in blocks("index.md", "bash") for line in block.splitlines()]
    runs = [
        line
        for line in said
        if line.startswith("inspect eval")
        and "openai" in line
        and "data=sample" in line
    ]
    assert len(runs) == 1
    assert all(line in known for line in runs)


def test_every_module_of_the_reference_can_be_imported() -> None:
    pages = "\n".join(
        page.read_text(encoding="utf-8") for page in (DOCS / "reference").glob("*.md")
    )
    names = set(re.findall(r"^::: (refusal\S+)", pages, re.MULTILINE))
    assert len(names) > 40
    for name in names:
        parent, _, last = name.rpartition(".")
        assert importlib.util.find_spec(parent)
        assert (
            importlib.util.find_spec(name)
            if not hasattr(import_module(parent), last)
            else True
        )


def test_no_page_names_a_command_that_is_not_there() -> None:
    for page in PAGES:
        for block in blocks(page, "bash"):
            for name in re.findall(
                r"^refusalbench ([a-z][a-z-]*)", block, re.MULTILINE
            ):
                assert name in COMMANDS, page


@pytest.mark.slow
def test_the_numbers_of_the_worked_example_are_those_of_a_run(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.imaginary", str(tmp_path / "logs")],
        cwd=ROOT,
        env=os.environ | {"COLUMNS": "120"},
        capture_output=True,
        text=True,
        timeout=600,
        check=True,
    )
    printed = {line.rstrip() for line in done.stdout.splitlines()}
    lines = [
        line.rstrip()
        for block in blocks("reading.md", "")
        for line in block.splitlines()
        if line.strip()
    ]
    assert len(lines) == 18
    assert [line for line in lines if line not in printed] == []


@pytest.mark.slow
def test_the_site_builds_without_a_warning_and_asks_for_nothing_outside(
    tmp_path: Path,
) -> None:
    pytest.importorskip(
        "mkdocs", reason="the group `docs` is not installed (make docs)"
    )
    command = [
        sys.executable,
        "-m",
        "mkdocs",
        "build",
        "--strict",
        "--quiet",
        "-d",
        str(tmp_path / "site"),
    ]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    for page in PAGES:
        built = (
            (tmp_path / "site" / page).with_suffix(".html").read_text(encoding="utf-8")
        )
        loaded = re.findall(
            r"<(?:script|img|iframe|link)\b[^>]*?(?:src|href)=\"?(\S+?)[\"\s>]", built
        )
        assert [
            address for address in loaded if address.startswith(("http", "//"))
        ] == []
    assert (
        'id="refusalbench-gate"'
        in (tmp_path / "site" / "reference" / "commands.html").read_text()
    )
    assert (
        "always_refuse" in (tmp_path / "site" / "reference" / "python.html").read_text()
    )
