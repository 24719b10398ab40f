"""Time of `refusalbench report` over three tasks, and how its page opens and scrolls in Chromium."""

import random
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from inspect_ai.log import EvalSample
from playwright.sync_api import sync_playwright

from benchmarks.result import Result
from refusalbench_tasks.replies.confidence import LEVELS
from refusalbench_tasks.taxonomy import CLASSES, PERTURBED, REFUSALS, Label, expected_label
from tests.results.synthetic import hedging_sample, row, write_log

MODELS, ROWS = 6, 1_600
_NAMES = (
    "openai/gpt-4o-2024-08-06",
    "anthropic/claude-sonnet-4-5-20250929",
    "together/meta-llama/Llama-3.1-8B-Instruct",
    "together/meta-llama/Llama-3.3-70B-Instruct",
    "google/gemini-2.5-flash-preview-05-20",
    "mistral/mistral-large-2411",
)
_WORDS = ("harbour", "town", "archive", "bridge", "engineer", "council", "stone", "plan", "survey", "season", "ledger")
_WATCH = """window.tasks = []; new PerformanceObserver((list) => list.getEntries().forEach((one) =>
  tasks.push(Math.round(one.duration)))).observe({ type: "longtask", buffered: true })"""


def _words(rng: random.Random, number: int) -> str:
    return " ".join(rng.choice(_WORDS) for _ in range(number))


def _refusal_samples(model: int, task: str, rows: int) -> list[EvalSample]:
    rng, shared, made = random.Random(f"{model}{task}"), random.Random(task), []
    for k in range(rows):
        kind, intensity = CLASSES[k % 6], PERTURBED[k // 6 % 3]
        due = expected_label(kind, intensity)
        given = due if rng.random() < 0.4 + 0.08 * model else rng.choice([Label.ANSWER, Label.MISSING, *REFUSALS])
        texts: dict[str, Any] = {"query": _words(shared, 10), "passages": [_words(shared, 100), _words(shared, 80)]}
        level, reply = rng.choice(LEVELS), f"{given.value} {_words(rng, 25)}"
        made.append(
            row(f"{task}-{k:05d}", given, kind, intensity, rng.random() < 0.8, reply=reply, level=level, **texts,
                source_id=f"s{k * 7919 % max(2, rows // 16)}", domain=["history", "science", "sports", "law"][k % 4],
                lever=f"lever {k % 10}", generator=f"generator-{k % 4}")
        )  # fmt: skip
    return made


def _hedging_samples(model: int, rows: int) -> list[EvalSample]:
    rng, made = random.Random(model), []
    for k in range(rows):
        clear = k % 2 == 0
        numbers = {name: rng.random() for name in ("faithfulness", "overlap", "attribution", "confidence")}
        right, hedges = float(rng.random() < (0.8 if clear else 0.5)), float(rng.random() < (0.2 if clear else 0.4))
        refused = float(rng.random() < 0.05 * (1 + model))
        made.append(
            hedging_sample(f"q{k // 2}", "clear" if clear else "ambiguous", **numbers, refused=refused,
                           correctness=right, hedges=hedges, words=30.0)
        )  # fmt: skip
    return made


def write_logs(folder: Path, models: int = MODELS, rows: int = ROWS) -> None:
    """Write a log of each model and task: made-up scores, texts of ordinary length."""
    for k, model in enumerate(_NAMES[:models]):
        for task, scorer in (("nq", "refusal_scores"), ("garage", "grounded_scores")):
            write_log(folder / task, model, _refusal_samples(k, task, rows), task=task, scorer=scorer)
        write_log(folder / "bluff", model, _hedging_samples(k, rows), task="bluff", scorer="hedging_scores")


def report_seconds(logs: Path, out: Path) -> float:
    """Return the processor time of the command with its helpers, in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = Path(sys.executable).with_name("refusalbench")
    subprocess.run([str(command), "report", str(logs), "-o", str(out)], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def opened(page_file: Path) -> tuple[float, int, int]:
    """Return the seconds until a page is loaded, and its longest tasks meanwhile and while it is scrolled, in ms."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.add_init_script(_WATCH)
        page.goto(page_file.as_uri())
        loaded = float(page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd"))
        page.wait_for_timeout(1_500)
        first, at = max(page.evaluate("tasks.splice(0)"), default=0), 0
        while at < page.evaluate("document.documentElement.scrollHeight"):
            at += 450
            page.evaluate(f"scrollTo(0, {at})")
            page.wait_for_timeout(60)
        page.wait_for_timeout(1_500)
        longest = max(page.evaluate("tasks.splice(0)"), default=0)
        browser.close()
    return loaded / 1000, first, longest


def results() -> list[Result]:
    """Return what a report of 6 models on three tasks costs, how large its page is, and how it opens and scrolls."""
    with tempfile.TemporaryDirectory() as name:
        logs, out = Path(name) / "logs", Path(name) / "out"
        write_logs(logs)
        seconds = report_seconds(logs, out)
        loaded, first, longest = opened(out / "index.html")
        size = (out / "index.html").stat().st_size / 1e6
    about = f"{MODELS} models, 3 tasks, {ROWS:,} rows each"
    return [
        Result("report command, processor time of all processes", f"{seconds:.1f} s", "≤ 10 s wall for 30 logs", about),
        Result("its page", f"{size:.2f} MB", "≤ 6 MB", about),
        Result("the page in headless Chromium, until it is loaded", f"{loaded:.2f} s", "≤ 1.5 s", about),
        Result("longest task while it loads, while it is scrolled", f"{first} ms, {longest} ms", "≤ 100 ms", about),
    ]
