"""`make screenshots`: the pictures of docs/images anew, from logs without a model, in
Debian's or your own Chromium.
"""

import shutil
import tempfile
from pathlib import Path

from inspect_ai import Task, eval
from inspect_ai.solver import Solver
from playwright.sync_api import Browser, sync_playwright

from benchmarks.models_table import recordings, replayed
from refusalbench_tasks.report.build import write_report
from refusalbench_tasks.solvers.baselines import always_refuse, extractive, oracle
from refusalbench_tasks.tasks.nq import nq

IMAGES = Path(__file__).parents[1] / "docs" / "images"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
WIDTH = 1280
HEIGHT = 900
BASELINES = {
    "baselines-errors.svg": "nq-error-tradeoff.svg",
    "baselines-replies.svg": "nq-distribution.svg",
}
"""Figures of the report of the baselines."""


def baseline_logs(folder: Path) -> Path:
    """Write a log of each baseline on the bundled rows, and return the folder."""
    task: Task = nq(data="sample", judge="offline")
    baselines: list[Solver] = [oracle(), always_refuse(), extractive()]
    for solver in baselines:
        eval(task, solver=solver, model="none", log_dir=str(folder), display="none")
    return folder


def model_logs(folder: Path) -> Path:
    """Write the logs of the recorded models and of `always_refuse` on the bundled rows
    of `nq`; return the folder.
    """
    task = nq(data="sample", judge="offline")
    eval(
        task, solver=always_refuse(), model="none", log_dir=str(folder), display="none"
    )
    for recording in recordings():
        if recording.rows == "nq":
            replayed(recording, folder)
    return folder


def take(
    browser: Browser, address: str, picture: Path, ready: str, height: int = HEIGHT
) -> None:
    """Write what a window shows of an address once the element `ready` is there."""
    page = browser.new_page(viewport={"width": WIDTH, "height": height})
    page.goto(address)
    page.locator(ready).first.wait_for()
    page.screenshot(path=str(picture))
    page.close()


def main() -> None:
    """Write all pictures. Raises SystemExit with one line where there is no browser."""
    chromium = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if chromium is None:
        raise SystemExit("no Chromium on the PATH (apt-get install chromium)")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        drawn = (
            write_report(
                [str(baseline_logs(folder / "baselines"))], folder / "drawn"
            ).page.parent
            / "figures"
        )
        for picture, figure in BASELINES.items():
            shutil.copy(drawn / figure, IMAGES / picture)
        logs = model_logs(folder / "models")
        page = write_report([str(logs)], folder / "page", "Three small models").page
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=chromium, args=["--no-sandbox"]
            )
            take(browser, page.as_uri(), IMAGES / "report-page.png", "figure svg")
            browser.close()


if __name__ == "__main__":
    main()
