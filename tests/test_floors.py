"""Nothing imports upwards: each room stands on a floor, and imports its own files and those of lower floors."""

import ast
import re
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import refusalbench_tasks

ROOT = Path(refusalbench_tasks.__file__).parent
PACKAGE = ROOT.name
FLOORS = (
    {"taxonomy", "errors", "terminal", "stats"},
    {"files", "outcome", "arguments"},
    {"prompting", "tables"},
    {"replies"},
    {"worlds", "documents"},
    {"datasets", "web"},
    {"judging", "metrics", "applications"},
    {"generators"},
    {"logs", "questions", "collection"},
    {"solvers", "compare", "audit", "published", "scale"},
    {"scorers", "report", "gate"},
    {"refusal_task"},
    {"nq", "garage", "bluff", "perturb", "question", "collect", "commands"},
    {"_registry", "cli", "__init__"},
)
"""The rooms from the ground up. Rooms on one floor don't know each other."""

FLOOR = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}
MODULES = {
    ".".join(path.relative_to(ROOT.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(ROOT.rglob("*.py"))
}


def room(module: str) -> str:
    return module.split(".")[1] if "." in module else "__init__"


@cache
def imported(path: Path) -> tuple[str, ...]:
    """Return the modules of the package that a file imports anywhere, also inside functions and for types only."""
    found: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [name.name for name in node.names if name.name.split(".")[0] == PACKAGE]
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == PACKAGE:
            inner = [f"{node.module}.{name.name}" for name in node.names]
            found += [one if one in MODULES else node.module for one in inner]
    return tuple(found)


def upward(module: str, path: Path) -> list[str]:
    here = room(module)
    return [
        f"{module} imports {other}"
        for other in imported(path)
        # the package itself holds only the names of the tasks, loaded when they are asked for
        if other != PACKAGE and room(other) != here and FLOOR[room(other)] >= FLOOR[here]
    ]


def test_every_room_has_a_floor() -> None:
    assert {room(module) for module in MODULES} == set(FLOOR)


@pytest.mark.parametrize("module", MODULES)
def test_nothing_imports_upwards(module: str) -> None:
    assert upward(module, MODULES[module]) == []


def test_no_files_import_each_other_in_a_circle() -> None:
    graph = {module: set(imported(path)) - {module} for module, path in MODULES.items() if module != PACKAGE}
    assert len(tuple(TopologicalSorter(graph).static_order())) >= len(graph)


def test_an_upward_import_would_be_found(tmp_path: Path) -> None:
    (tmp_path / "x.py").write_text(
        f"def f():\n    from {PACKAGE}.scorers import refusal\n    import {PACKAGE}.stats.cluster\n"
    )
    assert upward(f"{PACKAGE}.replies.x", tmp_path / "x.py") == [
        f"{PACKAGE}.replies.x imports {PACKAGE}.scorers.refusal"
    ]


def test_the_page_of_recipes_shows_every_room_on_its_floor() -> None:
    page = (ROOT.parent / "docs" / "extending.md").read_text(encoding="utf-8")
    floors = re.findall(r"^\| (\d+) \| ([^|]+) \|", page, re.MULTILINE)
    shown = {int(number): set(re.findall(r"`(\w+)`", rooms)) for number, rooms in floors}
    assert shown == {number: rooms - {"__init__"} for number, rooms in enumerate(FLOORS)}
