"""Which logs are read, and that no command writes over one of them."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from inspect_ai.log import read_eval_log, write_eval_log

from refusalbench_tasks.cli import main
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.log_reading import (
    CONTINUED,
    log_names,
    read_headers,
    read_samples,
    without_superseded,
)
from refusalbench_tasks.safe_writing import not_an_input
from refusalbench_tasks.taxonomy import Label
from tests.results.synthetic import row, write_log


def test_a_merged_log_stands_for_its_shards_and_a_missing_path_is_named(
    tmp_path: Path,
) -> None:
    write_log(tmp_path, "m", [row("1", Label.MISSING)])
    write_log(tmp_path / "0.shards" / "1", "m", [row("1", Label.MISSING)])
    (name,) = log_names([str(tmp_path)])
    assert name.endswith("/0.eval")
    with pytest.raises(DataError, match="gone: no such file or folder"):
        log_names([str(tmp_path / "gone")])


def test_of_an_unfinished_run_the_last_attempt_counts(tmp_path: Path) -> None:
    for _ in range(2):
        write_log(tmp_path, "m", [row("1", Label.MISSING)], status="cancelled")
    headers = without_superseded(read_headers([str(tmp_path)]))
    assert [log.location[-6:] for log in headers.logs] == ["1.eval"]
    assert [(name[-6:], why) for name, why in headers.left_out] == [
        ("0.eval", CONTINUED)
    ]


def test_each_sample_of_a_log_is_read_once_whatever_its_format(tmp_path: Path) -> None:
    path = write_log(tmp_path, "m", [row(key, Label.MISSING) for key in "abc"])
    log = read_eval_log(str(path))
    log.samples = [*(log.samples or []), row("a", Label.MISSING)]
    write_eval_log(log, str(tmp_path / "twice.json"))
    for name in (path, tmp_path / "twice.json"):
        samples = list(read_samples(str(name)))
        assert [getattr(sample, "id", sample) for sample in samples] == ["a", "b", "c"]


def test_a_log_is_known_in_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    for name in ("0.eval", "table.csv"):
        (folder / name).touch()
    (tmp_path / "beside").symlink_to(folder)
    for place in (folder / "table.csv", folder / "new.eval", tmp_path / "0.eval"):
        not_an_input(place, str(folder), None)
    for place, where in (
        (folder, folder),
        (folder, tmp_path),
        (tmp_path / "beside", folder),
        (folder, folder / "0.eval"),
    ):
        with pytest.raises(DataError, match="this file is read"):
            not_an_input(place / "0.eval", None, str(where))


def test_a_command_leaves_logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    before = write_log(tmp_path, "m", [row("q", Label.MISSING)]).read_bytes()
    for logs in ("0.eval", "."):
        told = CliRunner().invoke(main, ["rows", logs, "-o", "0.eval"])
        assert told.exit_code == 1
        assert (
            told.output
            == "Error: 0.eval: this file is read, and would be lost; give the output"
            " another name\n"
        )
        assert Path("0.eval").read_bytes() == before
