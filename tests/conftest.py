"""The order of the tests, and what they need not fear from a slow machine."""

import gc
import os
import ssl
from collections.abc import Callable, Generator, Iterator
from contextlib import nullcontext, suppress
from functools import cache
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadGroupScheduling

from tests.started import LIGHT, started_commands

# the first draw of text builds a table for a second, and how long a draw takes on a busy machine is no defect
settings.register_profile("suite", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("suite")

# two workers fill two cores: threads of numpy's and scikit-learn's own only wait for one another
os.environ.setdefault("OMP_NUM_THREADS", "1")

LONG = (
    "test_package.py",
    "test_resume.py",
    "test_faults.py",
    "test_perturb_end_to_end.py",
    "test_page.py",
    "test_report.py",
    "test_audit.py",
    "test_generated.py",
    "test_bluff.py",
    "test_nq.py",
    "test_surface.py",
    "test_sources.py",
    "test_perturb.py",
    "test_rule_cases.py",
    "test_collect.py",
    "test_bluff_factors.py",
    "test_dead_verifier.py",
    "test_any_input.py",
    "test_batch.py",
    "test_replay.py",
    "test_bluff_settings.py",
    "test_ptrue.py",
    "test_outside_text.py",
    "test_merge.py",
    "test_garage.py",
    "test_together.py",
)


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Look for no garbage while tests are collected: there is next to none, and it took a fifth of the time."""
    gc.disable()
    try:
        _begin_elsewhere(session.config)
        return (yield)
    finally:
        gc.enable()


def _begin_elsewhere(config: pytest.Config) -> None:
    """Let each worker of a whole run import another share of the files first: what one compiles, the others read."""
    worker = getattr(config, "workerinput", None)
    if worker is None or config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return
    files = sorted((config.rootpath / "tests").rglob("test_*.py"))
    first = int(worker["workerid"].removeprefix("gw")) * len(files) // worker["workercount"]
    for file in files[first:] if first else ():
        with suppress(Exception, pytest.skip.Exception):  # collection meets it again, and tells of it
            import_module(".".join(file.relative_to(config.rootpath).with_suffix("").parts))


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the files with long tests first, so that no worker is left with one at the end.

    What calls the commands is done by one worker, so that the process behind them is started once.
    """
    for item in items:
        if "commands" in getattr(item, "fixturenames", ()) and not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group("commands"))
        if getattr(config.option, "loadgroup", False):
            _name_group(item)
    items.sort(key=lambda item: LONG.index(item.path.name) if item.path.name in LONG else len(LONG))


def _name_group(item: pytest.Item) -> None:
    """Add a test's group to its id, where xdist looks for it.

    xdist 3.8 does so in a way that pytest does not heed since 9.2: the groups were spread over the workers, in silence.
    """
    group = item.get_closest_marker("xdist_group")
    kept: Any = item
    if group and hasattr(kept, "_id"):
        kept._id = type(kept._id).parse(f"{item.nodeid}@{group.args[0]}")


def pytest_collection_finish() -> None:
    """Let the garbage collector pass over what stays to the end: modules and tests, an eighth of the suite's time."""
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)


class ByFile(LoadGroupScheduling):  # type: ignore[misc]
    """Give the tests of a file to one worker, so that what they share is made once, but a named group's to its own."""

    def _split_scope(self, nodeid: str) -> str:
        scope: str = super()._split_scope(nodeid)
        return scope.partition("::")[0]


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByFile | None:
    """Return the scheduler of `--dist loadgroup`."""
    return ByFile(config, log) if config.getvalue("dist") == "loadgroup" else None


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep calls of models in a folder of this run's: scripted replies of a former run are none of ours."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("INSPECT_CACHE_DIR", str(tmp_path_factory.mktemp("calls")))
        yield


@pytest.fixture(scope="session")
def commands(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with `inspect` and `refusalbench` that need no start-up, for the front of PATH."""
    return started_commands(tmp_path_factory.mktemp("commands"))


@pytest.fixture(scope="session", autouse=True)
def _light_evals(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Leave out of an eval in this process what no test looks at.

    The table at its end, which Inspect lays out for a second, shown or not; the coloured copy of each error's
    traceback, a quarter of a second each; what a viewer of the run would see, a third of each sample; the server that
    would steer it, and what each sample would tell it; the dozen threads that pack each member of a log, and a client's
    certificates, read anew for each; and what other runs left in the home folder, which each eval searches. A log for
    which a test names no folder goes to none of the checkout's.
    """
    evaluate = import_module("inspect_ai").eval  # here, because xdist's controller, which runs no test, reads this file
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("inspect_ai._display.rich.display.tasks_results", lambda _: "")
        patch.setattr("inspect_ai._util.rich.rich_traceback", lambda *_, **__: "traceback")
        patch.setattr("inspect_ai.agent._acp.transport.acp_session", nullcontext)
        patch.setattr("inspect_ai._util.zipfile._ZSTD_THREADS", 0, raising=False)
        patch.setattr("ssl.create_default_context", cache(ssl.create_default_context))
        light = {"log_realtime": False, "score_display": False, "log_dir": str(tmp_path_factory.mktemp("logs"))}
        patch.setattr(evaluate, "__defaults__", _defaults(evaluate, **light))
        for name, value in LIGHT.items():
            patch.setenv(name, value)
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield


def _defaults(function: Callable[..., Any], **changes: Any) -> tuple[Any, ...]:
    parameters = signature(function).parameters.values()
    return tuple(changes.get(one.name, one.default) for one in parameters if one.default is not one.empty)
