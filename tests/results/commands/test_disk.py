"""What a disk refuses, a full one or a place that can't be written, ends in one line
and exit status 2.
"""

import errno
import json
import os
import resource
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from refusalbench_tasks.cli import main
from tests.commands import forked
from tests.scale.sharded import evaluated, nq_task

LOG = str(Path(__file__).parents[1] / "frozen" / "nq_cascade.eval")
RULE = ("--min", "refusal_accuracy=0.3")
ROW = {
    "id": "a",
    "query": "Who?",
    "context": "Ada.",
    "answers": ["Ada"],
    "intensity": "CLEAN",
    "reply": "Ada",
}
WRITING = {
    "report": ("report", LOG, "-o", "{}"),
    "rows to CSV": ("rows", LOG, "-o", "{}.csv"),
    "rows to Parquet": ("rows", LOG, "-o", "{}.parquet"),
    "score to a log": (
        "score",
        "rows.jsonl",
        "--task",
        "nq",
        "--data",
        "rows.jsonl",
        "--log",
        "{}.eval",
    ),
    "merge": ("merge", "parts", "-o", "{}.eval"),
}
PRINTING = {
    "show": ("show", LOG),
    "show as CSV": ("show", LOG, "--format", "csv"),
    "gate": ("gate", LOG, *RULE),
    "compare": ("compare", LOG, LOG.replace("cascade", "cascade_beta")),
    "reproduce": ("reproduce", LOG),
    "score": ("score", "rows.jsonl", "--task", "nq", "--data", "rows.jsonl"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("disk")
    (made / "rows.jsonl").write_text(json.dumps(ROW) + "\n")
    (made / "file").write_text("mine")
    for number in (1, 2):
        evaluated(nq_task(f"{number}/2"), str(made / "parts"))
    return made


def ended(
    folder: Path, words: tuple[str, ...], before: Callable[[], object] = lambda: None
) -> tuple[int, list[str]]:
    def work() -> None:
        before()
        sys.argv = ["refusalbench", *words]
        main()

    status, said = forked(work, folder).ended()
    return status, [
        line for line in said.splitlines() if line and not line.startswith("Warning")
    ]


@pytest.mark.parametrize("words", WRITING.values(), ids=WRITING)
def test_a_place_that_cannot_be_written_is_named(
    folder: Path, words: tuple[str, ...]
) -> None:
    status, said = ended(
        folder, tuple(word.replace("{}", "file/new") for word in words)
    )
    assert status == 2, said
    assert said[-1].startswith("Error: file/new")
    assert "cannot be written" in said[-1]


@pytest.mark.parametrize("words", WRITING.values(), ids=WRITING)
def test_a_full_disk_leaves_one_line_and_no_file(
    folder: Path, words: tuple[str, ...]
) -> None:
    def refused(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    def full() -> None:
        # large files fail while they are written, small ones when they take their place
        resource.setrlimit(resource.RLIMIT_FSIZE, (3_000, 3_000))
        setattr(os, "replace", refused)  # noqa: B010

    new = folder / "full"
    before = sorted(folder.rglob("*"))
    status, said = ended(
        folder, tuple(word.replace("{}", new.name) for word in words), full
    )
    assert status == 2, said
    assert sorted(folder.rglob("*")) == before
    assert not any("Traceback" in line for line in said)


@pytest.mark.skipif(
    not Path("/dev/full").exists(), reason="no /dev/full on this system"
)
@pytest.mark.parametrize("words", PRINTING.values(), ids=PRINTING)
def test_an_output_that_is_full_ends_in_one_line(
    folder: Path, words: tuple[str, ...]
) -> None:
    def full() -> None:
        sys.stdout = open("/dev/full", "w", encoding="utf-8")  # noqa: SIM115

    status, said = ended(folder, words, full)
    assert status == 2, said
    assert said[-1] == "Error: the output cannot be written (No space left on device)"
