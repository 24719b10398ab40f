"""A run in shards whose logs are in a bucket from the first sample on."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from inspect_ai.log import list_eval_logs, read_eval_log

from refusalbench_tasks.cli import main
from tests.provider import Server
from tests.provider.plausible import plausible
from tests.scale.bucket import BUCKET, bucket


@pytest.mark.slow
def test_shards_and_their_merged_log_are_written_to_a_bucket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    command = [
        "cluster", "nq", "--model", "openai/gpt-4o", "--shards", "2", "--log-dir", f"{BUCKET}/runs",
        "-T", "data=sample", "-T", "judge=offline", "-T", "per_stratum=1", "--local-processes", "2",
    ]  # fmt: skip
    with bucket(), Server(plausible()) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.openai_url)
        done = CliRunner().invoke(main, command)
        assert done.exit_code == 0, done.output
        calls = len(server.calls)
        log = read_eval_log(f"{BUCKET}/runs/nq.eval")
        assert log.status == "success"
        assert len(log.samples or []) == calls == 18
        assert len(list_eval_logs(f"{BUCKET}/runs/nq.shards")) == 2
        again = CliRunner().invoke(main, command)
        assert "done before" in again.output
        assert len(server.calls) == calls
        refused = CliRunner().invoke(main, [*command, "-T", "seed=2"])
        assert "shards of another run: task arguments" in refused.output
    assert list(tmp_path.iterdir()) == []
